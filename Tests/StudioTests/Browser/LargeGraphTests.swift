import Foundation
import ModelDocument
import RandomSeeds
import Testing

/// Graphs of 40 and of 150 entities, in windows of every size.
extension BrowserTests {
    @Suite struct LargeGraphTests {
        @Test(arguments: FullRun.isOn ? LargeGraph.allCases : LargeGraph.oneOfEachSize)
        func theLayoutFillsTheWindowAndNamesCanBeRead(_ graph: LargeGraph) async throws {
            try await graph.show { editor in
                let found = try await editor.page.read(
                    """
                    (() => {
                        const height = (selector) => document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
                        const view = document.querySelector("#graph").getBoundingClientRect();
                        const [free, tall] = [view.width - 60, view.height - height(".graph-tools") - height(".legend") - 60];
                        const boxes = [...document.querySelectorAll(".entity .box-frame")].map((box) => box.getBoundingClientRect());
                        const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
                        const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
                        const isFar = document.querySelector("#graph .graph").classList.contains("is-far");
                        const names = [...document.querySelectorAll(isFar ? ".far-label" : ".box-title")];
                        const sizes = names.map((name) => parseFloat(getComputedStyle(name).fontSize) * name.getScreenCTM().a);
                        const areas = names.map((name) => name.getBoundingClientRect());
                        const meet = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
                        const meeting = areas.filter((a, index) => areas.slice(index + 1).some((b) => meet(a, b))).length;
                        return [(right - left) / free, (bottom - top) / tall, Math.min(...sizes), names.length, meeting];
                    })()
                    """)
                let (width, height) = (try #require(found[0].number), try #require(found[1].number))
                #expect(
                    width < 1.1 && height < 1.1 && max(width, height) > 0.9 && min(width, height) > 0.6,
                    "\(width) \(height)")
                let size = try #require(found[2].number)
                let names = try #require(found[3].number)
                print("\(graph.testDescription): \(names) names of \(size) pixels")
                #expect(size >= 8.9 && found[4].number == 0, "names can be read, and none lies over another")
                #expect(names >= graph.leastNames)
                let overlaps = try await editor.page.read(GraphTests.overlapCount).number
                #expect(overlaps == 0)
            }
        }

        @Test(arguments: LargeGraph.oneOfEachSize) func aSearchMarksWhatItFindsAndGoesThere(_ graph: LargeGraph)
            async throws
        {
            try await graph.show { editor in
                let page = editor.page
                try await page.click("#graph-search")
                try await page.type("invoiceline")
                try await page.wait(until: "document.querySelector('#graph-found').textContent.endsWith('found')")
                let marked = try await page.count(".entity.found")
                let title = try await page.text("#graph-found")
                #expect(title == "\(marked) found" && marked >= 1)
                #expect(try await page.count(".entity.dim") == graph.entities - marked)
                try await page.press("Enter")
                try await page.wait(until: "document.querySelector('#graph-found').textContent === '1 of \(marked)'")
                let isInTheMiddle = """
                    (() => {
                        const [box, view] = [".entity.selected", "#graph"].map((selector) => document.querySelector(selector).getBoundingClientRect());
                        return Math.abs(box.left + box.width / 2 - view.left - view.width / 2) < 12 && document.querySelector(".entity.selected .box-title").textContent;
                    })()
                    """
                #expect(try await page.read(isInTheMiddle).string == "InvoiceLine")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('.entity.found, .entity.dim')")
            }
        }

        @Test(arguments: LargeGraph.oneOfEachSize)
        func neighboursAreShownAloneAndAllAreBackAfterwards(_ graph: LargeGraph) async throws {
            try await graph.show { editor in
                let page = editor.page
                let shown =
                    "[...document.querySelectorAll('.entity')].filter((box) => box.style.display !== 'none').length"
                try await editor.open("Invoice")
                try await page.wait(for: ".entity.selected")
                let near = try await page.count(".entity.neighbour")
                try await page.click("#neighbours")
                try await editor.chooseFromMenu("Direct Neighbours Only")
                try await page.wait(until: "\(shown) === \(near + 1)", "the neighbours alone")
                try await page.click("#neighbours")
                try await editor.chooseFromMenu("Neighbours in Two Steps Only")
                try await page.wait(until: "\(shown) > \(near + 1) && \(shown) < \(graph.entities)", "two steps")
                try await page.click("#neighbours")
                try await editor.chooseFromMenu("All Entities")
                try await page.wait(until: "\(shown) === \(graph.entities)", "all entities")
            }
        }

        @Test(arguments: LargeGraph.oneOfEachSize) func theOverviewMovesTheView(_ graph: LargeGraph) async throws {
            try await graph.show { editor in
                let page = editor.page
                #expect(try await page.read("document.querySelector('.minimap').checkVisibility()").boolean == false)
                for _ in 0..<6 { try await page.click(".graph-tools [aria-label=\"Zoom in\"]") }
                try await page.wait(until: "document.querySelector('.minimap').checkVisibility()", "the overview")
                let place = "document.querySelector('#graph .graph > g').getAttribute('transform')"
                let before = try await page.read(place).string
                let start = try await page.spot(".minimap", atX: 0.3, atY: 0.4)
                try await page.click(start)
                let clicked = try await page.read(place).string
                #expect(clicked != before)
                try await page.drag(from: start, to: Page.Spot(x: start.x + 40, y: start.y + 20))
                #expect(try await page.read(place).string != clicked)
                #expect(try await page.count(".map-box") == graph.entities)
            }
        }

        @Test(arguments: LargeGraph.oneOfEachSize) func areasHaveColoursWithALegend(_ graph: LargeGraph) async throws {
            try await graph.show { editor in
                let page = editor.page
                let areas = try await page.count(".legend[aria-label=\"Colours of areas\"] li")
                #expect(areas >= 3 && areas <= 8)
                let hues = try await page.read(
                    "new Set([...document.querySelectorAll('.entity')].map((box) => [...box.classList].find((name) => name.startsWith('hue-')))).size"
                ).number
                #expect(hues == Double(areas))
            }
        }

        @Test(arguments: LargeGraph.oneOfEachSize) func aSignShowsThatTheGraphIsArranged(_ graph: LargeGraph)
            async throws
        {
            try await graph.show { editor in
                let page = editor.page
                _ = try await page.read(
                    """
                    window.wasBusy_ = false;
                    new MutationObserver(() => { if (document.querySelector(".graph-busy .spinner")) window.wasBusy_ = true; })
                        .observe(document.querySelector("#app"), {childList: true, subtree: true});
                    """)
                let before = ContinuousClock.now
                try await page.click("#arrange")
                try await page.wait(
                    until: "window.wasBusy_ && !document.querySelector('.graph-busy')", "the sign to come and go")
                try await editor.settle()
                print("\(graph.testDescription): arranged in \(ContinuousClock.now - before)")
            }
        }

        @Test(arguments: LargeGraph.oneOfEachSize) func anUndoneMoveMovesTheBoxBackAtOnce(_ graph: LargeGraph)
            async throws
        {
            try await graph.show { editor in
                let page = editor.page
                let id = try await page.read("document.querySelector('.entity').dataset.box").string ?? ""
                let place = "document.querySelector('[data-box=\"\(id)\"]').getAttribute('transform')"
                let start = try await page.read(place).string ?? ""
                // The first move writes the places of all boxes, the second those of one.
                for distance in [30.0, 45] {
                    let spot = try await page.spot("[data-box=\"\(id)\"] .box-frame")
                    try await page.drag(from: spot, to: Page.Spot(x: spot.x + distance, y: spot.y + 10))
                    try await editor.settle()
                }
                #expect(try await page.read(place).string != start)
                try await page.press("z", .control)
                try await editor.settle()
                try await page.press("z", .control)
                try await page.wait(until: "\(place) === '\(start)'", "the box to be back")
            }
        }
    }

    @Suite struct RelationshipDrawingTests {
        @Test(arguments: WindowSize.tested)
        func draggingWithControlDrawsARelationshipOfTheChosenKind(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                let links = try await page.count(".link.relationship")
                let kinds = [
                    ("One to One", [false, false]), ("One to Many", [true, false]), ("Many to Many", [true, true]),
                ]
                for (title, isToMany) in kinds {
                    try await draw(editor)
                    try await page.wait(for: ".menu[aria-label=Relationship]")
                    try await editor.chooseFromMenu(title)
                    try await page.wait(
                        until: "document.querySelectorAll('.link.relationship').length === \(links + 1)")
                    let ends = try await ends(editor)
                    #expect(ends == isToMany, "\(title)")
                    try await page.press("Escape")
                    try await page.click("#undo")
                    try await page.wait(
                        until: "document.querySelectorAll('.link.relationship').length === \(links)",
                        "both to be undone")
                }
                try await draw(editor)
                try await page.wait(for: ".menu[aria-label=Relationship]")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('.menu, .connecting')", "the line to go")
                #expect(try await page.count(".link.relationship") == links)
            }
        }

        /// Drags with Control from a laptop to a team, which are not related.
        private func draw(_ editor: Editor) async throws {
            let page = editor.page
            try await page.click("#fit")
            let from = try await page.spot("\(try await editor.box("Laptop")) .box-frame", atY: 0.1)
            let to = try await page.spot("\(try await editor.box("Team")) .box-frame", atY: 0.1)
            try await page.drag(from: from, to: to, modifiers: .control)
        }

        /// Whether the new relationship, which is in the inspector, and its inverse are to-many.
        private func ends(_ editor: Editor) async throws -> [Bool] {
            let page = editor.page
            try await page.wait(
                until: "document.activeElement.matches('.inspector [data-field=name]')", "the name of the relationship")
            try await editor.settle()
            let count = "document.querySelector('.inspector [data-field=isToMany]').selectedOptions[0].textContent"
            let own = try await page.read(count).string
            let inverse =
                try await page.read("document.querySelector('.inspector [aria-label=Inverse]').value").string ?? ""
            try await page.click("[data-row=\"\(inverse)\"] .row-hit")
            try await page.wait(
                until: "document.querySelector('.inspector [aria-label=Inverse]')?.value !== '\(inverse)'")
            let other = try await page.read(count).string
            return [own, other].map { $0 == "To Many" }
        }
    }
}

/// A model of several areas, and the window in which it is shown.
struct LargeGraph: CaseIterable, CustomTestStringConvertible {
    let entities: Int
    let window: WindowSize

    static let allCases = [40, 150].flatMap { entities in
        WindowSize.allCases.map { LargeGraph(entities: entities, window: $0) }
    }

    /// A window of each size, and models of both sizes; the smallest alone unless `COREDATA_FULL_TESTS` is set.
    static let oneOfEachSize = FullRun.items(
        of: [
            LargeGraph(entities: 150, window: .small), LargeGraph(entities: 40, window: .laptop),
            LargeGraph(entities: 150, window: .wide),
        ], elseOneIn: 3)

    var testDescription: String { "\(entities) entities in \(window.testDescription)" }

    /// How many names a map of the model shows at the least. The others come when one zooms in.
    var leastNames: Double { entities < 100 || window == .wide ? Double(entities) : 50 }

    /// Opens the graph of the model.
    func show(_ body: (Editor) async throws -> Void) async throws {
        let original = try Self.document(entities: entities)
        defer { try? FileManager.default.removeItem(at: original.deletingLastPathComponent()) }
        let (width, height) = window.size
        try await Editor.use(original, name: "Large", width: width, height: height) { editor in
            let page = editor.page
            try await page.click("#style-graph")
            try await page.wait(until: "document.querySelectorAll('.entity').length === \(entities)", "all boxes")
            try await page.wait(until: "!document.querySelector('.graph-busy')", "the layout")
            try await editor.settle()
            try await body(editor)
        }
    }

    /// Entities in areas of about ten. Most of their relationships stay in their area.
    private static func document(entities: Int) throws -> URL {
        var random = SmallGenerator(state: UInt64(entities))
        let nouns = ["Order", "Invoice", "Customer", "Product", "Shipment", "Payment", "Account", "Message"]
        let parts = [
            "", "Line", "Address", "Category", "History", "Setting", "Attachment", "Comment", "Template", "Rule",
        ]
        let names = (0..<entities).map { number in
            let (area, part) = (number / parts.count, number % parts.count)
            return nouns[area % nouns.count] + (area < nouns.count ? "" : "Archive") + parts[part]
        }
        var model = Model(entities: names.map { Model.Entity(name: $0) })
        model.documentInfo = .newDocument()
        for index in names.indices {
            model.entities[index].attributes = (0...random.next(below: 7)).map {
                Model.Attribute(
                    name: ["title", "createdOn", "amount", "isOpen", "number", "note", "state", "count"][$0],
                    type: .string)
            }
        }
        func connect(_ a: Int, _ b: Int, _ number: Int) {
            var there = Model.Relationship(name: "there\(number)", destinationName: names[b])
            var back = Model.Relationship(name: "back\(number)", destinationName: names[a])
            (there.inverseName, there.inverseEntityName) = (back.name, names[b])
            (back.inverseName, back.inverseEntityName) = (there.name, names[a])
            there.maxCount = 0
            model.entities[a].relationships.append(there)
            model.entities[b].relationships.append(back)
        }
        for index in names.indices {
            let start = index / parts.count * parts.count
            if index > start {
                connect(start + random.next(below: index - start), index, index)
            } else if start > 0 {
                connect(random.next(below: start), index, index)
            }
            if index.isMultiple(of: 9) { connect(random.next(below: entities), index, index + entities) }
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID().uuidString)")
        let document = folder.appending(path: "Large.xcdatamodeld")
        let version = document.appending(path: "Large.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try model.contents().write(to: version.appending(path: "contents"))
        return document
    }
}

/// The same numbers each time.
private struct SmallGenerator {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
