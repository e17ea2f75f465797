import FoundationGaps

/// How a context settles the conflicts that a save finds: rows that changed behind its back, and objects that share the
/// values of a uniqueness constraint.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// ```
///
/// A save that meets conflicts asks the policy, validates what the policy changed, and tries again. A subclass may settle
/// some conflicts its own way, by setting values or deleting objects, and leave the rest to `super`.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    // Unchecked: a subclass may have state; its contexts call it on their queues.

    /// What the policy does with conflicts that no subclass settles.
    open internal(set) var mergeType: NSMergePolicyType

    /// A policy.
    public init(merge ty: NSMergePolicyType) { mergeType = ty }

    /// Fails the save with the conflicts: a context's policy unless another is set.
    open class var error: NSMergePolicy { Standard.error }
    /// Property by property; what both sides changed has the store's value.
    open class var mergeByPropertyStoreTrump: NSMergePolicy { Standard.storeTrump }
    /// Property by property; what both sides changed has the context's value.
    open class var mergeByPropertyObjectTrump: NSMergePolicy { Standard.objectTrump }
    /// Writes all of the context's object, changed or not.
    open class var overwrite: NSMergePolicy { Standard.overwrite }
    /// Gives the object's changes up.
    open class var rollback: NSMergePolicy { Standard.rollback }

    /// Settles conflicts of both kinds.
    ///
    /// - Parameter list: ``NSMergeConflict`` and ``NSConstraintConflict``.
    /// - Throws: What the save is to fail with; the error policy's `NSManagedObjectMergeError` (133020) or
    ///   `NSManagedObjectConstraintMergeError` (133021).
    open func resolve(mergeConflicts list: [Any]) throws {
        let rows = list.compactMap { $0 as? NSMergeConflict }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !rows.isEmpty { try resolve(optimisticLockingConflicts: rows) }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Settles conflicts between objects and rows that changed meanwhile.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        if mergeType == .errorMergePolicyType { throw SaveConflicts(rows: list).error }
        try NSManagedObjectContext.settle(list, by: mergeType)
    }

    /// Settles conflicts between objects of the same values in a uniqueness constraint.
    ///
    /// Where one is in the store: object trump makes the new object the stored one, with the values that were set on it, and
    /// those that it has of its own otherwise; overwrite does so with all its values. Store trump and rollback give the new
    /// object up for the stored one, which gets its members of to-many relationships. Among new objects the last one stays with the
    /// former, the first with the latter. What referred to the object that goes refers to the other then. An object that
    /// was in the store before, and whose change is the conflict, has the other one deleted, or takes its stored values again.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        if mergeType == .errorMergePolicyType { throw SaveConflicts(constraints: list).error }
        for conflict in list { try ConstraintSettlement(conflict, mergeType).run() }
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
public enum NSMergePolicyType: UInt, Sendable {
    case errorMergePolicyType = 0
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    case overwriteMergePolicyType = 3
    case rollbackMergePolicyType = 4

    /// Whether what the context has counts more than what the store has.
    var favoursObject: Bool {
        self == .mergeByPropertyObjectTrumpMergePolicyType || self == .overwriteMergePolicyType
    }
}

/// The same as `NSMergePolicy.error`.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// The same as `NSMergePolicy.mergeByPropertyStoreTrump`.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
/// The same as `NSMergePolicy.mergeByPropertyObjectTrump`.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
/// The same as `NSMergePolicy.overwrite`.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// The same as `NSMergePolicy.rollback`.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }

extension NSManagedObjectContext {
    /// See ``mergePolicy``.
    var policy: Any {
        get { conflictPolicy }
        set {
            guard let policy = newValue as? NSMergePolicy else {
                preconditionFailure(
                    "A context's mergePolicy has to be an NSMergePolicy, not a \(type(of: newValue)); use NSMergePolicy.mergeByPropertyObjectTrump or another."
                )
            }
            conflictPolicy = policy
        }
    }
}
