import Foundation
import ModelDocument
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Makes actions of every kind. Their members are anything at all.
private struct HostileScript {
    var generator: SeededGenerator

    private static let members = [
        "version", "name", "parent", "position", "owner", "type", "entity", "destination", "isToMany", "from", "to",
        "inverseName", "isInverseToMany", "relationship", "predicate", "entities", "properties", "index", "property",
        "expression", "expressionType", "names", "key", "value", "element", "changes", "elements", "inverse",
        "configuration", "isMember", "into", "positions", "basedOn", "includesUnsure", "updatesReferences",
    ]

    private static let fields =
        [
            "name", "type", "parent", "destination", "inverse", "isToMany", "minimumCount", "maximumCount", "className",
            "module", "position", "entities", "names", "property", "composite", "defaultValue", "minimum", "predicate",
            "derivation", "isDerived", "expressionType", "key", "value", "resultType", "identifier", "codeGeneration",
            "fetchLimit", "customClass", "customModule", "usesScalar", "deleteRule",
        ]

    mutating func action(_ ids: [ElementID]) -> JSON {
        var action: [String: JSON] = ["kind": .text(AnyAction.kinds.randomElement(using: &generator) ?? "")]
        for member in Self.members where Int.random(in: 0..<5, using: &generator) > 0 {
            action[member] = value(for: member, ids)
        }
        return .object(action)
    }

    private mutating func value(for member: String, _ ids: [ElementID]) -> JSON {
        switch member {
        case "to" where Bool.random(using: &generator):
            return .integer([0, -1, 3, .max, .min].randomElement(using: &generator) ?? 0)
        case "changes":
            let field = Self.fields.randomElement(using: &generator) ?? ""
            return .object([field: anything(ids, depth: 1)])
        case "elements", "entities": return .array((0..<3).map { _ in anyID(ids) })
        case "names", "properties": return .array((0..<2).map { _ in anyText() })
        case "positions":
            return .object([anyID(ids).text ?? "": ["x": anything(ids, depth: 0), "y": .number(-1.5)]])
        case "isToMany", "isInverseToMany", "isMember", "includesUnsure", "updatesReferences":
            return .bool(Bool.random(using: &generator))
        case "name", "inverseName", "predicate", "expression", "key", "value", "property": return anyText()
        case "type", "expressionType":
            return .text(["string", "date", "composite", "no"].randomElement(using: &generator) ?? "")
        default: return Int.random(in: 0..<8, using: &generator) == 0 ? anything(ids, depth: 0) : anyID(ids)
        }
    }

    private mutating func anyID(_ ids: [ElementID]) -> JSON {
        (ids.randomElement(using: &generator) ?? ElementID(rawValue: "e0")).json
    }

    private mutating func anyText() -> JSON {
        let texts = [
            "", "name", "Team", "Player", "x.y", ".", "..", "a/b", "é", "\u{0}", "SELF", "$x", "'", "name == ", "😀",
            "Default", String(repeating: "n", count: 2000), "1e400", "2001-01-01", "-5",
        ]
        return .text(texts.randomElement(using: &generator) ?? "")
    }

    private mutating func anything(_ ids: [ElementID], depth: Int) -> JSON {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2: .integer([0, 1, -1, 7, .max, .min, 1 << 40].randomElement(using: &generator) ?? 0)
        case 3: .number([0.5, -1e18, 1e308, .leastNonzeroMagnitude].randomElement(using: &generator) ?? 0)
        case 4: anyID(ids)
        case 5 where depth > 0: .array([anything(ids, depth: depth - 1), anyID(ids)])
        case 6 where depth > 0: .object(["x": anything(ids, depth: 0), "y": anything(ids, depth: 0)])
        default: anyText()
        }
    }
}

@Suite("Whatever is asked")
struct HostileActionTests {
    @Test("Actions of any content are carried out or refused, and leave a document that can be saved") func actions()
        async throws
    {
        for seed in SeededGenerator.seeds(2, full: 20) {
            let tab = try Tab()
            var script = HostileScript(generator: SeededGenerator(seed: seed))
            var (done, refused) = (0, 0)
            for _ in 0..<150 {
                let document = await tab.session.document
                let ids = document.trees.flatMap { $0.places.keys }.sorted { $0.rawValue < $1.rawValue }
                let action = script.action(ids)
                do {
                    try await tab.perform(action)
                    done += 1
                } catch is StudioError, is DecodingError {
                    refused += 1
                }
                try await check(tab, "seed \(seed): \(action)")
            }
            #expect(done > 10 && refused > 10, "seed \(seed): \(done), \(refused)")
            while await tab.session.undoTitle != nil { _ = try await tab.session.undo(client: nil) }
            #expect(await !tab.session.isDirty, "seed \(seed)")
        }
    }

    private func check(_ tab: Tab, _ message: Comment) async throws {
        let document = await tab.session.document
        for (version, tree) in zip(document.document.versions, document.trees) {
            #expect(try Model(contents: try version.model.contents()) == version.model, message)
            let records = try #require(await tab.session.records(ofVersion: tree.id)?.records, message)
            #expect(Set(records.keys) == Set(tree.places.keys), message)
            for problem in await tab.session.problems(ofVersion: tree.id) {
                #expect(records[problem.element] != nil, message)
            }
        }
    }
}
