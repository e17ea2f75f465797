import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("Code")
struct CodeTests {
    @Test("An entity's class follows the model as it is edited") func live() async throws {
        let tab = try Tab()
        let team = try await tab.id("Team")
        let first = try await tab.session.code(ofEntity: team)
        let text = try #require(first["files"]?.array?.first?["text"]?.text)
        #expect(first["files"]?.array?.first?["name"] == "Team+CoreDataClass.swift")
        #expect(text.contains("public nonisolated class Team: NSManagedObject"))
        #expect(text.contains("public var uniformColor: String?"))
        #expect(first["problems"] == [])
        try await tab.perform(["kind": "addAttribute", "owner": team.json, "name": "founded", "type": "date"])
        let second = try await tab.session.code(ofEntity: team)
        #expect(second["files"]?.array?.first?["text"]?.text?.contains("public var founded: Date?") == true)
        // What can't be said in Swift is said.
        try await tab.perform(["kind": "addAttribute", "owner": team.json, "name": "hash", "type": "string"])
        #expect(try await tab.session.code(ofEntity: team)["problems"]?.array?.count == 1)
    }

    @Test("A class written by hand has code to begin with, NSManagedObject has none") func manual() async throws {
        let tab = try Tab()
        let laptop = try await tab.id("Laptop")
        try await tab.perform(["kind": "set", "element": laptop.json, "changes": ["codeGeneration": "none"]])
        #expect(try await tab.session.code(ofEntity: laptop)["files"]?.array?.count == 1)
        try await tab.perform(["kind": "set", "element": laptop.json, "changes": ["className": .null]])
        let none = try await tab.session.code(ofEntity: laptop)
        #expect(none["files"] == [])
        #expect(none["problems"]?.array?.count == 1)
    }

    @Test("A fetch request has a snippet, by the generated function or by hand") func snippets() async throws {
        let tab = try Tab()
        let team = try await tab.id("Team")
        let request = try await tab.id(.fetchRequest, where: "name", is: "GreenTeams")
        try await tab.perform([
            "kind": "set", "element": request.json,
            "changes": ["predicate": "uniformColor == $COLOR", "fetchLimit": 3],
        ])
        #expect(
            try await tab.session.snippet(forRequest: request)["text"] == """
                let color: String = <#COLOR#>
                let request = Team.fetchRequestForGreenTeams(color: color)
                let results = try context.fetch(request)

                """)
        try await tab.perform(["kind": "set", "element": team.json, "changes": ["codeGeneration": "none"]])
        #expect(
            try await tab.session.snippet(forRequest: request)["text"] == """
                let color: String = <#COLOR#>
                let request = NSFetchRequest<Team>(entityName: "Team")
                request.predicate = NSPredicate(format: "uniformColor == $COLOR").withSubstitutionVariables(["COLOR": color])
                request.fetchLimit = 3
                let results = try context.fetch(request)

                """)
    }

    @Test("Code is written below the document's folder, and no other file is replaced") func generating() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        func generate(_ folder: String) async throws -> JSON {
            let body: JSON = ["folder": .text(folder), "module": "League"]
            let request = try JSONDecoder().decode(StudioSession.GenerateRequest.self, from: body.data())
            return try await tab.session.generate(request)
        }
        let first = try await generate("Sources/League")
        #expect(first["written"]?.array?.contains("Team+CoreDataClass.swift") == true)
        #expect(try await generate("Sources/League")["written"] == [])
        try await tab.perform(["kind": "rename", "element": try await tab.id("Team").json, "name": "Club"])
        let second = try await generate("Sources/League")
        #expect(second["removed"] == ["Team+CoreDataClass.swift"])
        #expect(second["written"]?.array?.contains("Club+CoreDataClass.swift") == true)

        let foreign = workspace.folder.appending(path: "Sources/League/Club+CoreDataClass.swift")
        try Data("// mine".utf8).write(to: foreign)
        await #expect { try await generate("Sources/League") } throws: { ($0 as? StudioError)?.code == .foreignFile }
        #expect(try Data(contentsOf: foreign) == Data("// mine".utf8))
    }

    @Test("The source and its difference are those of the next save") func source() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        try await tab.perform(["kind": "addEntity", "version": await tab.version.json, "name": "Stadium"])
        let source = try await tab.session.source(ofVersion: tab.version)
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(source["text"]?.text == (try workspace.text()))
        let added = source["diff"]?.text?.split(separator: "\n").filter { $0.hasPrefix("+ ") }
        #expect(added?.count == 1)
    }

    @Test("A rename's preview lists what follows, with identifiers") func preview() async throws {
        let tab = try Tab()
        let color = try await tab.id("Team", "uniformColor")
        let request = try await tab.id(.fetchRequest, where: "name", is: "GreenTeams")
        let preview = try await tab.session.previewRename(color, to: "color")
        #expect(
            preview["references"] == [
                [
                    "element": request.json, "field": "predicate", "title": "Fetch request GreenTeams",
                    "before": "uniformColor == \"Green\"", "after": "color == \"Green\"", "certainty": "sure",
                    "reason": nil,
                ]
            ])
        #expect(try await tab.session.previewRename(color, to: "name")["problem"]?.text?.isEmpty == false)
        try await tab.perform(["kind": "rename", "element": color.json, "name": "color"])
        #expect(try await tab.record(request)["predicate"] == "color == \"Green\"")
    }
}
