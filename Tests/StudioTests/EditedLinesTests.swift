import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

/// One kind of edit, and the lines that it changes in the file of the League Manager.
struct LineCase: Sendable, CustomTestStringConvertible {
    var title: String
    var actions: @Sendable (Tab) async throws -> [JSON]
    var removed: [String] = []
    var added: [String] = []

    var testDescription: String { title }
}

private func set(_ id: ElementID, _ changes: [String: JSON]) -> JSON {
    ["kind": "set", "element": id.json, "changes": .object(changes)]
}

extension LineCase {
    static let attributes: [LineCase] = [
        LineCase(title: "an attribute is added") { [["kind": "addAttribute", "owner": try await $0.id("Team").json]] },
        LineCase(title: "an attribute is renamed") {
            [["kind": "rename", "element": try await $0.id("Player", "email").json, "name": "mail"]]
        },
        LineCase(title: "an attribute is renamed and found again in older stores") {
            [
                [
                    "kind": "rename", "element": try await $0.id("Team", "uniformColor").json, "name": "color",
                    "setsRenamingIdentifier": true,
                ]
            ]
        },
        LineCase(title: "an attribute becomes required") {
            [set(try await $0.id("Player", "email"), ["isOptional": false])]
        },
        LineCase(title: "an attribute becomes transient") {
            [set(try await $0.id("Team", "uniformColor"), ["isTransient": true])]
        },
        LineCase(title: "an attribute gets another type") {
            [set(try await $0.id("Team", "uniformColor"), ["type": "integer32"])]
        },
        LineCase(title: "a string gets lengths and a pattern") {
            [
                set(
                    try await $0.id("Team", "name"),
                    ["minimum": "2", "maximum": "40", "regularExpression": "[A-Z].*<\"&'"])
            ]
        },
        LineCase(title: "a number gets another default") {
            [set(try await $0.id("Coach", "seasons"), ["defaultValue": "7"])]
        },
        LineCase(title: "a date gets a default") {
            [set(try await $0.id("Person", "dateOfBirth"), ["defaultValue": "2001-01-02T00:00:00Z"])]
        },
        LineCase(title: "an attribute is derived") {
            [set(try await $0.id("Team", "uniformColor"), ["isDerived": true, "derivation": "canonical:(name)"])]
        },
        LineCase(title: "an attribute is indexed by Spotlight and kept after deletion") {
            [set(try await $0.id("Team", "name"), ["isIndexedBySpotlight": true, "preservesAfterDeletion": true])]
        },
        LineCase(title: "an attribute gets a renaming identifier and a hash modifier") {
            [set(try await $0.id("Team", "name"), ["renamingIdentifier": "title", "versionHashModifier": "2"])]
        },
        LineCase(title: "an attribute gets user info") {
            [["kind": "addUserInfo", "owner": try await $0.id("Team", "name").json, "key": "colour", "value": "Green"]]
        },
        LineCase(title: "an attribute is deleted") {
            [["kind": "delete", "elements": [try await $0.id("Player", "photo").json]]]
        },
        LineCase(title: "an attribute is duplicated") {
            [["kind": "duplicate", "elements": [try await $0.id("Player", "photo").json]]]
        },
        LineCase(title: "an attribute moves to the top") {
            [["kind": "move", "element": try await $0.id("Player", "salary").json, "to": 0]]
        },
    ]

    static let relationships: [LineCase] = [
        LineCase(title: "a relationship is added") {
            [
                [
                    "kind": "addRelationship", "entity": try await $0.id("Laptop").json, "name": "owner",
                    "destination": try await $0.id("Person").json,
                ]
            ]
        },
        LineCase(title: "two entities are connected") {
            [
                [
                    "kind": "connect", "from": try await $0.id("Laptop").json, "to": try await $0.id("Person").json,
                    "name": "owner", "inverseName": "laptops", "isInverseToMany": true,
                ]
            ]
        },
        LineCase(title: "an inverse is removed from both sides") {
            [["kind": "setInverse", "relationship": try await $0.id("Player", "team").json, "inverse": nil]]
        },
        LineCase(title: "a relationship becomes to-many and ordered") {
            [set(try await $0.id("Player", "team"), ["isToMany": true, "isOrdered": true])]
        },
        LineCase(title: "a delete rule is chosen") { [set(try await $0.id("Team", "fans"), ["deleteRule": "deny"])] },
        LineCase(title: "counts are bounded") {
            [set(try await $0.id("Team", "fans"), ["minimumCount": 3, "maximumCount": 40])]
        },
        LineCase(title: "a destination is chosen") {
            [set(try await $0.id("Team", "coach"), ["destination": try await $0.id("Person").json])]
        },
        LineCase(title: "a relationship is renamed") {
            [["kind": "rename", "element": try await $0.id("Team", "players").json, "name": "squad"]]
        },
    ]

    static let entities: [LineCase] = [
        LineCase(title: "an entity is added") {
            [["kind": "addEntity", "version": await $0.version.json, "name": "League"]]
        },
        LineCase(title: "an entity is renamed") {
            [["kind": "rename", "element": try await $0.id("Coach").json, "name": "Mentor"]]
        },
        LineCase(title: "an entity is abstract no more") { [set(try await $0.id("Person"), ["isAbstract": false])] },
        LineCase(title: "an entity gets a parent") {
            [set(try await $0.id("Laptop"), ["parent": try await $0.id("Person").json])]
        },
        LineCase(title: "an entity gets another class and module") {
            [set(try await $0.id("Laptop"), ["className": "Notebook", "module": ".", "codeGeneration": "category"])]
        },
        LineCase(title: "an entity is placed in the diagram") {
            [
                [
                    "kind": "place",
                    "positions": .object([try await $0.id("Team").rawValue: ["x": -63, "y": .number(18.5)]]),
                ]
            ]
        },
        LineCase(title: "a constraint is added") {
            [["kind": "addConstraint", "entity": try await $0.id("Player").json, "names": ["firstName", "lastName"]]]
        },
        LineCase(title: "an index is added") {
            [["kind": "addIndex", "entity": try await $0.id("Player").json, "properties": ["lastName", "firstName"]]]
        },
        LineCase(title: "an entity is deleted") {
            [["kind": "delete", "elements": [try await $0.id("Laptop").json]]]
        },
    ]

    static let others: [LineCase] = [
        LineCase(title: "a fetched property is added") {
            [
                [
                    "kind": "addFetchedProperty", "entity": try await $0.id("Team").json, "name": "rich",
                    "destination": try await $0.id("Player").json, "predicate": "salary > 1000000",
                ]
            ]
        },
        LineCase(title: "a fetched property's predicate is edited") {
            [set(try await $0.id("Team", "wPlayers"), ["predicate": "lastName BEGINSWITH \"X\""])]
        },
        LineCase(title: "a fetch request is added") {
            [
                [
                    "kind": "addFetchRequest", "version": await $0.version.json, "name": "Rich",
                    "entity": try await $0.id("Player").json, "predicate": "salary > $AMOUNT",
                ]
            ]
        },
        LineCase(title: "a fetch request gets limits") {
            [
                set(
                    try await $0.id(.fetchRequest, where: "name", is: "GreenTeams"),
                    ["fetchLimit": 10, "fetchBatchSize": 5, "returnsDistinctResults": true])
            ]
        },
        LineCase(title: "a configuration is added") {
            [
                [
                    "kind": "addConfiguration", "version": await $0.version.json, "name": "People",
                    "entities": [try await $0.id("Player").json, try await $0.id("Coach").json],
                ]
            ]
        },
        LineCase(title: "a composite is added") {
            [["kind": "addComposite", "version": await $0.version.json, "name": "Address"]]
        },
        LineCase(title: "the model gets an identifier") { [set(await $0.version, ["identifier": "1.2"])] },
    ]

    static let all = attributes + relationships + entities + others
}

@Suite("An edit changes its own lines")
struct EditedLinesTests {
    /// The lines as they were looked at once, one block a case; a line that begins with `-` goes, one with `+` comes.
    private static let expected: [String: LineChanges] = {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [:] }
        var (result, title) = ([String: LineChanges](), "")
        for line in text.components(separatedBy: "\n") where !line.isEmpty {
            if line.hasPrefix("# ") {
                title = String(line.dropFirst(2))
                result[title] = LineChanges()
            } else if line.hasPrefix("-") {
                result[title]?.removed.append(String(line.dropFirst()))
            } else if line.hasPrefix("+") {
                result[title]?.added.append(String(line.dropFirst()))
            }
        }
        return result
    }()

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Expected/EditedLines.txt")

    @Test("Saved files differ in the edit's lines alone", arguments: LineCase.all)
    func lines(of edit: LineCase) async throws {
        let workspace = try Workspace()
        let before = try workspace.bytes()
        let old = try workspace.text()
        let tab = try Tab(workspace.document)
        try await tab.perform(try await edit.actions(tab))
        _ = try await tab.session.save(overwrites: false, client: nil)
        let changes = LineChanges(old, try workspace.text())
        #expect(changes == Self.expected[edit.title], "Expected/EditedLines.txt:\n# \(edit.title)\n\(changes)")

        _ = try await tab.session.undo(client: nil)
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try workspace.bytes() == before)
    }

    @Test("More than 25 kinds of edit are looked at") func number() {
        #expect(LineCase.all.count > 25)
        #expect(Set(LineCase.all.map(\.title)).count == LineCase.all.count)
    }

    @Test("What Xcode would sort is put where Xcode would write it") func order() async throws {
        let workspace = try Workspace()
        let tab = try Tab(workspace.document)
        try await tab.perform([
            "kind": "addAttribute", "owner": try await tab.id("Player").json, "name": "Height", "type": "double",
        ])
        let names = await tab.session.document.document.currentModel[entity: "Player"]?.attributes.map(\.name)
        #expect(names == ["email", "firstName", "Height", "lastName", "photo", "salary"])
    }
}
