import RandomSeeds
import Testing

/// The windows that everything has to be usable in.
///
/// What hardly depends on the size is tried in one of them in each run, and in all with `COREDATA_FULL_TESTS`.
enum WindowSize: String, CaseIterable, CustomTestStringConvertible {
    case small, laptop, wide

    static let tested = FullRun.isOn ? allCases : [.laptop]

    var size: (width: Int, height: Int) {
        switch self {
        case .small: (1024, 768)
        case .laptop: (1440, 900)
        case .wide: (2560, 1440)
        }
    }

    var testDescription: String { "\(size.width) × \(size.height)" }
}

extension Editor {
    /// Opens a studio on a copy of the League in a window of a size.
    static func use(
        _ window: WindowSize, expecting complaint: String? = nil, _ body: (Editor) async throws -> Void
    ) async throws {
        let (width, height) = window.size
        try await use(StudioSamples.league, width: width, height: height, expecting: complaint, body)
    }

    /// The row of a property in the tables.
    func row(_ name: String) async throws -> String {
        let find =
            "[...document.querySelectorAll('.editor tr[data-row]')].find((row) => row.querySelector('.name-cell input').value === \(Page.quoted(name)))"
        try await page.wait(until: find, "the row of \(name)")
        return ".editor tr[data-row=\"\(try await page.read("\(find).dataset.row").string ?? "")\"]"
    }

    /// The box of an entity in the graph.
    func box(_ name: String) async throws -> String {
        let find =
            "[...document.querySelectorAll('.entity')].find((box) => box.querySelector('.box-title').textContent === \(Page.quoted(name)))"
        try await page.wait(until: find, "the box of \(name)")
        return "[data-box=\"\(try await page.read("\(find).dataset.box").string ?? "")\"]"
    }

    /// The properties that the tables show, in their order.
    func rows() async throws -> [String] {
        try await page.read(
            "[...document.querySelectorAll('.editor tr[data-row]')].map((row) => row.querySelector('.name-cell input').value)"
        ).strings
    }

    /// The rows that are marked as selected.
    func selectedRows() async throws -> [String] {
        try await page.read(
            "[...document.querySelectorAll('.editor tr[data-selected]')].map((row) => row.querySelector('.name-cell input').value)"
        ).strings
    }

    /// The items of the sidebar that are marked as selected.
    func selectedItems() async throws -> [String] {
        try await page.read(
            "[...document.querySelectorAll('.sidebar [data-selected] .item-name')].map((item) => item.textContent)"
        ).strings
    }

    /// Chooses something from the menu that is open.
    func chooseFromMenu(_ title: String) async throws {
        let find =
            "[...document.querySelectorAll('.menu-item')].find((item) => item.querySelector('.menu-title').textContent === \(Page.quoted(title)))"
        try await page.wait(until: find, "\(title) in the menu")
        let index = Int(
            try await page.read("[...document.querySelectorAll('.menu > *')].indexOf(\(find)) + 1").number ?? 0)
        try await page.click(".menu > :nth-child(\(index))")
        try await page.wait(until: "!document.querySelector('.menu')", "the menu to close")
        try await settle()
    }
}
