import Foundation
import Testing

/// The model editor on a page, by what a person sees of it.
struct Editor {
    let page: Page
    let studio: StudioProcess

    /// Opens a studio on a copy of a model, or on a new one, and closes all of it afterwards.
    ///
    /// What the page complains of in the meantime is a failure, unless it is what a test is about.
    static func use(
        _ original: URL? = nil, name: String = "League", width: Int = 1280, height: Int = 800,
        expecting complaint: String? = nil,
        _ body: (Editor) async throws -> Void
    ) async throws {
        try await BrowserTurns.use(width: width, height: height) { page in
            let studio = try StudioProcess(original, name: name)
            defer { studio.end() }
            let editor = Editor(page: page, studio: studio)
            try await page.open(studio.address)
            try await page.wait(for: "#editor > *")
            try await body(editor)
            #expect(page.log.lines.filter { complaint == nil || !$0.contains(complaint ?? "") } == [])
        }
    }

    /// Waits until everything that was done has come back from the server.
    func settle() async throws {
        try await page.wait(until: "document.querySelector('#app[aria-busy=\"false\"]')", "the studio to settle")
    }

    // MARK: The sidebar

    func item(_ name: String) async throws -> String {
        let quoted = Page.quoted(name)
        let find =
            "[...document.querySelectorAll('.sidebar [data-item]')].find((item) => item.querySelector('.item-name').textContent === \(quoted))"
        try await page.wait(until: find, "\(name) in the sidebar")
        return "[data-item=\"\(try await page.read("\(find).dataset.item").string ?? "")\"]"
    }

    func open(_ name: String) async throws {
        try await page.click(try await item(name))
        try await page.wait(
            until:
                "document.querySelector('.editor-head .title')?.value === \(Page.quoted(name)) || document.querySelector('.entity.selected')"
        )
    }

    func names(_ section: String) async throws -> [String] {
        try await page.read(
            "[...document.querySelectorAll('.sidebar section[aria-label=\"\(section)\"] .item-name')].map((item) => item.textContent)"
        ).strings
    }

    /// Adds something with a button, and gives it the name that is asked for at once.
    func add(_ button: String, named name: String, field: String = "name") async throws {
        try await settle()
        try await page.click(button)
        try await page.wait(until: "document.activeElement.dataset.field === '\(field)'", "the name's field")
        try await settle()
        try await page.fillFocused(name)
        try await settle()
    }

    // MARK: The inspector

    func set(_ label: String, _ text: String) async throws {
        let field = ".inspector [aria-label=\"\(label)\"]"
        try await page.fill(field, text)
        try await settle()
        try await page.wait(until: "document.querySelector('\(field)').value === \(Page.quoted(text))")
    }

    func check(_ label: String, _ isOn: Bool) async throws {
        let field = ".inspector input[aria-label=\"\(label)\"]"
        try await page.wait(for: field)
        if try await page.read("document.querySelector('\(field)').checked").boolean != isOn {
            try await page.click(field)
        }
        try await settle()
        try await page.wait(until: "document.querySelector('\(field)').checked === \(isOn)")
    }

    func choose(_ label: String, _ title: String) async throws {
        try await page.choose(".inspector select[aria-label=\"\(label)\"]", title)
        try await settle()
    }

    /// Types a predicate, and takes it with Return.
    func type(predicate: String, in field: String) async throws {
        try await page.click(field)
        try await page.press("a", .control)
        try await page.type(predicate)
        try await page.wait(
            until: "document.querySelector(\(Page.quoted(field))).ariaBusy !== 'true'", "the check of the predicate")
        try await page.press("Enter")
        try await settle()
        #expect(try await page.value(field) == predicate)
    }

    // MARK: The document

    func save() async throws {
        try await settle()
        try await page.press("s", .control)
        try await page.wait(
            until: "document.querySelector('#document-state').textContent.includes('Saved')", "the save")
        try await settle()
    }

    /// The bytes of the document's only version, as they are on disk.
    func contents(_ version: String? = nil) throws -> Data {
        let name = version ?? studio.document.deletingPathExtension().lastPathComponent
        return try Data(contentsOf: studio.document.appending(path: "\(name).xcdatamodel/contents"))
    }

    func undoAll() async throws {
        for _ in 0..<500 {
            try await settle()
            if try await page.count("#undo:disabled") == 1 { return }
            try await page.press("z", .control)
        }
        Issue.record("There is no end to undoing.")
    }
}

/// All tests in a browser.
@Suite(.enabled(if: Browser.executable != nil)) struct BrowserTests {}

@Suite struct BrowserRequirementTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] == "true"))
    func continuousIntegrationHasABrowser() {
        #expect(Browser.executable != nil)
    }
}
