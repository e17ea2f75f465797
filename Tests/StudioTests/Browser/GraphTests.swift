import Foundation
import ModelDocument
import ModelGraph
import Testing

/// The graph as one uses it.
extension BrowserTests {
    @Suite struct GraphTests {
        @Test func aDraggedBoxKeepsItsPlaceAsXcodeKeepsIt() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                let start = try await page.spot(".entity .box-header", atX: 0.5)
                let id = try await page.read("document.querySelector('.entity').dataset.box").string ?? ""
                try await page.drag(from: start, to: Page.Spot(x: start.x + 60, y: start.y - 90))
                try await editor.settle()
                try await editor.save()
                let model = try Model(contents: try editor.contents())
                #expect(model.diagramElements.count == model.entities.count)
                let shown = try await page.read(
                    "document.querySelector('[data-box=\"\(id)\"]').getAttribute('transform')"
                ).string
                let element = try #require(model.diagramElements.first { $0.name == model.entities[0].name })
                #expect(shown == "translate(\(Int(element.positionX)) \(Int(element.positionY)))")
            }
        }

        @Test func boxesAreReachedAndMovedByTheKeyboardAlone() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                try await page.click("#export")
                try await page.press("Escape")
                try await page.press("Tab")
                try await page.wait(until: "document.activeElement.matches('.entity')", "a box to have the focus")
                let first = try await page.read("document.activeElement.dataset.box").string
                try await page.press("ArrowRight")
                try await page.wait(
                    until: "document.activeElement.dataset.box !== '\(first ?? "")'", "the box beside it")
                let before = try await page.read("document.activeElement.getAttribute('transform')").string
                try await page.press("ArrowDown", .shift)
                try await editor.settle()
                #expect(try await page.read("document.activeElement.getAttribute('transform')").string != before)
                try await page.press("Enter")
                try await page.wait(for: ".rename-field")
                try await page.fillFocused("Renamed")
                try await editor.settle()
                #expect(try await editor.names("Entities").contains("Renamed"))
            }
        }

        @Test func aDoubleClickOnThePaperAddsAnEntityThere() async throws {
            try await Editor.use { editor in
                let page = editor.page
                try await page.click("#style-graph")
                try await page.wait(for: ".graph")
                try await page.click(Page.Spot(x: 500, y: 400), count: 2)
                try await page.wait(until: "document.activeElement.dataset.field === 'name'", "the name's field")
                try await editor.settle()
                try await page.fillFocused("Team")
                try await editor.settle()
                #expect(try await editor.names("Entities") == ["Team"])
            }
        }

        @Test func amongAHundredAndFiftyEntitiesADragDrawsTheBoxAndItsLinesAlone() async throws {
            var models = RandomStudioModel(seed: 42)
            let original = try models.document(entities: 150, relationships: 400)
            defer { try? FileManager.default.removeItem(at: original.deletingLastPathComponent()) }
            try await Editor.use(original, name: "Big") { editor in
                let page = editor.page
                let before = ContinuousClock.now
                try await page.click("#style-graph")
                try await page.wait(until: "document.querySelectorAll('.entity').length === 150", "all boxes")
                print("shown after \(ContinuousClock.now - before)")
                let overlaps = try await page.read(Self.overlapCount).number
                #expect(overlaps == 0)
                for zoom in 0..<2 {
                    let (rate, parts) = try await drag(page)
                    print("dragging at \(rate) frames a second, \(parts) parts drawn in each")
                    // Of 150 boxes and more than 400 lines.
                    #expect(parts <= 50)
                    if zoom == 0 { for _ in 0..<5 { try await page.click(".graph-tools [aria-label=\"Zoom in\"]") } }
                }
            }
        }

        /// Drags a box that is to be seen.
        ///
        /// - Returns: How many frames a second were drawn, and how many boxes and lines changed in one of them: the
        ///   medians.
        private func drag(_ page: Page) async throws -> (rate: Double, parts: Double) {
            let found = try await page.read(
                """
                [...document.querySelectorAll(".entity .box-frame")].map((box) => box.getBoundingClientRect())
                    .filter((box) => box.left > 340 && box.right < 900 && box.top > 160 && box.bottom < 660)
                    .map((box) => [box.left + box.width / 2, box.top + box.height / 2])[0]
                """)
            let start = Page.Spot(x: try #require(found[0].number), y: try #require(found[1].number))
            _ = try await page.read(
                """
                (() => {
                    const frames = [], changed = new Set();
                    const note = ({ target }) => changed.add(target.closest?.("[data-box], [data-link]"));
                    new MutationObserver((all) => all.forEach(note)).observe(
                        document.querySelector(".graph"), { subtree: true, childList: true, attributes: true });
                    (function next(time) {
                        changed.delete(null);
                        frames.push([time, changed.size]);
                        changed.clear();
                        requestAnimationFrame(next);
                    })(0);
                    window.frames_ = frames;
                })()
                """)
            try await page.drag(from: start, to: Page.Spot(x: start.x + 90, y: start.y + 60), steps: 60)
            let frames = try await page.read("window.frames_.slice(2)").array
            let times = frames.compactMap { $0[0].number }
            let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
            let parts = frames.compactMap { $0[1].number }.filter { $0 > 0 }.sorted()
            try #require(steps.count > 20 && parts.count > 10)
            return (1000 / steps[steps.count / 2], parts[parts.count / 2])
        }

        static let overlapCount = """
            (() => {
                const boxes = [...document.querySelectorAll(".entity")].map((element) => {
                    const [x, y] = element.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
                    const frame = element.querySelector(".box-frame");
                    return {x, y, right: x + Number(frame.getAttribute("width")), bottom: y + Number(frame.getAttribute("height")), id: element.dataset.box};
                });
                return boxes.filter((a) => boxes.some((b) => a !== b && a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom)).length;
            })()
            """

        @Test func thePageDrawsTheSameLinesAsTheCommand() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                try await editor.page.click("#style-graph")
                try await editor.page.wait(for: ".entity")
                let shown = try await editor.page.read(
                    "[...document.querySelectorAll('.link-line')].map((line) => line.getAttribute('d'))"
                ).strings
                // The layout of the page fills its window.
                let aspect = try await editor.page.read("Number(document.querySelector('#graph').dataset.aspect)")
                    .number
                let svg = Diagram(try Model(contents: try editor.contents()), aspect: aspect).svg(title: "League")
                let drawn = svg.matches(of: /class="link" d="([^"]*)"/).map { String($0.output.1) }
                #expect(!drawn.isEmpty && Set(shown) == Set(drawn))
                let sizes = try await editor.page.read(
                    "[...document.querySelectorAll('.box-frame')].map((box) => box.getAttribute('width') + ' ' + box.getAttribute('height'))"
                ).strings
                for size in sizes {
                    let parts = size.split(separator: " ")
                    #expect(svg.contains("class=\"box\" width=\"\(parts[0])\" height=\"\(parts[1])\""))
                }
            }
        }

        @Test func theDrawingIsExportedAsSVG() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                let downloads = editor.studio.folder.appending(path: "downloads")
                _ = try await page.browser.send(
                    "Browser.setDownloadBehavior",
                    ["behavior": "allow", "downloadPath": .string(downloads.path), "browserContextId": page.context])
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                for (title, name) in [("Export as SVG", "League.svg"), ("Export as PNG", "League.png")] {
                    try await page.click("#export")
                    try await page.wait(for: "[role=menu]")
                    try await page.press("Home")
                    if title.hasSuffix("PNG") { try await page.press("ArrowDown") }
                    try await page.press("Enter")
                    let start = title.hasSuffix("SVG") ? Array("<?xml".utf8) : [0x89, 0x50, 0x4E, 0x47]
                    // The browser makes the file before it writes to it.
                    let file = downloads.appending(path: name)
                    #expect(try await comesTrue { (try? Data(contentsOf: file))?.starts(with: start) == true })
                }
            }
        }
    }
}

/// Large documents, repeated by their seed.
struct RandomStudioModel {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    /// Writes a model into a folder of its own.
    mutating func document(entities: Int, relationships: Int) throws -> URL {
        var model = Model(entities: (0..<entities).map { Model.Entity(name: "Entity\($0)") })
        model.documentInfo = .newDocument()
        for index in model.entities.indices {
            model.entities[index].attributes = (0...next(below: 8)).map {
                Model.Attribute(name: "attribute\($0)", type: .string)
            }
        }
        for number in 0..<(relationships / 2) {
            let (a, b) = (next(below: entities), next(below: entities))
            var there = Model.Relationship(name: "there\(number)", destinationName: "Entity\(b)")
            var back = Model.Relationship(name: "back\(number)", destinationName: "Entity\(a)")
            (there.inverseName, there.inverseEntityName) = (back.name, "Entity\(b)")
            (back.inverseName, back.inverseEntityName) = (there.name, "Entity\(a)")
            there.maxCount = next(below: 2)
            model.entities[a].relationships.append(there)
            model.entities[b].relationships.append(back)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID().uuidString)")
        let document = folder.appending(path: "Big.xcdatamodeld")
        let version = document.appending(path: "Big.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try model.contents().write(to: version.appending(path: "contents"))
        return document
    }
}
