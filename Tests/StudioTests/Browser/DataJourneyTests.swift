import Foundation
import Testing

/// Whole stores, edited as a person does it from the first look to the save, and read by the `coredata` command then.
extension BrowserTests {
    @Suite struct DataJourneyTests {
        @Test func theLeagueIsEditedSavedAndReadByTheCommand() async throws {
            let store = try SampleStore.league()
            let oslo = #"name == "Oslo Auroras""#
            let before = try query(store, "Player", columns: "id,team.name")
            let gone = before.count { $0["team.name"] == "Oslo Auroras" }
            #expect(gone > 5)
            var first = ""
            // The inspector asks once more for an object that is gone.
            try await DataWindow.use(store, edits: true, expecting: "400 (Bad Request)") { window in
                let page = window.page
                _ = try await page.send("Emulation.setTimezoneOverride", ["timezoneId": "Europe/Berlin"])
                try await window.open("Player")
                first = try await window.identifiers.first ?? ""
                try await changeValues(window)
                try await breakARuleAndMendIt(window)
                try await addPlayer(window)
                try await duplicateAndUndo(window)
                try await deleteTeam("Oslo Auroras", of: gone, window)
                // All of it stands in the list.
                try await page.click("#changes")
                try await page.wait(
                    until: "document.querySelectorAll('.change-head.deleted').length === \(gone + 1)", "the deletions")
                let own = try await page.text(".change-list li:has(.change-head.inserted)")
                #expect(own.contains("Grace Hopper"), "\(own)")
                let changed = try await page.text(".change-list li:has([class*=updated])")
                #expect(changed.contains("1234567.89") && changed.contains("ada@league.example"), "\(changed)")
                try await window.save()
                #expect(try await page.count(".change-head") == 0)
            }
            #expect(try StudioProcess.run(.coredata, ["check", store.url.path]).status == 0)
            #expect(try query(store, "Team", where: oslo, columns: "id").isEmpty)
            let after = try query(store, "Player", columns: "id,team.name")
            #expect(after.count == before.count - gone + 1)
            #expect(after.contains { $0["team.name"] == nil } == false)
            let values = try query(
                store, "Player", where: #"email == "ada@league.example""#, columns: "id,salary,dateOfBirth")
            #expect(values.first == ["id": first, "salary": "1234567.89", "dateOfBirth": "1990-02-02T23:00:00.000Z"])
            let new = try query(store, "Player", where: #"firstName == "Grace""#, columns: "lastName,team.name")
            #expect(new == [["lastName": "Hopper", "team.name": "Galway Clovers"]])
            let names = try store.files().keys
            #expect(names.contains { $0.contains("League backup") }, "\(names)")
        }

        /// Text, number and date in the grid.
        private func changeValues(_ window: DataWindow) async throws {
            let values = [
                ("salary", "1234567.89", "1234567.89"), ("dateOfBirth", "1990-02-03", "1990-02-03 00:00:00"),
            ]
            for (column, text, shown) in values {
                try await window.page.click(try await window.cell(0, column))
                try await window.page.press("Enter")
                try await window.page.fillCell(text, "Enter")
                try await window.shows(shown, 0, column)
            }
        }

        /// An address that is none is told at the field, and keeps the save from being done.
        private func breakARuleAndMendIt(_ window: DataWindow) async throws {
            let page = window.page
            try await page.click(try await window.cell(0, "email"))
            try await page.press("Enter")
            try await page.fillCell("nobody", "Enter")
            try await window.shows("nobody", 0, "email")
            try await page.wait(for: "#value-email[aria-invalid=true]")
            try await page.press("s", .control)
            try await page.wait(for: ".change-list .field-error")
            #expect(try await page.text(".toast.error").contains("breaks a rule"))
            #expect(try await page.text("#document-state") == "1 not saved")
            try await page.fill("#value-email", "ada@league.example")
            try await page.wait(until: "!document.querySelector('.value-row .field-error')", "the rule to be kept")
            try await page.click("#panel-close")
        }

        private func addPlayer(_ window: DataWindow) async throws {
            let page = window.page
            try await page.click("#new-object")
            try await page.wait(for: ".grid-row[data-state=inserted][aria-selected=true]")
            try await page.wait(for: "#value-firstName[aria-invalid=true]")
            try await page.fill("#value-firstName", "Grace")
            // What is below moves up when the rule is kept.
            try await page.wait(for: "#value-firstName:not([aria-invalid=true])")
            try await page.fill("#value-lastName", "Hopper")
            try await page.wait(for: "#value-lastName:not([aria-invalid=true])")
            // A team that is full is told where it is, for it has no change of its own.
            try await chooseTeam("kyo", "Kyoto Cranes", window)
            try await page.press("s", .control)
            try await page.wait(for: ".change-list .elsewhere .field-error")
            #expect(try await page.text(".change-list .elsewhere").hasPrefix("Team/p4"))
            try await page.click("#panel-close")
            try await chooseTeam("galw", "Galway Clovers", window)
            try await page.wait(until: "!document.querySelector('.value-row .field-error')", "the rules to be kept")
        }

        private func chooseTeam(_ text: String, _ name: String, _ window: DataWindow) async throws {
            let page = window.page
            // Messages that are still there lie over the button.
            while try await page.count(".toast") > 0 { try await page.click(".toast .icon-button") }
            try await page.click("[aria-label=\"Choose team\"]")
            try await page.wait(for: ".pick-list li")
            try await page.type(text)
            try await page.wait(until: "document.querySelectorAll('.pick-list li').length === 1", "the team")
            try await page.press("Enter")
            try await window.shows(name, 0, "team")
        }

        private func duplicateAndUndo(_ window: DataWindow) async throws {
            let page = window.page
            func count(_ number: Int) async throws {
                try await page.wait(
                    until: "document.querySelectorAll('.grid-row[data-state=inserted]').length === \(number)",
                    "\(number) new players")
            }
            try await page.click(try await window.cell(0, "lastName"))
            try await page.press("d", .control)
            try await count(2)
            try await page.wait(
                until: """
                    [...document.querySelectorAll('.grid-row[data-state=inserted]')].every((row) => row.textContent.includes('Hopper') && row.textContent.includes('Galway'))
                    """, "the duplicate's values")
            try await page.click("#undo")
            try await count(1)
            try await page.click("#redo")
            try await count(2)
            try await page.click("#undo")
            try await count(1)
        }

        private func deleteTeam(_ name: String, of players: Int, _ window: DataWindow) async throws {
            let page = window.page
            try await window.open("Team")
            let row = try #require(try await window.column("name").firstIndex(of: name))
            try await page.click(try await window.cell(row, "name"))
            for isWanted in [false, true] {
                try await page.press("Delete")
                try await page.wait(for: "dialog[open]")
                let words = try await page.text("dialog[open]")
                #expect(words.contains("\(players) Player and 1 Team would be deleted"), "\(words)")
                try await page.press(isWanted ? "Enter" : "Escape")
                try await page.wait(until: "!document.querySelector('dialog[open]')")
                if !isWanted { #expect(try await page.count(".grid-row[data-state=deleted]") == 0) }
            }
            try await page.wait(for: ".grid-row[data-state=deleted]")
        }

        // MARK: Stores of Apple's

        @Test func applesRecipesGetAPictureAnIngredientAndAnotherType() async throws {
            let store = try SampleStore.apple("apple-recipes/Recipes.sqlite")
            let model = try RecipesModel.write(into: store.folder)
            let picture = store.folder.appending(path: "Flat.png")
            try SamplePicture.flat.write(to: picture)
            try await DataWindow.use(store, model: model, edits: true) { window in
                let page = window.page
                try await window.open("Recipe")
                try await window.showsPicture(wide: 42)
                // A picture is dropped into the recipe, taken back, and given again.
                try await DocumentsWindow(page: page, studio: window.studio)
                    .drop([picture], at: ".drop-zone:has(#file-thumbnailImage)")
                try await window.showsPicture(wide: 60)
                try await page.click("#undo")
                try await window.showsPicture(wide: 42)
                try await page.click("#redo")
                try await window.showsPicture(wide: 60)
                #expect(try await page.count(".document-tab") == 2)
                try await chooseType("Soup", window)
                try await lookAround(window)
                try await addIngredient("Salt", window)
                try await window.save()
            }
            let stored = try StudioProcess.run(
                URL(filePath: "/usr/bin/env"),
                ["sqlite3", store.url.path, "SELECT hex(ZTHUMBNAILIMAGE) FROM ZRECIPE WHERE Z_PK = 1"])
            #expect(stored.output == SamplePicture.flat.map { String(format: "%02X", $0) }.joined() + "\n")
            let recipes = try query(
                store, "Recipe", model: model, where: #"name == "Chocolate Cake""#,
                columns: "type.name,ingredients.@count")
            #expect(recipes == [["type.name": "Soup", "ingredients.@count": "10"]])
            let salt = try query(
                store, "Ingredient", model: model, where: #"name == "Salt" AND amount == "a pinch""#,
                columns: "displayOrder,recipe.name")
            #expect(salt == [["displayOrder": "9", "recipe.name": "Chocolate Cake"]])
            #expect(
                try StudioProcess.run(.coredata, ["check", store.url.path, "--model", model.path]).status == 0)
        }

        private func chooseType(_ type: String, _ window: DataWindow) async throws {
            let page = window.page
            try await page.click("[aria-label=\"Choose type\"]")
            try await page.wait(for: ".pick-list li")
            try await page.type(type.lowercased())
            try await page.wait(until: "document.querySelectorAll('.pick-list li').length === 1", type)
            try await page.press("Enter")
            try await window.shows(type, 0, "type")
        }

        /// The recipe with what is around it, as a drawing and as a tree.
        private func lookAround(_ window: DataWindow) async throws {
            let page = window.page
            try await page.click("#object-neighbourhood")
            // The recipe, nine ingredients, an image and the type that is not saved.
            try await page.wait(until: "document.querySelectorAll('[data-neighbour]').length === 12", "what is around")
            let around = try await page.text("#neighbourhood")
            #expect(around.contains("Soup") && !around.contains("Dessert"), "\(around)")
            try await page.click("#object-tree-open")
            try await page.wait(for: "#object-tree .tree-branch .tree-branch")
            let tree = try await page.text("#object-tree")
            #expect(tree.contains("9 objects") && tree.contains("Soup"), "\(tree)")
            try await page.click("#panel-close")
        }

        /// Follows the ingredients of the first recipe, and adds another one.
        private func addIngredient(_ name: String, _ window: DataWindow) async throws {
            let page = window.page
            try await page.click(try await window.cell(0, "ingredients"))
            try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
            try await window.rowsCome()
            #expect(try await window.total == "9 objects")
            try await page.click("#new-object")
            try await page.wait(for: "#value-displayOrder[aria-invalid=true]")
            for (field, text) in [("name", name), ("displayOrder", "9"), ("amount", "a pinch")] {
                try await page.fill("#value-\(field)", text)
            }
            try await page.wait(until: "!document.querySelector('.value-row .field-error')", "the rules to be kept")
            try await page.wait(until: "document.querySelector('#total').textContent === '10 objects'")
        }

        @Test func theMembersOfAFolderOfApplesAreDraggedIntoAnotherOrder() async throws {
            let store = try SampleStore.apple("ddg-bookmarks/Bookmarks_V5.sqlite")
            var (before, titles) = ([String](), [String]())
            try await DataWindow.use(store, edits: true) { window in
                let page = window.page
                try await window.open("BookmarkEntity")
                let row = try #require(try await window.column("title").firstIndex(of: "bookmarks_root"))
                try await page.click(try await window.cell(row, "children"))
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2")
                try await window.rowsCome()
                before = try await window.column("title")
                #expect(before.count == 5)
                // The last one to the front, and back by a key; then the first one to the end.
                try await page.drag(from: try await page.spot("#cell-4-0"), to: try await page.spot("#cell-0-0"))
                try await window.shows(before[4], 0, "title")
                try await page.press("z", .control)
                try await window.shows(before[0], 0, "title")
                try await page.drag(from: try await page.spot("#cell-0-0"), to: try await page.spot("#cell-4-0"))
                try await window.shows(before[0], 4, "title")
                titles = try await window.column("title")
                try await window.save()
                // As it is read anew.
                _ = try await page.send("Page.reload")
                try await page.wait(for: ".grid-body .grid-row[data-id]:not(.waiting)")
                try await page.wait(until: "document.querySelectorAll('.trail li').length === 2", "the place")
                try await window.rowsCome()
                #expect(try await window.column("title") == titles)
            }
            #expect(titles == Array(before.dropFirst()) + [before[0]])
            let tree = try StudioProcess.run(.coredata, ["tree", store.url.path, "BookmarkEntity/p8", "--depth", "1"])
            let lines = tree.output.split(separator: "\n").filter { $0.contains("├─ title  ") }
            #expect(lines.dropFirst().compactMap { $0.split(separator: " ").last.map(String.init) } == titles)
            #expect(try StudioProcess.run(.coredata, ["check", store.url.path]).status == 0)
        }

        /// What `coredata query` answers, all of it as text; what has no value is left out.
        private func query(
            _ store: SampleStore, _ entity: String, model: URL? = nil, where predicate: String? = nil, columns: String
        ) throws -> [[String: String]] {
            let filter = predicate.map { ["--where", $0] } ?? []
            let models = model.map { ["--model", $0.path] } ?? []
            let run = try StudioProcess.run(
                .coredata,
                ["query", store.url.path, entity, "--columns", columns, "--format", "jsonl"] + filter + models)
            try #require(run.status == 0, "\(run.output)")
            return try run.output.split(separator: "\n").map { line in
                let values = try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
                return values.compactMapValues { value in
                    value.string ?? value.number.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
                }
            }
        }
    }
}

extension URL {
    fileprivate static let coredata = StudioProcess.executable("coredata")
}

extension DataWindow {
    /// Saves by the key, and waits until all is saved.
    func save() async throws {
        try await page.press("s", .control)
        try await page.wait(until: "document.querySelector('#document-state').textContent === 'All saved'", "the save")
    }

    /// Waits until the inspector shows a picture of that width.
    fileprivate func showsPicture(wide width: Int) async throws {
        try await page.wait(
            until: "document.querySelector('img.preview')?.naturalWidth === \(width)", "a picture \(width) wide")
    }
}
