import CoreData
import Foundation
import PostgreSQLClient
import Synchronization

/// What a store that records changes keeps for that.
final class PostgreSQLHistory: Sendable {
    private let keys = PostgreSQLKeys()
    private let texts = Mutex(Texts())
    /// The numbers of committed transactions, until they are asked for; nil as long as nothing asks for them.
    private let own = Mutex<Set<Int64>?>(nil)

    private struct Texts {
        var columns: [Int32: HistoryColumns] = [:]
        var deletions: [Int32: String] = [:]
    }

    /// An identifier for a new transaction.
    func identifier(_ connection: PostgreSQLConnection) throws -> Int64 {
        try keys.take(1, root: 0) {
            try PostgreSQLKeys.blocks($0, of: PostgreSQLHistoryTables.sequence, connection)
        }
    }

    func forgetKeys() { keys.forget() }

    func columns(of layout: EntityLayout) -> HistoryColumns {
        texts.withLock { texts in
            if let known = texts.columns[layout.number] { return known }
            let new = HistoryColumns(layout)
            texts.columns[layout.number] = new
            return new
        }
    }

    /// The statement that records deletions of an entity's rows, with values to keep; nil for an entity without any.
    func deletions(of layout: EntityLayout, _ schema: SQLSchema) -> String? {
        // Large values would make history large.
        let preserved = columns(of: layout).preserved.filter { !$0.isExternal }.compactMap { slot in
            schema.column(of: layout, slot: slot.index).map { (slot, $0) }
        }
        if preserved.isEmpty { return nil }
        return texts.withLock { texts in
            if let known = texts.deletions[layout.number] { return known }
            let text = PostgreSQLHistoryTables.deletions(
                from: schema.table(of: layout).name, preserving: preserved)
            texts.deletions[layout.number] = text
            return text
        }
    }

    // MARK: Transactions of this store object

    func noteCommit(_ number: Int64) { own.withLock { _ = $0?.insert(number) } }

    /// From now on the numbers of committed transactions are kept.
    func keepOwn() { own.withLock { $0 = $0 ?? [] } }

    /// See ``HistoryStore/takeOwnTransactions(upTo:)``.
    func takeOwn(upTo last: Int64) -> Set<Int64> {
        own.withLock { own in
            let taken = own?.filter { $0 <= last } ?? Set<Int64>()
            own?.subtract(taken)
            return taken
        }
    }
}
