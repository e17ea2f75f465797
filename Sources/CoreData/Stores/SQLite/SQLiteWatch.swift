import Foundation

/// A look-out for commits to a database.
final class SQLiteWatch: StoreWatch {
    private let connection: SQLiteConnection
    private let version: Int64?

    init(_ url: URL) throws {
        connection = try SQLiteConnection(path: url.path, access: .readWrite)
        version = try Self.version(connection)
    }

    deinit { connection.close() }

    func end() throws -> Bool {
        defer { connection.close() }
        return try SQLiteFile.cocoa(URL(fileURLWithPath: connection.path)) { try Self.version(connection) == version }
    }

    /// A number that is another one for this connection when others have committed.
    private static func version(_ connection: SQLiteConnection) throws -> Int64? {
        // The first read looks at the file.
        _ = try connection.integer("PRAGMA schema_version")
        return try connection.integer("PRAGMA data_version")
    }
}
