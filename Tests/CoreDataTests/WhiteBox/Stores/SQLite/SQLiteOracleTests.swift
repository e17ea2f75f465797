import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// What we make of Apple-made stores, seen by an independent reader of the format.
@Suite(.enabled(if: Oracle.isAtHand, "the shared folder's apple_store.py and python3 are needed"))
struct SQLiteOracleTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test(arguments: AppleStores.names)
    func objectsRelatedInEveryWayAreSeenAsWeSeeThem(name: String) throws {
        let (url, model, identity) = try AppleStores.copy(name, to: folder)
        try withExtendedLifetime(model) {
            var random = SeededGenerator(seed: 7)
            let under = try StoreUnderTest(url, identity)
            for layout in under.layouts.layouts where !layout.isAbstract {
                for slot in layout.slots where slot.kind.isToMany && !slot.isTransient {
                    try relate(layout, slot, under, using: &random)
                }
            }
            #expect(try under.store.connection.text("PRAGMA integrity_check") == "ok")
            try under.store.close()
            let objects = try Oracle.export(url)
            let reopened = try StoreUnderTest(url, identity)
            for object in objects { try compare(object, reopened) }
            #expect(!objects.isEmpty || identity.layouts.layouts.allSatisfy { !$0.slots.contains { $0.kind.isToMany } })
        }
    }

    /// Inserts an owner with three members, and one member more in the midst of them.
    private func relate(
        _ layout: EntityLayout, _ slot: PropertySlot, _ under: StoreUnderTest, using random: inout SeededGenerator
    ) throws {
        let destination = under.layouts[slot.destination].selfAndDescendants.first { !$0.isAbstract }
        guard let destination else { return }
        let owner = try under.newReference(layout.name)
        let members = try (0..<3).map { _ in try under.newReference(destination.name) }.shuffled(using: &random)
        let row = try under.save(
            inserts: [
                under.change(
                    owner, nil, RandomRow.values(layout, using: &random),
                    members: [under.members(layout.name, slot.name, added: members, order: members.ifOrdered(slot))])
            ] + members.map { member(destination, $0, of: owner, slot, under, using: &random) })[0]
        let late = try under.newReference(destination.name)
        let order = [members[0], late, members[1], members[2]]
        try under.save(
            inserts: [member(destination, late, of: owner, slot, under, using: &random)],
            updates: [
                under.change(
                    owner, row,
                    members: [under.members(layout.name, slot.name, added: [late], order: order.ifOrdered(slot))])
            ])
    }

    /// A new member with its side of the relationship.
    private func member(
        _ layout: EntityLayout, _ reference: ObjectReference, of owner: ObjectReference, _ slot: PropertySlot,
        _ under: StoreUnderTest, using random: inout SeededGenerator
    ) -> RowChange {
        var values = RandomRow.values(layout, using: &random)
        guard slot.inverse >= 0 else { return under.change(reference, nil, values) }
        let inverse = layout.slots[slot.inverse]
        guard inverse.kind.isToMany else {
            values[inverse.name] = .reference(owner)
            return under.change(reference, nil, values)
        }
        let change = under.members(layout.name, inverse.name, added: [owner], order: [owner].ifOrdered(inverse))
        return under.change(reference, nil, values, members: [change])
    }

    private func compare(_ object: Oracle.Object, _ under: StoreUnderTest) throws {
        let row = try #require(try under.row(object.reference(under)), "\(object.id)")
        #expect(row.layout.name == object.entity)
        for slot in row.layout.slots where !slot.isTransient {
            let place = "\(object.id).\(slot.name)"
            switch slot.kind {
            case .string:
                #expect(under.string(row, slot.name) == object.attributes[slot.name] as? String, "\(place)")
            case .int16, .int32, .int64:
                let value = row.isNull(slot.cell) ? nil : row.int(slot.cell)
                #expect(value == (object.attributes[slot.name] as? NSNumber)?.int64Value, "\(place)")
            case .toOne: #expect(try destination(of: row, slot, under) == object.destination(slot.name), "\(place)")
            case .toMany, .orderedToMany:
                let source = ObjectReference(key: row.key, entity: row.layout.number, store: 0)
                let members = try under.store.members(of: source, slot: slot).map { name($0, under) }
                let expected = object.members(slot.name)
                #expect(
                    slot.kind == .toMany ? members.sorted() == expected.sorted() : members == expected, "\(place)")
            default: break
            }
        }
    }

    private func destination(of row: RowSnapshot, _ slot: PropertySlot, _ under: StoreUnderTest) throws -> String? {
        guard !row.isNull(slot.cell) else { return nil }
        let destination = try under.row(row.reference(slot.cell, store: 0))
        return destination.map { "\($0.layout.name)/p\($0.key)" }
    }

    private func name(_ reference: ObjectReference, _ under: StoreUnderTest) -> String {
        "\(under.layouts[reference.entity].name)/p\(reference.key)"
    }
}

extension [ObjectReference] {
    fileprivate func ifOrdered(_ slot: PropertySlot) -> [ObjectReference]? { slot.kind == .orderedToMany ? self : nil }
}

/// The independent reader, where it is at hand.
enum Oracle {
    private static let original = SharedFixtures.folder.appendingPathComponent("tools/apple_store.py")

    /// The reader's text. It looks for a composite attribute's elements among all fields of the archived object, its
    /// class included, which is no value and stops it: that one is left out.
    private static let script: String = {
        let text = (try? String(contentsOf: original, encoding: .utf8)) ?? ""
        return text.replacingOccurrences(
            of: "for key in sorted(node.fields) if \"Composite\"",
            with: "for key in sorted(node.fields.keys() - {\"$class\"}) if \"Composite\"")
    }()

    static let isAtHand = FileManager.default.fileExists(atPath: original.path) && (try? run(["--help"])) != nil

    struct Object {
        let id: String
        let entity: String
        let attributes: [String: Any]
        private let relationships: [String: Any]

        fileprivate init?(_ json: Any) {
            guard let json = json as? [String: Any], let id = json["id"] as? String,
                let entity = json["entity"] as? String, let attributes = json["attributes"] as? [String: Any],
                let relationships = json["relationships"] as? [String: Any]
            else { return nil }
            (self.id, self.entity, self.attributes, self.relationships) = (id, entity, attributes, relationships)
        }

        func reference(_ under: StoreUnderTest) -> ObjectReference {
            under.reference(entity, Int64(id.drop { $0 != "/" }.dropFirst(2)) ?? 0)
        }

        func destination(_ name: String) -> String? { relationships[name] as? String }
        func members(_ name: String) -> [String] { relationships[name] as? [String] ?? [] }
    }

    /// All objects of a store.
    static func export(_ store: URL) throws -> [Object] {
        try run(["export", store.path]).split(separator: "\n").map { line in
            guard let object = Object(try JSONSerialization.jsonObject(with: Data(line.utf8))) else {
                throw SQLiteTestFailure("no object: \(line)")
            }
            return object
        }
    }

    /// Throws unless every hash and digest in the store is what the reader computes of the model in it.
    static func checkHashes(_ store: URL) throws { _ = try run(["hashes", store.path]) }

    /// Checks that our command prints a store as the oracle does, byte for byte.
    ///
    /// But for what terminals obey beyond ASCII, such as bidirectional marks: our command escapes it, as JSON lets it.
    static func expectSameExport(_ store: URL) throws {
        let ours = try CommandLineTool.run(["export", store.path])
        let theirs = try run(["export", store.path]).unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                String(format: "\\u%04x", scalar.value)
            default: String(scalar)
            }
        }
        #expect(ours == theirs.joined())
    }

    private static func run(_ arguments: [String]) throws -> String {
        let folder = try StoreFolder()
        let reader = folder.file("apple_store.py")
        try Data(script.utf8).write(to: reader)
        return try CommandLineTool.output(of: URL(filePath: "/usr/bin/env"), ["python3", reader.path] + arguments)
    }
}
