import Foundation
import Testing

@testable import CoreDataStudio

/// One kind of edit, and the lines that it changes in the file of the ledger's mapping.
struct MappingLineCase: Sendable, CustomTestStringConvertible {
    var title: String
    var action: @Sendable (MappingTab) async throws -> JSON

    var testDescription: String { title }

    private static func set(
        _ title: String, _ mapping: String, _ property: String?, _ field: String, _ value: JSON
    ) -> MappingLineCase {
        MappingLineCase(title: title) { tab in
            [
                "kind": "set", "element": .text(try await tab.id(mapping, property)),
                "changes": .object([field: value]),
            ]
        }
    }

    static let entities: [MappingLineCase] = [
        MappingLineCase(title: "an entity mapping is added") { _ in
            ["kind": "addEntityMapping", "source": "Account", "destination": "Entry", "name": "Old accounts"]
        },
        MappingLineCase(title: "an entity mapping that removes objects is added") { _ in
            ["kind": "addEntityMapping", "source": "Entry", "destination": nil]
        },
        MappingLineCase(title: "an entity mapping is deleted") {
            ["kind": "delete", "elements": [.text(try await $0.id("AccountToAccount"))]]
        },
        MappingLineCase(title: "an entity mapping is renamed") {
            ["kind": "rename", "element": .text(try await $0.id("EntryToEntry")), "name": "Entries <&> \"more\""]
        },
        MappingLineCase(title: "an entity mapping is duplicated") {
            ["kind": "duplicate", "element": .text(try await $0.id("EntryToEntry"))]
        },
        MappingLineCase(title: "an entity mapping moves") {
            ["kind": "move", "element": .text(try await $0.id("EntryToEntry")), "to": 0]
        },
        set("a source entity is chosen", "EntryToEntry", nil, "source", "Account"),
        set("a destination entity is chosen", "EntryToEntry", nil, "destination", "Account"),
        set("a destination entity is taken away", "EntryToEntry", nil, "destination", nil),
        set("a type is chosen", "EntryToEntry", nil, "type", "Custom"),
        set("a policy is named", "AccountToAccount", nil, "policy", "Ledger.OtherPolicy"),
        set("a policy is taken away", "AccountToAccount", nil, "policy", nil),
        set("a filter is set", "AccountToAccount", nil, "filter", "owner != nil AND entries.@count > 1"),
        set("expressions are kept up to date no more", "AccountToAccount", nil, "generates", false),
    ]

    static let properties: [MappingLineCase] = [
        MappingLineCase(title: "a property mapping is added") { tab in
            [
                "kind": "addPropertyMapping", "owner": .text(try await tab.id("EntryToEntry")), "name": "note",
                "expression": "$source.amount",
            ]
        },
        MappingLineCase(title: "a property mapping is deleted") {
            ["kind": "delete", "elements": [.text(try await $0.id("AccountToAccount", "owner"))]]
        },
        set("a property is chosen", "AccountToAccount", "owner", "name", "initials2"),
        set("an expression is set", "AccountToAccount", "owner", "expression", "uppercase:($source.owner)"),
        set("an expression is changed", "AccountToAccount", "initials", "expression", "$source.owner"),
        set("an expression is taken away", "AccountToAccount", "initials", "expression", nil),
        MappingLineCase(title: "a relationship's expression is written down") {
            ["kind": "generate", "element": .text(try await $0.id("AccountToAccount", "entries"))]
        },
        set("a relationship makes no expression", "AccountToAccount", "entries", "generates", false),
        set("a relationship's mapping is chosen", "AccountToAccount", "entries", "sourceMapping", "AccountToAccount"),
        set("a relationship's key path is set", "AccountToAccount", "entries", "sourceKeyPath", "$source.entries"),
        MappingLineCase(title: "missing properties are added") { tab in
            let owner = try await tab.id("AccountToAccount", "owner")
            try await tab.perform(["kind": "delete", "elements": [.text(owner)]])
            try await tab.save()
            return ["kind": "addMissingProperties", "element": .text(try await tab.id("AccountToAccount"))]
        },
    ]

    private static func model(_ title: String, _ field: String, _ path: String) -> MappingLineCase {
        MappingLineCase(title: title) { _ in
            ["kind": "set", "element": "mapping", "changes": .object([field: .text(path)])]
        }
    }

    static let models: [MappingLineCase] = [
        model("a source model is chosen", "sourceModel", "Old/Ledger.xcdatamodeld/Ledger 0.xcdatamodel"),
        model("a destination model is chosen", "destinationModel", "Ledger.xcdatamodeld/Ledger 3.xcdatamodel"),
    ]

    static let all = entities + properties + models
}

@Suite("An edit of a mapping model changes its own lines")
struct EditedMappingLinesTests {
    /// The lines as they were looked at once, one block a case.
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

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Expected/EditedMappingLines.txt")

    @Test("Saved files differ in the edit's lines alone", arguments: MappingLineCase.all)
    func lines(of edit: MappingLineCase) async throws {
        let workspace = try MappingWorkspace()
        let tab = try MappingTab(workspace)
        let action = try await edit.action(tab)
        let (before, old) = (try workspace.data(), try workspace.text())
        try await tab.perform(action)
        try await tab.save()
        let changes = LineChanges(old, try workspace.text())
        #expect(changes == Self.expected[edit.title], "Expected/EditedMappingLines.txt:\n# \(edit.title)\n\(changes)")

        await tab.undo()
        try await tab.save()
        #expect(try workspace.data() == before)
    }

    @Test("More than 15 kinds of edit are looked at") func number() {
        #expect(MappingLineCase.all.count > 15)
        #expect(Set(MappingLineCase.all.map(\.title)).count == MappingLineCase.all.count)
    }
}
