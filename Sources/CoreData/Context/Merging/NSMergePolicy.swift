import FoundationGaps

/// Decides how a context settles the conflicts that a save meets.
///
/// A conflict is a row that has changed since the context read it, or two objects with the same values in a uniqueness
/// constraint.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// ```
///
/// A save that meets conflicts asks the policy, validates all changes again, and tries again, at most 100 times. If
/// conflicts remain then, it throws `NSManagedObjectMergeError` (133020) or `NSManagedObjectConstraintMergeError`
/// (133021).
///
/// A subclass may settle some conflicts by setting values or deleting objects, and leave the rest to `super`:
///
/// ```swift
/// /// Keeps the higher salary, and prefers this context's values otherwise.
/// final class SalaryPolicy: NSMergePolicy {
///     override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
///         try super.resolve(optimisticLockingConflicts: list)
///         for conflict in list {
///             guard let player = conflict.sourceObject as? Player, !player.isDeleted else { continue }
///             let theirs = (conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["salary"] as? Double
///             player.salary = max(player.salary, theirs ?? 0)
///         }
///     }
/// }
/// context.mergePolicy = SalaryPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
/// ```
///
/// A policy is called on the queue of the context that saves. One policy may serve several contexts. <doc:Conflicts>
/// has ten cases with their results.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    // Unchecked: a subclass may have state; its contexts call it on their queues.

    /// What the policy does with conflicts that no subclass settles.
    ///
    /// It is the kind that the policy was made with.
    open internal(set) var mergeType: NSMergePolicyType

    /// Makes a policy of a kind, mostly for a subclass.
    ///
    /// For the standard policies use the class properties, such as ``error``: they are shared.
    public init(merge ty: NSMergePolicyType) { mergeType = ty }

    /// Fails the save: the policy of a new context.
    ///
    /// Conflicts of rows give `NSManagedObjectMergeError` (133020), conflicts of constraints alone
    /// `NSManagedObjectConstraintMergeError` (133021). The error's `userInfo` has them under `"conflictList"`:
    ///
    /// ```swift
    /// do {
    ///     try context.save()
    /// } catch let error as CocoaError where error.code == .managedObjectMerge {
    ///     let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict] ?? []
    ///     for conflict in conflicts { context.refresh(conflict.sourceObject, mergeChanges: true) }
    ///     try context.save()      // this context's values, over the rows as they are now
    /// }
    /// ```
    open class var error: NSMergePolicy { Standard.error }

    /// Merges property by property. Where both sides have changed a property, the store's value counts.
    ///
    /// An object that lost its row leaves the context. A new object with a unique value that is taken is given up for
    /// the stored object.
    open class var mergeByPropertyStoreTrump: NSMergePolicy { Standard.storeTrump }

    /// Merges property by property. Where both sides have changed a property, the context's value counts.
    ///
    /// An object that lost its row is inserted again, with its ID. A new object with a unique value that is taken
    /// becomes the stored object: this policy makes "insert or update" of an import.
    ///
    /// ```swift
    /// background.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    /// background.performAndWait {
    ///     let team = Team(context: background)    // with a uniqueness constraint over its name:
    ///     team.name = "Heat"                      // the team "Heat" that the store has,
    ///     team.uniformColor = "black"             // with another color after the save
    /// }
    /// ```
    open class var mergeByPropertyObjectTrump: NSMergePolicy { Standard.objectTrump }

    /// Writes all values of the context's object, changed or not, over the row.
    ///
    /// Changes of other contexts in the row are lost. An object that lost its row is inserted again, with its ID. A new
    /// object with a unique value that is taken becomes the stored object, with all its values, defaults included.
    open class var overwrite: NSMergePolicy { Standard.overwrite }

    /// Gives the object's changes up: it takes the row as the store has it. Other objects are saved.
    ///
    /// An object that lost its row leaves the context. A new object with a unique value that is taken is given up for
    /// the stored object.
    open class var rollback: NSMergePolicy { Standard.rollback }

    /// Settles the conflicts of a save. The save calls this function.
    ///
    /// The implementation here calls ``resolve(optimisticLockingConflicts:)`` for conflicts of rows, then
    /// ``resolve(constraintConflicts:)``. Override these two functions, unless both kinds must be decided together.
    ///
    /// - Parameter list: ``NSMergeConflict`` and ``NSConstraintConflict``.
    /// - Throws: What the save is to fail with, as it is; nothing is written then. The error policy throws
    ///   `NSManagedObjectMergeError` (133020) or `NSManagedObjectConstraintMergeError` (133021).
    open func resolve(mergeConflicts list: [Any]) throws {
        let rows = list.compactMap { $0 as? NSMergeConflict }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !rows.isEmpty { try resolve(optimisticLockingConflicts: rows) }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Settles conflicts between objects and rows that have changed since the context read them.
    ///
    /// After the call, the objects have their changes on top of the newer rows. An override may call `super` and then
    /// change objects. A conflict that it leaves alone is settled, too: the save writes the object's own changes over
    /// the row as it is now.
    ///
    /// - Throws: `NSManagedObjectMergeError` (133020), if the policy is ``error``.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        if mergeType == .errorMergePolicyType { throw SaveConflicts(rows: list).error }
        try NSManagedObjectContext.resolveRowConflicts(list, by: mergeType)
    }

    /// Settles conflicts between objects with the same values in a uniqueness constraint.
    ///
    /// If one of them is in the store and the other one is new:
    ///
    /// - Object trump makes the new object the stored one, with the values that were set on it. It keeps the stored
    ///   object's other values.
    /// - Overwrite does so with all values of the new object.
    /// - Store trump and rollback give the new object up for the stored object, which gets its members of to-many
    ///   relationships.
    ///
    /// Among several new objects, the policies that favour the context keep the last one. The policies that favour the
    /// store keep the first one. Relationships that led to the object that goes lead to the other one then. A stored
    /// object that was given another stored object's values either makes that object be deleted, or takes its own
    /// stored values again.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021), if the policy is ``error``, or if it favours the
    ///   context and two stored objects were given the same values in this save.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        if mergeType == .errorMergePolicyType { throw SaveConflicts(constraints: list).error }
        for conflict in list { try ConstraintResolution(conflict, mergeType).run() }
    }

    private enum Standard {
        static let error = NSMergePolicy(merge: .errorMergePolicyType)
        static let storeTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        static let objectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
        static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
    }
}

/// The kinds of merge policies.
///
/// A subclass of ``NSMergePolicy`` names the kind for conflicts that it does not settle. The numbers are Apple's.
public enum NSMergePolicyType: UInt, Sendable {
    /// Fails the save: ``NSMergePolicy/error``.
    case errorMergePolicyType = 0
    /// Property by property, the store's value first: ``NSMergePolicy/mergeByPropertyStoreTrump``.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property, the context's value first: ``NSMergePolicy/mergeByPropertyObjectTrump``.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// All values of the context's object: ``NSMergePolicy/overwrite``.
    case overwriteMergePolicyType = 3
    /// The row as the store has it: ``NSMergePolicy/rollback``.
    case rollbackMergePolicyType = 4

    /// Whether what the context has counts more than what the store has.
    var favoursObject: Bool {
        self == .mergeByPropertyObjectTrumpMergePolicyType || self == .overwriteMergePolicyType
    }
}

/// The same as `NSMergePolicy.error`: the save fails.
///
/// It is Apple's older spelling, of the type `AnyObject`.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }

/// The same as `NSMergePolicy.mergeByPropertyStoreTrump`: property by property, the store's value first.
///
/// It is Apple's older spelling, of the type `AnyObject`.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }

/// The same as `NSMergePolicy.mergeByPropertyObjectTrump`: property by property, the context's value first.
///
/// It is Apple's older spelling, of the type `AnyObject`.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }

/// The same as `NSMergePolicy.overwrite`: all values of the context's object.
///
/// It is Apple's older spelling, of the type `AnyObject`.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }

/// The same as `NSMergePolicy.rollback`: the row as the store has it.
///
/// It is Apple's older spelling, of the type `AnyObject`.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }

extension NSManagedObjectContext {
    /// See ``mergePolicy``.
    var policy: Any {
        get { conflictPolicy }
        set {
            guard let policy = newValue as? NSMergePolicy else {
                programmerError(
                    "A context's mergePolicy has to be an NSMergePolicy, not a \(type(of: newValue)); use NSMergePolicy.mergeByPropertyObjectTrump or another."
                )
            }
            conflictPolicy = policy
        }
    }
}
