import Foundation
import Testing

/// The data browser on a page, by what a person sees of it.
struct DataWindow {
    let page: Page
    let studio: StudioProcess
    let downloads: URL

    /// Opens a studio on a store, and closes all of it afterwards. What the page complains of is a
    /// failure, unless it is what a test is about.
    static func use(
        _ store: SampleStore, model: URL? = nil, edits: Bool = false, width: Int = 1280, height: Int = 800,
        expecting complaint: String? = nil,
        _ body: (DataWindow) async throws -> Void
    ) async throws {
        try await BrowserTurns.use(width: width, height: height) { page in
            let studio = try StudioProcess(store: store.url, model: model, edits: edits)
            defer { studio.end() }
            let downloads = studio.folder.appending(path: "Downloads")
            try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
            let window = DataWindow(page: page, studio: studio, downloads: downloads)
            try await page.open(studio.address)
            try await page.wait(for: ".grid-body .grid-row[data-id]:not(.waiting)")
            try await body(window)
            #expect(page.log.lines.filter { complaint == nil || !$0.contains(complaint ?? "") } == [])
        }
    }

    // MARK: The sidebar

    /// Opens an entity, and waits for its rows.
    func open(_ entity: String) async throws {
        try await page.click("[data-entity=\"\(entity)\"]")
        try await page.wait(
            until: "document.querySelector('[data-entity=\"\(entity)\"]').getAttribute('aria-current') === 'true'")
        try await rowsCome()
    }

    func rowsCome() async throws {
        try await page.wait(
            until: """
                document.querySelector('#total')?.textContent.includes('object') && document.querySelector('.grid-body')
                && ![...document.querySelectorAll('.grid-body .grid-row')].some((row) => row.classList.contains('waiting'))
                """, "the rows")
    }

    // MARK: The grid

    /// The texts of a column's cells that are on the page, from the top on.
    func column(_ name: String) async throws -> [String] {
        try await page.read(
            """
            (() => {
                const place = [...document.querySelectorAll('.grid-title')].findIndex((head) => head.dataset.column === \(Page.quoted(name)));
                const rows = [...document.querySelectorAll('.grid-body .grid-row')].sort((a, b) => a.dataset.index - b.dataset.index);
                return rows.map((row) => row.children[place].textContent);
            })()
            """
        ).strings
    }

    var identifiers: [String] { get async throws { try await column("") } }

    /// The selector of a cell of the row with that number.
    func cell(_ row: Int, _ name: String) async throws -> String {
        let find =
            "[...document.querySelectorAll('.grid-title')].findIndex((head) => head.dataset.column === \(Page.quoted(name)))"
        let place = Int(try await page.read(find).number ?? -1)
        return "#cell-\(row)-\(place)"
    }

    /// Notes from now on which cells are marked as saved by others: a mark may be gone before one looks.
    func noteMarks() async throws {
        _ = try await page.read(
            """
            (() => {
                window.marks = new Set();
                const note = () => {
                    const titles = document.querySelectorAll('.grid-title');
                    for (const cell of document.querySelectorAll('.grid-cell.fresh')) {
                        const place = [...cell.parentElement.children].indexOf(cell);
                        window.marks.add(`${cell.parentElement.dataset.id} ${titles[place].dataset.column}`);
                    }
                };
                new MutationObserver(note).observe(document.querySelector('.grid-body'),
                    {subtree: true, childList: true, attributes: true});
            })()
            """)
    }

    /// Waits until as many cells were marked, or more.
    ///
    /// - Returns: Their objects and columns, such as `Order/p5 city`.
    func marks(_ count: Int) async throws -> Set<String> {
        try await page.wait(until: "window.marks.size >= \(count)", "\(count) marks")
        return Set(try await page.read("[...window.marks]").strings)
    }

    var total: String { get async throws { try await page.text("#total") } }

    /// Filters by a predicate, as one types it.
    func filter(_ predicate: String) async throws {
        try await page.click("#filter")
        try await page.press("a", .control)
        try await page.type(predicate)
        try await page.press("Enter")
        try await page.wait(
            until:
                "document.querySelector('#filter').value === \(Page.quoted(predicate)) && history.state.trail.at(-1).predicate === \(Page.quoted(predicate))"
        )
    }

    /// Exports what is shown.
    ///
    /// - Returns: The file.
    func export(_ title: String) async throws -> String {
        _ = try await page.browser.send(
            "Browser.setDownloadBehavior",
            [
                "behavior": "allow", "browserContextId": page.context, "downloadPath": .string(downloads.path),
                "eventsEnabled": false,
            ])
        try await page.click("#export")
        try await page.wait(for: "dialog[open] select")
        try await page.choose("dialog[open] select", title)
        try await page.click("dialog[open] .primary")
        let file = try await downloadedFile()
        let text = try String(contentsOf: file, encoding: .utf8)
        try FileManager.default.removeItem(at: file)
        return text
    }

    /// The file that the browser downloads, when it is there as a whole.
    func downloadedFile() async throws -> URL {
        var name = ""
        let isThere = try await comesTrue {
            name = try FileManager.default.contentsOfDirectory(atPath: downloads.path).first ?? ""
            return !name.isEmpty && !name.hasSuffix(".crdownload")
        }
        guard isThere else { throw Browser.Failure(description: "There is no download.") }
        return downloads.appending(path: name)
    }
}
