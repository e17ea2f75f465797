import CSQLite
import CWriteAheadLog
import Foundation

/// One connection to a database, used by one thread at a time, with the statements that it has prepared.
package final class SQLiteConnection {
    /// What may be done with the file.
    package enum Access {
        case create, readWrite
        /// Reading beside writers.
        case readOnly
        /// Reading a file that no process writes: without locks, and without ever making a `-wal` or `-shm` file beside
        /// it.
        case immutable
    }

    let handle: OpaquePointer
    let path: String
    private var statements: [String: SQLiteStatement] = [:]
    /// What begins and ends a transaction that writes: every save needs it.
    private var brackets: (begin: SQLiteStatement, commit: SQLiteStatement)?
    private var isClosed = false
    private let timeout: Int32
    /// Gets each statement, if the user wants to read SQL.
    private(set) var debug: SQLDebug?
    private static let mostStatements = 256

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file; `/dev/null` stands for a database in memory, as it does at Apple.
    ///   - timeout: How many seconds to wait for a lock.
    /// - Throws: ``SQLiteError``.
    package init(path: String, access: Access, timeout: Double = 10) throws {
        self.path = path
        Self.prepareLibrary
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            Self.name(of: path, access), &handle, Self.flags(access), ConnectionFiles.name(access))
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
            let system = handle.map { sqlite3_system_errno($0) } ?? 0
            sqlite3_close_v2(handle)
            throw SQLiteError(code: extended, message: message, systemError: system)
        }
        self.handle = handle
        self.timeout = Int32(clamping: Int((timeout * 1000).rounded()))
        sqlite3_extended_result_codes(handle, 1)
        restoreTimeout()
        if let debug = SQLDebug.ifOn(path, access) { listen(debug) }
    }

    /// Reports each statement of the connection.
    func listen(_ debug: SQLDebug) {
        self.debug = debug
        debug.attach(to: handle)
    }

    /// Waits for locks as long as was asked for.
    func restoreTimeout() { sqlite3_busy_timeout(handle, timeout) }

    /// Runs `body` again and again while another connection has the lock, as long as was asked for: a statement that
    /// reads before it writes fails at once, since SQLite does not wait with a lock in its hand.
    func repeatingWhileLocked(_ body: () throws -> Void) throws {
        let end = Date(timeIntervalSinceNow: Double(timeout) / 1000)
        while true {
            do {
                return try body()
            } catch let error as SQLiteError where error.isLocked && Date() < end {
                usleep(2_000)
            }
        }
    }

    deinit { close() }

    /// SQLite's account of its memory takes a lock of the whole process at each allocation, of which an inserted row
    /// needs a dozen where the library is built without its own small ones. We never ask for it, and Apple's library is
    /// built without.
    private static let prepareLibrary: Void = { _ = coredata_sqlite3_disable_memory_statistics() }()

    /// Closes the database; no call may follow.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        statements.removeAll()
        brackets = nil
        // Statements that others hold still keep the handle: SQLite closes it with the last of them.
        sqlite3_close_v2(handle)
    }

    private static func name(of path: String, _ access: Access) -> String {
        if path == "/dev/null" { return ":memory:" }
        guard access == .immutable else { return path }
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%")
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path) + "?immutable=1"
    }

    private static func flags(_ access: Access) -> Int32 {
        // Calls come one at a time, under the coordinator's lock: SQLite's own mutexes would cost without use.
        switch access {
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        }
    }

    // MARK: Statements

    /// A statement that is kept for its next use.
    package func statement(_ sql: String) throws -> SQLiteStatement {
        if let known = statements[sql] { return known }
        let statement = try SQLiteStatement(sql, on: self)
        // An app that makes ever new shapes must not fill its memory with them. Code that uses a statement keeps it.
        if statements.count >= Self.mostStatements { statements.removeAll() }
        statements[sql] = statement
        return statement
    }

    /// Runs statements that take no values and yield no rows.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(sql: sql) }
    }

    /// The first column of the first row as an integer, or nil without a row.
    package func integer(_ sql: String) throws -> Int64? {
        let statement = try SQLiteStatement(sql, on: self)
        return try statement.step() ? statement.int(0) : nil
    }

    /// The first column of the first row as text, or nil without a row.
    func text(_ sql: String) throws -> String? {
        let statement = try SQLiteStatement(sql, on: self)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Whether the library has `json_each`, which releases before 3.38 have only where it was compiled in. Without it,
    /// and where that can't be found out, lists are written in other ways.
    private(set) lazy var hasJSON = (try? integer("SELECT count(*) FROM json_each('[1]')")) == 1

    /// Whether the file has its texts in UTF-8, as almost all do. Where that can't be found out, SQLite is asked to
    /// make it UTF-8, which is right for any encoding.
    private(set) lazy var isUTF8 = (try? text("PRAGMA encoding")) == "UTF-8"

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Whether the file was removed, or got another name, since it was opened.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// What just failed.
    func error(sql: String? = nil) -> SQLiteError {
        SQLiteError(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), sql: sql,
            systemError: sqlite3_system_errno(handle))
    }

    // MARK: Transactions

    /// Runs `body` in a transaction that holds the write lock from its start; any error undoes all of it.
    func write<R>(_ body: () throws -> R) throws -> R {
        let (begin, commit) = try writingBrackets()
        try begin.run()
        do {
            let result = try body()
            try commit.run()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    private func writingBrackets() throws -> (begin: SQLiteStatement, commit: SQLiteStatement) {
        if let brackets { return brackets }
        let new = (
            begin: try SQLiteStatement("BEGIN IMMEDIATE", on: self), commit: try SQLiteStatement("COMMIT", on: self)
        )
        brackets = new
        return new
    }

    /// Runs `body` in a transaction in which all reads see the same state.
    func read<R>(_ body: () throws -> R) throws -> R {
        if isInTransaction { return try body() }
        try statement("BEGIN").run()
        do {
            let result = try body()
            try statement("COMMIT").run()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Forces all that was committed to the disk. A commit alone is there after the next checkpoint, unless every one
    /// is forced (`PRAGMA synchronous`).
    ///
    /// - Throws: ``SQLiteError``; a Cocoa error where the file's folder can't be forced to the disk, from which a
    ///   rollback journal was removed.
    func synchronizeCommits() throws {
        let code = coredata_sqlite3_synchronize_journal(handle)
        if code != SQLITE_OK { throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code))) }
        try DurableFile.synchronizeFolder(of: SQLiteFile.place(of: URL(fileURLWithPath: path)))
    }

    /// Some failures have already ended the transaction; then there is nothing left to undo.
    private func rollback() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}

extension String {
    /// The name as SQL text takes it, quoted, so that no name from a model or a store can end it.
    package var quotedForSQL: String { "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
}

/// The files that a connection reads and writes through.
private enum ConnectionFiles {
    /// Files that write a small save by one call of the system. Nil where they can't be had; see
    /// `coredata_register_write_ahead_files`.
    ///
    /// C made the name, which lives as long as the process; it is unchecked, since nothing ever writes it.
    private nonisolated(unsafe) static let collecting = coredata_register_write_ahead_files()

    /// The name of the files for a connection; nil: SQLite's own. One that only reads needs no others.
    static func name(_ access: SQLiteConnection.Access) -> UnsafePointer<CChar>? {
        switch access {
        case .create, .readWrite: collecting
        case .readOnly, .immutable: nil
        }
    }
}
