import Foundation
import ModelDocument
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Sends actions that make sense for the document as it is.
struct RandomScript {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// An action on something that there is; `nil` if there is nothing of that kind.
    mutating func action(_ records: [ElementID: Record], version: ElementID) -> JSON? {
        let number = Int.random(in: 0..<10_000, using: &generator)
        switch Int.random(in: 0..<18, using: &generator) {
        case 0: return ["kind": "addEntity", "version": version.json]
        case 1:
            return pick(.entity, records).map { ["kind": "addAttribute", "owner": $0, "type": "string"] }
        case 2:
            guard let from = pick(.entity, records), let to = pick(.entity, records) else { return nil }
            return ["kind": "connect", "from": from, "to": to, "isToMany": .bool(number % 2 == 0)]
        case 3, 4:
            let kinds: [ElementKind] = [.entity, .attribute, .relationship, .fetchedProperty, .fetchRequest]
            guard let element = pick(kinds[number % kinds.count], records) else { return nil }
            return ["kind": "rename", "element": element, "name": .text("renamed\(number)")]
        case 5, 6:
            let kinds: [ElementKind] = [.entity, .attribute, .relationship, .userInfo, .constraint, .index]
            guard let element = pick(kinds[number % kinds.count], records) else { return nil }
            return ["kind": "delete", "elements": [element]]
        case 7:
            let kinds: [ElementKind] = [.entity, .attribute, .relationship, .fetchRequest]
            guard let element = pick(kinds[number % kinds.count], records) else { return nil }
            return ["kind": "duplicate", "elements": [element]]
        case 8: return pick(.attribute, records).map { ["kind": "move", "element": $0, "to": .integer(number % 4)] }
        case 9:
            let types = Model.AttributeType.allCases.map(\.word)
            return pick(.attribute, records).map {
                ["kind": "set", "element": $0, "changes": ["type": .text(types[number % types.count])]]
            }
        case 10:
            return pick(.relationship, records).map {
                ["kind": "set", "element": $0, "changes": ["isToMany": .bool(number % 2 == 0), "deleteRule": "deny"]]
            }
        case 11:
            guard let relationship = pick(.relationship, records), let destination = pick(.entity, records) else {
                return nil
            }
            return ["kind": "set", "element": relationship, "changes": ["destination": destination]]
        case 12: return pick(.relationship, records).map { ["kind": "addInverse", "relationship": $0] }
        case 13: return pick(.entity, records).map { ["kind": "addUserInfo", "owner": $0, "value": "<&\">"] }
        case 14:
            return pick(.entity, records).map {
                ["kind": "place", "positions": .object([$0.text ?? "": ["x": .integer(number), "y": -7]])]
            }
        case 15: return pick(.entity, records).map { ["kind": "addIndex", "entity": $0] }
        case 16:
            return pick(.entity, records).map {
                ["kind": "addFetchedProperty", "entity": $0, "predicate": .text("SELF.renamed\(number) == 'x'")]
            }
        default:
            guard let child = pick(.entity, records), let parent = pick(.entity, records) else { return nil }
            return ["kind": "set", "element": child, "changes": ["parent": number % 3 == 0 ? .null : parent]]
        }
    }

    private mutating func pick(_ kind: ElementKind, _ records: [ElementID: Record]) -> JSON? {
        let ids = records.filter { $0.value["kind"] == .text(kind.rawValue) }.keys.map(\.rawValue).sorted()
        return ids.randomElement(using: &generator).map(JSON.text)
    }
}

@Suite("Random edits")
struct RandomScriptTests {
    @Test("Undoing everything gives the bytes of the start, redoing everything those of the end")
    func undoAndRedo() async throws {
        for seed in SeededGenerator.seeds(6, full: 60) { try await run(seed: seed) }
    }

    private func run(seed: UInt64) async throws {
        let workspace = try Workspace()
        let start = try workspace.bytes()
        let tab = try Tab(workspace.document)
        var script = RandomScript(seed: seed)
        var steps = 0
        for _ in 0..<60 {
            let version = await tab.version
            let records = await tab.session.records(ofVersion: version)?.records ?? [:]
            guard let action = script.action(records, version: version) else { continue }
            // Some can't be done, such as a circle of parents; they change nothing.
            let title = await tab.session.undoTitle
            let before = await tab.session.document.document
            do {
                try await tab.perform(action)
            } catch {
                #expect(await tab.session.document.document == before, "seed \(seed): \(action)")
                #expect(await tab.session.undoTitle == title, "seed \(seed)")
                continue
            }
            if await tab.session.document.document != before { steps += 1 }
            try await check(tab, seed, action)
        }
        #expect(steps > 20, "seed \(seed)")
        _ = try await tab.session.save(overwrites: false, client: nil)
        let end = try workspace.bytes()
        #expect(end != start, "seed \(seed)")
        for _ in 0..<steps { _ = try await tab.session.undo(client: nil) }
        #expect(await tab.session.undoTitle == nil, "seed \(seed)")
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try workspace.bytes() == start, "seed \(seed)")
        for _ in 0..<steps { _ = try await tab.session.redo(client: nil) }
        _ = try await tab.session.save(overwrites: false, client: nil)
        #expect(try workspace.bytes() == end, "seed \(seed)")
    }

    /// What has to hold after every step.
    private func check(_ tab: Tab, _ seed: UInt64, _ action: JSON) async throws {
        let document = await tab.session.document
        let model = document.document.currentModel
        #expect(try Model(contents: try model.contents()) == model, "seed \(seed): \(action)")
        let tree = try #require(document.trees.first)
        #expect(tree.node.children.map(\.outline) == model.outline, "seed \(seed): \(action)")
        let records = try #require(await tab.session.records(ofVersion: tree.id)?.records)
        #expect(Set(records.keys) == Set(tree.places.keys), "seed \(seed): \(action)")
        let fresh = try #require(document.records(ofVersion: tree.id))
        #expect(fresh.records == records, "seed \(seed): \(action)")
        for problem in await tab.session.problems(ofVersion: tree.id) {
            #expect(records[problem.element] != nil, "seed \(seed): \(problem.diagnostic)")
        }
    }
}

extension IdentifiedNode {
    /// The shape without identifiers.
    fileprivate var outline: OutlineNode { OutlineNode(kind: kind, key: key, children: children.map(\.outline)) }
}
