import Foundation
import ModelDocument
import Testing

/// Renaming, undoing, problems and fixes, as they are seen.
extension BrowserTests {
    @Suite struct EditingTests {
        @Test func everyReferenceFollowsARenamedEntityAfterAPreview() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                try await editor.open("Team")
                try await editor.page.fill(".editor input[aria-label=\"Name of entity Team\"]", "Club")
                try await editor.settle()
                #expect(try await editor.names("Entities") == ["Club", "Coach", "Laptop", "Person", "Player"])
                try await editor.save()
                let model = try Model(contents: try editor.contents())
                let player = try #require(model.entity(named: "Player")?.relationships.first)
                #expect((player.destinationName, player.inverseEntityName) == ("Club", "Club"))
                #expect(model.fetchRequests.first?.entityName == "Club")
                let text = String(decoding: try editor.contents(), as: UTF8.self)
                #expect(!text.contains("destinationEntity=\"Team\"") && !text.contains("inverseEntity=\"Team\""))
            }
        }

        @Test func aPropertyInAPredicateIsRenamedThereToo() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await editor.open("Player")
                try await page.fill(".editor input[aria-label=\"Name of lastName\"]", "surname")
                try await page.wait(for: "dialog .references")
                #expect(try await page.text("dialog .references").contains(#"surname BEGINSWITH "W""#))
                try await page.press("Enter")
                try await page.wait(until: "!document.querySelector('dialog')", "the dialog to close")
                try await editor.settle()
                try await editor.save()
                let model = try Model(contents: try editor.contents())
                let fetched = try #require(model.entity(named: "Team")?.fetchedProperties.first)
                #expect(fetched.fetchRequest?.predicateFormat == #"surname BEGINSWITH "W""#)
            }
        }

        @Test func inADocumentOfSeveralVersionsTheOldNameIsKeptForMigrations() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await page.press("k", .control)
                try await page.type("add model version")
                try await page.press("Enter")
                try await page.wait(
                    until: "document.querySelector('#version').selectedOptions[0].textContent === 'League 2'")
                try await editor.settle()
                try await editor.open("Laptop")
                try await page.fill(".editor input[aria-label=\"Name of model\"]", "make")
                try await page.wait(for: "dialog")
                #expect(try await page.text("dialog").contains("renaming identifier"))
                try await page.press("Enter")
                try await page.wait(until: "!document.querySelector('dialog')", "the dialog to close")
                try await editor.settle()
                try await editor.save()
                let laptop = try #require(try Model(contents: editor.contents("League 2")).entity(named: "Laptop"))
                #expect(laptop.attributes.first { $0.name == "make" }?.renamingIdentifier == "model")
            }
        }

        @Test func rowsAreMovedAndDuplicatedAndDeletedByKeyboard() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await editor.open("Player")
                let names =
                    "[...document.querySelectorAll('[data-list=attributes] tr[data-row] td:first-child input')].map((field) => field.value)"
                #expect(try await page.read(names).strings == ["email", "firstName", "lastName", "photo", "salary"])
                try await page.click(".editor input[aria-label=\"Name of email\"]")
                try await page.press("ArrowDown", .alt)
                try await page.wait(
                    until: "\(names).join() === 'firstName,email,lastName,photo,salary'", "the row to move")
                try await editor.settle()
                #expect(try await page.read("document.activeElement.value").string == "email")
                try await page.press("Delete", .control)
                try await page.wait(until: "\(names).join() === 'firstName,lastName,photo,salary'", "the row to go")
                try await editor.save()
                let player = try #require(try Model(contents: editor.contents()).entity(named: "Player"))
                #expect(player.attributes.map(\.name) == ["firstName", "lastName", "photo", "salary"])
                try await editor.open("GreenTeams")
                try await page.press("d")
                try await page.wait(
                    until:
                        "document.querySelectorAll('.sidebar section[aria-label=\"Fetch Requests\"] li').length === 2",
                    "the copy")
            }
        }

        @Test func anEntityIsCopiedAndPastedByKeyboard() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                try await editor.open("Laptop")
                try await editor.page.press("c", .control)
                try await editor.page.press("v", .control)
                try await editor.settle()
                #expect(try await editor.names("Entities").count == 6)
                #expect(try await editor.names("Entities").filter { $0.hasPrefix("Laptop") }.count == 2)
            }
        }

        @Test func undoingLeadsBackToTheBytesOfTheStart() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let before = try editor.contents()
                let hands = try await TableHands(editor)
                try await hands.addEntity("Stadium")
                try await hands.addAttribute("seats", "Integer 32", to: "Stadium")
                try await hands.addRelationship("home", to: "Team", inverse: "stadium", in: "Stadium")
                try await hands.select("salary", of: "Player")
                try await editor.set("Minimum", "100")
                try await editor.page.press("Delete", .control)
                try await editor.open("Laptop")
                try await editor.page.press("Delete")
                try await editor.save()
                #expect(try editor.contents() != before)
                try await editor.undoAll()
                try await editor.save()
                #expect(try editor.contents() == before)
            }
        }

        @Test func aProblemIsShownAndLedToAndMended() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                #expect(try await page.text("#problem-count").contains("No problems"))
                try await editor.open("Player")
                try await page.choose(".editor select[aria-label=\"Inverse of team\"]", "No Inverse")
                try await editor.settle()
                try await page.click("#problem-count")
                try await page.wait(for: "[data-problem=no-inverse]")
                try await editor.open("Laptop")
                try await page.click("[data-problem=no-inverse]")
                try await page.wait(
                    until: "document.querySelector('.editor-head .title').value !== 'Laptop'", "the problem's place")
                try await page.click(".problem .button")
                try await editor.settle()
                #expect(try await page.count("[data-problem=no-inverse]") < 2)
            }
        }

        @Test func theNameOfSomethingElseIsRefusedWithASentence() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                try await editor.open("Team")
                try await editor.page.fill(".editor input[aria-label=\"Name of entity Team\"]", "Player")
                try await editor.page.wait(for: ".refusal")
                try await editor.page.press("Tab")
                try await editor.page.wait(for: ".toast.error")
                #expect(try await editor.page.value(".editor .title") == "Team")
            }
        }

        @Test func aPredicateIsCheckedAndCompletedWhileItIsTyped() async throws {
            try await Editor.use(StudioSamples.league) { editor in
                let page = editor.page
                try await editor.open("GreenTeams")
                let field = ".editor textarea[aria-label=\"Predicate of GreenTeams\"]"
                try await page.click(field)
                try await page.press("a", .control)
                try await page.type("unif")
                try await page.wait(for: ".completions [aria-selected=true]")
                #expect(try await page.text(".completions [aria-selected=true]").contains("uniformColor"))
                #expect(
                    try await page.read("document.querySelector('\(field)').getAttribute('aria-expanded')").string
                        == "true")
                try await page.press("Enter")
                try await page.type("== \"Red\"")
                try await page.wait(
                    until: "!document.querySelector('.editor .field-error')",
                    "the predicate to be right")
                try await page.press("Enter")
                try await editor.settle()
                try await editor.save()
                let model = try Model(contents: try editor.contents())
                #expect(model.fetchRequests.first?.predicateFormat == #"uniformColor == "Red""#)
            }
        }

        @Test func aChangeOnDiskIsOfferedAndNotOverwritten() async throws {
            try await Editor.use(StudioSamples.league, expecting: "409 (Conflict)") { editor in
                let page = editor.page
                try await TableHands(editor).addEntity("Stadium")
                let file = editor.studio.document.appending(path: "League.xcdatamodel/contents")
                let text = String(decoding: try editor.contents(), as: UTF8.self)
                    .replacing("name=\"Laptop\"", with: "name=\"Notebook\"")
                try Data(text.utf8).write(to: file)
                try await page.wait(for: "#banner-disk")
                try await page.press("s", .control)
                try await page.wait(for: "dialog")
                #expect(String(decoding: try editor.contents(), as: UTF8.self) == text)
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog')", "the dialog to close")
                try await page.click("#banner-disk .primary")
                try await page.wait(until: "!document.querySelector('#banner-disk')", "the banner to go")
                #expect(try await editor.names("Entities").contains("Notebook"))
            }
        }
    }
}
