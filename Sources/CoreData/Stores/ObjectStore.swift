import FoundationGaps

/// What can be read of a store, or of one state of it.
package protocol StoreReader {
    /// Runs a fetch.
    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult

    /// The dictionaries of several stores, in a way of this store's kind; nil where there is none, or not for all of
    /// the others.
    ///
    /// - Parameter readers: All stores, this one among them.
    func mergedDictionaries(
        _ fetch: StoreFetch, of readers: [any StoreReader], _ layouts: ModelLayout,
        objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) throws -> [NSDictionary]?

    /// Turns the raw bytes of an attribute with external storage into its data, reading a file where they name one.
    func externalData(_ raw: Data) throws -> Data?

    /// The row with this key in one entity tree, retained once for the caller; nil if there is none.
    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>?

    /// The rows with these keys, all different, in one entity tree, in any order; keys without a row are left out.
    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot]

    /// Parts of the rows with these keys, in any order; keys without a row are left out.
    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot]

    /// The members of a to-many relationship, in their order where it is ordered, else by key.
    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference]

    /// The members of a to-many relationship of many objects, each source's in their order.
    ///
    /// - Parameters:
    ///   - sources: The keys of objects of one entity tree.
    ///   - layout: The entity that declares the relationship.
    ///   - slot: The relationship.
    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers
}

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

    /// Whether metadata were set that are not saved yet. Asked without the lock, too.
    var hasUnsavedMetadata: Bool { get }

    /// Goes on with the store at another place, and closes this one. A store in memory only takes the URL.
    ///
    /// - Throws: What opening throws; the store is then as it was.
    func reopen(at url: URL, model: StoreModel) throws

    /// Lets go of the file. Nothing is asked of the store afterwards.
    func close() throws
}

extension StoreReader {
    package func mergedDictionaries(
        _ fetch: StoreFetch, of readers: [any StoreReader], _ layouts: ModelLayout,
        objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) throws -> [NSDictionary]? { nil }
}

/// A store was asked that has been closed, or that is being moved.
package struct StoreIsClosed: Error {
    package init() {}
}
