import Foundation
import Testing

/// Pictures of the views for the documentation, made when they are asked for: `COREDATA_SCREENSHOTS=1 ./test --filter
/// ScreenshotTests`. A tree that is tested stays as it is.
extension BrowserTests {
    @Suite(.enabled(if: ProcessInfo.processInfo.environment["COREDATA_SCREENSHOTS"] != nil)) struct ScreenshotTests {
        private static let folder = StudioSamples.package.appending(path: "Documentation/Screenshots")
        private static let views: [EditorView] = [
            .table, .attribute, .graph, .fetchRequest, .code, .comparison, .comparisonGraph, .palette, .contextMenu,
            .refusal,
        ]

        private static let dataViews: [DataView] = [.grid, .filter, .sql, .picture, .members, .columns]

        @Test(arguments: [false, true]) func theMainViewsArePictured(isDark: Bool) async throws {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try await Editor.use(StudioSamples.league) { editor in
                try await editor.page.setDark(isDark)
                for view in Self.views {
                    try await view.show(editor)
                    try await picture(editor, "\(view)-\(isDark ? "dark" : "light")")
                    try await view.leave(editor)
                }
            }
        }

        @Test func theWindowIsPicturedAtHalfALaptopsWidth() async throws {
            try await Editor.use(StudioSamples.league, width: 720, height: 800) { editor in
                for view in [EditorView.table, .graph] {
                    try await view.show(editor)
                    try await picture(editor, "\(view)-narrow")
                    try await view.leave(editor)
                }
            }
        }

        @Test func theWindowIsPicturedWhereItIsSmallAndWhereItIsWide() async throws {
            for window in [WindowSize.small, .wide] {
                try await Editor.use(window) { editor in
                    for view in [EditorView.table, .graph] {
                        try await view.show(editor)
                        try await picture(editor, "\(view)-\(window)")
                        try await view.leave(editor)
                    }
                }
            }
        }

        @Test func aLargeGraphIsPictured() async throws {
            try await LargeGraph(entities: 150, window: .laptop).show { editor in try await picture(editor, "graph-150")
            }
        }

        @Test(arguments: [false, true]) func theViewsOfTheDataArePictured(isDark: Bool) async throws {
            try await DataWindow.use(
                try SampleStore.apple("apple-recipes/Recipes.sqlite"), expecting: "400 (Bad Request)"
            ) { window in
                try await window.page.setDark(isDark)
                for view in Self.dataViews {
                    try await view.show(window)
                    try await picture(window.page, "data-\(view)-\(isDark ? "dark" : "light")")
                    try await view.leave(window)
                }
            }
        }

        @Test func theRowsOfTheLeagueArePictured() async throws {
            for (width, name) in [(1280, "league"), (720, "league-narrow")] {
                try await DataWindow.use(try SampleStore.league(), width: width) { window in
                    try await window.open("Player")
                    try await window.page.click(try await window.cell(3, "lastName"))
                    try await picture(window.page, "data-\(name)")
                }
            }
        }

        @Test(arguments: ["light", "dark"])
        func theViewsOfEditingArePictured(name: String) async throws {
            let store = try SampleStore.shop()
            let program = try OtherProgram(store.url)
            try await DataWindow.use(store, edits: true) { window in
                try await window.page.setDark(name == "dark")
                for view in [EditingView.newObject, .members, .neighbourhood, .importing, .conflict] {
                    try await view.show(window, program)
                    try await picture(window.page, "edit-\(view)-\(name)")
                    try await view.leave(window)
                }
            }
        }

        @Test(arguments: ["light", "dark"])
        func theViewsOfDocumentsArePictured(name: String) async throws {
            let (workspace, shop) = (try Workspace(), try SampleStore.shop())
            try await DocumentsWindow.use([]) { window in
                let page = window.page
                try await page.setDark(name == "dark")
                for document in [workspace.document, shop.url] { try await window.open(document) }
                try await picture(page, "documents-tabs-\(name)")
                try await page.press("o", .control)
                try await page.type("\(shop.folder.path)/")
                try await page.wait(for: ".open-list li")
                try await picture(page, "documents-open-\(name)")
                try await page.click("#open-new")
                try await page.wait(until: "document.activeElement.id === 'new-path'")
                for text in ["~/Shop/Shop.xcdatamodeld", "~/Shop/Tables.sql"] {
                    try await page.press("a", .control)
                    try await page.type(text)
                    if text.hasSuffix("d") { try await page.press("Tab") }
                }
                try await picture(page, "documents-new-\(name)")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog[open]')")
                try await page.press("w", .alt)
                try await window.shows(workspace.document.lastPathComponent)
                try await page.press("w", .alt)
                try await page.wait(for: ".start .recent")
                try await picture(page, "documents-start-\(name)")
            }
        }

        private func picture(_ editor: Editor, _ name: String) async throws { try await picture(editor.page, name) }

        private func picture(_ page: Page, _ name: String) async throws {
            try await Task.sleep(for: .milliseconds(250))
            try await page.screenshot().write(to: Self.folder.appending(path: "\(name).png"))
        }
    }
}
