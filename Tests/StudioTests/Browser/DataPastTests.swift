import Foundation
import Testing

/// An object as of a transaction, on the page.
extension BrowserTests {
    @Suite struct DataPastTests {
        private static let number = "document.querySelector('#past-transaction')?.value"

        private func shows(_ page: Page, _ transaction: Int) async throws {
            try await page.wait(
                until:
                    "\(Self.number) === '\(transaction)' && document.querySelector('#past').dataset.transaction === '\(transaction)'",
                "transaction No. \(transaction)")
        }

        /// What stands in a row of the table: the value, and what became of it.
        private func row(_ page: Page, _ property: String) async throws -> [String] {
            try await page.read(
                "[...document.querySelectorAll('[data-property=\(property)] td')].map((cell) => cell.textContent)"
            ).strings
        }

        @Test func anObjectIsSeenAsItWasFromTheTimelineAndFromTheInspector() async throws {
            let store = try SampleStore.history()
            let before = try store.files()
            try await DataWindow.use(store) { window in
                let page = window.page
                try await page.click("#open-history")
                try await page.wait(for: "[data-transaction=\"182\"]")
                try await page.click("[data-transaction=\"182\"] .change-past")
                try await shows(page, 182)
                #expect(try await page.text(".past-head h2") == "Person 1")
                #expect(try await row(page, "number") == ["180", "unchanged since"])
                try await page.click("#past-earlier")
                try await shows(page, 152)
                #expect(try await row(page, "number") == ["not known", "changed by No. 182"])
                #expect(try await row(page, "name") == ["Person 1", "unchanged since"])
                #expect(try await row(page, "city") == ["Boston", "unchanged since"])
                #expect(try await page.text("#total") == "6 of 7 values are known")
                // To the change that hides the value, and back by the browser.
                try await page.click("[data-property=number] .link")
                try await shows(page, 182)
                #expect(try await page.read("document.querySelector('#past-later').disabled").boolean == true)
                // A place of its own: it is there after the page is loaded anew.
                _ = try await page.send("Page.reload")
                try await shows(page, 182)
                try await page.click("#past-now")
                try await window.rowsCome()
                #expect(try await window.identifiers == ["Person/p1"])

                try await page.wait(for: "#object-past")
                try await page.click("#object-past")
                try await shows(page, 182)
                _ = try await page.read("document.querySelector('#past-transaction').focus()")
                try await page.press("End")
                try await shows(page, 1)
                #expect(try await row(page, "number") == ["not known", "changed by No. 2 and 6 more"])
            }
            #expect(try store.files() == before)
        }

        @Test func deletedObjectsAndThoseThatDidNotExistYetAreTold() async throws {
            try await DataWindow.use(try SampleStore.history()) { window in
                let page = window.page
                try await page.click("#open-history")
                try await page.click("[data-transaction=\"202\"] .change.deleted .change-past")
                try await shows(page, 202)
                #expect(try await page.text(".past-summary").contains("This transaction deleted the object"))
                #expect(try await row(page, "name") == ["Person 2", "kept by the deletion"])
                #expect(try await page.count("[data-property]") == 1)
                #expect(try await page.count("#past-now") == 0)
                try await page.click("#past-earlier")
                try await shows(page, 183)
                #expect(try await row(page, "name") == ["Person 2", "kept by the deletion"])
                #expect(try await row(page, "score") == ["not known", "not kept by the deletion"])
            }
        }

        @Test func allOfItIsDoneByKeysAlone() async throws {
            try await DataWindow.use(try SampleStore.history()) { window in
                let page = window.page
                try await window.open("Person")
                try await page.click(try await window.cell(0, "name"))
                try await page.wait(for: "#object-past")
                try await tab(page, to: "#object-past")
                try await page.press("Enter")
                try await shows(page, 182)
                try await tab(page, to: "#past-earlier")
                try await page.press("Enter")
                try await shows(page, 152)
                // The button keeps the focus: one goes on back.
                try await page.press("Enter")
                try await shows(page, 122)
                try await tab(page, to: "[data-property=number] .link")
                try await page.press("Enter")
                try await shows(page, 152)
                try await tab(page, to: "#past-now")
                try await page.press("Enter")
                try await window.rowsCome()
            }
        }

        /// Tab, until an element has the focus, which is to be seen.
        private func tab(_ page: Page, to selector: String) async throws {
            for _ in 0..<120 {
                try await page.press("Tab")
                guard try await page.read("document.activeElement.matches(\(Page.quoted(selector)))").boolean == true
                else { continue }
                #expect(try await page.read(AccessibilityTests.isFocusSeen).boolean == true, "\(selector)")
                return
            }
            throw Browser.Failure(description: "The focus does not come to \(selector).")
        }

        @Test(arguments: [false, true]) func thePastPassesTheRules(isDark: Bool) async throws {
            try await DataWindow.use(try SampleStore.history()) { window in
                let page = window.page
                try await page.setDark(isDark)
                let look = isDark ? "dark" : "light"
                try await page.click("#open-history")
                try await page.wait(for: "[data-transaction=\"182\"]")
                try await Pictures.keep(page, "timeline-\(look)")
                try await page.click("[data-transaction=\"182\"] .change-past")
                try await shows(page, 182)
                try await page.click("#past-earlier")
                try await shows(page, 152)
                try await Pictures.keep(page, "past-\(look)")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
                try await page.click("#open-history")
                try await page.click("[data-transaction=\"202\"] .change.deleted .change-past")
                try await shows(page, 202)
                try await Pictures.keep(page, "past-deleted-\(look)")
                #expect(try await page.read(AccessibilityTests.rules).strings == [])
            }
        }

        @Test func aSaveOfAnotherProgramIsTakenIntoWhatIsSaidOfThePast() async throws {
            let store = try SampleStore.history()
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("City")
                try await page.click(try await window.cell(1, "name"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'City/p2'")
                try await page.click("#object-past")
                try await shows(page, 203)
                #expect(try await row(page, "name") == ["Rome", "unchanged since"])
                try store.recordName("Roma", ofCity: "Rome")
                try await page.wait(
                    until: "document.querySelector('[data-property=name]').dataset.knowledge === 'changed'",
                    "the save")
                #expect(try await row(page, "name") == ["not known", "changed by No. 204"])
                try await shows(page, 203)
            }
        }
    }
}

/// Pictures of a test's views, for a person to look at, where `COREDATA_PICTURES` names a folder.
enum Pictures {
    private static let folder = ProcessInfo.processInfo.environment["COREDATA_PICTURES"].map { URL(filePath: $0) }

    static func keep(_ page: Page, _ name: String) async throws {
        guard let folder else { return }
        try await Task.sleep(for: .milliseconds(250))
        try await page.screenshot().write(to: folder.appending(path: "\(name).png"))
    }
}
