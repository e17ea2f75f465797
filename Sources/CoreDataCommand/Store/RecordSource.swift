import CoreData
import ModelDocument
import StoreBrowsing

/// The objects of a store as they are stored, ready for JSON.
protocol RecordSource: AnyObject {
    /// Visits the objects of exactly this entity by primary key.
    ///
    /// - Parameters:
    ///   - only: The key of the only object to visit; nil: all.
    ///   - most: How many objects to visit at most; nil: all.
    func forEachRecord(of entity: String, only: Int64?, most: Int?, _ body: (Record) throws -> Void) throws

    /// The object with an entity's name, or that of one above it, and a key; nil where there is none.
    func record(_ entity: String, key: Int64) throws -> Record?
}

extension RecordSource {
    /// Visits all objects of exactly this entity by primary key.
    func forEachRecord(of entity: String, _ body: (Record) throws -> Void) throws {
        try forEachRecord(of: entity, only: nil, most: nil, body)
    }
}

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

extension EntityLayout {
    /// The attributes and relationships that a record has: elements of composites are inside of these.
    var shownSlots: [PropertySlot] {
        let elements = Set(slots.flatMap(\.elements))
        return slots.filter {
            !$0.isTransient && !elements.contains($0.index) && ($0.kind.isRelationship || $0.kind.isAttribute)
        }
    }
}

extension [String: JSONValue] {
    /// Puts a value at a path of nested objects.
    mutating func insert(_ value: JSONValue, at path: ArraySlice<String>) {
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
    var type: Model.AttributeType {
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
