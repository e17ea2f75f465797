import Foundation
import Testing

/// Filters that are made of values, and filters that are kept.
extension BrowserTests {
    @Suite struct DataFilterTests {
        private static let photos = StudioSamples.package
            .appending(path: "../shared/fixtures/stores/osxphotos-13/Photos.sqlite").standardizedFileURL
        private static let hasPhotos = FileManager.default.fileExists(atPath: photos.path)

        @Test func floatsAndObjectsOfOneTitleAreFilteredByTheirCells() async throws {
            try await DataWindow.use(try SampleStore.readings()) { window in
                try await window.open("Reading")
                for (column, rows) in [("score", 0...4), ("owner", 0...2)] {
                    for row in rows {
                        try await window.chooseInCell(row, column, "Filter by This Value")
                        #expect(try await window.identifiers == ["Reading/p\(row + 1)"], "\(column)")
                        try await window.removeFilter()
                    }
                }
                try await window.chooseInCell(5, "score", "Filter by This Value")
                #expect(try await window.identifiers == ["Reading/p6"])
            }
        }

        @Test func theTeamOfAPlayerIsFilteredAndLeftOut() async throws {
            try await DataWindow.use(try SampleStore.league()) { window in
                try await window.open("Player")
                let all = try await window.number
                let team = try #require(try await window.column("team").first)
                try await window.chooseInCell(0, "team", "Filter by This Value")
                #expect(try await window.page.value("#filter").hasPrefix("team == $Team_p"))
                let found = try await window.number
                #expect(found > 0 && found < all)
                #expect(Set(try await window.column("team")) == [team])
                try await window.removeFilter()
                try await window.chooseInCell(0, "team", "Leave Out This Value")
                #expect(try await window.number == all - found)
                #expect(try await window.column("team").contains(team) == false)
            }
        }

        @Test(.enabled(if: hasPhotos, "the shared folder's stores are needed"))
        func floatsOfAStoreOfApplesAreFilteredByTheirCells() async throws {
            let store = try SampleStore("Photos.sqlite")
            for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: Self.photos.path + suffix) {
                try FileManager.default.copyItem(atPath: Self.photos.path + suffix, toPath: store.url.path + suffix)
            }
            try await DataWindow.use(store) { window in
                try await window.open("Asset")
                let scores = try await window.column("overallAestheticScore")
                let row = try #require(scores.firstIndex(of: "0.69628906"))
                let all = try await window.number
                let same = scores.count { $0 == scores[row] }
                try await window.chooseInCell(row, "overallAestheticScore", "Filter by This Value")
                #expect(try await window.number == same)
                try await window.removeFilter()
                try await window.chooseInCell(row, "overallAestheticScore", "Leave Out This Value")
                #expect(try await window.number == all - same)
            }
        }

        @Test func savedFiltersAreRenamedAndRemovedAndThoseOfOtherWindowsStay() async throws {
            try await DataWindow.use(try SampleStore.people(500)) { window in
                let page = window.page
                try await window.open("Person")
                try await window.filter("number > 490")
                try await window.rowsCome()
                // Another window saves a filter, and has something else remembered.
                try await remember(page, #"{"saved Person": [{name: "Theirs", predicate: "number < 3"}], "theirs": 1}"#)
                try await page.click("#filter-save")
                try await page.fill("#filter-name", "Last ones")
                try await page.wait(until: "!document.querySelector('dialog[open]')")
                try await menu(page, "Theirs")
                try await page.clickMenu("Rename ★ Last ones")
                try await page.fill("#filter-name", "The last")
                try await page.wait(until: "!document.querySelector('dialog[open]')")
                try await menu(page, "★ The last")
                try await page.clickMenu("Remove ★ The last")
                try await menu(page, "Theirs")
                #expect(try await page.text(".menu").contains("The last") == false)
                try await page.clickMenu("★ Theirs")
                try await page.wait(until: "history.state.trail.at(-1).predicate === 'number < 3'")
                try await window.rowsCome()
                #expect(try await window.total == "2 objects")
                try await remembers(page, "values['filters Person']?.[0] === 'number < 3' && values.theirs === 1")
                try await remembers(page, "values['saved Person'].length === 1")
            }
        }

        private func remember(_ page: Page, _ values: String) async throws {
            _ = try await page.read(
                "import('/assets/scripts/net/api.js').then(({post}) => post('store/remember', {values: \(values)}))")
        }

        /// Waits until what is remembered meets a condition.
        private func remembers(_ page: Page, _ condition: String) async throws {
            let answer = "import('/assets/scripts/net/api.js').then(({get}) => get('store/memory'))"
            let isKept = try await comesTrue {
                try await page.read("\(answer).then(({values}) => \(condition))").boolean == true
            }
            if isKept { return }
            throw Browser.Failure(description: "The studio does not remember that \(condition).")
        }

        /// Opens the menu of filters, which has an item.
        private func menu(_ page: Page, _ title: String) async throws {
            try await page.click("#filter-history")
            try await page.wait(
                until: "document.querySelector('.menu')?.textContent.includes(\(Page.quoted(title)))", title)
        }

        @Test func aTitleIsChosenAndGuessedAgain() async throws {
            try await DataWindow.use(try SampleStore.readings()) { window in
                let page = window.page
                try await window.open("Owner")
                for (choice, title) in [("lastName", "Stone"), ("As guessed: firstName lastName", "Theodora Stone")] {
                    try await window.open("Owner")
                    try await page.click("#columns")
                    try await page.choose("#title-keys", choice)
                    try await page.click("dialog[open] .primary")
                    try await page.wait(until: "!document.querySelector('dialog[open]')")
                    try await window.open("Reading")
                    #expect(try await window.column("owner").first == title)
                }
            }
        }
    }
}

extension DataWindow {
    /// How many objects there are.
    fileprivate var number: Int { get async throws { Int(try await total.filter(\.isNumber)) ?? -1 } }

    /// Chooses what is to be done with a cell's value, and waits for the rows.
    fileprivate func chooseInCell(_ row: Int, _ column: String, _ title: String) async throws {
        try await page.rightClick(try await cell(row, column))
        try await page.wait(for: ".menu")
        try await page.clickMenu(title)
        try await page.wait(until: "history.state.trail.at(-1).predicate.includes(\(Page.quoted(column)))", title)
        try await rowsCome()
    }

    fileprivate func removeFilter() async throws {
        try await page.click("#filter-clear")
        try await page.wait(until: "history.state.trail.at(-1).predicate === ''")
        try await rowsCome()
    }
}
