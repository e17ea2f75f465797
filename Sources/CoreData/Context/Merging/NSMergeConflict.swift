import FoundationGaps

/// What a save found: a row that is not as the context last saw it.
///
/// Snapshots have attributes and to-one relationships, these as object IDs, and `NSNull` for nil. They show what changed
/// the row:
/// - A context of the same coordinator: the new values are in ``cachedSnapshot``, and ``persistedSnapshot`` is nil.
/// - Another coordinator or process: the new values are in ``persistedSnapshot``, the former ones in ``cachedSnapshot``.
open class NSMergeConflict: NSObject {
    /// The object whose changes could not be saved.
    open internal(set) var sourceObject: NSManagedObject
    /// The object's values as the context has them.
    open internal(set) var objectSnapshot: [String: Any]?
    /// The values that the coordinator has; nil if it knows that the row is gone.
    open internal(set) var cachedSnapshot: [String: Any]?
    /// The values that the store has, where the coordinator did not know them; nil if the row is gone.
    open internal(set) var persistedSnapshot: [String: Any]?
    /// The version that the store has; 0 if the row is gone.
    open internal(set) var newVersionNumber: Int
    /// The version that the context's changes were made to.
    open internal(set) var oldVersionNumber: Int

    /// The row as the store has it, where a save found it: nil if it is gone.
    let foundRow: RowSnapshot??

    /// A conflict.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        objectSnapshot = srcObject.currentValues
        foundRow = nil
    }

    /// - Parameters:
    ///   - row: What the store has.
    ///   - isKnown: Whether the coordinator had it already: another of its contexts wrote it.
    init(_ object: NSManagedObject, row: RowSnapshot?, isKnown: Bool) {
        sourceObject = object
        newVersionNumber = Int(row?.version ?? 0)
        oldVersionNumber = Int(object.snapshot?.version ?? 0)
        objectSnapshot = object.currentValues
        let new = row.map { object.storedValues(in: $0) }
        cachedSnapshot = isKnown ? new : object.snapshot.map { object.storedValues(in: $0) }
        persistedSnapshot = isKnown ? nil : new
        foundRow = .some(row)
    }
}

/// Objects with the same values in a uniqueness constraint.
open class NSConstraintConflict: NSObject {
    /// The names of the constraint's properties.
    open internal(set) var constraint: [String]
    /// The values that they have in common.
    open internal(set) var constraintValues: [String: Any]
    /// The object that the store has; nil where the conflict is within the context.
    open internal(set) var databaseObject: NSManagedObject?
    /// The objects that could not be saved, in the order in which they were changed first; where the conflict is within the
    /// context, all that have the values.
    open internal(set) var conflictingObjects: [NSManagedObject]
    /// The values of the object that the store has; nil where the conflict is within the context.
    open internal(set) var databaseSnapshot: [String: Any]?
    /// The values of the objects that could not be saved, in their order.
    open internal(set) var conflictingSnapshots: [[AnyHashable: Any]]

    /// Whether the context knew the stored object before.
    private(set) var databaseObjectWasRegistered: Bool

    /// A conflict.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot as? [String: Any]
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.compactMap { $0 as? [AnyHashable: Any] }
        databaseObjectWasRegistered = databaseObject != nil
        constraintValues = conflictingObjects.first?.values(of: contraint) ?? [:]
    }

    /// A conflict of nothing, for subclasses that have one of their own.
    public convenience override init() {
        self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    // A designated initialiser that other modules don't see would keep their subclasses from inheriting `init()`.
    convenience init(
        _ constraint: [String], _ databaseObject: NSManagedObject?, wasRegistered: Bool, _ objects: [NSManagedObject]
    ) {
        databaseObject?.fireIfNeeded()
        self.init(
            constraint: constraint, database: databaseObject,
            databaseSnapshot: databaseObject.flatMap { object in object.snapshot.map { object.storedValues(in: $0) } },
            conflicting: objects, conflictingSnapshots: objects.map(\.currentValues))
        databaseObjectWasRegistered = wasRegistered
    }
}

extension NSManagedObject {
    /// The attributes and to-one relationships by name, as the context has them now.
    fileprivate var currentValues: [String: Any] {
        fireIfNeeded()
        return valuesByName(destination: { current($0) }, attribute: { boxedValue($0) })
    }

    /// The attributes and to-one relationships by name, as a row has them.
    fileprivate func storedValues(in row: RowSnapshot) -> [String: Any] {
        let own = snapshot
        defer { snapshot = own }
        snapshot = row
        return valuesByName(destination: { snapshotValue($0) }, attribute: { committedValue($0) })
    }

    private func valuesByName(
        destination: (PropertySlot) -> Slot, attribute: (PropertySlot) -> Any?
    ) -> [String: Any] {
        var values: [String: Any] = [:]
        // Elements of composite attributes, whose names are paths, are in the composite's value.
        for slot in layout.slots where !slot.isTransient && !slot.name.contains(".") {
            if slot.kind.isAttribute {
                values[slot.name] = attribute(slot) ?? NSNull()
            } else if slot.kind == .toOne {
                let id: NSManagedObjectID? =
                    if case .reference(let reference) = destination(slot) {
                        contextStorage?.objectID(for: reference)
                    } else { nil }
                values[slot.name] = id ?? NSNull()
            }
        }
        return values
    }

    fileprivate func values(of keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
    }
}
