import CoreData
import Foundation
import Testing

/// A window that only reads follows what other programs save, and marks it for a while.
extension BrowserTests {
    @Suite struct DataReadingTests {
        private func fresh(_ page: Page) async throws -> [String] {
            try await page.read(
                """
                [...document.querySelectorAll('.grid-cell.fresh')].map((cell) => `${cell.parentElement.dataset.id} \
                ${document.querySelectorAll('.grid-title')[[...cell.parentElement.children].indexOf(cell)].dataset.column}`)
                """
            ).strings
        }

        @Test func whatAnotherProgramSavesAppearsByItselfAndIsMarkedForAWhile() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(4, "city"))
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Order/p5'")
                #expect(try await page.text("#document-state") == "Read only")
                try await window.noteMarks()
                try program.change { try $0.order(5)?.setValue("Rome", forKey: "city") }
                try await window.shows("Rome", 4, "city")
                #expect(try await window.marks(1) == ["Order/p5 city"])
                try await page.wait(
                    until: "document.querySelector('.inspector .values').textContent.includes('Rome')", "the inspector")
                try await page.wait(until: "!document.querySelector('.grid-cell.fresh')", "the mark to go")
                // One scrolls away and back: what was marked once is not marked again.
                _ = try await page.read("document.querySelector('#rows').scrollTo(0, 100000)")
                _ = try await page.read("document.querySelector('#rows').scrollTo(0, 0)")
                #expect(try await fresh(page) == [])

                // A new object, and one that is gone: the others are not marked, although their rows move.
                try program.change { context in
                    context.delete(try #require(try context.order(2)))
                    let order = NSEntityDescription.insertNewObject(forEntityName: "Order", into: context)
                    order.setValue(13, forKey: "number")
                }
                let marks = try await window.marks(2)
                #expect(Set(marks.map { $0.prefix { $0 != " " } }) == ["Order/p5", "Order/p13"])
                try await page.wait(until: "document.querySelector('#total').textContent === '12 objects'")
                #expect(try await page.text("[data-entity=Order]").contains("12"))
            }
        }

        @Test func aWindowThatMovesLittleHasAMarkThatStandsStill() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store) { window in
                let page = window.page
                let feature: JSONValue = ["name": "prefers-reduced-motion", "value": "reduce"]
                _ = try await page.send("Emulation.setEmulatedMedia", ["features": [feature]])
                try await window.open("Order")
                let colour =
                    "getComputedStyle(document.querySelector('\(try await window.cell(4, "city"))')).backgroundColor"
                let before = try await page.read(colour).string
                _ = try await page.read(
                    """
                    (() => {
                        window.colours = new Set();
                        new MutationObserver(() => { window.colours.add(\(colour)); })
                            .observe(document.querySelector('.grid-body'), {subtree: true, attributes: true});
                    })()
                    """)
                try program.change { try $0.order(5)?.setValue("Rome", forKey: "city") }
                try await page.wait(until: "[...window.colours].some((each) => each !== '\(before ?? "")')", "the mark")
                try await window.shows("Rome", 4, "city")
                try await page.wait(until: "\(colour) === '\(before ?? "")'", "the mark to go")
            }
        }

        @Test func whatOneSavesOneselfIsNotMarkedAsOfOthers() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Product")
                try await page.click(try await window.cell(0, "name"))
                try await page.press("Insert")
                try await page.wait(for: ".grid-row[data-state=inserted][aria-selected=true]")
                try await page.fill("#value-name", "Dates")
                try await window.noteMarks()
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await page.wait(until: "document.querySelector('#object-id').textContent === 'Product/p4'")
                try await window.rowsCome()
                try await Task.sleep(for: .milliseconds(600))
                #expect(try await window.marks(0) == [])
            }
        }

        @Test func newTransactionsStandInTheTimelineOfAWindowThatReads() async throws {
            let store = try SampleStore.history()
            try await DataWindow.use(store) { window in
                let page = window.page
                try await page.click("#open-history")
                try await page.wait(for: "[data-transaction=\"203\"]")
                try store.recordCity("Paris")
                try await page.wait(for: "[data-transaction=\"204\"].fresh")
                try await page.wait(until: "!document.querySelector('.transaction.fresh')", "the mark to go")
            }
        }

        @Test func aStoreThatWasExchangedForAnotherOneStaysAsItWasReadAndThePageSaysSo() async throws {
            let (store, shop) = (try SampleStore.people(3), try SampleStore.shop())
            try await DataWindow.use(store) { window in
                let page = window.page
                try await window.open("Person")
                try Data(contentsOf: shop.url).write(to: store.url, options: .atomic)
                try await page.wait(for: "#following-problem")
                #expect(try await page.text("#following-problem").contains("another model"))
                #expect(try await window.total == "3 objects")
                let findings = try await page.read(AccessibilityTests.rules).strings
                #expect(findings == [])
            }
        }
    }
}
