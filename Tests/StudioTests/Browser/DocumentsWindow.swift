import Foundation
import Testing

/// The tabs of a studio on a page, by what a person sees of them.
struct DocumentsWindow {
    let page: Page
    let studio: StudioProcess

    /// Opens a studio on documents where they are, or on none, and closes all of it afterwards.
    static func use(
        _ documents: [URL], edits: Bool = false, width: Int = 1280, height: Int = 800,
        expecting complaint: String? = nil,
        _ body: (DocumentsWindow) async throws -> Void
    ) async throws {
        try await BrowserTurns.use(width: width, height: height) { page in
            let studio = try StudioProcess(documents, edits: edits)
            defer { studio.end() }
            let window = DocumentsWindow(page: page, studio: studio)
            try await page.open(studio.address)
            try await window.isReady()
            try await body(window)
            #expect(page.log.lines.filter { complaint == nil || !$0.contains(complaint ?? "") } == [])
        }
    }

    /// Waits until a document is shown, or the page where none is.
    func isReady() async throws {
        try await page.wait(
            until: """
                document.querySelector('.start, #editor > *, .grid-body .grid-row[data-id]:not(.waiting)')
                && document.querySelector('#open-document')
                """, "the page")
    }

    /// What the tabs are called, from the left.
    var names: [String] {
        get async throws {
            try await page.read(
                "[...document.querySelectorAll('.document-tab')].map((tab) => tab.querySelector('.document-name').textContent)"
            ).strings
        }
    }

    /// The name of the tab that is shown.
    var current: String {
        get async throws {
            try await page.text(".document-tab[aria-selected=true] .document-name")
        }
    }

    /// Waits until a document is the one that is shown.
    func shows(_ name: String) async throws {
        try await page.wait(
            until:
                "document.querySelector('.document-tab[aria-selected=true] .document-name')?.textContent === \(Page.quoted(name))",
            "the tab \(name)")
        try await isReady()
    }

    /// Opens a document by the dialog, by its path.
    func open(_ document: URL) async throws {
        try await page.press("o", .control)
        try await page.wait(until: "document.activeElement.id === 'open-path'")
        try await page.type(document.path)
        try await page.press("Enter")
        try await shows(document.lastPathComponent)
    }

    func tab(_ name: String) async throws -> String {
        let find =
            "[...document.querySelectorAll('.document-tab')].find((tab) => tab.querySelector('.document-name').textContent === \(Page.quoted(name)))"
        try await page.wait(until: find, "the tab \(name)")
        return "#\(try await page.read("\(find).id").string ?? "")"
    }

    /// Drags files and folders from outside over the window, and lets them go.
    func drop(_ files: [URL], at selector: String = "body") async throws {
        let spot = try await page.spot(selector)
        for type in ["dragEnter", "dragOver", "drop"] {
            _ = try await page.send(
                "Input.dispatchDragEvent",
                [
                    "type": .string(type), "x": .number(spot.x), "y": .number(spot.y),
                    "data": [
                        "items": [], "files": .array(files.map { .string($0.path) }), "dragOperationsMask": 1,
                    ],
                ])
        }
    }

    /// What the tabs must keep.
    func expectRules(_ location: SourceLocation = #_sourceLocation) async throws {
        #expect(try await page.read(BrowserTests.AccessibilityTests.rules).strings == [], sourceLocation: location)
    }
}
