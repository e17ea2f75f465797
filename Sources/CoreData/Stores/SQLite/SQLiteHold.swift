import Foundation

/// One state of a store's file, held by a read transaction whatever is written meanwhile.
///
/// It has a connection of its own. As long as it is held, the file's log can't be begun anew, and grows with every
/// save.
final class SQLiteHold: StoreHold {
    /// Orders the holds of a store by their beginning.
    let number: Int
    private let store: SQLiteStore
    private let lock = NSRecursiveLock()
    /// Nil when the hold has ended.
    private var session: SQLiteSession?

    fileprivate init(_ store: SQLiteStore, number: Int, session: SQLiteSession) {
        (self.store, self.number, self.session) = (store, number, session)
    }

    deinit { end() }

    /// Takes the state that the file has now.
    fileprivate func begin() throws {
        try lock.measured {
            guard let session else { throw HoldHasEnded() }
            try store.cocoa {
                try session.connection.execute("BEGIN")
                // A transaction sees from its first read on what was committed by then.
                _ = try session.connection.integer("SELECT count(*) FROM sqlite_master")
            }
        }
    }

    var hasEnded: Bool { lock.measured { session == nil } }

    func reading<R>(_ body: (any StoreReader) throws -> R) throws -> R {
        try lock.measured {
            guard let session else { throw HoldHasEnded() }
            return try body(session)
        }
    }

    /// Lets the state go.
    func end() { lock.measured { giveUp() } }

    /// Ends the hold unless a thread reads the state at the moment.
    ///
    /// - Returns: Whether it is gone.
    func endIfIdle() -> Bool {
        guard lock.`try`() else { return false }
        defer { lock.unlock() }
        giveUp()
        return true
    }

    private func giveUp() {
        guard let session else { return }
        self.session = nil
        // A transaction that only reads can always be given up.
        if session.connection.isInTransaction { try? session.connection.execute("ROLLBACK") }
        store.forget(self)
        store.readers.adopt(session)
    }
}

extension SQLiteStore: HoldingStore {
    var canHold: Bool { readers.areOpen }

    static let needsForHolding =
        "They need a write-ahead log, and connections to read by: an SQLite file in the journal mode WAL that is not read-only."

    func hold() throws -> any StoreHold {
        let session = try cocoa { try readers.detach() }
        let hold = SQLiteHold(self, number: holds.nextNumber(), session: session)
        holds.add(hold)
        try hold.begin()
        return hold
    }

    /// Removes what was only kept for a hold. A file that can't be removed does no harm.
    fileprivate func forget(_ hold: SQLiteHold) {
        for file in holds.remove(hold) { try? FileManager.default.removeItem(at: file) }
    }
}

/// The held states of one store, and the files that are only kept for them.
final class SQLiteHolds: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private struct Member {
        weak var hold: SQLiteHold?
        let number: Int
    }

    private let lock = NSLock()
    private var last = 0
    private var members: [Member] = []
    /// Files of values that rows had which some holds still see: those with lower numbers.
    private var postponed: [(number: Int, files: [URL])] = []

    func nextNumber() -> Int {
        lock.withLock {
            last += 1
            return last
        }
    }

    func add(_ hold: SQLiteHold) { lock.withLock { members.append(Member(hold: hold, number: hold.number)) } }

    /// - Returns: The files that no held state needs any longer.
    func remove(_ hold: SQLiteHold) -> [URL] {
        lock.withLock {
            members.removeAll { $0.number == hold.number }
            let oldest = members.map(\.number).min() ?? .max
            let free = postponed.filter { $0.number < oldest }.flatMap(\.files)
            postponed.removeAll { $0.number < oldest }
            return free
        }
    }

    /// Keeps files until the holds that there are have ended.
    ///
    /// - Returns: False if there are none.
    func postpone(_ files: [URL]) -> Bool {
        lock.withLock {
            guard !members.isEmpty else { return false }
            postponed.append((last, files))
            return true
        }
    }

    var all: [SQLiteHold] { lock.withLock { members.compactMap(\.hold) } }
    var isEmpty: Bool { lock.withLock { members.isEmpty } }
}
