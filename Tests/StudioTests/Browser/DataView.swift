/// The views of the data browser, for what is to hold in each of them.
enum DataView: String, CaseIterable {
    case grid, filter, refusal, savedFilter, sql, tree, neighbourhood, picture, bytes, members, columns, export
    case cellMenu, empty

    /// Shows the view on the store of recipes.
    func show(_ window: DataWindow) async throws {
        let page = window.page
        try await window.open("Recipe")
        try await page.click(try await window.cell(2, "name"))
        try await page.wait(until: "document.querySelector('img.preview')?.naturalWidth > 10", "the inspector")
        switch self {
        case .grid: break
        case .filter:
            try await page.click("#filter")
            try await page.type("na")
            try await page.wait(for: "#filter-completions li")
        case .refusal:
            try await window.filter("height == 3")
            try await page.wait(for: ".grid-message[role=alert]")
        case .savedFilter:
            try await window.filter("name == \"nothing\"")
            try await page.wait(for: ".grid-message[role=status]")
            try await page.click("#filter-save")
            try await page.wait(for: "dialog[open] input")
        case .sql:
            try await page.click("#sql")
            try await page.wait(for: "#statement")
        case .tree:
            try await page.click("#object-tree-open")
            try await page.wait(for: "#object-tree .tree-branch .tree-branch")
        case .neighbourhood:
            try await page.click("#object-neighbourhood")
            try await page.wait(until: "document.querySelectorAll('.neighbour').length > 2")
        case .picture:
            try await page.click(try await window.cell(2, "thumbnailimage"), count: 2)
            try await page.wait(until: "document.querySelector('img.picture')?.naturalWidth > 10")
        case .bytes:
            try await page.click(try await window.cell(2, "thumbnailimage"), count: 2)
            try await page.click("#value-hex")
            try await page.wait(for: "#value-content")
        case .members:
            try await page.click(try await window.cell(2, "ingredients"))
            try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
            try await window.rowsCome()
        case .columns:
            try await page.click("#columns")
            try await page.wait(for: "dialog[open] .column-list")
        case .export:
            try await page.click("#export")
            try await page.wait(for: "dialog[open] select")
        case .cellMenu:
            try await page.rightClick(try await window.cell(2, "name"))
            try await page.wait(for: ".menu")
        case .empty:
            try await window.filter("name == \"nothing\"")
            try await page.wait(for: ".grid-message[role=status]")
        }
    }

    /// Goes back to the window as it was.
    func leave(_ window: DataWindow) async throws {
        let page = window.page
        switch self {
        case .columns, .export, .cellMenu, .savedFilter: try await page.press("Escape")
        case .filter:
            try await page.press("Escape")
            try await page.press("Escape")
        case .sql, .tree, .neighbourhood, .picture, .bytes: try await page.click("#panel-close")
        case .grid, .refusal, .members, .empty: break
        }
    }
}
