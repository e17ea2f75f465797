import Foundation
import Testing

private let pictureFolder = ProcessInfo.processInfo.environment["COREDATA_PICTURES"].map { URL(filePath: $0) }

/// Pictures of the main views in windows of all sizes, light and dark, for a person to look at. `COREDATA_PICTURES`
/// says in which folder they are put: `COREDATA_PICTURES=/tmp/pictures ./test --filter SizedPictureTests`.
extension BrowserTests {
    @Suite(.enabled(if: pictureFolder != nil)) struct SizedPictureTests {
        /// How a window looks.
        struct Look: Sendable, CustomTestStringConvertible {
            let window: WindowSize
            let isDark: Bool

            static let all = WindowSize.allCases.flatMap { window in
                [false, true].map { Look(window: window, isDark: $0) }
            }

            var testDescription: String { "\(window), \(isDark ? "dark" : "light")" }
            var width: Int { window.size.width }
            var height: Int { window.size.height }
        }

        @Test(arguments: Look.all) func theDataIsPictured(look: Look) async throws {
            try await DataWindow.use(
                try SampleStore.apple("apple-recipes/Recipes.sqlite"), width: look.width, height: look.height,
                expecting: "400 (Bad Request)"
            ) { window in
                try await window.page.setDark(look.isDark)
                for view in DataView.allCases {
                    try await view.show(window)
                    try await keep(window.page, "data-\(view)", look)
                    try await view.leave(window)
                }
            }
        }

        @Test(arguments: Look.all) func theChangesOfTheDataArePictured(look: Look) async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true, width: look.width, height: look.height) { window in
                try await window.page.setDark(look.isDark)
                for view in EditingView.allCases {
                    try await view.show(window, program)
                    try await keep(window.page, "edit-\(view)", look)
                    try await view.leave(window)
                }
                try await stageChanges(window)
                try await keep(window.page, "edit-changes", look)
            }
        }

        /// Values, a new object and a deletion, and the list of them.
        private func stageChanges(_ window: DataWindow) async throws {
            let page = window.page
            try await window.open("Order")
            for (row, column, text) in [(3, "number", "40"), (0, "city", "Boston"), (0, "remark", "by bike")] {
                try await page.click(try await window.cell(row, column))
                try await page.press("Enter")
                try await page.fillCell(text, "Enter")
                try await window.shows(text, row, column)
            }
            try await page.click(try await window.cell(2, "number"))
            try await page.press("Delete")
            try await page.wait(for: "dialog[open]")
            try await page.press("Enter")
            try await page.wait(for: ".grid-row[data-state=deleted]")
            try await page.press("Insert")
            try await page.wait(for: ".grid-row[data-state=inserted][aria-selected=true]")
            try await page.click("#changes")
            try await page.wait(for: ".change-head.inserted")
        }

        @Test(arguments: Look.all) func theHistoryIsPictured(look: Look) async throws {
            try await DataWindow.use(try SampleStore.history(), width: look.width, height: look.height) { window in
                let page = window.page
                try await page.setDark(look.isDark)
                try await page.click("#open-history")
                try await page.wait(for: ".transaction")
                try await keep(page, "history", look)
                try await page.click("[data-transaction='201'] .change-past")
                try await page.wait(for: "#past table")
                try await keep(page, "past", look)
            }
        }

        @Test(arguments: Look.all) func theLeagueIsPictured(look: Look) async throws {
            try await DataWindow.use(
                try SampleStore.league(), model: StudioSamples.league, width: look.width, height: look.height
            ) { window in
                let page = window.page
                try await page.setDark(look.isDark)
                try await window.open("Player")
                try await window.filter("salary > 1000 AND lastName == \"Bird\"")
                try await window.rowsCome()
                try await page.click("#sql")
                try await page.wait(for: "[data-index-of=Player]")
                try await keep(page, "league", look)
            }
        }

        @Test(arguments: Look.all) func theDocumentsArePictured(look: Look) async throws {
            let (workspace, shop) = (try Workspace(), try SampleStore.shop())
            try await DocumentsWindow.use([], width: look.width, height: look.height) { window in
                let page = window.page
                try await page.setDark(look.isDark)
                try await keep(page, "documents-none", look)
                for document in [workspace.document, shop.url] { try await window.open(document) }
                try await keep(page, "documents-tabs", look)
                try await page.press("o", .control)
                try await page.type("\(shop.folder.path)/")
                try await page.wait(for: ".open-list li")
                try await keep(page, "documents-open", look)
                try await page.click("#open-new")
                try await page.wait(until: "document.activeElement.id === 'new-path'")
                try await keep(page, "documents-new", look)
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog[open]')")
                try await page.press("w", .alt)
                try await window.shows(workspace.document.lastPathComponent)
                try await page.press("w", .alt)
                try await page.wait(for: ".start .recent")
                try await keep(page, "documents-start", look)
            }
        }

        @Test(arguments: Look.all) func theMappingIsPictured(look: Look) async throws {
            let workspace = try MappingWorkspace.shop()
            _ = try await workspace.inferred()
            try await MappingWindow.use(workspace, edits: true, width: look.width, height: look.height) { window in
                try await window.page.setDark(look.isDark)
                for view in MappingView.allCases {
                    try await view.show(window)
                    try await keep(window.page, "mapping-\(view)", look)
                    try await view.leave(window)
                }
            }
        }

        @Test(arguments: Look.all) func theMergeIsPictured(look: Look) async throws {
            let merge = try LiveMerge()
            try await BrowserTurns.use(width: look.width, height: look.height) { page in
                try await page.setDark(look.isDark)
                try await page.open(merge.address)
                try await page.wait(for: ".merge-conflict")
                try await page.click("[aria-label=\"Player.salary\"] th:nth-child(4) label")
                try await page.wait(for: ".merge-conflict.settled")
                try await keep(page, "merge", look)
            }
        }

        private func keep(_ page: Page, _ name: String, _ look: Look) async throws {
            let folder = try #require(pictureFolder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try await Task.sleep(for: .milliseconds(250))
            let file = "\(name)-\(look.window)-\(look.isDark ? "dark" : "light").png"
            try await page.screenshot().write(to: folder.appending(path: file))
        }
    }
}
