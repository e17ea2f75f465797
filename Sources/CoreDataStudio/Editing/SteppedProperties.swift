import CoreData
import StoreBrowsing

/// What the store had of the properties that the steps have changed.
///
/// A step that is undone sets the value that a property had before. If others have saved another one since, that would
/// change theirs without a conflict: the object has taken their row as its own.
struct SteppedProperties {
    /// What a row had, by property; of to-one relationships object IDs.
    private var values: [NSManagedObjectID: [String: Any?]] = [:]
    /// Whether an object was a member, by relationship.
    private var members: [NSManagedObjectID: [String: [ObjectReference: Bool]]] = [:]
    /// The order that members had, by relationship.
    private var orders: [NSManagedObjectID: [String: [ObjectReference]]] = [:]

    /// Notes what a step has changed.
    ///
    /// - Parameter objects: The objects with changes.
    mutating func note(_ objects: Set<NSManagedObject>) {
        for object in objects where !object.isInserted {
            let base = object.committedValues(forKeys: nil)
            for (path, value) in object.changedValues() {
                // A step back sets a composite value as a whole.
                let key = String(path.prefix { $0 != "." })
                note(object, key, base[key], value)
            }
        }
    }

    private mutating func note(_ object: NSManagedObject, _ key: String, _ base: Any?, _ value: Any) {
        let id = object.objectID
        guard let relationship = object.entity.relationshipsByName[key], relationship.isToMany else {
            if values[id]?[key] == nil { values[id, default: [:]][key] = (base as? NSManagedObject)?.objectID ?? base }
            return
        }
        let (before, now) = (NSManagedObject.references(base), NSManagedObject.references(value))
        // Members that lead to one owner are noted themselves.
        if relationship.inverseRelationship?.isToMany != false {
            let known = Set(before)
            for member in known.symmetricDifference(now) where members[id]?[key]?[member] == nil {
                members[id, default: [:]][key, default: [:]][member] = known.contains(member)
            }
        }
        if relationship.isOrdered, orders[id]?[key] == nil { orders[id, default: [:]][key] = before }
    }

    /// Whether steps have changed values of an object.
    func contains(_ id: NSManagedObjectID) -> Bool { values[id] != nil }

    /// Whether the store has not any more what it had before the steps.
    ///
    /// - Parameters:
    ///   - object: An object of which the store has another row than before.
    ///   - row: The values of that row.
    ///   - session: The store.
    /// - Throws: What kept members from being read.
    func areOvertaken(_ object: NSManagedObject, by row: [String: Any], _ session: QuerySession) throws -> Bool {
        let id = object.objectID
        func now(_ key: String) throws -> [ObjectReference] {
            guard let relationship = object.entity.relationshipsByName[key], !relationship.isTransient else {
                return []
            }
            return try session.members(of: id.reference, relationship)
        }
        if values[id]?.contains(where: { !StoredValues.areEqual($1, row[$0]) }) ?? false { return true }
        for (key, known) in members[id] ?? [:] {
            let now = Set(try now(key))
            if known.contains(where: { now.contains($0) != $1 }) { return true }
        }
        return try orders[id]?.contains { key, before in
            OrderedMembers(base: before, mine: before, theirs: try now(key)).isOrderTheirs
        } ?? false
    }
}
