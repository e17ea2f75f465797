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

extension HistoryStore {
    /// Makes sure that a reader which knows all up to a transaction can read what came after it.
    ///
    /// - Parameters:
    ///   - first: The number of the first transaction that is left; nil without any.
    ///   - last: The number of the newest transaction there ever was.
    ///   - name: The store in messages.
    /// - Throws: `NSPersistentHistoryTokenExpiredError` (134301).
    package func requireTransactions(after number: Int64, first: Int64?, last: Int64, of name: String) throws {
        let first = first ?? last + 1
        let reason: String
        if number > last {
            reason = "It has never come to transaction \(number); its last one is \(last)."
        } else if number < first - 1 {
            reason = "Transactions after \(number) were purged; the first one that is left is \(first)."
        } else {
            return
        }
        throw NSError.cocoa(
            NSPersistentHistoryTokenExpiredError,
            "The history of the store \(name) no longer has all changes since the token.",
            reason: reason + " Fetch the objects anew, and go on with the store's current token.",
            userInfo: [NSAffectedStoresErrorKey: [self]])
    }
}
