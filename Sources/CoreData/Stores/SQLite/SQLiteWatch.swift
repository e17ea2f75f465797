import CSQLite
import Foundation

/// A look-out for commits to a database.
final class SQLiteWatch: StoreWatch {
    private let connection: SQLiteConnection
    private let hasLog: Bool
    private let version: Int64

    init(_ url: URL) throws {
        connection = try SQLiteConnection(path: url.path, access: .readWrite)
        hasLog = try connection.text("PRAGMA journal_mode") == "wal"
        version = try Self.version(connection, hasLog: hasLog)
    }

    deinit { connection.close() }

    var isQuiet: Bool {
        get throws {
            try SQLiteFile.cocoa(URL(fileURLWithPath: connection.path)) {
                try Self.version(connection, hasLog: hasLog) == version
            }
        }
    }

    /// A number that is another one when others have committed.
    ///
    /// With a log the connection reads beside one that has the database locked.
    private static func version(_ connection: SQLiteConnection, hasLog: Bool) throws -> Int64 {
        guard hasLog else {
            let counter = coredata_change_counter(connection.handle)
            guard counter >= 0 else { throw SQLiteError(code: SQLITE_IOERR, message: "the header can't be read") }
            return counter
        }
        return try connection.dataVersion()
    }
}

extension SQLiteConnection {
    /// A number that is another one for this connection when others have committed to a database with a log.
    func dataVersion() throws -> Int64 {
        // The first read looks at the file.
        _ = try integer("PRAGMA schema_version")
        return try integer("PRAGMA data_version") ?? 0
    }
}
