import CoreData
import Foundation
import PostgreSQLClient
import Synchronization

/// One state of a store, held by a transaction that sees what was committed when it began.
///
/// It has a connection of its own. As long as it is held, the server keeps old versions of rows, of all tables.
final class PostgreSQLHold: StoreHold, @unchecked Sendable {
    // Unchecked: what changes is under the lock.

    private let store: PostgreSQLStore
    fileprivate let session: PostgreSQLSession
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

    /// Lets the state go. A thread that reads it ends first.
    func end() {
        lock.withLock {
            connection?.close()
            connection = nil
        }
    }

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

    func hold() throws -> any StoreHold {
        let hold = try PostgreSQLHold(self)
        hold.session.holds.add(hold)
        return hold
    }
}

/// The held states of a session: they end with it.
final class PostgreSQLHolds: Sendable {
    private struct Member {
        weak var hold: PostgreSQLHold?
    }

    private let members = Mutex<[Member]?>([])

    /// Notes a hold; ends it where the session has been closed meanwhile.
    func add(_ hold: PostgreSQLHold) {
        let isOpen = members.withLock { members in
            members?.removeAll { $0.hold == nil }
            members?.append(Member(hold: hold))
            return members != nil
        }
        if !isOpen { hold.end() }
    }

    func endAll() {
        let ended = members.withLock { members in
            defer { members = nil }
            return (members ?? []).compactMap(\.hold)
        }
        for hold in ended { hold.end() }
    }
}
