import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

/// Several documents in one window, by the mouse and the keyboard.
extension BrowserTests {
    @Suite struct DocumentTabsTests {
        @Test func tabsAreShownWalkedThroughAndKeepWhatOneSaw() async throws {
            let (workspace, shop, people) = (
                try Workspace(), try SampleStore.shop(), try SampleStore.people(5_000)
            )
            try await DocumentsWindow.use([workspace.document, shop.url, people.url]) { window in
                let page = window.page
                #expect(try await window.names == ["League.xcdatamodeld", "Shop.sqlite", people.url.lastPathComponent])
                #expect(try await window.current == "Shop.sqlite")
                try await page.press("3", .alt)
                try await window.shows(people.url.lastPathComponent)
                // A place, a sort and a scroll position are there when one comes back.
                let grid = DataWindow(page: page, studio: window.studio, downloads: window.studio.folder)
                try await grid.open("Person")
                try await page.click("[data-column=name] .grid-name")
                try await grid.rowsCome()
                try await page.click("#last")
                try await page.wait(for: "[data-index=\"4999\"][data-id]:not(.waiting)")
                try await page.press("ArrowUp")
                try await page.press("ArrowRight")
                let active = try await page.read("document.querySelector('.grid-cell.active').id").string
                try await page.press("1", .alt)
                try await window.shows("League.xcdatamodeld")
                let editor = Editor(page: page, studio: window.studio)
                try await editor.open("Team")
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                try await page.click("[aria-label=\"Zoom in\"]")
                let place = try await page.read("document.querySelector('#graph svg > g').getAttribute('transform')")
                // By a click, and back by the browser's own way.
                try await page.click(try await window.tab(people.url.lastPathComponent))
                try await window.shows(people.url.lastPathComponent)
                try await page.wait(
                    until: "document.querySelector('.grid-cell.active')?.id === '\(active ?? "")'", "the cell")
                #expect(
                    try await page.read("document.querySelector('[data-column=name]').getAttribute('aria-sort')").string
                        == "ascending")
                try await page.press("PageUp", .alt)
                try await window.shows("Shop.sqlite")
                try await page.press("PageUp", .alt)
                try await window.shows("League.xcdatamodeld")
                try await page.wait(
                    until:
                        "document.querySelector('#graph svg > g')?.getAttribute('transform') === \(Page.quoted(place.string ?? ""))",
                    "the graph as it was")
                #expect(
                    try await page.read("document.querySelector('.entity.selected .box-title').textContent").string
                        == "Team")
            }
        }

        @Test func unsavedTabsHaveADotAndAreClosedOnlyWhenItIsMeant() async throws {
            let (workspace, shop) = (try Workspace(), try SampleStore.shop())
            try await DocumentsWindow.use(
                [shop.url, workspace.document], edits: true, expecting: "409 (Conflict)"
            ) { window in
                let page = window.page
                let grid = DataWindow(page: page, studio: window.studio, downloads: window.studio.folder)
                try await grid.open("Order")
                try await page.click(try await grid.cell(2, "remark"))
                try await page.press("Enter")
                try await page.fillCell("by bike", "Enter")
                try await grid.shows("by bike", 2, "remark")
                try await page.wait(for: "\(try await window.tab("Shop.sqlite")) .unsaved-dot")
                // The other document's page knows it too.
                try await page.press("2", .alt)
                try await window.shows("League.xcdatamodeld")
                try await page.wait(for: "\(try await window.tab("Shop.sqlite")) .unsaved-dot")
                #expect(
                    try await page.read(
                        "document.querySelector('.document-tab:not([aria-selected=true])').getAttribute('aria-label')"
                    ).string == "Shop.sqlite, store, not saved")
                // Switching asks nothing, though the model is changed too.
                let editor = Editor(page: page, studio: window.studio)
                try await editor.add(".sidebar button[aria-label=\"Add Entity\"]", named: "Stadium")
                try await page.press("1", .alt)
                try await window.shows("Shop.sqlite")
                try await grid.shows("by bike", 2, "remark")
                // Closing does.
                try await page.press("w", .alt)
                try await page.wait(for: "dialog[open]")
                try await window.expectRules()
                try await page.press("Enter")
                try await page.wait(until: "!document.querySelector('dialog')")
                #expect(try await window.names.count == 2)
                try await page.press("w", .alt)
                try await page.click("dialog[open] .destructive")
                try await window.shows("League.xcdatamodeld")
                #expect(try await window.names == ["League.xcdatamodeld"])
                #expect(try await editor.names("Entities").contains("Stadium"))
            }
        }

        @Test func tabsAreMovedByDraggingAndByTheKeyboardAlone() async throws {
            let (workspace, shop, moody) = (
                try Workspace(), try SampleStore.shop(), try SampleStore.apple("objcio-moody/Moody.moody")
            )
            try await DocumentsWindow.use([workspace.document, shop.url, moody.url]) { window in
                let page = window.page
                let names = ["League.xcdatamodeld", "Shop.sqlite", "Moody.moody"]
                #expect(try await window.names == names)
                try await page.drag(
                    from: try await page.spot(try await window.tab(names[2])),
                    to: try await page.spot(try await window.tab(names[0]), atX: 0.3), steps: 12)
                try await page.wait(
                    until: "document.querySelector('.document-tab .document-name').textContent === 'Moody.moody'",
                    "the first tab")
                #expect(try await window.names == [names[2], names[0], names[1]])
                try await page.wait(
                    until: "document.activeElement === document.querySelector('.document-tab')",
                    "the tab that was moved")
                // Tab leads to the tab that is shown, the arrow keys to the others.
                _ = try await page.read("document.querySelector('#open-document').focus()")
                try await page.press("Tab", .shift)
                #expect(try await page.read("document.activeElement.getAttribute('aria-selected')").string == "true")
                try await page.press("ArrowRight")
                try await page.press("Enter")
                try await window.shows("Moody.moody")
                _ = try await page.read("document.querySelector('#open-document').focus()")
                try await page.press("Tab", .shift)
                try await page.press("ArrowRight", .alt)
                try await page.wait(
                    until:
                        "[...document.querySelectorAll('.document-tab .document-name')][1]?.textContent === 'Moody.moody'"
                )
                try await page.wait(until: "document.activeElement.matches('.document-tab')")
                #expect(try await window.names == [names[0], names[2], names[1]])
                try await page.press("Home")
                try await page.press("Delete")
                try await page.wait(until: "document.querySelectorAll('.document-tab').length === 2")
                #expect(try await window.names == [names[2], names[1]])
                try await window.expectRules()
            }
        }

        @Test func aPathIsCompletedAndOpenedWithTheKeyboardAlone() async throws {
            let (workspace, shop) = (try Workspace(), try SampleStore.shop())
            try await DocumentsWindow.use([workspace.document], expecting: "500 (Internal Server Error)") { window in
                let page = window.page
                try await page.press("o", .control)
                try await page.wait(until: "document.activeElement.id === 'open-path'")
                try await page.wait(for: ".open-list li")
                try await window.expectRules()
                let folder = shop.folder
                try await page.type("\(folder.path)/Sh")
                try await page.wait(until: "document.querySelector('.open-list li')?.dataset.name === 'Shop.sqlite'")
                try await page.press("Tab")
                try await page.wait(until: "document.querySelector('#open-path').value.endsWith('/Shop.sqlite')")
                try await page.press("Enter")
                try await window.shows("Shop.sqlite")
                // A folder is gone into with the arrow keys; what can't be opened is said.
                try await page.press("o", .control)
                // The folder above may have any number of others.
                let name = folder.lastPathComponent
                try await page.type("\(folder.deletingLastPathComponent().path)/\(name.dropLast(6))")
                try await page.wait(for: "[data-name=\"\(name)\"]")
                try await page.type(String(name.suffix(6)))
                try await page.wait(until: "document.querySelectorAll('.open-list li').length === 1")
                try await page.press("ArrowDown")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelector('.open-list li')?.dataset.name === 'Shop.sqlite'")
                try await page.type("nothing.sqlite")
                try await page.press("Enter")
                try await page.wait(for: "#open-error")
                try await window.expectRules()
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog')")
                // The palette has it all.
                try await page.press("k", .control)
                try await page.wait(for: ".palette")
                try await page.type("League.xc")
                try await page.press("Enter")
                try await window.shows("League.xcdatamodeld")
                try await page.press("k", .control)
                try await page.wait(for: ".palette")
                try await page.type("open document")
                try await page.press("Enter")
                try await page.wait(for: ".open-dialog[open] .recent")
                #expect(
                    try await page.read(
                        "[...document.querySelectorAll('.recent-name')].map((name) => name.textContent)"
                    )
                    .strings == ["Shop.sqlite", "League.xcdatamodeld"])
                try await page.press("Escape")
            }
        }

        @Test func aModelIsMadeOfAScriptWithTheKeyboardAlone() async throws {
            let workspace = try Workspace()
            let script = workspace.folder.appending(path: "Shop.sql")
            try Data("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_at DATE NOT NULL);".utf8).write(to: script)
            try await DocumentsWindow.use([workspace.document], expecting: "400 (Bad Request)") { window in
                let page = window.page
                try await page.press("k", .control)
                try await page.wait(for: ".palette")
                try await page.type("new model")
                try await page.press("Enter")
                try await page.wait(until: "document.activeElement.id === 'new-path'")
                try await window.expectRules()
                try await page.press("a", .control)
                try await page.type("\(workspace.folder.path)/Shop")
                try await page.press("Tab")
                // What can't be read is said, and can be mended.
                try await page.press("a", .control)
                try await page.type("\(workspace.folder.path)/Nothing.sql")
                try await page.press("Enter")
                try await page.wait(for: "#new-error")
                try await window.expectRules()
                try await page.press("Tab")
                try await page.press("a", .control)
                try await page.type(script.path)
                try await page.press("Enter")
                try await page.wait(for: ".draft-notes li")
                #expect(try await page.text(".draft-notes").contains("orders.id is the key"))
                try await window.expectRules()
                try await page.press("Enter")
                try await window.shows("Shop.xcdatamodeld")
                try await page.wait(for: "\(try await window.tab("Shop.xcdatamodeld")) .unsaved-dot")
                let editor = Editor(page: page, studio: window.studio)
                #expect(try await editor.names("Entities") == ["Order"])
                // The dialog is reached by the mouse, too.
                try await page.click("#open-document")
                // The dialog has its height when the folder is listed.
                try await page.wait(for: ".open-list li")
                try await page.rest()
                try await page.click("#open-new")
                try await page.wait(until: "document.activeElement.id === 'new-path'")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog')")
            }
        }

        @Test func anEmptyStudioShowsWhatWasOpenedLast() async throws {
            let shop = try SampleStore.shop()
            try await DocumentsWindow.use([]) { window in
                let page = window.page
                try await page.wait(for: "#start-open")
                #expect(try await page.text(".start").contains("Nothing was opened yet"))
                try await window.expectRules()
                try await page.click("#start-open")
                try await page.wait(until: "document.activeElement.id === 'open-path'")
                try await page.type(shop.url.path)
                try await page.press("Enter")
                try await window.shows("Shop.sqlite")
                try await page.press("w", .alt)
                try await page.wait(for: ".start .recent")
                #expect(try await window.names == [])
                try await window.expectRules()
                // One that is gone is marked, and can be forgotten.
                try FileManager.default.moveItem(at: shop.url, to: shop.folder.appending(path: "Gone.sqlite"))
                _ = try await page.send("Page.reload")
                try await page.wait(for: ".start .missing .recent:disabled")
                try await window.expectRules()
                try FileManager.default.moveItem(at: shop.folder.appending(path: "Gone.sqlite"), to: shop.url)
                _ = try await page.send("Page.reload")
                try await page.click(".start .recent:not(:disabled)")
                try await window.shows("Shop.sqlite")
                try await page.press("w", .alt)
                try await page.click(".start [aria-label=\"Forget Shop.sqlite\"]")
                try await page.wait(
                    until: "document.querySelector('.start').textContent.includes('Nothing was opened yet')")
            }
        }

        @Test func aTabThatIsClosedAtOnceHasRememberedItsFilterAndAsksForNothingMore() async throws {
            let shop = try SampleStore.shop()
            try await DocumentsWindow.use([shop.url]) { window in
                let page = window.page
                for number in 1...3 {
                    try await page.click("#filter")
                    try await page.press("a", .control)
                    try await page.type("9 > \(number)")
                    try await page.press("Enter")
                    // The object of the row is asked for a moment later: the tab is closed before.
                    try await page.click(".grid-body .grid-row:not(.waiting) .grid-cell:nth-child(2)")
                    try await page.press("w", .alt)
                    try await page.click(".start .recent:not(:disabled)")
                    try await window.shows("Shop.sqlite")
                    let filters = try await page.read(
                        "import('/assets/scripts/net/api.js').then(({get}) => get('store/memory'))"
                            + ".then(({values}) => JSON.stringify(values))")
                    #expect(filters.string?.contains("9 > \(number)") == true, "\(filters)")
                }
            }
        }

        // MARK: Dropped files

        @Test func aStoreAndAModelThatAreDroppedAreOpenedAsCopies() async throws {
            let (workspace, moody, model) = (
                try Workspace(), try SampleStore.apple("objcio-moody/Moody.moody"), try Workspace(StudioSamples.league)
            )
            try await DocumentsWindow.use([workspace.document], expecting: "409 (Conflict)") { window in
                let page = window.page
                let files = try moody.files().keys.map { moody.folder.appending(path: $0) }
                try await window.drop(files)
                try await window.shows("Moody.moody")
                let tab = try await window.tab("Moody.moody")
                #expect(try await page.text("\(tab) .document-copy") == "Copy")
                #expect(try await page.text("#document-state") == "Read only")
                try await window.expectRules()
                try FileManager.default.moveItem(
                    at: model.document, to: model.folder.appending(path: "Dropped.xcdatamodeld"))
                try await window.drop([model.folder.appending(path: "Dropped.xcdatamodeld")])
                try await window.shows("Dropped.xcdatamodeld")
                let editor = Editor(page: page, studio: window.studio)
                try await editor.add(".sidebar button[aria-label=\"Add Entity\"]", named: "Stadium")
                try await page.press("s", .control)
                try await page.wait(for: "#save-path")
                try await window.expectRules()
                try await page.press("a", .control)
                try await page.type(model.folder.appending(path: "Saved.xcdatamodeld").path)
                try await page.press("Enter")
                try await window.shows("Saved.xcdatamodeld")
                let saved = try VersionedModel(contentsOf: model.folder.appending(path: "Saved.xcdatamodeld"))
                #expect(saved.currentModel[entity: "Stadium"] != nil)
                #expect(try await page.count(".document-copy") == 1)
                #expect(try await window.names == ["League.xcdatamodeld", "Moody.moody", "Saved.xcdatamodeld"])
            }
        }

        @Test func ofSeveralThatAreDroppedThoseAreToldThatCantBeOpened() async throws {
            let (workspace, moody) = (try Workspace(), try SampleStore.apple("objcio-moody/Moody.moody"))
            let broken = moody.folder.appending(path: "A.sqlite")
            try (Data("SQLite format 3\0".utf8) + Data(repeating: 0x41, count: 5_000)).write(to: broken)
            try await DocumentsWindow.use([workspace.document]) { window in
                let page = window.page
                try await window.drop(try moody.files().keys.map { moody.folder.appending(path: $0) })
                try await page.wait(for: "dialog[open]")
                #expect(try await page.text("dialog[open]").contains("A.sqlite can't be opened."))
                try await page.press("Enter")
                try await window.shows("Moody.moody")
                #expect(try await window.names == ["League.xcdatamodeld", "Moody.moody"])
            }
        }

        @Test func whatIsNoDocumentIsSaidAndNothingIsOpened() async throws {
            let workspace = try Workspace()
            let text = workspace.folder.appending(path: "Notes.txt")
            try Data("notes".utf8).write(to: text)
            try await DocumentsWindow.use([workspace.document], expecting: "400 (Bad Request)") { window in
                let page = window.page
                try await window.drop([text])
                try await page.wait(for: ".toast.error")
                #expect(try await page.text(".toast.error").contains("no model and no store"))
                #expect(try await page.count("#drop-hint") == 0)
                #expect(try await window.names == ["League.xcdatamodeld"])
            }
        }

        // MARK: The journal of staged changes

        @Test func whatWasStagedBeforeACrashIsRecoveredAndItsConflictsAreSettled() async throws {
            let shop = try SampleStore.shop()
            try await DocumentsWindow.use([shop.url], edits: true, expecting: "ERR_") { window in
                let page = window.page
                let grid = DataWindow(page: page, studio: window.studio, downloads: window.studio.folder)
                try await grid.open("Order")
                for (row, text) in [(2, "mine"), (3, "kept")] {
                    try await page.click(try await grid.cell(row, "remark"))
                    try await page.press("Enter")
                    try await page.fillCell(text, "Enter")
                    try await grid.shows(text, row, "remark")
                }
                try await JournalFiles.wait(below: window.studio.folder, for: "mine", "kept")
                try window.studio.crashAndRestart()
                let other = try OtherProgram(shop.url)
                try other.change { try $0.order(3)?.setValue("theirs", forKey: "remark") }
                try await page.open(window.studio.address)
                try await page.wait(for: "#banner-recovery")
                #expect(try await page.text("#banner-recovery").contains("2 objects"))
                try await window.expectRules()
                try await page.click("#recovery-recover")
                try await page.wait(for: ".conflict table")
                try await window.expectRules()
                try await page.click(".conflict tbody td:nth-child(4) label")
                try await page.click("dialog[open] .primary")
                try await page.wait(until: "!document.querySelector('#banner-recovery')")
                try await grid.open("Order")
                try await grid.shows("theirs", 2, "remark")
                try await grid.shows("kept", 3, "remark")
                try await page.press("s", .control)
                try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'")
                #expect(try other.read { try $0.order(4)?.value(forKey: "remark") } as? String == "kept")
                try other.close()
            }
        }

        @Test(arguments: [false, true]) func everyViewOfDocumentsPassesTheRules(isDark: Bool) async throws {
            let (workspace, shop) = (try Workspace(), try SampleStore.shop())
            for width in [1280, 640] {
                try await DocumentsWindow.use([workspace.document, shop.url], width: width) { window in
                    let page = window.page
                    try await page.setDark(isDark)
                    try await page.rest()
                    try await window.expectRules()
                    try await page.rightClick(try await window.tab("League.xcdatamodeld"))
                    try await page.wait(for: ".menu")
                    try await window.expectRules()
                    try await page.press("Escape")
                    try await page.click("#open-document")
                    try await page.wait(for: ".open-list li")
                    try await page.rest()
                    try await window.expectRules()
                    try await page.click("#open-new")
                    try await page.wait(until: "document.activeElement.id === 'new-path'")
                    try await page.rest()
                    try await window.expectRules()
                    try await page.press("Escape")
                }
            }
        }
    }
}
