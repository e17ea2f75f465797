import Foundation
import Testing

/// Tables and toolbars in windows of every size.
extension BrowserTests {
    @Suite struct WindowTests {
        @Test(arguments: WindowSize.allCases) func noColumnOfATableCollapses(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                try await editor.open("Player")
                for list in ["attributes", "relationships"] {
                    let widths = try await widths(list, editor).dropLast()
                    #expect(widths.allSatisfy { $0 >= 56 }, "\(list): \(widths)")
                    #expect(try await editor.page.read(cutHeads(list)).strings == [])
                }
                let destination = ".editor select[aria-label=\"Destination of team\"]"
                #expect(try await editor.page.read(isHit(destination)).boolean == true)
            }
        }

        @Test(arguments: WindowSize.allCases) func everyToolCanBeReached(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                #expect(try await page.read(lostTools(".toolbar", in: "body")).strings == [])
                try await page.click("#style-graph")
                try await page.wait(for: ".graph-tools")
                #expect(try await page.read(lostTools(".graph-tools", in: ".graph-editor")).strings == [])
                // The inspector is where it was.
                #expect(try await page.read(isHit(".inspector [aria-label=\"Parent Entity\"]")).boolean == true)
            }
        }

        @Test(arguments: WindowSize.allCases)
        func aColumnKeepsTheWidthThatItsEdgeIsDraggedTo(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                try await editor.open("Player")
                let before = try await widths("relationships", editor)
                let edge = try await editor.page.spot("[data-list=relationships] th:nth-child(2) .column-edge")
                try await editor.page.drag(from: edge, to: Page.Spot(x: edge.x + 70, y: edge.y))
                try await editor.settle()
                let after = try await widths("relationships", editor)
                #expect(abs(after[1] - before[1] - 70) <= 2, "\(before) \(after)")
                #expect(after.allSatisfy { $0 >= 24 })
                try await editor.open("Team")
                #expect(try await widths("relationships", editor) == after)
                try await editor.open("Player")
                #expect(try await widths("relationships", editor) == after)
                try await editor.page.click("[data-list=relationships] th:nth-child(2) .column-edge", count: 2)
                #expect(try await widths("relationships", editor) == before)
            }
        }

        @Test(arguments: WindowSize.allCases) func aNameThatIsCutHasATooltip(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Player")
                let long = String(repeating: "veryLong", count: 14)
                try await page.fill(".editor input[aria-label=\"Name of email\"]", long)
                try await editor.settle()
                let field = ".editor input[aria-label=\"Name of \(long)\"]"
                let isCut = try await page.read(
                    "(() => { const field = \(element(field)); return field.scrollWidth > field.clientWidth; })()")
                #expect(isCut.boolean == true)
                try await page.point(at: field)
                try await page.wait(until: "\(element(field)).title === '\(long)'", "the tooltip")
                let short = ".editor input[aria-label=\"Name of salary\"]"
                try await page.point(at: short)
                #expect(try await page.read("\(element(short)).title").string == "")
            }
        }

        // MARK: What is read

        private func element(_ selector: String) -> String { "document.querySelector(\(Page.quoted(selector)))" }

        private func widths(_ list: String, _ editor: Editor) async throws -> [Double] {
            try await editor.page.read(
                "[...document.querySelectorAll('[data-list=\(list)] thead th')].map((head) => Math.round(head.getBoundingClientRect().width))"
            ).array.compactMap(\.number)
        }

        /// The heads with too little room for their text.
        private func cutHeads(_ list: String) -> String {
            """
            [...document.querySelectorAll('[data-list=\(list)] thead th:not(:last-child)')].filter((head) => {
                const range = document.createRange();
                range.selectNodeContents(head.firstChild);
                return range.getBoundingClientRect().right > head.getBoundingClientRect().right + 1 || head.scrollWidth > head.clientWidth;
            }).map((head) => head.textContent)
            """
        }

        /// Whether a click on the middle of an element hits it.
        private func isHit(_ selector: String) -> String {
            """
            (() => {
                const element = document.querySelector(\(Page.quoted(selector)));
                element.scrollIntoView({block: 'nearest'});
                const box = element.getBoundingClientRect();
                const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                return element.contains(hit);
            })()
            """
        }

        /// The tools of a bar that something else lies over, or that are outside of the bar's own part of the window.
        private func lostTools(_ bar: String, in place: String) -> String {
            """
            [...document.querySelectorAll('\(bar) :is(button, select)')].filter((tool) => {
                const box = tool.getBoundingClientRect();
                const room = document.querySelector('\(place)').getBoundingClientRect();
                if (box.left < room.left || box.right > room.right || box.bottom > room.bottom) return true;
                return [box.left + 3, box.left + box.width / 2, box.right - 3].some((x) => !tool.contains(document.elementFromPoint(x, box.top + box.height / 2)));
            }).map((tool) => tool.getAttribute('aria-label') ?? tool.textContent)
            """
        }
    }
}
