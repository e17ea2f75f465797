import Foundation
import Testing

/// The views in which objects are changed, for what is to hold in each of them.
enum EditingView: String, CaseIterable {
    case newObject, cell, deletion, picker, members, neighbourhood, importing, conflict

    /// Shows the view on the shop.
    ///
    /// - Parameter program: Another program that has the shop open.
    func show(_ window: DataWindow, _ program: OtherProgram) async throws {
        let page = window.page
        switch self {
        case .newObject:
            try await window.open("Product")
            try await page.click("#new-object")
            try await page.wait(for: ".value-row .field-error")
            try await page.click("#changes")
            try await page.wait(for: ".change-head.inserted")
        case .cell:
            try await window.open("Order")
            try await page.click(try await window.cell(1, "remark"))
            try await page.press("Enter")
            try await page.wait(for: ".cell-editor")
        case .deletion:
            try await window.open("Order")
            try await page.click(try await window.cell(2, "number"))
            try await page.press("Delete")
            try await page.wait(for: "dialog[open]")
        case .picker:
            try await Self.openLines(window)
            try await page.click("#add-member")
            try await page.wait(for: ".pick-list li")
        case .members: try await Self.openLines(window)
        case .neighbourhood:
            try await window.open("Order")
            try await page.click(try await window.cell(2, "number"))
            try await page.wait(until: "document.querySelector('#object-id')?.textContent === 'Order/p3'")
            try await page.click("#object-neighbourhood")
            try await page.wait(until: "document.querySelectorAll('[data-neighbour]').length === 5")
            try await page.click("[data-neighbour^=Tag]")
            try await page.wait(until: "document.querySelectorAll('[data-neighbour]').length === 10")
        case .importing:
            try await window.open("Line")
            let file = window.studio.folder.appending(path: "Lines.csv")
            try Data("Quantity,product,note\n7,Cheese,x\nmany,Apple,y\n8,Wine,z\n".utf8).write(to: file)
            try await page.click("#import")
            try await page.chooseFile("#import-file", file)
            try await page.wait(for: "dialog.import[open]")
            try await page.click("#import-check")
            try await page.wait(for: ".import-errors li")
        case .conflict:
            try await window.open("Order")
            try await page.click(try await window.cell(3, "city"))
            try await page.press("Enter")
            try await page.wait(for: ".cell-editor")
            try await page.fillCell("Boston", "Enter")
            try await window.shows("Boston", 3, "city")
            try program.change { try $0.order(4)?.setValue("Rome", forKey: "city") }
            try await page.press("s", .control)
            try await page.wait(for: ".conflict table")
        }
    }

    private static func openLines(_ window: DataWindow) async throws {
        try await window.open("Order")
        try await window.page.click(try await window.cell(2, "lines"))
        try await window.page.wait(until: "document.querySelectorAll('.trail li').length === 2")
        try await window.rowsCome()
    }

    /// Goes back to a window without changes.
    func leave(_ window: DataWindow) async throws {
        let page = window.page
        switch self {
        case .cell, .deletion, .picker, .importing, .conflict: try await page.press("Escape")
        case .newObject, .members, .neighbourhood: break
        }
        try await page.wait(until: "!document.querySelector('dialog[open], .cell-editor')")
        guard try await page.text("#document-state") != "All saved" else { return }
        if try await page.count("#discard") == 0 { try await page.click("#changes") }
        try await page.click("#discard")
        try await page.click("dialog[open] .destructive")
        try await page.wait(for: "#no-changes")
        try await page.click("#panel-close")
    }
}

extension DataWindow {
    /// Waits until a cell has a text.
    func shows(_ text: String, _ row: Int, _ column: String) async throws {
        let place =
            "[...document.querySelectorAll('.grid-title')].findIndex((head) => head.dataset.column === \(Page.quoted(column)))"
        try await page.wait(
            until: "document.getElementById('cell-\(row)-' + \(place))?.textContent === \(Page.quoted(text))",
            "\(text) in row \(row), \(column)")
    }
}

extension Page {
    /// Replaces what is in the cell that is edited, and leaves it by a key.
    func fillCell(_ text: String, _ key: String) async throws {
        try await wait(until: "document.activeElement?.classList.contains('cell-editor')", "the cell's field")
        try await press("a", .control)
        try await type(text)
        try await press(key)
    }

    /// Chooses an item of the menu that is open.
    func clickMenu(_ title: String) async throws {
        let items = "[...document.querySelectorAll('.menu .menu-item')]"
        let place = try await read("\(items).findIndex((item) => item.textContent.includes(\(Self.quoted(title))))")
            .number
        _ = try await read("\(items)[\(Int(place ?? -1))].setAttribute('data-wanted', 'true')")
        try await click(".menu-item[data-wanted]")
    }

    /// Gives a file to a field for files, as the system's dialog does.
    func chooseFile(_ selector: String, _ file: URL) async throws {
        try await wait(for: selector)
        let root = try await send("DOM.getDocument")["root"]["nodeId"]
        let node = try await send("DOM.querySelector", ["nodeId": root, "selector": .string(selector)])["nodeId"]
        _ = try await send("DOM.setFileInputFiles", ["files": [.string(file.path)], "nodeId": node])
    }
}
