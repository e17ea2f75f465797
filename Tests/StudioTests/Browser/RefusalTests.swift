import Foundation
import ModelDocument
import Testing

/// What can't be is refused while one types, and what a model says can't change the sentences around it.
extension BrowserTests {
    @Suite struct RefusalTests {
        @Test(arguments: WindowSize.tested) func namesThatCannotBeAreRefusedAsOneTypes(window: WindowSize)
            async throws
        {
            try await Editor.use(window) { editor in
                let names = [
                    "first name", "9lives", "e-mail", "description", "salary", "team", "dateOfBirth",
                ]
                try await editor.open("Player")
                for name in names { try await refuses(name, in: nameField("email"), editor) }
                // Player has a salary: what it inherits can't have its name.
                try await editor.open("Person")
                try await refuses("salary", in: nameField("dateOfBirth"), editor)
                try await refuses("Team", in: ".editor input[aria-label=\"Name of entity Person\"]", editor)
                try await editor.open("GreenTeams")
                try await refuses("", in: ".editor input[aria-label=\"Name of GreenTeams\"]", editor)
                #expect(try await editor.page.count("#undo:disabled") == 1)
            }
        }

        @Test func aRefusedNameIsMendedInItsField() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await replace(nameField("email"), "e mail", editor)
                try await page.wait(for: ".refusal")
                #expect(try await page.text(".refusal").contains("letters, digits and underscores"))
                #expect(try await page.read("document.activeElement.getAttribute('aria-invalid')").string == "true")
                #expect(
                    try await page.read("document.activeElement.getAttribute('aria-describedby')").string == "refusal")
                for _ in 0..<5 { try await page.press("Backspace") }
                try await page.type("Mail")
                try await page.wait(until: "!document.querySelector('.refusal')", "the sentence to go")
                try await page.press("Enter")
                try await editor.settle()
                #expect(try await editor.rows().contains("eMail"))
                #expect(try await page.count("#undo:disabled") == 0)
            }
        }

        @Test(arguments: WindowSize.tested)
        func defaultValuesThatDoNotFitAreRefusedAsOneTypes(window: WindowSize) async throws {
            try await Editor.use(window) { editor in
                let page = editor.page
                try await editor.open("Player")
                let salary = ".editor input[aria-label=\"Default of salary\"]"
                for text in ["abc", "1,5", "--1"] { try await refuses(text, in: salary, editor) }
                try await editor.open("Coach")
                let seasons = ".editor input[aria-label=\"Default of seasons\"]"
                for text in ["70000", "1.5", "many"] { try await refuses(text, in: seasons, editor) }
                try await editor.open("Person")
                let birth = ".editor input[aria-label=\"Default of dateOfBirth\"]"
                for text in ["soon", "2001-99-01"] { try await refuses(text, in: birth, editor) }
                #expect(try await page.count("#undo:disabled") == 1)

                let hands = try await TableHands(editor)
                try await hands.select("salary", of: "Player")
                try await refuses("a lot", in: ".inspector input[aria-label=Maximum]", editor)
                try await editor.set("Maximum", "10")
                try await refuses("11", in: salary, editor)
                try await page.fill(salary, "9")
                try await editor.settle()
                #expect(try await page.value(salary) == "9")
                try await hands.select("email", of: "Player")
                try await refuses("(", in: ".inspector input[aria-label=\"Reg. Ex.\"]", editor)
            }
        }

        @Test func aNameThatCannotBeIsRefusedInTheDrawing() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await page.click("#style-graph")
                try await page.wait(for: ".entity")
                try await page.click("#fit")
                try await page.click("\(try await editor.box("Coach")) .box-header", count: 2)
                try await page.wait(for: ".rename-field")
                try await refuses("Team", in: ".rename-field", escaping: false, editor)
                try await page.press("a", .control)
                try await page.type("Trainer")
                try await page.wait(until: "!document.querySelector('.refusal')", "the sentence to go")
                try await page.press("Enter")
                _ = try await editor.item("Trainer")
            }
        }

        @Test func aNumberThatIsNoneIsRefused() async throws {
            try await Editor.use(.small) { editor in
                try await (try await TableHands(editor)).select("players", of: "Team")
                try await refuses("three", in: ".inspector input[aria-label=\"Max Count\"]", editor)
            }
        }

        @Test func leavingAFieldGivesUpWhatIsRefusedAndSaysWhy() async throws {
            try await Editor.use(.small) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await replace(nameField("email"), "first name", editor)
                try await page.press("Tab")
                try await page.wait(for: ".toast.error")
                #expect(try await page.count(".refusal") == 0)
                #expect(try await editor.rows().contains("email"))
                #expect(try await page.count("#undo:disabled") == 1)
            }
        }

        @Test(arguments: WindowSize.tested)
        func textFromRightToLeftCannotMirrorASentence(window: WindowSize) async throws {
            let original = try mirroring()
            defer { try? FileManager.default.removeItem(at: original.deletingLastPathComponent()) }
            let (width, height) = window.size
            try await Editor.use(original, name: "Mirror", width: width, height: height) { editor in
                let page = editor.page
                try await page.click("#problem-count")
                try await page.wait(for: ".problem")
                // The mark is shown as it is written, and turns nothing.
                #expect(try await page.text(".problems").contains("admin\\u{202E}gpj.exe"))
                #expect(try await page.read(isolated("שלום", ".problems")).boolean == true)
                for step in ["#style-graph", "#style-table"] {
                    #expect(try await page.read(Self.marks).strings == [])
                    try await page.click(step)
                    try await editor.settle()
                }
                // A sentence that refuses.
                try await page.click("[data-list=attributes] tr[data-row]:nth-child(1) .name-cell input")
                try await page.press("a", .control)
                try await page.type("שם רע")
                try await page.wait(for: ".refusal")
                #expect(try await page.read(isolated("שם", ".refusal")).boolean == true)
                #expect(
                    try await page.read("getComputedStyle(document.querySelector('.refusal')).direction").string
                        == "ltr")
                try await page.press("Tab")
                try await page.wait(for: ".toast.error")
                #expect(try await page.read(Self.marks).strings == [])
            }
        }

        // MARK: What is done and read

        private func nameField(_ property: String) -> String { ".editor input[aria-label=\"Name of \(property)\"]" }

        private func replace(_ field: String, _ text: String, _ editor: Editor) async throws {
            try await editor.page.click(field)
            try await editor.page.wait(
                until: "document.activeElement === document.querySelector(\(Page.quoted(field)))",
                "the focus in \(field)")
            try await editor.page.press("a", .control)
            if text.isEmpty { try await editor.page.press("Backspace") } else { try await editor.page.type(text) }
        }

        /// Types a text: the field is marked, a sentence says why, nothing goes to the model, Escape takes it back.
        private func refuses(
            _ text: String, in field: String, escaping: Bool = true, _ editor: Editor
        ) async throws {
            let page = editor.page
            let before = try await page.value(field)
            let step = try await page.read("document.getElementById('undo').title").string
            try await replace(field, text, editor)
            try await page.wait(until: "document.querySelector('.refusal')", "the refusal of \(text)")
            #expect(try await page.text(".refusal").count > 15, "\(text)")
            #expect(
                try await page.read("document.activeElement.getAttribute('aria-invalid')").string == "true", "\(text)")
            try await page.press("Enter")
            try await editor.settle()
            #expect(try await page.count(".refusal") == 1, "\(text)")
            #expect(try await page.read("document.getElementById('undo').title").string == step, "\(text)")
            guard escaping else { return }
            try await page.press("Escape")
            try await page.wait(until: "!document.querySelector('.refusal')", "the sentence to go")
            #expect(try await page.value(field) == before, "\(text)")
        }

        /// Whether each appearance of a text in a place is in an element that isolates it.
        private func isolated(_ text: String, _ place: String) -> String {
            """
            (() => {
                const walker = document.createTreeWalker(document.querySelector('\(place)'), NodeFilter.SHOW_TEXT);
                const found = [];
                while (walker.nextNode()) if (walker.currentNode.data.includes('\(text)')) found.push(walker.currentNode);
                return found.length > 0 && found.every((node) => node.parentElement.closest('bdi'));
            })()
            """
        }

        /// The texts and labels on the page that have marks in them which change the direction of others.
        private static let marks = """
            (() => {
                const found = [];
                const look = (text) => { if (/[\\u061C\\u200E\\u200F\\u202A-\\u202E]/.test(text ?? '')) found.push(text); };
                const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('textarea, .code-view')) look(walker.currentNode.data);
                for (const element of document.querySelectorAll('[title], [aria-label]')) {
                    look(element.getAttribute('title'));
                    look(element.getAttribute('aria-label'));
                }
                look(document.title);
                return found;
            })()
            """

        private func mirroring() throws -> URL {
            var model = Model(entities: [Model.Entity(name: "שלום"), Model.Entity(name: "admin\u{202E}gpj.exe")])
            model.documentInfo = .newDocument()
            var attribute = Model.Attribute(name: "ערך", type: .integer16)
            attribute.defaultValueString = "אבג\u{202E}"
            model.entities[1].attributes = [attribute]
            model.entities[0].attributes = [attribute]
            model.fetchRequests = [
                Model.FetchRequest(name: "\u{202E}txet", entityName: "שלום", predicateFormat: "\u{202E} ===")
            ]
            let folder = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
            let version = folder.appending(path: "Mirror.xcdatamodeld/Mirror.xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try model.contents().write(to: version.appending(path: "contents"))
            return folder.appending(path: "Mirror.xcdatamodeld")
        }
    }
}
