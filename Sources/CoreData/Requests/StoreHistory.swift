import FoundationGaps

/// What a save or a batch tells persistent history of itself.
package struct ChangeOrigin: Sendable {
    /// ``NSManagedObjectContext/transactionAuthor``.
    package let author: String?
    /// The context's name.
    package let contextName: String?
}

/// What a save has for persistent history, beside what it writes.
package final class SaveHistory {
    package let origin: ChangeOrigin
    /// Objects whose to-many relationships changed, and whose own rows stay as they are.
    package let unwritten: RowChanges

    package init(origin: ChangeOrigin, unwritten: RowChanges) { (self.origin, self.unwritten) = (origin, unwritten) }
}

/// Which transactions of a store are wanted.
package enum HistoryRange: Equatable, Sendable {
    case all
    /// Those with a greater number.
    case afterNumber(Int64)
    /// Those with a later time, in seconds since 2001.
    case afterTime(Double)
    /// The last ones, of those with a lesser number where one is given.
    case last(Int, before: Int64?)
}

/// Up to which transaction history is to go away.
package enum HistoryLimit: Equatable, Sendable {
    /// Before the transaction with this number.
    case number(Int64)
    /// Before the first transaction from this time on, in seconds since 2001.
    case time(Double)
}

/// A transaction of a store, as its history has it.
package struct StoreTransaction: Sendable {
    package let number: Int64
    /// Seconds since 2001.
    package let time: Double
    package let author: String?
    package let bundleID: String?
    package let contextName: String?
    package let processID: String?
    /// In the order of their keys; empty where they are not wanted.
    package var changes: [StoreTransactionChange] = []

    package init(
        number: Int64, time: Double, author: String?, bundleID: String?, contextName: String?, processID: String?
    ) {
        (self.number, self.time) = (number, time)
        (self.author, self.bundleID, self.contextName, self.processID) = (author, bundleID, contextName, processID)
    }
}

/// The change of one object in a transaction.
package struct StoreTransactionChange: @unchecked Sendable {
    // Unchecked: the dictionary is never changed, and has Foundation's values.

    package let key: Int64
    package let kind: Kind
    package let object: ObjectReference
    /// The names of the properties that changed; nil for insertions and deletions.
    package let properties: [String]?
    /// The values of a deleted object that the model asks to keep.
    package let tombstone: NSDictionary?

    package init(
        key: Int64, kind: Kind, object: ObjectReference, properties: [String]?, tombstone: NSDictionary?
    ) {
        (self.key, self.kind, self.object) = (key, kind, object)
        (self.properties, self.tombstone) = (properties, tombstone)
    }

    /// Its numbers are Apple's.
    package enum Kind: Int64, Sendable {
        case insertion = 0
        case update = 1
        case deletion = 2
    }
}
