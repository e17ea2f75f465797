import FoundationGaps

/// A transaction as it was read, for the objects that show it and its changes.
final class HistoryRecord {
    /// The UUID of the store.
    let storeID: String
    let transaction: StoreTransaction
    /// The changes that belong to the result; nil where none were wanted.
    let changes: [Change]?

    /// A change, with the ID of its object.
    struct Change {
        let stored: StoreTransactionChange
        let objectID: NSManagedObjectID
    }

    init(storeID: String, transaction: StoreTransaction, changes: [Change]?) {
        (self.storeID, self.transaction, self.changes) = (storeID, transaction, changes)
    }

    /// The same transaction with some of its changes.
    func with(_ changes: [Change]) -> HistoryRecord {
        HistoryRecord(storeID: storeID, transaction: transaction, changes: changes)
    }

    var withoutChanges: HistoryRecord {
        changes == nil ? self : HistoryRecord(storeID: storeID, transaction: transaction, changes: nil)
    }
}
