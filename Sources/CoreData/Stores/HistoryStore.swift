/// A store that records what is changed in it.
package protocol HistoryStore: ObjectStore {
    /// Whether changes are recorded now.
    var tracksHistory: Bool { get }

    /// Whether the store has recorded changes at some time: there is history to read, even in a read-only store.
    var hasHistory: Bool { get }

    /// The number of the newest transaction there ever was, or 0; a number that is gone is not used again.
    func lastTransaction() throws -> Int64

    /// The transactions of a range, by number. Changes of entities that the model lacks are left out.
    ///
    /// - Throws: `NSPersistentHistoryTokenExpiredError` (134301) where transactions of the range are gone, or the
    ///   store is an older copy that never came to the range's start.
    func transactions(_ range: HistoryRange, withChanges: Bool) throws -> [StoreTransaction]

    /// The numbers of the transactions up to one that this store object has written; they are told once.
    func takeOwnTransactions(upTo last: Int64) -> Set<Int64>

    /// Removes transactions with their changes.
    ///
    /// - Returns: How many transactions went.
    /// - Throws: 513 for a read-only store.
    func deleteHistory(before limit: HistoryLimit) throws -> Int
}
