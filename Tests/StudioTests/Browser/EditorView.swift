/// The views of the editor, and how one gets to them and away again.
enum EditorView: String, CaseIterable {
    case table, attribute, relationship, fetchedProperty, fetchRequest, graph, problems, code, source, configuration
    case comparison, comparisonGraph, palette, menu, contextMenu, refusal, versions, shortcuts

    func show(_ editor: Editor) async throws {
        let page = editor.page
        switch self {
        case .table: try await editor.open("Team")
        case .attribute: try await select("salary", of: "Player", editor)
        case .relationship: try await select("players", of: "Team", editor)
        case .fetchedProperty: try await select("wPlayers", of: "Team", editor)
        case .fetchRequest:
            try await editor.open("GreenTeams")
            try await page.wait(for: ".snippet")
        case .graph:
            try await editor.open("Team")
            try await page.click("#style-graph")
            try await page.wait(for: ".entity")
            try await page.click("#fit")
        case .problems:
            try await page.click("#problem-count")
            try await page.wait(for: ".panel")
        case .code:
            try await editor.open("Player")
            try await page.click("#code")
            try await page.wait(for: "#generated-code")
        case .source:
            try await command("source of", editor)
            try await page.wait(for: "#document-source")
        case .configuration:
            try await editor.add(".sidebar button[aria-label=\"Add Configuration\"]", named: "Local")
            try await page.click(".editor td.check-column input")
            try await editor.settle()
        case .comparison: try await compare(editor)
        case .comparisonGraph:
            try await compare(editor)
            try await page.click("#compare-graph")
            try await page.wait(for: ".compare-pane .entity")
        case .palette:
            try await page.press("k", .control)
            try await page.wait(for: ".palette")
        case .menu:
            try await page.click("#add")
            try await page.wait(for: ".menu")
        case .contextMenu:
            try await editor.open("Player")
            try await page.rightClick("\(try await editor.row("lastName")) .badge")
            try await page.wait(for: ".menu")
        case .refusal:
            try await editor.open("Player")
            try await page.click(".editor input[aria-label=\"Name of lastName\"]")
            try await page.press("a", .control)
            try await page.type("last name")
            try await page.wait(for: ".refusal")
        case .versions:
            try await page.click("#versions")
            try await page.wait(for: "dialog")
        case .shortcuts:
            try await command("keyboard shortcuts", editor)
            try await page.wait(for: "dialog.dialog")
        }
        try await editor.settle()
        // The mouse is not over anything, and colours that change have changed.
        try await page.rest()
    }

    func leave(_ editor: Editor) async throws {
        let page = editor.page
        switch self {
        case .graph: try await page.click("#style-table")
        case .problems: try await page.click("#problem-count")
        case .code: try await page.click("#code")
        case .source: try await page.click("[aria-label=\"Close panel\"]")
        case .comparison, .comparisonGraph: try await page.click("[aria-label=\"Close comparison\"]")
        case .palette, .menu, .contextMenu, .refusal, .versions, .shortcuts:
            try await page.press("Escape")
            try await page.wait(until: "!document.querySelector('dialog, .menu, .refusal')", "the dialog to close")
        default: break
        }
    }

    private func select(_ property: String, of entity: String, _ editor: Editor) async throws {
        try await editor.open(entity)
        try await editor.page.click(".editor input[aria-label=\"Name of \(property)\"]")
        try await editor.page.wait(
            until: "document.querySelector('.inspector input[aria-label=Name]')?.value === '\(property)'")
    }

    private func command(_ words: String, _ editor: Editor) async throws {
        try await editor.page.press("k", .control)
        try await editor.page.wait(for: ".palette")
        try await editor.page.type(words)
        try await editor.page.press("Enter")
        try await editor.page.wait(until: "!document.querySelector('.palette')", "the palette to close")
    }

    /// What was changed since the last save; something is, by the time this is called.
    private func compare(_ editor: Editor) async throws {
        if try await !editor.names("Entities").contains("Stadium") {
            try await editor.add(".sidebar button[aria-label=\"Add Entity\"]", named: "Stadium")
            try await editor.open("Player")
            try await editor.page.click(".editor input[aria-label=\"email is optional\"]")
            try await editor.settle()
        }
        try await command("compare with last", editor)
        try await editor.page.wait(for: ".compare-list, .compare-graphs")
    }
}

extension Page {
    /// Moves the mouse away, and waits until nothing changes its colour any more.
    func rest() async throws {
        _ = try await send("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": 2, "y": 2])
        try await wait(until: "document.getAnimations().every((animation) => animation.playState === 'finished')")
        _ = try await read("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    }
}
