import FoundationGaps

/// A conflict that a save found: a row that is not as the context last saw it.
///
/// Conflicts are given to a merge policy, and are in the error of a failed save:
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as CocoaError where error.code == .managedObjectMerge {
///     for case let conflict as NSMergeConflict in error.userInfo["conflictList"] as? [Any] ?? [] {
///         let theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot
///         print(conflict.sourceObject.objectID, conflict.objectSnapshot?["name"] ?? "", theirs?["name"] ?? "gone")
///     }
/// }
/// ```
///
/// Snapshots are dictionaries by property name. They have attributes, object IDs for to-one relationships, and `NSNull`
/// for nil. To-many relationships and transient properties are not in them. They show what changed the row:
///
/// - A context of the same coordinator: the new values are in ``cachedSnapshot``, and ``persistedSnapshot`` is nil.
/// - Another coordinator or process: the new values are in ``persistedSnapshot``, the former ones in
///   ``cachedSnapshot``.
/// - The row is gone: ``newVersionNumber`` is 0.
///
/// See <doc:Conflicts>.
open class NSMergeConflict: NSObject {
    /// The object whose changes could not be saved.
    ///
    /// Its values are still the context's. ``NSManagedObjectContext/detectConflicts(for:)`` names objects, too.
    open internal(set) var sourceObject: NSManagedObject

    /// The object's values as the context has them, unsaved changes included.
    ///
    /// They are taken when the conflict is found.
    open internal(set) var objectSnapshot: [String: Any]?

    /// The values that the coordinator has, by property name.
    ///
    /// It is nil if the coordinator knows that the row is gone.
    open internal(set) var cachedSnapshot: [String: Any]?

    /// The values that the store has, by property name, if the coordinator did not know them.
    ///
    /// It is nil if the coordinator knew them: then ``cachedSnapshot`` has them. It is also nil if the row is gone.
    open internal(set) var persistedSnapshot: [String: Any]?

    /// The version of the row in the store; 0 if the row is gone.
    ///
    /// Each write of a row raises its version, the column `Z_OPT`, by one.
    open internal(set) var newVersionNumber: Int

    /// The version of the row that the context's changes were made to.
    ///
    /// It is 0 if the context has read no row of the object.
    open internal(set) var oldVersionNumber: Int

    /// The row as the store has it, where a save found it: nil if it is gone.
    let foundRow: RowSnapshot??

    /// A conflict, for tests of an app's merge policy.
    ///
    /// ```swift
    /// final class TheirName: NSMergePolicy {
    ///     override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    ///         for conflict in list {
    ///             conflict.sourceObject.setValue(conflict.cachedSnapshot?["name"], forKey: "name")
    ///         }
    ///     }
    /// }
    /// let conflict = NSMergeConflict(
    ///     source: player, newVersion: 3, oldVersion: 2, cachedSnapshot: ["name": "Flash"], persistedSnapshot: nil)
    /// try TheirName(merge: .errorMergePolicyType).resolve(optimisticLockingConflicts: [conflict])
    /// print(player.name ?? "")        // "Flash"
    /// ```
    ///
    /// The standard policies read the row from the store: they do not look at snapshots that are given here.
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

/// A conflict that a save found: objects with the same values in a uniqueness constraint.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as CocoaError where error.code == .managedObjectConstraintMerge {
///     for case let conflict as NSConstraintConflict in error.userInfo["conflictList"] as? [Any] ?? [] {
///         print(conflict.constraint, "is taken:", conflict.constraintValues)
///         for object in conflict.conflictingObjects where object.isInserted { context.delete(object) }
///     }
///     try context.save()
/// }
/// ```
///
/// Snapshots are as in ``NSMergeConflict``. There is one conflict for each constraint and each set of values.
open class NSConstraintConflict: NSObject {
    /// The names of the constraint's properties, as the entity's ``NSEntityDescription/uniquenessConstraints`` lists
    /// them.
    open internal(set) var constraint: [String]

    /// The values that the objects have in common, by property name.
    ///
    /// `NSNull` stands for nil.
    open internal(set) var constraintValues: [String: Any]

    /// The object that the store has, in this context; nil if the conflict is within the context.
    ///
    /// It is registered for the conflict if the context did not have it before.
    open internal(set) var databaseObject: NSManagedObject?

    /// The objects that could not be saved, in the order of their first change.
    ///
    /// If the conflict is within the context, they are all objects with the values.
    open internal(set) var conflictingObjects: [NSManagedObject]

    /// The values of the object that the store has, by property name.
    ///
    /// It is nil if the conflict is between objects of the context alone. ``databaseObject`` is nil then, too.
    open internal(set) var databaseSnapshot: [String: Any]?

    /// The values of ``conflictingObjects``, in the same order, each by property name.
    ///
    /// Unsaved changes are included.
    open internal(set) var conflictingSnapshots: [[AnyHashable: Any]]

    /// Whether the context knew the stored object before.
    private(set) var databaseObjectWasRegistered: Bool

    /// A conflict, for tests of an app's merge policy.
    ///
    /// ``constraintValues`` are the values of the first conflicting object.
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

    /// A conflict of nothing, for subclasses that have an initializer of their own.
    ///
    /// All arrays and dictionaries are empty, and there is no ``databaseObject``.
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
        // Elements of composite attributes have paths as names. They are in the composite's value.
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
