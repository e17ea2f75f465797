import CSQLite
import Foundation

/// Keeps a store's write-ahead log from growing without end.
///
/// SQLite writes the log back into the file by itself, and begins it anew when no connection reads from it. Where reads
/// follow one another without a pause, or a state is held, that never comes; so after a save that left a long log the
/// writer sees to it.
struct SQLiteLog {
    private let path: String
    /// From this size on the log is put away as soon as no state is held.
    private let tidySize: Int
    /// From this size on states are held no longer.
    private let greatestSize: Int
    /// The size at which it is worth trying again.
    private var nextSize = 0
    /// How much may be written before the size has to be looked at: the file system is not asked at each save.
    private var room = 0
    private let pageSize: Int

    /// What a log may grow to for the sake of held states, unless the pragma `journal_size_limit` says otherwise: 256
    /// MB.
    static let standardLimit = 256 << 20

    /// - Parameters:
    ///   - store: The store's file.
    ///   - limit: What the log may grow to; nil: the standard limit.
    init(of store: URL, limit: Int?, pageSize: Int) {
        path = SQLiteFile.place(of: store).path + "-wal"
        self.pageSize = pageSize
        greatestSize = limit ?? Self.standardLimit
        tidySize = min(64 << 20, greatestSize)
    }

    /// After a commit by the writer's connection.
    mutating func tidy(_ connection: SQLiteConnection, _ holds: SQLiteHolds, _ readers: SQLiteReaders) {
        room -= written(by: connection)
        guard room <= 0 else { return }
        let size = Self.size(path)
        // Others may be writing too: after some saves the size is looked at in any case.
        room = min(max(tidySize, nextSize) - size, 1 << 20)
        guard size > max(tidySize, nextSize) else { return }
        if !holds.isEmpty {
            guard size > greatestSize else { return }
            // A thread that reads a state at the moment keeps it until the next save.
            for hold in holds.all { _ = hold.endIfIdle() }
        }
        // Waits for readers, a moment; none waits for it.
        sqlite3_busy_timeout(connection.handle, 50)
        let code = readers.withoutTransactions {
            sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        }
        connection.restoreTimeout()
        nextSize = code == SQLITE_OK ? 0 : size + 4 << 20
    }

    /// How much the connection has written to the log since it was asked for the last time.
    private mutating func written(by connection: SQLiteConnection) -> Int {
        var (pages, most): (Int32, Int32) = (0, 0)
        sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &most, 1)
        // Each page has a header of 24 bytes in the log.
        return Int(pages) * (pageSize + 24)
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
