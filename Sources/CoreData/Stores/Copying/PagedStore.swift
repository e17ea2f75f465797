import Foundation

/// A store that another store's objects can be copied into page by page; it was opened with ``StoreCopyOption``.
///
/// Each call writes in one transaction, with the metadata where they were set. The same holds for
/// ``LoadingStore/makeLookupIndexes()`` and ``LoadingStore/finishLoading()``.
package protocol PagedStore: LoadingStore {
    /// Inserts rows that the store does not have, with all their values.
    func insert(_ page: CopiedPage) throws

    /// Adds members to relationships that have none. The objects on both sides are there.
    func addMembers(_ changes: [RowChange]) throws

    /// Keeps the store from giving the keys up to this one to new objects.
    func reserveKeys(upTo key: Int64, rootedAt root: EntityLayout) throws
}

/// A store that can be read for a long time in one state, whatever is written meanwhile.
package protocol SteadyStore: ObjectStore {
    /// Runs `body` with a reader of the state that the store has now.
    func steadily<R>(_ body: (any StoreReader) throws -> R) throws -> R
}

extension ObjectStore {
    /// Runs `body` with a reader of one state of the store, where the store can keep one.
    func readingSteadily<R>(_ body: (any StoreReader) throws -> R) throws -> R {
        if let steady = self as? any SteadyStore { return try steady.steadily(body) }
        return try body(self)
    }
}
