import CoreData
import PostgreSQLClient

/// Where a store is: a schema of a database.
struct PostgreSQLPlace: Sendable {
    private let url: PostgreSQLURL
    /// The schema with the store's tables.
    let schema: String
    /// For how many milliseconds a statement may run; nil if the server decides.
    var statementTimeout: Int32?
    /// What the URL says of a pooler.
    private let sessions: PostgreSQLConnection.Sessions

    /// - Parameter schema: The schema, if the URL names none.
    /// - Throws: 134080 for a URL that libpq does not understand.
    init(_ url: URL, schema: String = "public") throws {
        do { self.url = try PostgreSQLURL(url.absoluteString, options: ["schema", "pooler"]) } catch {
            throw NSError.cocoa(
                NSPersistentStoreOpenError, "The URL of the store is none of a PostgreSQL database.",
                reason: "It is like postgresql://user@host/database. \(error)")
        }
        self.schema = self.url.options["schema"] ?? schema
        sessions = try Self.sessions(self.url)
    }

    private static func sessions(_ url: PostgreSQLURL) throws -> PostgreSQLConnection.Sessions {
        guard let mode = url.options["pooler"] else { return .detected }
        if let sessions = PostgreSQLConnection.Sessions(rawValue: mode), sessions != .detected { return sessions }
        throw NSError.cocoa(
            NSPersistentStoreOpenError, "The URL of the store has the parameter pooler=\(mode).",
            reason: "It is the mode of the pooler that the URL leads to: `transaction` or `session`.")
    }

    /// The place for statements that may run as long as they need; nil where no statement has a limit.
    var withoutTimeout: PostgreSQLPlace? {
        if statementTimeout == nil { return nil }
        var place = self
        place.statementTimeout = nil
        return place
    }

    /// What tells the place from others: it has no password in it.
    var identity: [String] { url.identity + [schema] }

    /// The place in messages: without the password.
    var name: String { url.redacted }

    /// A URL of the place without the password.
    var shownURL: URL { URL(string: url.redacted) ?? URL(fileURLWithPath: "/") }

    /// The statements that make the schema.
    var schemaCreation: [String] {
        schema == "public" ? [] : ["CREATE SCHEMA IF NOT EXISTS \(PostgreSQLDialect().identifier(schema))"]
    }

    /// - Parameters:
    ///   - limit: The most connections; the pool's own limit if nil.
    ///   - isMapped: Whether the tables may have other types than the framework's.
    func pool(
        limit: Int? = nil, isMapped: Bool = false, _ change: (inout PostgreSQLPool.Options) -> Void = { _ in },
        prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in }
    ) -> PostgreSQLPool {
        var options = PostgreSQLPool.Options()
        options.connection = connectionOptions
        options.connection.tellsTypes = isMapped
        if let limit { options.limit = limit }
        change(&options)
        return PostgreSQLPool(url.connectionString, options: options, prepare: prepare)
    }

    /// A connection that no pool has.
    func connection() throws -> PostgreSQLConnection {
        try PostgreSQLConnection(url.connectionString, options: connectionOptions)
    }

    private var connectionOptions: PostgreSQLConnection.Options {
        var options = PostgreSQLConnection.Options()
        options.sessions = sessions
        options.settings["search_path"] = PostgreSQLDialect().identifier(schema)
        if let statementTimeout { options.settings["statement_timeout"] = "\(statementTimeout)ms" }
        return options
    }

    /// Runs `body` with a connection of its own.
    func connected<R>(isWriting: Bool = false, _ body: (PostgreSQLConnection) throws -> R) throws -> R {
        let pool = pool()
        defer { pool.close() }
        return try cocoa(isOpening: true, isWriting: isWriting) { try pool.withConnection(body) }
    }

    /// Looks at the metadata of the store that is there.
    func existing<R>(_ body: (PostgreSQLMetadata) throws -> R) throws -> R {
        guard let metadata = try connected({ try PostgreSQLMetadata.read($0) }) else { throw missing }
        return try body(metadata)
    }

    var taken: NSError {
        .cocoa(
            CocoaError.Code.fileWriteFileExists.rawValue,
            "There is a store in \(name) already; destroy it, or choose another place.")
    }

    var missing: NSError {
        .cocoa(
            CocoaError.Code.fileReadNoSuchFile.rawValue, "There is no store in \(name).",
            reason: "There is no such store.")
    }

    /// Runs `body`, with what the server reports as Cocoa errors.
    func cocoa<R>(isOpening: Bool = false, isWriting: Bool = false, _ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as PostgreSQLError {
            throw error.cocoaError(self, isOpening: isOpening, isWriting: isWriting)
        }
    }
}
