import FoundationGaps

/// What the runtime asks of a store that works row by row (SQLite; PostgreSQL and the atomic stores speak it too).
///
/// Reads (``fetch(_:)``, ``row(rootedAt:key:)``, ``rows(rootedAt:keys:)``, ``rows(_:keys:)``, ``members(of:slot:)``,
/// ``members(ofAll:in:slot:)``, ``externalData(_:)``) may come from many threads at a time, and while something is
/// written. A store that can't do both lets them wait, by the lock in ``writeLock``. All other calls come under that
/// lock, one at a time. Snapshots that go out are immutable.
package protocol ObjectStore: NSPersistentStore, StoreReader {
    /// The lock that a thread holds while it changes the store: a coordinator puts its own here before it uses the
    /// store.
    var writeLock: NSRecursiveLock { get set }

    /// The layouts of the model that the store was opened with.
    var layouts: ModelLayout { get }

    /// Hands out `count` successive keys in the entity's tree and returns the first.
    func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64

    /// Writes everything in one transaction, or nothing, and the store's metadata where they were set.
    ///
    /// - Parameters:
    ///   - changes: What to write.
    ///   - willCommit: Called when everything is written but not yet committed; where it throws, nothing is.
    /// - Returns: The new snapshots of inserted and updated rows, in the order of `changes.inserts + changes.updates`;
    ///   then those of other rows that the store itself changed on the way, as triggers of derived attributes do.
    /// - Throws: `NSFileWriteNoPermissionError` (513) for a read-only store; ``StoreConflicts`` where rows changed or
    ///   vanished behind our back or a constraint is violated; CocoaError codes for what SQLite reports.
    func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot]

    /// Does as ``save(_:willCommit:)`` where nothing has to happen between writing and committing. A store may do both
    /// at once.
    func save(_ changes: StoreChanges) throws -> [RowSnapshot]

    /// Whether metadata were set that are not saved yet. Asked without the lock, too.
    var hasUnsavedMetadata: Bool { get }

    /// Goes on with the store at another place, and closes this one. A store in memory only takes the URL.
    ///
    /// - Throws: What opening throws; the store is then as it was.
    func reopen(at url: URL, model: StoreModel) throws

    /// Lets go of the file. Nothing is asked of the store afterwards.
    func close() throws
}

extension ObjectStore {
    package func save(_ changes: StoreChanges) throws -> [RowSnapshot] { try save(changes, willCommit: {}) }
}

/// A store was asked that has been closed, or that is being moved.
package struct StoreIsClosed: Error {
    package init() {}
}
