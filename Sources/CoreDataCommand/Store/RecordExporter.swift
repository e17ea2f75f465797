import CoreData
import Foundation
import ModelDocument

/// Every object of a store as it is stored, ready for JSON.
///
/// Objects come from the tables, not from a context: a dangling reference, a missing column or file, a value of the wrong
/// storage class is then seen and told, instead of being smoothed over.
final class RecordExporter {
    /// One object.
    struct Record {
        let identifier: String
        let entity: String
        let key: Int64
        var attributes: [String: JSONValue] = [:]
        var relationships: [String: JSONValue] = [:]

        var json: JSONValue {
            [
                "id": .string(identifier), "entity": .string(entity), "attributes": .object(attributes),
                "relationships": .object(relationships),
            ]
        }
    }

    private let store: OpenedStore
    private let renderer: ValueRenderer
    /// Layouts do not keep their entities alive: the model does.
    private let model: NSManagedObjectModel
    private let layouts: ModelLayout
    private let schema: SQLSchema
    private let names: [Int64: String]
    private var kinds: [String: [Int64: String]] = [:]
    private var members: [String: [Int64: [Int64]]] = [:]
    private var warnings: Set<String> = []

    /// - Throws: ``CommandFailure`` for a model that is none.
    init(_ store: OpenedStore, renderer: ValueRenderer = ValueRenderer()) throws {
        self.store = store
        self.renderer = renderer
        do { try store.inspection.refuseViews() } catch { throw OpenedStore.failure(error) }
        model = try store.readingDescriptions()
        layouts = model.seal()
        schema = SQLSchema.fitted(to: store.inspection.columns, numbers: store.numbers, layouts: layouts)
        names = store.names
        schema.oddities.forEach(warn)
    }

    /// Visits the objects of exactly this entity by primary key.
    ///
    /// - Parameter only: The key of the only object to visit; nil: all.
    func forEachRecord(of entity: String, only: Int64? = nil, _ body: (Record) throws -> Void) throws {
        guard let layout = layouts.layout(named: entity), let number = schema.number(of: layout) else { return }
        let table = schema.table(of: layout).name
        let stored = layout.slots.filter { schema.column(of: layout, slot: $0.index) != nil }
        let columns = stored.compactMap { schema.column(of: layout, slot: $0.index)?.name }
        try store.inspection.forEachRow(of: table, number: number, columns: columns, only: only) {
            key, values in
            var bySlot = [SQLValue](repeating: .null, count: layout.slots.count)
            for (slot, value) in zip(stored, values) { bySlot[slot.index] = value }
            try body(record(layout, key: key, values: bySlot))
        }
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

    private func record(_ layout: EntityLayout, key: Int64, values: [SQLValue]) throws -> Record {
        var record = Record(identifier: "\(layout.name)/p\(key)", entity: layout.name, key: key)
        let elements = Set(layout.slots.flatMap(\.elements))
        for slot in layout.slots where !slot.isTransient && !elements.contains(slot.index) {
            if slot.kind.isRelationship {
                record.relationships[slot.name] = try relationship(slot, of: record, layout, value: values[slot.index])
            } else if slot.kind == .composite {
                record.attributes[slot.name] = try composite(slot, layout, values, record.identifier)
            } else if slot.kind.isAttribute {
                record.attributes[slot.name] = try attribute(slot, layout, values[slot.index], record.identifier)
            }
        }
        return record
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
        guard let data = try store.inspection.externalData(raw) else {
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
        _ slot: PropertySlot, of record: Record, _ layout: EntityLayout, value: SQLValue
    ) throws -> JSONValue {
        guard slot.destination > 0 else { return slot.kind.isToMany ? [] : .null }
        let destination = layouts[slot.destination]
        let kinds = try kinds(in: schema.table(of: destination).name)
        let link = schema.link(of: layout, slot: slot.index)
        var keys: [Int64] = []
        if case .int(let key) = value {
            keys = [key]
        } else if let link {
            keys = try members(by: link)[record.key] ?? []
        }
        for key in keys where kinds[key] == nil {
            warn("\(record.identifier).\(slot.name): the destination, \(destination.name) with key \(key), is missing")
        }
        var found = keys.compactMap { key in kinds[key].map { (kind: $0, key: key) } }
        if let link, link.orderColumn == nil {
            found.sort { $0.kind == $1.kind ? $0.key < $1.key : $0.kind.precedesByCodePoint($1.kind) }
        }
        let identifiers = found.map { JSONValue.string("\($0.kind)/p\($0.key)") }
        return slot.kind.isToMany ? .array(identifiers) : identifiers.first ?? .null
    }

    /// The concrete entity of every row of a table, by primary key.
    private func kinds(in table: String) throws -> [Int64: String] {
        if let known = kinds[table] { return known }
        var found: [Int64: String] = [:]
        let rows: [(Int64, Int64)] = try store.inspection.rows(of: table, columns: ["Z_PK", "Z_ENT"]) { values in
            guard case .int(let key) = values[0], case .int(let number) = values[1] else { return nil }
            return (key, number)
        }
        for (key, number) in rows { found[key] = names[number] }
        kinds[table] = found
        return found
    }

    /// The target keys of every source key, in order.
    private func members(by link: SQLLink) throws -> [Int64: [Int64]] {
        let name = "\(link.table) \(link.sourceColumn) \(link.targetColumn)"
        if let known = members[name] { return known }
        let found = try store.inspection.members(by: link)
        members[name] = found
        return found
    }

    /// Reports an oddity, once.
    private func warn(_ message: String) {
        if warnings.insert(message).inserted { report("warning: " + message) }
    }
}

extension [String: JSONValue] {
    /// Puts a value at a path of nested objects.
    fileprivate mutating func insert(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let first = path.first else { return }
        guard path.count > 1 else { return self[first] = value }
        var nested: [String: JSONValue] = [:]
        if case .object(let members)? = self[first] { nested = members }
        nested.insert(value, at: path.dropFirst())
        self[first] = .object(nested)
    }
}

extension SlotKind {
    /// The type of the attribute.
    fileprivate var type: Model.AttributeType {
        switch self {
        case .int16: .integer16
        case .int32: .integer32
        case .int64: .integer64
        case .boolean: .boolean
        case .double: .double
        case .float: .float
        case .decimal: .decimal
        case .string: .string
        case .date: .date
        case .binary: .binary
        case .uuid: .uuid
        case .uri: .uri
        case .transformable: .transformable
        case .objectID: .objectID
        case .composite: .composite
        case .undefined, .toOne, .toMany, .orderedToMany, .fetched: .undefined
        }
    }
}
