import FoundationGaps

/// Why the values of an object changed together; see ``NSManagedObject/awake(fromSnapshotEvents:)``.
///
/// ```swift
/// let flags: NSSnapshotEventType = [.undoDeletion, .undoUpdate]
/// if !flags.isDisjoint(with: [.undoInsertion, .undoDeletion, .undoUpdate]) { print("undo or redo") }
/// ```
///
/// One call may have several flags.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The bits of the flags.
    public let rawValue: UInt
    /// Makes flags of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Undo or redo takes the object out of the context. If it was saved, it is deleted.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// Undo or redo brings a deleted object back.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// Undo or redo changes values of the object. After a deletion was undone, it comes together with ``undoDeletion``.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// ``NSManagedObjectContext/rollback()`` dropped the changes. Objects that stay in the context get it.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// A refresh that keeps changes, or a merge, took values from the store.
    ///
    /// Objects that are faults do not get it: ``NSManagedObject/awakeFromFetch()`` is called when they fire.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A standard merge policy settled a conflict of the object. Its values may be those of the store now.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
