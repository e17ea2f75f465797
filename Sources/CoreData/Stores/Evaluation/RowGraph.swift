import FoundationGaps

/// The objects of a store, read by their rows: what predicates and expressions are evaluated over where no database
/// evaluates them.
///
/// One thread uses it, for one fetch.
final class RowGraph: PredicateReader {
    let token: StoreToken
    private let layouts: ModelLayout
    private let reader: any StoreReader
    private let objectIDAt: (String) -> NSManagedObjectID?
    /// The objects that relationships led to; nil for a row that is gone.
    private var destinations: [ObjectReference: RowObject?] = [:]
    /// The first error of a read that could not throw.
    private(set) var failure: (any Error)?

    /// - Parameter objectIDAt: The ID of the object that a URI means.
    init(
        _ reader: any StoreReader, _ layouts: ModelLayout, token: StoreToken,
        objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) {
        (self.reader, self.layouts, self.token, self.objectIDAt) = (reader, layouts, token, objectIDAt)
    }

    /// Runs a read whose error is kept in ``failure``.
    func valueOrFailure(_ body: () throws -> PredicateValue) -> Any? {
        do { return try body().boxed } catch {
            if failure == nil { failure = error }
            return nil
        }
    }

    // MARK: Values

    /// - Throws: 134091 for a key that the entity does not have, and for a transient property.
    func value(of object: AnyObject, at path: PredicateKeyPath) throws -> PredicateValue? {
        guard let object = object as? RowObject else { return nil }
        // Collection operators are key-value coding's.
        return path.hasOperator ? nil : try value(of: object, path.keys[...])
    }

    func value(of owner: RowObject, _ keys: ArraySlice<String>) throws -> PredicateValue {
        guard let key = keys.first else { return .object(owner) }
        let rest = keys.dropFirst()
        if key == "objectID", rest.isEmpty { return .object(owner.objectID) }
        if key == "entity" { return rest == ["name"] ? .string(owner.layout.name) : .object(owner.layout.entity) }
        // The elements of composite attributes have dotted names.
        if let slot = owner.layout.slot(named: keys.joined(separator: ".")), !slot.kind.isRelationship {
            return try attribute(slot, of: owner)
        }
        guard let slot = owner.layout.slot(named: key), slot.kind.isRelationship, !slot.isTransient else {
            throw StoreRequestFailure.unknown(keys.joined(separator: "."), in: owner.layout)
        }
        if slot.kind == .toOne {
            guard case .reference(let reference) = owner.row.value(of: slot, store: token.number),
                let destination = try object(at: reference)
            else { return .null }
            return try value(of: destination, rest)
        }
        let members = try members(of: owner, slot)
        return .distinct(try members.map { try value(of: $0, rest) }, isOrdered: slot.kind == .orderedToMany)
    }

    private func attribute(_ slot: PropertySlot, of owner: RowObject) throws -> PredicateValue {
        guard !slot.isTransient, slot.cell >= 0 else { throw StoreRequestFailure.unknown(slot.name, in: owner.layout) }
        switch owner.row.value(of: slot, store: token.number) {
        case .null, .unset, .reference: return .null
        case .int(let value): return .integer(value)
        case .double(let value):
            return slot.kind == .date ? .date(Date(timeIntervalSinceReferenceDate: value)) : .double(value)
        case .string(let value): return .string(value)
        case .uuid(let value): return .uuid(value)
        case .object(let value): return PredicateValue(value)
        case .data(let data):
            switch slot.kind {
            case .transformable: return PredicateValue(try slot.transform(data))
            case .objectID: return objectIDAt(String(decoding: data, as: UTF8.self)).map { .object($0) } ?? .null
            default: return slot.isExternal ? try reader.externalData(data).map { .data($0) } ?? .null : .data(data)
            }
        }
    }

    // MARK: Relationships

    /// The object of a reference; nil where its row is gone, or is in another store.
    func object(at reference: ObjectReference) throws -> RowObject? {
        if let known = destinations[reference] { return known }
        let root = layouts[layouts[reference.entity].rootNumber]
        let isHere = reference.store == token.number
        let row = isHere ? try reader.row(rootedAt: root, key: reference.key)?.takeRetainedValue() : nil
        let object = row.map { RowObject($0, in: self) }
        destinations[reference] = object
        return object
    }

    private func members(of owner: RowObject, _ slot: PropertySlot) throws -> [RowObject] {
        try reader.members(of: owner.reference, slot: slot).compactMap { try object(at: $0) }
    }
}

/// Why a request can't be answered from rows.
enum StoreRequestFailure {
    static func unsupported(_ what: String) -> CocoaError {
        let sentence = "A store can't answer this request: \(what)."
        return CocoaError(
            .persistentStoreUnsupportedRequestType,
            userInfo: [NSLocalizedDescriptionKey: sentence, NSLocalizedFailureReasonErrorKey: sentence])
    }

    static func unknown(_ keyPath: String, in layout: EntityLayout) -> CocoaError {
        let names = layout.slots.filter { !$0.isTransient }.map(\.name).sorted().joined(separator: ", ")
        return unsupported("the entity \(layout.name) has no stored property “\(keyPath)”; it has \(names)")
    }
}
