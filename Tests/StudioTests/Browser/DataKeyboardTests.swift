import CoreData
import Foundation
import Testing

/// What the data browser opens is opened, used to the end and closed by keys alone. The focus is seen at each stop, and
/// is back where it was in the end.
extension BrowserTests {
    @Suite struct DataKeyboardTests {
        @Test func anExportIsGivenUpAndMadeByKeysAlone() async throws {
            try await DataWindow.byKeys(try SampleStore.people(20)) { window in
                let page = window.page
                try await window.openByKeys("City")
                try await window.walk(to: "#export")
                try await page.press("Enter")
                try await window.opensDialog()
                try await page.press("Escape")
                try await window.returns(to: "#export")
                try await page.press("Enter")
                try await window.opensDialog()
                try await window.walk(to: "dialog[open] select", backwards: true)
                try await page.type("JSON lines")
                try await window.walk(to: "dialog[open] .primary")
                try await window.allowDownloads()
                try await page.press("Enter")
                try await window.returns(to: "#export")
                let lines = try await window.downloaded()
                #expect(lines.split(separator: "\n").count == 10 && lines.contains(#""City 10""#), "\(lines)")
            }
        }

        @Test func columnsAreHiddenMovedFrozenAndTheTitleIsChosenByKeysAlone() async throws {
            try await DataWindow.byKeys(try SampleStore.people(20)) { window in
                try await window.openByKeys("Person")
                let before = try await window.columns
                try await window.walk(to: "#columns")
                try await window.page.press("Enter")
                try await window.opensDialog()
                try await window.walk(to: "dialog[open] [aria-label=\"Show number\"]")
                try await window.page.press(" ")
                try await moveToTheFront("score", window)
                try await freezeAndName(window)
                try await window.walk(to: "dialog[open] .primary")
                try await window.page.press("Enter")
                try await window.returns(to: "#columns")
                try await window.rowsCome()
                let others = before.filter { !["", "born", "number", "score"].contains($0) }
                let after = try await window.columns
                #expect(after == ["", "born", "score"] + others)
            }
        }

        /// Moves a column up to the first place, where its button ends. The focus stays in the row of the column.
        private func moveToTheFront(_ column: String, _ window: DataWindow) async throws {
            let page = window.page
            let button = "dialog[open] [aria-label=\"Move \(column) up\"]"
            try await window.walk(to: button)
            for _ in 0..<12 where try await page.count("\(button):disabled") == 0 { try await page.press("Enter") }
            #expect(try await page.count("\(button):disabled") == 1)
            let row = try await page.read("document.activeElement.closest('li')?.textContent ?? ''").string ?? ""
            #expect(row.hasPrefix(column), "\(row)")
            #expect(try await page.read(AccessibilityTests.isFocusSeen).boolean == true)
        }

        private func freezeAndName(_ window: DataWindow) async throws {
            let page = window.page
            try await window.walk(to: "dialog[open] [aria-label=\"Freeze born\"]")
            try await page.press("Enter")
            try await page.wait(
                until: "document.activeElement.getAttribute('aria-label') === 'Let born scroll'", "the pressed button")
            try await window.walk(to: "#title-keys")
            try await page.type("name")
        }

        @Test func theHistoryIsFilteredReadOnAndFollowedByKeysAlone() async throws {
            try await DataWindow.byKeys(try SampleStore.history()) { window in
                let page = window.page
                func count(_ number: Int) async throws {
                    try await page.wait(
                        until: "document.querySelectorAll('.transaction').length === \(number)",
                        "\(number) transactions")
                }
                try await window.walk(to: "#open-history")
                try await page.press("Enter")
                try await count(50)
                try await window.walk(to: "#history-author")
                try await page.type("widget")
                try await count(20)
                try await window.isAt("#history-author")
                try await page.press("Home")
                try await count(50)
                try await window.walk(to: "[data-transaction='203'] summary")
                let isOpen = "document.activeElement.parentElement.open"
                for expected in [false, true] {
                    try await page.press("Enter")
                    try await page.wait(until: "\(isOpen) === \(expected)", "the changes")
                }
                try await window.walk(to: "#older")
                try await page.press("Enter")
                try await count(100)
                try await window.isAt("#older")
                // To an object of a change. What had the focus is gone then, so the rows have it.
                try await window.walk(to: ".change-object", backwards: true)
                try await page.press("Enter")
                try await window.rowsCome()
                try await window.returns(to: "#rows")
                try await window.walk(to: ".trail button", backwards: true)
                try await page.press("Enter")
                try await count(50)
                try await window.returns(to: "#timeline")
            }
        }

        @Test func aTreeIsUnfoldedReadOnAndClosedByKeysAlone() async throws {
            try await DataWindow.byKeys(try SampleStore.people(120)) { window in
                let page = window.page
                let members = "document.querySelectorAll('#object-tree details details details details').length"
                try await window.openByKeys("Person")
                try await window.walk(to: "#object-tree-open")
                try await page.press("Enter")
                try await page.wait(for: "#object-tree .tree-branch .tree-branch")
                try await window.walk(to: "#object-tree .tree-branch .tree-branch > summary", backwards: true)
                try await page.press("Enter")
                let people = "matches('summary') && document.activeElement.textContent.includes('120 objects')"
                try await page.wait(until: "document.querySelector('#object-tree').textContent.includes('120 objects')")
                try await window.walk(until: people)
                try await page.press("Enter")
                try await page.wait(until: "\(members) === 50", "the first members")
                try await window.walk(until: "textContent === 'Show more'")
                try await page.press("Enter")
                try await page.wait(until: "\(members) === 100", "more members")
                #expect(try await page.read("document.activeElement.textContent").string == "Show more")
                // The rest; then there is nothing more to show, and the panel has the focus.
                try await page.press("Enter")
                try await page.wait(until: "\(members) === 120", "all members")
                try await window.returns(to: "#panel-content")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('.data-panel')")
                try await window.returns(to: "#object-tree-open")
            }
        }

        @Test func theNeighbourhoodIsUnfoldedFollowedAndClosedByKeysAlone() async throws {
            try await DataWindow.byKeys(try SampleStore.shop()) { window in
                let page = window.page
                func count(_ number: Int) async throws {
                    try await page.wait(
                        until: "document.querySelectorAll('[data-neighbour]').length === \(number)",
                        "\(number) objects")
                }
                try await window.openByKeys("Order")
                try await window.walk(to: "#rows")
                try await page.press("ArrowDown")
                try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Order/p2'")
                try await window.walk(to: "#object-neighbourhood")
                try await page.press("Enter")
                try await count(4)
                try await window.walk(to: "[data-neighbour=\"Tag/p2\"]", backwards: true)
                for number in [9, 4] {
                    try await page.press("Enter")
                    try await count(number)
                    try await window.isAt("[data-neighbour=\"Tag/p2\"]")
                }
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('.data-panel')")
                try await window.returns(to: "#object-neighbourhood")
                try await page.press("Enter")
                try await count(4)
                try await window.walk(to: "[aria-label=\"Show Tag/p2 among the rows\"]", backwards: true)
                try await page.press("Enter")
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                #expect(try await window.column("name") == ["gift"])
                // What opened the panel is gone with the order, so the rows have the focus.
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('.data-panel')")
                try await window.returns(to: "#rows")
            }
        }

        @Test func filtersAreSavedChosenRenamedAndRemovedByKeysAlone() async throws {
            try await DataWindow.byKeys(try SampleStore.people(500)) { window in
                let page = window.page
                try await window.openByKeys("Person")
                try await page.press("/")
                try await window.isAt("#filter")
                try await page.type("number > 490")
                try await page.press("Enter")
                try await window.filters(by: "number > 490")
                try await window.isAt("#filter")
                try await window.walk(to: "#filter-save")
                try await page.press("Enter")
                try await window.opensDialog()
                try await page.type("Last ones")
                try await page.press("Enter")
                try await window.returns(to: "#filter-save")
                try await window.walk(to: "#filter-clear", backwards: true)
                try await page.press("Enter")
                try await window.filters(by: "")
                try await window.returns(to: "#filter")
                // Letters go to items of the menu.
                try await window.openFilters()
                try await page.press("r")
                try await page.press("Enter")
                try await window.opensDialog()
                try await page.fillFocused("The last")
                try await window.returns(to: "#filter-history")
                try await window.openFilters()
                #expect(try await page.text(".menu [role^=menuitem]:focus") == "★ The last")
                try await page.press("Enter")
                try await window.filters(by: "number > 490")
                #expect(try await window.total == "10 objects")
                try await window.returns(to: "#filter-history")
                try await window.openFilters()
                for _ in 0..<2 { try await page.press("r") }
                try await page.press("Enter")
                try await window.returns(to: "#filter-history")
                try await window.openFilters()
                #expect(try await page.text(".menu").contains("★") == false)
                try await page.press("Escape")
                try await window.returns(to: "#filter-history")
            }
        }

        @Test func aFileIsMappedCheckedAndImportedByKeysAlone() async throws {
            let store = try SampleStore.shop()
            let file = store.folder.appending(path: "Lines.csv")
            try Data("Count,product\n7,Cheese\nmany,Apple\n8,Bread\n".utf8).write(to: file)
            try await DataWindow.byKeys(store, edits: true) { window in
                let page = window.page
                try await window.openByKeys("Line")
                for isWanted in [false, true] {
                    if isWanted { try await window.isAt("#import") } else { try await window.walk(to: "#import") }
                    try await page.press("Enter")
                    // The dialog for files is the system's.
                    try await page.chooseFile("#import-file", file)
                    try await window.opensDialog()
                    if isWanted { break }
                    try await page.press("Escape")
                    try await window.returns(to: "#import")
                }
                try await window.walk(to: "select[aria-label=\"What Count is for\"]", backwards: true)
                try await page.type("quantity")
                try await window.walk(to: "#import-check")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelectorAll('.import-errors li').length === 1")
                try await window.isAt("#import-check")
                try await window.walk(to: ".import-errors")
                try await window.walk(to: "#import-skips", backwards: true)
                try await page.press(" ")
                try await window.walk(to: "dialog[open] .primary")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelectorAll('.grid-row[data-state=inserted]').length === 2")
                try await window.returns(to: "#import")
            }
        }

        @Test func aConflictIsPutOffAndSettledByKeysAlone() async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.byKeys(store, edits: true) { window in
                let page = window.page
                try await window.openByKeys("Order")
                try await window.walk(to: "#rows")
                for (column, text) in [("city", "Boston"), ("remark", "mine")] {
                    try await window.goByKeys(to: column)
                    try await page.press("Enter")
                    try await page.fillCell(text, "Enter")
                    try await window.shows(text, 0, column)
                    try await window.returns(to: "#rows")
                }
                try program.change { context in
                    try context.order(1)?.setValue("theirs", forKey: "remark")
                    try context.order(1)?.setValue("Rome", forKey: "city")
                }
                try await page.press("s", .control)
                try await page.wait(for: ".conflict table")
                try await window.opensDialog()
                try await page.press("Escape")
                try await window.returns(to: "#rows")
                try await page.wait(until: "document.querySelector('#document-state').textContent === '1 not saved'")
                try await page.press("s", .control)
                try await page.wait(for: ".conflict table")
                try await window.opensDialog()
                // From the choice of the city to that of the remark, and there to theirs.
                let radio = "document.activeElement.closest('tr')?.querySelector('th').textContent"
                #expect(try await page.read(radio).string == "city")
                try await page.press("Tab")
                #expect(try await page.read(radio).string == "remark")
                try await page.press("ArrowRight")
                try await page.wait(
                    until: "document.activeElement.closest('td').textContent === 'theirs'", "the other choice")
                #expect(try await page.read(AccessibilityTests.isFocusSeen).boolean == true)
                try await window.walk(to: "dialog[open] .primary")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                try await window.returns(to: "#rows")
                try await window.shows("Boston", 0, "city")
                try await window.shows("theirs", 0, "remark")
            }
            #expect(try program.read { try $0.order(1)?.value(forKey: "city") } as? String == "Boston")
            #expect(try program.read { try $0.order(1)?.value(forKey: "remark") } as? String == "theirs")
        }

        @Test func aValueThatIsSavedWhileItIsTypedKeepsTheFocus() async throws {
            let store = try SampleStore.shop()
            try await DataWindow.byKeys(store, edits: true) { window in
                let page = window.page
                try await window.openByKeys("Order")
                try await window.walk(to: "#value-remark")
                try await page.type("by bike")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === '1 not saved'")
                try await window.isAt("#value-remark")
                try await window.save()
                try await window.isAt("#value-remark")
            }
        }
    }
}

extension DataWindow {
    /// Opens a studio on a store, to be used by keys. The mouse is not.
    fileprivate static func byKeys(
        _ store: SampleStore, edits: Bool = false, _ body: (DataWindow) async throws -> Void
    ) async throws {
        try await use(store, edits: edits) { window in
            _ = try await window.page.read(
                """
                window.presses = 0;
                for (const type of ["pointerdown", "mousedown"]) addEventListener(type, () => { window.presses += 1; }, true);
                """)
            try await body(window)
            #expect(try await window.page.read("window.presses").number == 0)
        }
    }

    /// The names of the columns, as they stand.
    fileprivate var columns: [String] {
        get async throws {
            try await page.read(
                "[...document.querySelectorAll('.grid-title')].map((head) => head.dataset.column)"
            ).strings
        }
    }

    /// Opens an entity, and waits for its rows.
    fileprivate func openByKeys(_ entity: String) async throws {
        try await walk(to: "[data-entity=\"\(entity)\"]")
        try await page.press("Enter")
        try await page.wait(
            until: "document.querySelector('[data-entity=\"\(entity)\"]').getAttribute('aria-current') === 'true'")
        try await rowsCome()
        try await page.wait(until: "document.querySelector('#object-id')?.textContent.startsWith('\(entity)/')")
    }

    /// Presses Tab until an element has the focus, which is seen at each stop.
    fileprivate func walk(to selector: String, backwards: Bool = false) async throws {
        try await walk(until: "matches(\(Page.quoted(selector)))", backwards: backwards)
    }

    /// - Parameter condition: What is true for the element, which is left out.
    fileprivate func walk(until condition: String, backwards: Bool = false) async throws {
        let find = "document.activeElement.\(condition)"
        for _ in 0..<400 {
            try await page.press("Tab", backwards ? .shift : [])
            let focused = try await page.read("document.activeElement.outerHTML.slice(0, 160)").string ?? ""
            #expect(
                try await page.read(BrowserTests.AccessibilityTests.isFocusSeen).boolean == true,
                "no ring on \(focused)")
            if try await page.read(find).boolean == true { return }
        }
        throw Browser.Failure(description: "The focus does not come to what \(condition).")
    }

    /// Goes to a column's cell in the first row, from the grid.
    fileprivate func goByKeys(to column: String) async throws {
        try await page.press("Home", .control)
        try await page.press("Home")
        let titles = "[...document.querySelectorAll('.grid-title')]"
        let place = try await page.read("\(titles).findIndex((head) => head.dataset.column === '\(column)')").number
        for _ in 0..<Int(place ?? 0) { try await page.press("ArrowRight") }
    }

    /// Opens the menu of filters, whose first item has the focus then.
    fileprivate func openFilters() async throws {
        let isThere = "document.activeElement.matches('#filter-history')"
        if try await page.read(isThere).boolean != true { try await walk(to: "#filter-history") }
        try await page.press("Enter")
        try await page.wait(until: "document.activeElement.closest('.menu')", "the menu to have the focus")
    }

    fileprivate func filters(by predicate: String) async throws {
        try await page.wait(until: "history.state.trail.at(-1).predicate === \(Page.quoted(predicate))", predicate)
        try await rowsCome()
    }

    /// Waits until a dialog is open and has the focus, which is seen.
    fileprivate func opensDialog() async throws {
        try await page.wait(until: "document.activeElement.closest('dialog[open]')", "a dialog with the focus")
        let isSeen = try await page.read(BrowserTests.AccessibilityTests.isFocusSeen).boolean
        let focused = try await page.read("document.activeElement.outerHTML.slice(0, 160)").string ?? ""
        #expect(isSeen == true, "no ring on \(focused)")
    }

    /// Expects that an element has the focus still.
    fileprivate func isAt(_ selector: String, _ location: SourceLocation = #_sourceLocation) async throws {
        let focused = try await page.read("document.activeElement.outerHTML.slice(0, 160)").string ?? ""
        #expect(
            try await page.read("document.activeElement.matches(\(Page.quoted(selector)))").boolean == true,
            "\(focused)",
            sourceLocation: location)
    }

    /// Waits until what was open is gone and an element has the focus again, which is seen.
    fileprivate func returns(to selector: String, _ location: SourceLocation = #_sourceLocation) async throws {
        try await page.wait(
            until: """
                !document.querySelector('dialog[open], .menu') && document.activeElement.matches(\(Page.quoted(selector)))
                """, "the focus at \(selector)")
        #expect(
            try await page.read(BrowserTests.AccessibilityTests.isFocusSeen).boolean == true,
            sourceLocation: location)
    }

    /// Has the browser keep what is downloaded.
    fileprivate func allowDownloads() async throws {
        _ = try await page.browser.send(
            "Browser.setDownloadBehavior",
            ["behavior": "allow", "browserContextId": page.context, "downloadPath": .string(downloads.path)])
    }

    /// The file that was downloaded.
    fileprivate func downloaded() async throws -> String {
        let file = try await downloadedFile()
        return try String(contentsOf: file, encoding: .utf8)
    }
}
