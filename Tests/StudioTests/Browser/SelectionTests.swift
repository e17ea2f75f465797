import Foundation
import Testing

/// What is selected, and that keys and menus know it wherever the focus is.
extension BrowserTests {
    @Suite struct SelectionTests {
        @Test(arguments: WindowSize.tested)
        func undoSelectsAgainWhatItBringsBack(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.click("\(try await editor.row("lastName")) .badge")
                try await page.press("Delete")
                try await page.wait(
                    until: "!document.querySelector('[aria-label=\"Name of lastName\"]')", "the deletion")
                try await editor.settle()
                #expect(try await editor.selectedRows() == ["photo"])
                try await page.press("z", .control)
                try await editor.settle()
                #expect(try await editor.selectedRows() == ["lastName"])
                try await page.press("z", [.control, .shift])
                try await editor.settle()
                #expect(try await editor.selectedRows() == ["photo"])
                #expect(try await editor.rows().contains("lastName") == false)
            }
        }

        @Test func undoKeepsTheSelectionThatItDoesNotTouch() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.click(".editor input[aria-label=\"email is optional\"]")
                try await editor.settle()
                try await editor.open("Team")
                try await page.click("\(try await editor.row("name")) .badge")
                try await page.press("z", .control)
                try await editor.settle()
                #expect(try await page.count("#undo:disabled") == 1)
                #expect(try await editor.selectedRows() == ["name"])
            }
        }

        @Test(arguments: WindowSize.tested) func keysWorkWhateverWasClickedLast(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.click("\(try await editor.row("firstName")) .badge")
                try await elsewhere(page)
                try await page.press("Delete")
                try await page.wait(
                    until: "!document.querySelector('[aria-label=\"Name of firstName\"]')", "the deletion")
                try await editor.settle()
                try await elsewhere(page)
                try await page.press("z", .control)
                try await editor.settle()
                #expect(try await editor.selectedRows() == ["firstName"])
                try await elsewhere(page)
                try await page.press("ArrowDown")
                #expect(try await editor.selectedRows() == ["lastName"])
                #expect(try await page.read("document.activeElement.matches('tr[data-selected]')").boolean == true)
                try await elsewhere(page)
                try await page.press("ArrowUp", .shift)
                #expect(try await editor.selectedRows() == ["firstName", "lastName"])
                try await elsewhere(page)
                try await page.press("a", .control)
                #expect(try await editor.selectedRows() == (try await editor.rows()))
                try await page.click("\(try await editor.row("salary")) .badge")
                try await elsewhere(page)
                try await page.press("F2")
                try await page.wait(until: "document.activeElement.value === 'salary'", "the name's field")
                // From the field back to its row, where keys are commands again.
                try await page.press("Escape")
                try await page.press("d")
                try await editor.settle()
                #expect(try await editor.rows().filter { $0.hasPrefix("salary") }.count == 2)
            }
        }

        @Test(arguments: WindowSize.tested) func keysWorkInTheGraphAfterItsTools(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Coach")
                try await page.click("#style-graph")
                try await page.wait(for: "\(try await editor.box("Coach")).selected")
                try await page.click("#fit")
                try await page.press("ArrowLeft")
                try await page.wait(until: "document.activeElement.matches('.entity.selected')", "a box with the focus")
                let neighbour = try await page.read(Self.selectedTitle).string
                #expect(neighbour != "Coach")
                try await page.click("#fit")
                try await page.press("Delete")
                try await page.wait(until: "document.querySelectorAll('.entity').length === 4", "the deletion")
                try await editor.settle()
                try await page.click("#fit")
                try await page.press("z", .control)
                try await page.wait(until: "document.querySelectorAll('.entity').length === 5", "the entity")
                try await editor.settle()
                #expect(try await page.read(Self.selectedTitle).string == neighbour)
                try await page.click("#fit")
                try await page.press("a", .control)
                try await page.wait(until: "document.querySelectorAll('.entity.selected').length === 5", "all boxes")
            }
        }

        @Test func anEntityThatIsSelectedInTheSidebarIsBroughtIntoTheGraphsView() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                for _ in 0..<5 { try await page.click("[aria-label=\"Zoom in\"]") }
                for name in ["Player", "Person"] {
                    try await page.click(try await editor.item(name))
                    let box = try await editor.box(name)
                    try await page.wait(for: "\(box).selected")
                    try await page.wait(
                        until:
                            "(() => { const box = document.querySelector('\(box) .box-header').getBoundingClientRect(); const view = document.querySelector('#graph').getBoundingClientRect(); return box.left >= view.left && box.right <= view.right && box.top >= view.top; })()",
                        "\(name) in view")
                }
            }
        }

        @Test(arguments: WindowSize.tested) func rowsSelectWithShiftAndControl(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Player")
                let all = try await editor.rows()
                try await page.click("\(try await editor.row("email")) .badge")
                try await page.click("\(try await editor.row("lastName")) input", modifiers: .shift)
                #expect(try await editor.selectedRows() == ["email", "firstName", "lastName"])
                try await page.click("\(try await editor.row("firstName")) input", modifiers: .control)
                #expect(try await editor.selectedRows() == ["email", "lastName"])
                try await page.click("\(try await editor.row("team")) .badge", modifiers: .control)
                #expect(try await editor.selectedRows() == ["email", "lastName", "team"])
                try await page.press("Delete")
                try await page.wait(
                    until: "document.querySelectorAll('.editor tr[data-row]').length === 3", "the deletion")
                try await editor.settle()
                try await page.press("z", .control)
                try await editor.settle()
                #expect(try await editor.rows() == all)
                #expect(try await editor.selectedRows() == ["email", "lastName", "team"])
                try await page.click("\(try await editor.row("photo")) input")
                #expect(try await editor.selectedRows() == ["photo"])
            }
        }

        @Test func itemsOfTheSidebarSelectWithShiftAndControl() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await editor.open("Coach")
                try await page.click(try await editor.item("Person"), modifiers: .shift)
                #expect(try await editor.selectedItems() == ["Coach", "Laptop", "Person"])
                try await page.click(try await editor.item("Laptop"), modifiers: .control)
                #expect(try await editor.selectedItems() == ["Coach", "Person"])
                try await editor.open("Coach")
                try await page.press("ArrowDown", .shift)
                #expect(try await editor.selectedItems() == ["Coach", "Laptop"])
            }
        }

        @Test(arguments: WindowSize.tested)
        func contextMenusActOnWhatOnePointsAt(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.rightClick("\(try await editor.row("salary")) input")
                #expect(try await editor.selectedRows() == ["salary"])
                try await editor.chooseFromMenu("Delete")
                #expect(try await editor.rows().contains("salary") == false)
                try await page.rightClick(try await editor.item("Laptop"))
                try await editor.chooseFromMenu("Duplicate")
                #expect(try await editor.names("Entities").filter { $0.hasPrefix("Laptop") }.count == 2)
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                try await page.click("#fit")
                try await page.rightClick("\(try await editor.box("Team")) .box-header")
                try await editor.chooseFromMenu("Add Attribute")
                try await page.wait(until: "document.activeElement.dataset.field === 'name'", "the name's field")
                #expect(try await page.text(".inspector h2") == "Attribute")
                try await page.click("\(try await editor.box("Coach")) .box-header")
                try await page.press("ContextMenu")
                try await editor.chooseFromMenu("Show in Table")
                try await page.wait(
                    until: "document.querySelector('.editor-head .title')?.value === 'Coach'", "the table")
            }
        }

        @Test func menusOfInheritedRowsAndOfTheGraphsLines() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.rightClick("tr[data-inherited] td:nth-child(2)")
                #expect(try await page.count(".menu-item") == 1)
                try await editor.chooseFromMenu("Show in Person")
                try await page.wait(
                    until: "document.querySelector('.editor-head .title')?.value === 'Person'", "Person")
                #expect(try await editor.selectedRows() == ["dateOfBirth"])
                try await page.click("#style-graph")
                try await page.wait(for: ".link.relationship .link-hit")
                try await page.click("#fit")
                let point = try await page.read(Self.pointOnALine)
                try await page.rightClick(
                    Page.Spot(x: try #require(point[0].number), y: try #require(point[1].number)))
                try await page.wait(for: ".menu")
                #expect(try await page.text(".inspector h2") == "Relationship")
                #expect(try await page.text(".menu").contains("Go to Destination"))
                try await page.press("Escape")
            }
        }

        @Test func keysWorkAfterAPopUpAndACheckbox() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.click("\(try await editor.row("email")) .badge")
                try await page.click(".inspector input[aria-label=Transient]")
                try await editor.settle()
                try await page.press("ArrowDown")
                #expect(try await editor.selectedRows() == ["firstName"])
                _ = try await page.read(
                    "document.querySelector('.inspector select[aria-label=\"Attribute Type\"]').focus()")
                try await page.press("Delete")
                try await page.wait(
                    until: "!document.querySelector('[aria-label=\"Name of firstName\"]')", "the deletion")
            }
        }

        @Test func aMenuOpensByItsKeyAndGivesTheFocusBack() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.click("\(try await editor.row("email")) .badge")
                for (key, modifiers) in [("ContextMenu", Page.Modifiers()), ("F10", .shift)] {
                    try await page.press(key, modifiers)
                    try await page.wait(for: ".menu")
                    #expect(
                        try await page.read("document.activeElement.textContent.startsWith('Rename')").boolean == true)
                    let isInside =
                        "(() => { const box = document.querySelector('.menu').getBoundingClientRect(); return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; })()"
                    #expect(try await page.read(isInside).boolean == true)
                    try await page.press("Escape")
                    #expect(try await page.count(".menu") == 0)
                    #expect(try await page.read("document.activeElement.matches('tr[data-selected]')").boolean == true)
                }
            }
        }

        @Test(arguments: WindowSize.tested)
        func theSelectedEntityIsMarkedInBothStyles(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Team")
                #expect(try await page.count(".editor-head[data-selected]") == 1)
                #expect(try await editor.selectedItems() == ["Team"])
                try await page.click("#style-graph")
                try await page.wait(for: "\(try await editor.box("Team")).selected.current")
                #expect(try await page.count(".entity.selected") == 1)
                try await page.click("#style-table")
                try await page.click("\(try await editor.row("name")) .badge")
                #expect(try await page.count(".editor-head[data-selected]") == 0)
                try await page.click("#style-graph")
                try await page.wait(for: "\(try await editor.box("Team")).current .box-row.selected")
            }
        }

        /// A point of a relationship's line that nothing else lies over.
        private static let pointOnALine = """
            (() => {
                for (const line of document.querySelectorAll('.link.relationship .link-hit')) {
                    for (const part of [0.5, 0.4, 0.6, 0.3, 0.7]) {
                        const at = line.getPointAtLength(line.getTotalLength() * part).matrixTransform(line.getScreenCTM());
                        if (document.elementFromPoint(at.x, at.y) === line) return [at.x, at.y];
                    }
                }
                return [];
            })()
            """

        private static let selectedTitle = "document.querySelector('.entity.selected .box-title').textContent"

        /// Clicks on something that has nothing to do with the selection.
        private func elsewhere(_ page: Page) async throws {
            try await page.click("#problem-count")
            try await page.click("#problem-count")
            #expect(try await page.read("document.activeElement.id").string == "problem-count")
        }
    }
}
