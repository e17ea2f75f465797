import CoreData
import Foundation
import ModelDocument
import StoreBrowsing

/// Every object of a store in a database, ready for JSON, by the rows that its kind reads.
final class ObjectRecords: RecordSource {
    /// A relationship that leads to an object that is not there.
    struct Missing {
        let entity: String
        let key: Int64
        let property: String
        let destination: String
        let destinationKey: Int64
    }

    /// Told of each reference that leads nowhere; it is left out of its record.
    var foundMissing: (Missing) -> Void = { missing in
        report(
            "warning: \(missing.entity)/p\(missing.key).\(missing.property): the destination, "
                + "\(missing.destination) with key \(missing.destinationKey), is missing")
    }

    private let session: QuerySession
    private let store: any ObjectStore
    private let layouts: ModelLayout
    private let renderer: ValueRenderer
    /// The names of the entities that the store has.
    private let entities: Set<String>
    /// How many objects are read at once.
    private static let size = 512

    init(_ opened: OpenedStore, renderer: ValueRenderer) throws {
        session = try QuerySession(opened)
        guard let store = session.objects else { defect("The store is closed.") }
        (self.store, layouts, self.renderer) = (store, store.layouts, renderer)
        entities = Set((opened.metadata[NSStoreModelVersionHashesKey] as? [String: Any] ?? [:]).keys)
    }

    func forEachRecord(of entity: String, only: Int64?, most: Int?, _ body: (Record) throws -> Void) throws {
        guard entities.contains(entity), let layout = layouts.layout(named: entity) else { return }
        var rest = try only.map { [$0] } ?? keys(of: layout, most)
        while !rest.isEmpty {
            let keys = Array(rest.prefix(Self.size))
            rest.removeFirst(keys.count)
            for record in try records(layout, keys) { try body(record) }
        }
    }

    func record(_ entity: String, key: Int64) throws -> Record? {
        guard let layout = layouts.layout(named: entity) else { return nil }
        var found: Record?
        for candidate in layout.selfAndDescendants where found == nil {
            try forEachRecord(of: candidate.name, only: key, most: nil) { found = $0 }
        }
        return found
    }

    private func keys(of layout: EntityLayout, _ most: Int?) throws -> [Int64] {
        var fetch = StoreFetch(entity: layout, output: .references)
        fetch.includesSubentities = false
        guard case .references(let references) = try reading({ try store.fetch(fetch) }) else { return [] }
        return Array(references.map(\.key).sorted().prefix(most ?? .max))
    }

    /// What the store can't do is a failure of the command.
    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw OpenedStore.failure(error) }
    }

    // MARK: Records

    /// The objects of exactly one entity with these keys, in the order of the keys.
    private func records(_ layout: EntityLayout, _ keys: [Int64]) throws -> [Record] {
        let root = layouts[layout.rootNumber]
        let rows = try reading { try store.rows(rootedAt: root, keys: keys) }
            .filter { $0.layout === layout }.sorted { $0.key < $1.key }
        let shown = layout.shownSlots
        let partners = try shown.filter(\.kind.isRelationship).map { ($0, try related($0, of: rows, layout)) }
        return try rows.map { row in
            var record = Record(identifier: "\(layout.name)/p\(row.key)", entity: layout.name, key: row.key)
            for slot in shown where !slot.kind.isRelationship {
                record.attributes[slot.name] = try attribute(slot, row, record.identifier)
            }
            for (slot, found) in partners { record.relationships[slot.name] = value(slot, found[row.key] ?? []) }
            return record
        }
    }

    private func attribute(_ slot: PropertySlot, _ row: RowSnapshot, _ identifier: String) throws -> JSONValue {
        guard slot.kind == .composite else {
            return try renderer.json(try value(of: slot, row), as: slot.kind.type, at: "\(identifier).\(slot.name)")
        }
        var tree: [String: JSONValue] = [:]
        for element in slot.elements.map({ row.layout.slots[$0] }) {
            let path = element.name.split(separator: ".").dropFirst().map(String.init)
            tree.insert(try attribute(element, row, identifier), at: path[...])
        }
        return .object(tree)
    }

    /// The value as a column of an SQLite store would have it.
    private func value(of slot: PropertySlot, _ row: RowSnapshot) throws -> SQLValue {
        if slot.cell < 0 || row.isNull(slot.cell) { return .null }
        switch slot.kind {
        case .int16, .int32, .int64, .boolean: return .int(row.int(slot.cell))
        case .double, .float, .date: return .double(row.double(slot.cell))
        case .uuid: return .blob(row.data(slot.cell))
        case .binary, .transformable:
            guard slot.isExternal else { return .blob(row.data(slot.cell)) }
            return try reading { try store.externalData(row.data(slot.cell)) }.map { .blob($0) } ?? .null
        default: return .text(row.string(slot.cell))
        }
    }

    // MARK: Relationships

    private func value(_ slot: PropertySlot, _ members: [ObjectReference]) -> JSONValue {
        var names = members.map { (entity: layouts[$0.entity].name, key: $0.key) }
        if slot.kind != .orderedToMany {
            names.sort { $0.entity == $1.entity ? $0.key < $1.key : $0.entity.precedesByCodePoint($1.entity) }
        }
        let identifiers = names.map { JSONValue.string("\($0.entity)/p\($0.key)") }
        return slot.kind.isToMany ? .array(identifiers) : identifiers.first ?? .null
    }

    /// What a relationship of some objects leads to, by the objects' keys.
    private func related(
        _ slot: PropertySlot, of rows: [RowSnapshot], _ layout: EntityLayout
    ) throws -> [Int64: [ObjectReference]] {
        if slot.kind.isToMany {
            let found = try reading { try store.members(ofAll: rows.map(\.key), in: layout, slot: slot) }
            return Dictionary(
                found.runs.map { ($0.source, Array(found.references[$0.members])) }, uniquingKeysWith: { $0 + $1 })
        }
        return try destinations(slot, of: rows, layout)
    }

    /// A row has the key of its destination. The destination's own row says which entity it is of, and whether it is
    /// there.
    private func destinations(
        _ slot: PropertySlot, of rows: [RowSnapshot], _ layout: EntityLayout
    ) throws -> [Int64: [ObjectReference]] {
        let rows = rows.filter { !$0.isNull(slot.cell) }
        let destination = layouts[slot.destination]
        let part = RowPart(entity: layouts[destination.rootNumber], slots: [])
        let keys = Array(Set(rows.map { $0.int(slot.cell) })).sorted()
        let there = try reading { try store.rows(part, keys: keys) }
        let numbers = Dictionary(there.map { ($0.key, $0.layout.number) }, uniquingKeysWith: { first, _ in first })
        var found: [Int64: [ObjectReference]] = [:]
        for row in rows {
            let key = row.int(slot.cell)
            guard let number = numbers[key] else {
                foundMissing(
                    Missing(
                        entity: layout.name, key: row.key, property: slot.name, destination: destination.name,
                        destinationKey: key))
                continue
            }
            found[row.key] = [ObjectReference(key: key, entity: number, store: store.token.number)]
        }
        return found
    }
}
