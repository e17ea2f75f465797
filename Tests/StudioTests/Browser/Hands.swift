/// What is done otherwise in table style than in graph style.
protocol Hands {
    var editor: Editor { get }

    func addEntity(_ name: String) async throws
    func addAttribute(_ name: String, _ type: String, to entity: String) async throws
    func addRelationship(_ name: String, to destination: String, inverse: String, in entity: String) async throws
    func addFetchedProperty(_ name: String, of destination: String, in entity: String) async throws
    /// Shows a property, or without one the entity itself, in the inspector.
    func select(_ property: String?, of entity: String) async throws
}

/// The model as tables.
struct TableHands: Hands {
    let editor: Editor
    private var page: Page { editor.page }

    init(_ editor: Editor) async throws {
        self.editor = editor
        try await editor.page.click("#style-table")
    }

    func addEntity(_ name: String) async throws {
        try await editor.add(".sidebar button[aria-label=\"Add Entity\"]", named: name)
    }

    func addAttribute(_ name: String, _ type: String, to entity: String) async throws {
        try await editor.open(entity)
        try await editor.add("[data-add=attributes]", named: name)
        try await page.choose(".editor select[aria-label=\"Type of \(name)\"]", type)
        try await editor.settle()
    }

    func addRelationship(_ name: String, to destination: String, inverse: String, in entity: String) async throws {
        try await editor.open(entity)
        try await editor.add("[data-add=relationships]", named: name)
        try await page.choose(".editor select[aria-label=\"Destination of \(name)\"]", destination)
        try await editor.settle()
        // The inverse of what leads back to itself is itself, or has to be there to be chosen.
        if destination != entity || inverse != name {
            try await editor.open(destination)
            try await editor.add("[data-add=relationships]", named: inverse)
            try await page.choose(".editor select[aria-label=\"Destination of \(inverse)\"]", entity)
            try await editor.settle()
        }
        try await page.choose(".editor select[aria-label=\"Inverse of \(inverse)\"]", name)
        try await editor.settle()
    }

    func addFetchedProperty(_ name: String, of destination: String, in entity: String) async throws {
        try await editor.open(entity)
        try await editor.add("[data-add=fetchedProperties]", named: name)
        try await page.choose(".editor select[aria-label=\"Destination of \(name)\"]", destination)
        try await editor.settle()
    }

    func select(_ property: String?, of entity: String) async throws {
        try await editor.open(entity)
        guard let property else { return }
        try await page.click(".editor input[aria-label=\"Name of \(property)\"]")
        try await page.wait(
            until: "document.querySelector('.inspector input[aria-label=Name]')?.value === '\(property)'")
    }
}

/// The model as a drawing.
struct GraphHands: Hands {
    let editor: Editor
    private var page: Page { editor.page }

    init(_ editor: Editor) async throws {
        self.editor = editor
        try await editor.page.click("#style-graph")
        try await editor.page.wait(for: ".graph")
    }

    func addEntity(_ name: String) async throws {
        try await editor.add("#graph-add-entity", named: name)
        try await page.click("#fit")
    }

    func addAttribute(_ name: String, _ type: String, to entity: String) async throws {
        try await select(nil, of: entity)
        try await editor.add("#graph-add-attribute", named: name)
        try await editor.choose("Attribute Type", type)
    }

    /// Drags from one box to the other, and names both ends.
    func addRelationship(_ name: String, to destination: String, inverse: String, in entity: String) async throws {
        if destination == entity, inverse == name {
            try await select(nil, of: entity)
            try await editor.add("#graph-add-relationship", named: name)
            try await editor.choose("Destination", destination)
            try await editor.choose("Inverse", inverse)
            return
        }
        try await editor.settle()
        try await page.click("#fit")
        try await select(nil, of: entity)
        let (from, to) = (try await box(entity), try await box(destination))
        let known = try await page.count(".link.relationship")
        try await page.drag(
            from: try await page.spot("\(from) .connector circle"),
            to: try await page.spot("\(to) .box-header", atX: 0.3))
        try await page.wait(until: "document.querySelectorAll('.link.relationship').length > \(known)", "the new link")
        try await page.wait(until: "document.activeElement.matches('.inspector [data-field=name]')", "the name's field")
        try await page.fillFocused(name)
        try await editor.settle()
        try await page.wait(until: "document.querySelector('.inspector [aria-label=Inverse]').value !== ''")
        // The row at the other end is the one that has this one's name as its inverse.
        let other = try await page.read("document.querySelector('.inspector [aria-label=Inverse]').value").string ?? ""
        try await page.click("[data-row=\"\(other)\"] .row-hit")
        try await page.wait(
            until:
                "document.querySelector('.inspector [aria-label=Inverse]')?.selectedOptions[0]?.textContent === '\(name)'"
        )
        try await editor.set("Name", inverse)
    }

    func addFetchedProperty(_ name: String, of destination: String, in entity: String) async throws {
        try await select(nil, of: entity)
        try await page.press("p")
        try await page.wait(until: "document.activeElement.matches('.inspector [data-field=name]')", "the name's field")
        try await editor.settle()
        try await page.fillFocused(name)
        try await editor.settle()
        try await editor.choose("Destination", destination)
    }

    func select(_ property: String?, of entity: String) async throws {
        try await editor.settle()
        try await page.click("#fit")
        let box = try await box(entity)
        guard let property else {
            try await page.click("\(box) .box-header")
            return try await page.wait(for: "\(box).selected")
        }
        let find =
            "[...document.querySelectorAll('\(box) .box-row')].find((row) => row.querySelector('.row-name').textContent === '\(property)')"
        let row = try await page.read("\(find)?.dataset.row").string ?? ""
        try await page.click("[data-row=\"\(row)\"] .row-hit")
        try await page.wait(
            until: "document.querySelector('.inspector input[aria-label=Name]')?.value === '\(property)'")
    }

    /// The selector of an entity's box.
    private func box(_ entity: String) async throws -> String {
        let find =
            "[...document.querySelectorAll('.entity')].find((box) => box.querySelector('.box-title').textContent === '\(entity)')"
        try await page.wait(until: find, "the box of \(entity)")
        return "[data-box=\"\(try await page.read("\(find).dataset.box").string ?? "")\"]"
    }
}
