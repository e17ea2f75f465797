import Foundation
import ModelDocument
import Testing

/// The League Manager's model, built from nothing as a book has one do it.
extension BrowserTests {
    @Suite struct LeagueTests {
        @Test func theLeagueIsBuiltInTableStyleSavedCompiledAndRun() async throws {
            try await Editor.use { editor in
                try await build(with: try await TableHands(editor))
                try await finish(editor)
            }
        }

        @Test func theLeagueIsBuiltInGraphStyleSavedCompiledAndRun() async throws {
            try await Editor.use { editor in
                try await build(with: try await GraphHands(editor))
                try await finish(editor)
            }
        }

        private func build(with hands: some Hands) async throws {
            try await entitiesAndAttributes(hands)
            try await relationships(hands)
            try await inheritance(hands)
            try await validation(hands)
            try await fetches(hands)
        }

        private func entitiesAndAttributes(_ hands: some Hands) async throws {
            for entity in ["Team", "Player", "Coach", "Laptop"] { try await hands.addEntity(entity) }
            let attributes = [
                ("Team", [("name", "String"), ("uniformColor", "String")]),
                (
                    "Player",
                    [("firstName", "String"), ("lastName", "String"), ("email", "String"), ("salary", "Decimal")]
                ),
                ("Player", [("photo", "Binary Data")]),
                ("Coach", [("name", "String"), ("seasons", "Integer 16")]),
                ("Laptop", [("model", "String"), ("color", "Transformable")]),
            ]
            for (entity, list) in attributes {
                for (name, type) in list { try await hands.addAttribute(name, type, to: entity) }
            }
            for (entity, name) in [
                ("Team", "name"), ("Player", "firstName"), ("Player", "lastName"), ("Coach", "name"),
            ] {
                try await hands.select(name, of: entity)
                try await hands.editor.check("Optional", false)
            }
        }

        private func relationships(_ hands: some Hands) async throws {
            let editor = hands.editor
            try await hands.addRelationship("players", to: "Player", inverse: "team", in: "Team")
            try await hands.select("players", of: "Team")
            try await editor.choose("Type", "To Many")
            try await editor.choose("Delete Rule", "Cascade")
            try await editor.set("Max Count", "15")
            try await hands.select("team", of: "Player")
            try await editor.check("Optional", false)
            try await hands.addRelationship("coach", to: "Coach", inverse: "team", in: "Team")
        }

        private func inheritance(_ hands: some Hands) async throws {
            let editor = hands.editor
            try await hands.addEntity("Person")
            try await hands.select(nil, of: "Person")
            try await editor.check("Abstract Entity", true)
            try await hands.addAttribute("dateOfBirth", "Date", to: "Person")
            for entity in ["Player", "Coach"] {
                try await hands.select(nil, of: entity)
                try await editor.choose("Parent Entity", "Person")
            }
            try await hands.addRelationship("cousins", to: "Person", inverse: "cousins", in: "Person")
            try await hands.select("cousins", of: "Person")
            try await editor.choose("Type", "To Many")
            try await hands.addRelationship("favourites", to: "Team", inverse: "fans", in: "Person")
            for (entity, name) in [("Person", "favourites"), ("Team", "fans")] {
                try await hands.select(name, of: entity)
                try await editor.choose("Type", "To Many")
            }
        }

        private func validation(_ hands: some Hands) async throws {
            let editor = hands.editor
            try await hands.select("email", of: "Player")
            try await editor.set("Reg. Ex.", #"[A-Za-z0-9._-]+@[A-Za-z0-9.-]+\.[a-z]{2,}"#)
            try await hands.select("salary", of: "Player")
            try await editor.set("Minimum", "0")
            try await editor.set("Default", "0.0")
            try await hands.select("photo", of: "Player")
            try await editor.check("Allows External Storage", true)
            try await hands.select("seasons", of: "Coach")
            try await editor.set("Minimum", "0")
            try await editor.set("Default", "0")
            try await hands.select("color", of: "Laptop")
            try await editor.set("Transformer", "ColorTransformer")
            try await editor.set("Custom Class", "Color")
            try await hands.select(nil, of: "Team")
            try await editor.add(".inspector .add-row:first-of-type", named: "name", field: "names")
        }

        private func fetches(_ hands: some Hands) async throws {
            let editor = hands.editor
            try await hands.addFetchedProperty("wPlayers", of: "Player", in: "Team")
            try await hands.select("wPlayers", of: "Team")
            try await editor.type(
                predicate: #"lastName BEGINSWITH "W""#, in: ".inspector textarea[aria-label=Predicate]")
            try await editor.add(".sidebar button[aria-label=\"Add Fetch Request\"]", named: "GreenTeams")
            try await editor.page.choose(".editor select[aria-label=\"Entity to fetch\"]", "Team")
            try await editor.settle()
            try await editor.type(
                predicate: #"uniformColor == "Green""#, in: ".editor textarea[aria-label=\"Predicate of GreenTeams\"]")
        }

        /// Saves, and looks whether it is the example's model, and whether the example runs with it.
        private func finish(_ editor: Editor) async throws {
            #expect(try await editor.names("Entities") == ["Coach", "Laptop", "Person", "Player", "Team"])
            try await editor.save()
            let model = try Model(contents: try editor.contents())
            let example = try Model(
                contents: try Data(contentsOf: StudioSamples.league.appending(path: "League.xcdatamodel/contents")))
            let changes = ModelComparison(from: example, to: model).changes.map(\.description)
            #expect(changes == [])
            try runExample(with: editor)
        }

        private func runExample(with editor: Editor) throws {
            let program = StudioProcess.executable("LeagueManager")
            let bundle = "swift-coredata_LeagueManager.resources"
            let copy = editor.studio.folder.appending(path: "run")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: program, to: copy.appending(path: "LeagueManager"))
            try FileManager.default.copyItem(
                at: program.deletingLastPathComponent().appending(path: bundle), to: copy.appending(path: bundle))
            let compiled = copy.appending(path: "\(bundle)/League.momd")
            try FileManager.default.removeItem(at: compiled)
            let compile = try StudioProcess.run(
                StudioProcess.executable("coredata"), ["compile", editor.studio.document.path, "-o", compiled.path])
            #expect(compile.status == 0)
            let here = try StudioProcess.run(copy.appending(path: "LeagueManager"))
            let there = try StudioProcess.run(program)
            #expect(here.status == 0)
            #expect(!here.output.isEmpty && here.output == there.output)
        }
    }
}

enum StudioSamples {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let league = package.appending(path: "Examples/LeagueManager/League.xcdatamodeld")
}
