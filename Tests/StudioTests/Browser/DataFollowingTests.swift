import CoreData
import Foundation
import Testing

/// What a window shows while another program saves, and dates as a person types them.
extension BrowserTests {
    @Suite struct DataFollowingTests {
        @Test func aRowWithAChangeShowsWhatAnotherProgramSavedBesideIt() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("Order")
                try await page.click(try await window.cell(0, "remark"))
                try await page.press("Enter")
                try await page.fillCell("mine", "Enter")
                try await window.shows("mine", 0, "remark")
                try program.change { try $0.order(1)?.setValue("Rome", forKey: "city") }
                try await window.shows("Rome", 0, "city")
                try await window.shows("mine", 0, "remark")
                try await page.wait(until: "document.querySelector('#value-city')?.value === 'Rome'", "the inspector")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
            }
            #expect(try program.read { try $0.order(1)?.value(forKey: "city") } as? String == "Rome")
            #expect(try program.read { try $0.order(1)?.value(forKey: "remark") } as? String == "mine")
        }

        @Test func marksStayWhenAnotherProgramSavesOnceMore() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store) { window in
                try await window.open("Order")
                try await window.shows("–", 4, "remark")
                let page = window.page
                _ = try await page.read(
                    """
                    (() => {
                        // A mark does not end, however slow the machine is.
                        const now = performance.now();
                        performance.now = () => now;
                        window.mostMarks = 0;
                        new MutationObserver(() => {
                            window.mostMarks = Math.max(window.mostMarks, document.querySelectorAll('.grid-cell.fresh').length);
                        }).observe(document.querySelector('.grid-body'), {subtree: true, attributes: true});
                    })()
                    """)
                try program.change { try $0.order(5)?.setValue("from elsewhere", forKey: "remark") }
                try await page.wait(until: "window.mostMarks === 1", "the first mark")
                try program.change { try $0.order(6)?.setValue("Rome", forKey: "city") }
                try await page.wait(until: "window.mostMarks === 2", "both marks")
            }
        }

        @Test func newTransactionsStandBeforeTheOthersWhichStayWhereTheyAre() async throws {
            let store = try SampleStore.history()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                let shown = "[...document.querySelectorAll('.transaction')].map((each) => each.dataset.transaction)"
                try await page.click("#open-history")
                try await page.wait(until: "\(shown).length === 50")
                try await page.click("#older")
                try await page.wait(until: "\(shown).length === 100")
                let place = "document.querySelector('[data-transaction=\"150\"]').getBoundingClientRect().top"
                _ = try await page.read("document.querySelector('[data-transaction=\"150\"]').scrollIntoView()")
                let before = try #require(try await page.read(place).number)
                try store.recordCity("Paris")
                try await page.wait(until: "\(shown)[0] === '204'", "the new transaction")
                #expect(try await page.read("\(shown).length").number == 101)
                #expect(try await page.count(".transaction.fresh") == 1)
                try await page.wait(until: "Math.abs(\(place) - \(before)) < 4", "the place that one looked at")
                // The filter stands, and older ones go on where they ended.
                try await page.click("#older")
                try await page.wait(until: "\(shown).length === 151")
                #expect(try await page.read("new Set(\(shown)).size").number == 151)
            }
        }

        /// In the year 2000 the clocks of Berlin left this hour out.
        @Test func aDateIsTheOneThatTheClockOfThisComputerShows() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                _ = try await page.send("Emulation.setTimezoneOverride", ["timezoneId": "Europe/Berlin"])
                try await window.open("Order")
                try await page.click(try await window.cell(0, "placed"))
                try await page.press("Enter")
                try await page.fillCell("2024-03-26 02:30", "Enter")
                try await window.shows("2024-03-26 02:30:00", 0, "placed")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
            }
            let program = try OtherProgram(store.url)
            let placed = try program.read { try $0.order(1)?.value(forKey: "placed") } as? Date
            #expect(placed == ISO8601DateFormatter().date(from: "2024-03-26T01:30:00Z"))
        }
    }
}
