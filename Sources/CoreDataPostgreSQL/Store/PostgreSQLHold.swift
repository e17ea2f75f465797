import CoreData
import Foundation
import PostgreSQLClient

/// One state of a store, held by a transaction that sees what was committed when it began.
///
/// It has a connection of its own. As long as it is held, the server keeps old versions of rows, of all tables.
final class PostgreSQLHold: StoreHold {
    private let store: PostgreSQLStore
    private let session: PostgreSQLSession
    private let lock = NSRecursiveLock()
    /// Nil when the hold has ended.
    private var connection: PostgreSQLConnection?

    fileprivate init(_ store: PostgreSQLStore) throws {
        (self.store, session) = (store, store.session)
        let connection = try session.place.cocoa { try session.place.connection() }
        self.connection = connection
        try session.place.cocoa {
            try connection.beginTransaction(isolation: .repeatableRead, readOnly: true)
            // A transaction sees what was committed by its first read.
            try connection.execute("SELECT 1")
        }
        // A context that leaves the state reads nothing older.
        session.replicas?.freshness.noteCommit()
    }

    deinit { connection?.close() }

    var hasEnded: Bool { lock.withLock { connection?.isOpen() != true } }

    func reading<R>(_ body: (any StoreReader) throws -> R) throws -> R {
        try lock.withLock {
            guard let connection else { throw HoldHasEnded() }
            do { return try body(store.reader(connection, session)) } catch let error as PostgreSQLError {
                // The server has ended the transaction, and with it the state.
                self.connection = nil
                connection.close()
                if error.isConnectionLost { throw HoldHasEnded() }
                throw error.cocoaError(session.place)
            }
        }
    }
}

extension PostgreSQLStore: HoldingStore {
    var canHold: Bool { true }

    static let needsForHolding = "They need a connection each."

    func hold() throws -> any StoreHold { try PostgreSQLHold(self) }
}
