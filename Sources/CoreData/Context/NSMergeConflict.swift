import FoundationGaps

/// What a save found: a row that is not as the context last saw it.
public final class NSMergeConflict: NSObject {
    /// The object whose changes could not be saved.
    public let sourceObject: NSManagedObject
    /// The object's values as the context has them.
    public let objectSnapshot: [String: Any]?
    /// The values that the context's changes were made to.
    public let cachedSnapshot: [String: Any]?
    /// The values that the store has now; nil if the row is gone.
    public let persistedSnapshot: [String: Any]?
    /// The version that the store has; 0 if the row is gone.
    public let newVersionNumber: Int
    /// The version that the context's changes were made to.
    public let oldVersionNumber: Int

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
        objectSnapshot = srcObject.storedValues(in: nil)
    }
}

/// Two objects with the same values in a uniqueness constraint.
public final class NSConstraintConflict: NSObject {
    /// The names of the constraint's properties.
    public let constraint: [String]
    /// The values that they have in common.
    public let constraintValues: [String: Any]
    /// The object that the store has; nil where the conflict is within the context.
    public let databaseObject: NSManagedObject?
    /// The objects that could not be saved.
    public let conflictingObjects: [NSManagedObject]
    /// The values of the object that the store has; nil where the conflict is within the context.
    public let databaseSnapshot: [String: Any]?
    /// The values of the objects that could not be saved, in their order.
    public let conflictingSnapshots: [[AnyHashable: Any]]

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
        let source = conflictingObjects.first
        constraintValues = Dictionary(
            uniqueKeysWithValues: constraint.map { ($0, source?.value(forKey: $0) ?? NSNull()) })
    }
}

extension StoreConflicts {
    /// The error that a save throws: 133020 for rows, 133021 for constraints, the conflicts in its `userInfo`.
    func error(in context: NSManagedObjectContext) -> NSError {
        var rows: [NSMergeConflict] = []
        var constraints: [NSConstraintConflict] = []
        for (reference, kind) in conflicts {
            let object = context.object(for: reference)
            switch kind {
            case .row(let current): rows.append(object.conflict(with: current))
            case .constraint(let properties, let other):
                constraints.append(
                    object.conflict(over: properties, with: other.map { context.object(for: $0) }))
            }
        }
        guard let first = constraints.first, rows.isEmpty else {
            return .cocoa(
                NSManagedObjectMergeError,
                "Could not merge changes: \(rows.count) objects changed in the store meanwhile.",
                userInfo: ["conflictList": rows])
        }
        let values = first.constraint.map { "\($0) = \(first.constraintValues[$0] ?? "nil")" }.joined(separator: ", ")
        return .cocoa(
            NSManagedObjectConstraintMergeError,
            "An object with \(values) exists already; \(first.constraint.joined(separator: ", ")) must be unique.",
            userInfo: ["conflictList": constraints])
    }
}

extension NSManagedObject {
    fileprivate func conflict(with current: RowSnapshot?) -> NSMergeConflict {
        NSMergeConflict(
            source: self, newVersion: Int(current?.version ?? 0), oldVersion: Int(snapshot?.version ?? 0),
            cachedSnapshot: snapshot.map { storedValues(in: $0) },
            persistedSnapshot: current.map { storedValues(in: $0) })
    }

    /// The conflict of this object with one of the same values, which a store has.
    fileprivate func conflict(over properties: [String], with other: NSManagedObject?) -> NSConstraintConflict {
        other?.fireIfNeeded()
        return NSConstraintConflict(
            constraint: properties, database: other, databaseSnapshot: other.map { $0.storedValues(in: $0.snapshot) },
            conflicting: [self], conflictingSnapshots: [storedValues(in: nil)])
    }

    /// The attributes by name as a row has them, or as the context has them now.
    fileprivate func storedValues(in row: RowSnapshot?) -> [String: Any] {
        let own = snapshot
        defer { snapshot = own }
        if let row { snapshot = row }
        var values: [String: Any] = [:]
        for slot in layout.slots where slot.kind.isAttribute && !slot.isTransient && slot.kind != .composite {
            let value = row == nil ? boxedValue(slot) : committedValue(slot)
            values[slot.name] = value ?? NSNull()
        }
        return values
    }
}
