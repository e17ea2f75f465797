import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("Problems")
struct ProblemTests {
    @Test("Each fix that is offered can be carried out and makes its problem go away") func fixes() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        let version = await tab.version
        try await breakThings(tab)
        let problems = await tab.session.problems(ofVersion: version)
        let fixable = problems.filter { !$0.fixes.isEmpty }
        let codes = Set(fixable.map(\.diagnostic.code))
        #expect(codes.count >= 12, "\(codes)")
        for problem in fixable {
            for fix in problem.fixes {
                try await tab.perform(fix.action)
                let left = await tab.session.problems(ofVersion: version)
                let isThere = left.contains {
                    $0.diagnostic.code == problem.diagnostic.code && $0.element == problem.element
                        && $0.diagnostic.message == problem.diagnostic.message
                }
                #expect(!isThere, "\(fix.title): \(problem.diagnostic)")
                _ = try await tab.session.undo(client: nil)
            }
        }
    }

    private func breakThings(_ tab: Tab) async throws {
        let version = await tab.version.json
        let (team, player, laptop) = (
            try await tab.id("Team").json, try await tab.id("Player").json, try await tab.id("Laptop").json
        )
        func set(_ element: JSON, _ changes: [String: JSON]) -> JSON {
            ["kind": "set", "element": element, "changes": .object(changes)]
        }
        try await tab.perform([
            ["kind": "addRelationship", "entity": laptop, "name": "owner", "destination": player],
            ["kind": "addRelationship", "entity": player, "name": "laptops", "destination": laptop],
            ["kind": "addRelationship", "entity": laptop, "name": "nowhere"],
            ["kind": "addEntity", "version": version, "name": "Ghost"],
            ["kind": "addAttribute", "owner": laptop, "name": "nothing"],
            ["kind": "addAttribute", "owner": laptop, "name": "count", "type": "integer32"],
            ["kind": "addAttribute", "owner": laptop, "name": "weight", "type": "double"],
            ["kind": "addConstraint", "entity": laptop, "names": ["serial"]],
            ["kind": "addConfiguration", "version": version, "name": "All", "entities": [team]],
            ["kind": "addFetchedProperty", "entity": laptop, "name": "found"],
            ["kind": "addIndex", "entity": team, "properties": ["missing"]],
        ])
        let ghost = try await tab.id("Ghost").json
        try await tab.perform([
            set(ghost, ["isAbstract": true]),
            set(try await tab.id("Laptop", "count").json, ["isOptional": false, "defaultValue": .null]),
            set(
                try await tab.id("Laptop", "weight").json,
                ["minimum": "9", "maximum": "1", "defaultValue": "much"]),
            set(try await tab.id("Laptop", "color").json, ["transformer": .null]),
            set(try await tab.id("Laptop", "model").json, ["regularExpression": "(", "allowsExternalStorage": true]),
            set(try await tab.id("Team", "fans").json, ["deleteRule": "noAction"]),
            set(try await tab.id("Team", "players").json, ["deleteRule": "nullify"]),
            set(laptop, ["className": .null]),
        ])
    }

    @Test("A problem says where it is: the element's record, and the field") func places() async throws {
        let tab = try Tab()
        try await breakThings(tab)
        let problems = await tab.session.problems(ofVersion: tab.version)
        let owner = try await tab.id("Laptop", "owner")
        #expect(problems.contains { $0.diagnostic.code == .noInverse && $0.element == owner && $0.field == "inverse" })
        let constraint = try await tab.id(.constraint, where: "names", is: ["serial"])
        #expect(problems.contains { $0.diagnostic.code == .unknownConstraintKey && $0.element == constraint })
        let index = try await tab.id(.indexElement, where: "propertyName", is: "missing")
        #expect(problems.contains { $0.diagnostic.code == .unknownIndexKey && $0.element == index })
    }
}
