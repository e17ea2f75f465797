import FoundationGaps

/// Why the values of an object changed together; see `NSManagedObject.awake(fromSnapshotEvents:)`.
public struct NSSnapshotEventType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// A change was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// Changes since the last save were rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The values were brought up to date with the store.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy decided a conflict.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
