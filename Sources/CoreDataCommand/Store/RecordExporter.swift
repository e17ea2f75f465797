import CSQLite
import CoreData
import Foundation
import ModelDocument
import StoreBrowsing
import StoreInspection

/// Every object of an SQLite store as it is stored, ready for JSON.
///
/// Objects come from the tables, not from a context: a dangling reference, a missing column or file, a value of the
/// wrong storage class is then seen and told, instead of being smoothed over.
final class RecordExporter: RecordSource {
    let store: OpenedStore
    let inspection: StoreInspection
    let renderer: ValueRenderer
    /// Layouts do not keep their entities alive: the model does.
    private let model: NSManagedObjectModel
    private let layouts: ModelLayout
    private let schema: SQLSchema
    /// The names of the entities that rows may be of; ``RowKinds`` numbers them from 1.
    let kindNames: [String]
    /// What the identifiers of each kind begin with.
    let identifierLeads: [[UInt8]]
    private let kindNumbers: [Int64: UInt16]
    private var kinds: [String: RowKinds] = [:]
    private var members: [String: RowMembers] = [:]
    private var warnings: Set<String> = []

    /// - Throws: ``CommandFailure`` for a model that is none.
    init(_ store: OpenedStore, renderer: ValueRenderer = ValueRenderer()) throws {
        self.store = store
        self.renderer = renderer
        inspection = try store.inspection(for: "Tables are read in SQLite files")
        do { try inspection.refuseViews() } catch { throw OpenedStore.failure(error) }
        model = try store.readingDescriptions()
        layouts = model.seal()
        schema = SQLSchema.fitted(to: inspection.columns, numbers: store.numbers, layouts: layouts)
        let numbered = store.names.sorted { $0.key < $1.key }
        kindNames = numbered.map(\.value)
        guard kindNames.count <= UInt16.max else {
            throw CommandFailure(
                .damaged, "The store says that it has \(kindNames.count) entities; up to \(UInt16.max) are read.")
        }
        identifierLeads = [[]] + kindNames.map { Array("\($0)/p".utf8) }
        kindNumbers = Dictionary(
            numbered.enumerated().map { ($1.key, UInt16($0 + 1)) }, uniquingKeysWith: { $1 })
        schema.oddities.forEach(warn)
    }

    /// Visits the objects of exactly this entity by primary key.
    ///
    /// - Parameters:
    ///   - only: The key of the only object to visit; nil: all.
    ///   - most: How many objects to visit at most; nil: all.
    func forEachRecord(
        of entity: String, only: Int64? = nil, most: Int? = nil, _ body: (Record) throws -> Void
    ) throws {
        guard let rows = rows(of: entity) else { return }
        let shown = rows.layout.shownSlots
        try inspection.forEachRow(
            of: rows.table, number: rows.number, columns: rows.columns, only: only, most: most
        ) { key, values in
            var bySlot = [SQLValue](repeating: .null, count: rows.layout.slots.count)
            for (slot, value) in zip(rows.stored, values) { bySlot[slot.index] = value }
            try body(record(rows.layout, shown, key: key, values: bySlot))
        }
    }

    /// Where the objects of an entity are.
    struct EntityRows {
        let layout: EntityLayout
        let table: String
        /// `Z_ENT`
        let number: Int64
        /// The slots that have a column, and the columns.
        let stored: [PropertySlot]
        let columns: [String]
    }

    /// nil for an entity that the store does not know.
    func rows(of entity: String) -> EntityRows? {
        guard let layout = layouts.layout(named: entity), let number = schema.number(of: layout) else { return nil }
        let stored = layout.slots.filter { schema.column(of: layout, slot: $0.index) != nil }
        return EntityRows(
            layout: layout, table: schema.table(of: layout).name, number: number, stored: stored,
            columns: stored.compactMap { schema.column(of: layout, slot: $0.index)?.name })
    }

    /// The object with an entity's name, or that of one above it, and a key; nil where there is none.
    func record(_ entity: String, key: Int64) throws -> Record? {
        guard let layout = layouts.layout(named: entity) else { return nil }
        var found: Record?
        for candidate in layout.selfAndDescendants where found == nil {
            try forEachRecord(of: candidate.name, only: key) { found = $0 }
        }
        return found
    }

    private func record(
        _ layout: EntityLayout, _ shown: [PropertySlot], key: Int64, values: [SQLValue]
    ) throws -> Record {
        var record = Record(identifier: "\(layout.name)/p\(key)", entity: layout.name, key: key)
        for slot in shown {
            let value = try value(slot, layout, values, key)
            if slot.kind.isRelationship {
                record.relationships[slot.name] = value
            } else {
                record.attributes[slot.name] = value
            }
        }
        return record
    }

    /// The value of one property of an object.
    ///
    /// - Parameter values: What the row's columns hold, by slot.
    func value(_ slot: PropertySlot, _ layout: EntityLayout, _ values: [SQLValue], _ key: Int64) throws -> JSONValue {
        let identifier = "\(layout.name)/p\(key)"
        if slot.kind.isRelationship {
            return try relationship(slot, of: identifier, key, layout, value: values[slot.index])
        }
        if slot.kind == .composite { return try composite(slot, layout, values, identifier) }
        return try attribute(slot, layout, values[slot.index], identifier)
    }

    // MARK: Attributes

    private func attribute(
        _ slot: PropertySlot, _ layout: EntityLayout, _ value: SQLValue, _ identifier: String
    ) throws -> JSONValue {
        let location = "\(identifier).\(slot.name)"
        guard slot.isExternal, case .blob(let raw) = value, let lead = raw.first else {
            return try renderer.json(value, as: slot.kind.type, at: location)
        }
        let place = "\(declaringEntity(of: slot, layout).name).\(slot.property.name)"
        if lead > 2 { warn("\(place): external storage, but a leading byte \(lead)") }
        guard let data = try inspection.externalData(raw) else {
            let name = String(decoding: raw.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            warn("\(place): the external file \(name) is missing")
            return .null
        }
        return try renderer.json(.blob(data), as: slot.kind.type, at: location)
    }

    /// A composite attribute is an object of its elements, composites among them.
    private func composite(
        _ slot: PropertySlot, _ layout: EntityLayout, _ values: [SQLValue], _ identifier: String
    ) throws -> JSONValue {
        var tree: [String: JSONValue] = [:]
        for element in slot.elements.map({ layout.slots[$0] }) {
            let path = element.name.split(separator: ".").dropFirst().map(String.init)
            tree.insert(try attribute(element, layout, values[element.index], identifier), at: path[...])
        }
        return .object(tree)
    }

    private func declaringEntity(of slot: PropertySlot, _ layout: EntityLayout) -> EntityLayout {
        var owner = layout
        while let parent = owner.parent, slot.index < parent.slots.count { owner = parent }
        return owner
    }

    // MARK: Relationships

    private func relationship(
        _ slot: PropertySlot, of identifier: String, _ key: Int64, _ layout: EntityLayout, value: SQLValue
    ) throws -> JSONValue {
        guard let (destination, kinds, members, isOrdered) = try partners(of: slot, layout) else {
            return slot.kind.isToMany ? [] : .null
        }
        var keys: ArraySlice<Int64> = []
        if case .int(let key) = value { keys = [key] } else if let members { keys = members[key] }
        for target in keys where kinds[target] == 0 { warnMissing(target, destination, "\(identifier).\(slot.name)") }
        var found = keys.filter { kinds[$0] > 0 }.map { (kind: name(ofKind: kinds[$0]), key: $0) }
        if members != nil, !isOrdered {
            found.sort { $0.kind == $1.kind ? $0.key < $1.key : $0.kind.precedesByCodePoint($1.kind) }
        }
        let identifiers = found.map { JSONValue.string("\($0.kind)/p\($0.key)") }
        return slot.kind.isToMany ? .array(identifiers) : identifiers.first ?? .null
    }

    /// What a relationship leads to: the destination's name, the entities of the rows there, the members where another
    /// table or column has them, and whether their order is kept. nil for a relationship without a destination.
    func partners(of slot: PropertySlot, _ layout: EntityLayout) throws -> (
        destination: String, kinds: RowKinds, members: RowMembers?, isOrdered: Bool
    )? {
        guard slot.destination > 0 else { return nil }
        let destination = layouts[slot.destination]
        let kinds = try kinds(in: schema.table(of: destination).name)
        let link = schema.link(of: layout, slot: slot.index)
        return (destination.name, kinds, try link.map { try members(by: $0) }, link?.orderColumn != nil)
    }

    func name(ofKind kind: UInt16) -> String { kindNames[Int(kind) - 1] }

    /// Tells that the destination of a relationship is missing.
    func warnMissing(_ key: Int64, _ destination: String, _ place: String) {
        warn("\(place): the destination, \(destination) with key \(key), is missing")
    }

    /// The concrete entity of every row of a table, by primary key.
    private func kinds(in table: String) throws -> RowKinds {
        if let known = kinds[table] { return known }
        var (keys, numbers): ([Int64], [UInt16]) = ([], [])
        try inspection.forEachRow(of: table, columns: ["Z_PK", "Z_ENT"]) { row in
            guard sqlite3_column_type(row, 0) == SQLITE_INTEGER, sqlite3_column_type(row, 1) == SQLITE_INTEGER else {
                return
            }
            keys.append(sqlite3_column_int64(row, 0))
            numbers.append(kindNumbers[sqlite3_column_int64(row, 1)] ?? 0)
        }
        let found = RowKinds(keys: keys, kinds: numbers)
        kinds[table] = found
        return found
    }

    /// The target keys of every source key, in order.
    private func members(by link: SQLLink) throws -> RowMembers {
        let name = "\(link.table) \(link.sourceColumn) \(link.targetColumn)"
        if let known = members[name] { return known }
        var (sources, targets): ([Int64], [Int64]) = ([], [])
        try inspection.forEachPair(of: link) { source, target in
            sources.append(source)
            targets.append(target)
        }
        let found = RowMembers(sources: sources, targets: targets)
        members[name] = found
        return found
    }

    /// Reports an oddity, once.
    private func warn(_ message: String) {
        if warnings.insert(message).inserted { report("warning: " + message) }
    }
}
