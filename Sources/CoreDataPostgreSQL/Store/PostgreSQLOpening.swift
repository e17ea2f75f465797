import CoreData
import PostgreSQLClient

/// One attempt to open or make a store.
struct PostgreSQLOpening {
    private let model: StoreModel
    private let place: PostgreSQLPlace
    private let isReadOnly: Bool
    private let ignoresVersion: Bool
    /// The most connections, if the app sets it.
    private let poolLimit: Int?
    /// For how many seconds statements wait for other transactions, if the app sets it. Else the server decides.
    private let timeout: Double?
    /// Whether the store is to be made: one that is there is another one's.
    private let mustBeNew: Bool
    private let tracksHistory: Bool
    /// Whether the app wants an index for full-text search.
    private let keepsSearchIndexes: Bool
    private let servers: PostgreSQLServers
    private let options: [AnyHashable: Any]?
    /// The UUID of the source, where the store is the destination of a copy; see `StoreCopyOption`.
    private let copySource: String?

    struct Result {
        let session: PostgreSQLSession
        let metadata: PostgreSQLMetadata
    }

    init(model: StoreModel, url: URL, options: [AnyHashable: Any]?, mustBeNew: Bool = false) throws {
        let isLoading = (options?[StoreLoadingOption] as? NSNumber)?.boolValue ?? false
        (self.model, self.mustBeNew, self.options) = (model, mustBeNew || isLoading, options)
        copySource = UnfinishedCopy.source(in: options)
        var place = try PostgreSQLPlace(url)
        place.statementTimeout = try Self.statementTimeout(options)
        self.place = place
        tracksHistory = StoreOptions.tracksHistory(options)
        keepsSearchIndexes = try copySource == nil && StoreOptions.keepsSearchIndexes(options)
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        ignoresVersion = (options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue ?? false
        poolLimit = try Self.poolLimit(options)
        timeout = options?[NSPersistentStoreTimeoutOption] == nil ? nil : StoreOptions.timeout(options)
        servers = try PostgreSQLServers(options, place)
    }

    /// - Throws: 134080 for a value that is no number above 0.
    private static func statementTimeout(_ options: [AnyHashable: Any]?) throws -> Int32? {
        guard let value = options?[NSPostgreSQLStatementTimeoutOption] else { return nil }
        let seconds = (value as? NSNumber)?.doubleValue ?? value as? Double ?? (value as? Int).map { Double($0) } ?? 0
        if seconds > 0 { return milliseconds(seconds) }
        throw NSError.cocoa(
            NSPersistentStoreOpenError,
            "The option NSPostgreSQLStatementTimeoutOption of a PostgreSQL store is a number of seconds above 0, not \(value)."
        )
    }

    /// A time that the server takes: 0 would be without end there.
    private static func milliseconds(_ seconds: Double) -> Int32 {
        // What is no number is not greater, either.
        seconds > 0 ? Int32(max(1, min(seconds * 1_000, Double(Int32.max)))) : 1
    }

    /// - Throws: 134080 for a value that is no number of connections.
    private static func poolLimit(_ options: [AnyHashable: Any]?) throws -> Int? {
        guard let value = options?[NSPersistentStoreConnectionPoolMaxSizeKey] else { return nil }
        if let limit = (value as? NSNumber)?.intValue ?? value as? Int, limit > 0 { return limit }
        throw NSError.cocoa(
            NSPersistentStoreOpenError,
            "The option NSPersistentStoreConnectionPoolMaxSizeKey of a PostgreSQL store is 1 or more, not \(value).")
    }

    func open() throws -> Result {
        let names = try PostgreSQLNames(model)
        let pool = place.pool(limit: poolLimit, isMapped: names.isMapped) { options in
            if let timeout { options.connection.settings["lock_timeout"] = "\(Self.milliseconds(timeout))ms" }
        }
        do {
            return try place.cocoa(isOpening: true) {
                try pool.withConnection { connection in
                    let (metadata, schema) = try content(connection)
                    let session = PostgreSQLSession(
                        pool: pool, schema: try searched(schema, names, connection), place: place,
                        hasHistory: try prepareHistory(connection),
                        replicas: servers.replicas(of: metadata.identifier, limit: poolLimit, isMapped: names.isMapped),
                        direct: servers.direct, mapping: names.isMapped ? try PostgreSQLMapping(names, schema) : nil)
                    return Result(session: session, metadata: metadata)
                }
            }
        } catch {
            pool.close()
            throw error
        }
    }

    private func content(_ connection: PostgreSQLConnection) throws -> (PostgreSQLMetadata, SQLSchema) {
        if let found = try stored(connection) { return found }
        if isReadOnly { throw place.missing }
        do { return try create(connection) } catch let error as PostgreSQLError where error.isDuplicateObject {
            // Another process has made the store meanwhile.
            if let found = try stored(connection) { return found }
            throw error
        }
    }

    private func stored(_ connection: PostgreSQLConnection) throws -> (PostgreSQLMetadata, SQLSchema)? {
        guard let metadata = try PostgreSQLMetadata.read(connection) else { return nil }
        guard !mustBeNew else { throw place.taken }
        try UnfinishedCopy.check(metadata.values, place.name, options)
        if !ignoresVersion { try model.check(metadata.published, path: place.name, isReadOnly: isReadOnly) }
        try makeFunctions(connection)
        let names = try PostgreSQLNames(model)
        let numbers = try PostgreSQLMetadata.entities(connection)
        if metadata.values[NSStoreModelVersionHashesKey] as? [String: Data] != model.hashes, ignoresVersion {
            return try adopted(metadata, names, numbers, connection)
        }
        try check(names, schema(names, .none, numbers: numbers), connection)
        let stamps = try stamps(names, numbers, connection)
        return (metadata, schema(names, stamps, numbers: numbers))
    }

    /// A store that another version of the model made, and that is the model's from now on. One that is only read stays
    /// what it is.
    private func adopted(
        _ metadata: PostgreSQLMetadata, _ names: PostgreSQLNames, _ numbers: [String: Int64],
        _ connection: PostgreSQLConnection
    ) throws -> (PostgreSQLMetadata, SQLSchema) {
        let stored = try PostgreSQLMetadata.names(connection)
        try stored.checkOwner(names)
        for entity in names.distributions.keys.sorted() {
            try stored.checkDistribution(of: entity, becoming: entity, in: names)
        }
        let adoption = try PostgreSQLAdoption(connection, place)
        if isReadOnly {
            let stamps = try stamps(names, numbers, connection)
            return (metadata, adoption.fitted(schema(names, stamps, numbers: numbers)))
        }
        let adopted = try adoption.adopt(model, names, schema(names, .none, numbers: numbers))
        return (adopted, schema(names, try stamps(names, numbers, connection), numbers: numbers))
    }

    /// The stamps of large values that the store has, or gets.
    private func stamps(
        _ names: PostgreSQLNames, _ numbers: [String: Int64], _ connection: PostgreSQLConnection
    ) throws -> PostgreSQLStamps {
        if names.isMapped { return .none }
        if isReadOnly { return try PostgreSQLStamps(connection) }
        return try PostgreSQLStampMaker(connection: connection).make(schema(names, .all, numbers: numbers))
    }

    /// Makes the tables of persistent history, if changes are to be recorded.
    ///
    /// - Returns: Whether the store has them.
    private func prepareHistory(_ connection: PostgreSQLConnection) throws -> Bool {
        if try connection.execute(PostgreSQLHistoryTables.check).bool(0, 0) == true { return true }
        guard tracksHistory, !isReadOnly else { return false }
        try connection.transaction {
            // Other processes that make the tables wait here.
            try connection.execute(PostgreSQLMetadata.lock)
            for statement in PostgreSQLHistoryTables.creation { try connection.execute(statement) }
        }
        return true
    }

    /// The schema with the indexes for full-text search that the store has.
    ///
    /// - Throws: 134020 for an index of tables that another program has made, and for a mark that can't be kept.
    private func searched(
        _ schema: SQLSchema, _ names: PostgreSQLNames, _ connection: PostgreSQLConnection
    ) throws -> SQLSchema {
        if keepsSearchIndexes, !isReadOnly {
            guard !names.isMapped else {
                throw PostgreSQLNames.refusal("Tables that another program has made get no index for full-text search.")
            }
            try PostgreSQLSearchIndexes(schema, connection).keep()
        }
        // A search says what is wrong with the model's marks, if something is.
        guard let indexes = try? PostgreSQLSearchIndexes(schema, connection) else { return schema.searching([]) }
        return schema.searching(try indexes.current())
    }

    private func schema(
        _ names: PostgreSQLNames, _ stamps: PostgreSQLStamps, numbers: [String: Int64]? = nil
    ) -> SQLSchema {
        .derived(from: model.layouts, entities: model.entities, naming: names.naming(stamps), numbers: numbers)
    }

    /// Makes sure that the store was made with the names of the model.
    ///
    /// Views over another program's tables are made anew where the model has other names now.
    private func check(_ names: PostgreSQLNames, _ schema: SQLSchema, _ connection: PostgreSQLConnection) throws {
        let stored = try PostgreSQLMetadata.names(connection)
        guard names.isMapped, stored.isMapped, names != stored, !isReadOnly else {
            return try names.check(madeWith: stored)
        }
        try connection.transaction {
            try connection.execute(PostgreSQLMetadata.lock)
            try PostgreSQLViews(connection: connection).replace(names, schema)
            try PostgreSQLMetadata.write(model: model.archive(), names, connection)
        }
    }

    /// Makes the functions that statements call, where the database has none, or those of an older version.
    ///
    /// Those of a newer version stay: see ``PostgreSQLFunctions/version``.
    ///
    /// - Throws: 257 where the role may not make them; 134080 with the server's reason.
    private func makeFunctions(_ connection: PostgreSQLConnection) throws {
        if try isReadOnly || hasFunctions(connection) { return }
        do {
            try connection.transaction {
                try connection.execute(PostgreSQLFunctions.lock)
                // Another process may have made them meanwhile.
                if try hasFunctions(connection) { return }
                for statement in PostgreSQLFunctions.creation { try connection.execute(statement) }
            }
        } catch let error as PostgreSQLError where error.sqlState == "42501" {
            throw lacksFunctions(error)
        }
        guard try connection.execute(PostgreSQLFunctions.languageQuery).int(0, 0) == 0 else { return }
        NSManagedObjectModel.warn(
            "The server of \(place.name) has no ICU: texts are ordered byte by byte there, and only ASCII has cases.")
    }

    private func hasFunctions(_ connection: PostgreSQLConnection) throws -> Bool {
        let found = try connection.execute(PostgreSQLFunctions.versionQuery).int64(0, 0) ?? 0
        return found >= PostgreSQLFunctions.version
    }

    private func lacksFunctions(_ error: PostgreSQLError) -> NSError {
        .cocoa(
            CocoaError.Code.fileReadNoPermission.rawValue,
            "The database \(place.name) lacks functions of the schema coredata, and the role may not make them.",
            reason: "Open the store once as the owner of the schema coredata, or of the database: \(error.message).",
            userInfo: [NSUnderlyingErrorKey: error, NSPostgreSQLStateErrorKey: "42501"])
    }

    /// Makes all tables in one transaction.
    private func create(_ connection: PostgreSQLConnection) throws -> (PostgreSQLMetadata, SQLSchema) {
        let names = try PostgreSQLNames(model)
        let schema = schema(names, .all)
        try names.check(schema)
        var values = model.metadata(type: NSPostgreSQLStoreType)
        if let copySource { values.merge(UnfinishedCopy.beginning(of: copySource)) { $1 } }
        let metadata = PostgreSQLMetadata(identifier: UUID().uuidString, values: values)
        let archive = try model.archive()
        try makeFunctions(connection)
        try connection.transaction {
            for statement in place.schemaCreation + PostgreSQLCreation.ownTables { try connection.execute(statement) }
            try makeTables(names, schema, connection)
            try PostgreSQLMetadata.insertEntities(of: schema, connection)
            try PostgreSQLMetadata.insertTables(of: schema, connection)
            try metadata.insert(model: archive, names, connection)
        }
        return (metadata, schema)
    }

    /// Makes what has the rows of entities.
    private func makeTables(
        _ names: PostgreSQLNames, _ schema: SQLSchema, _ connection: PostgreSQLConnection
    ) throws {
        if names.isMapped {
            guard copySource == nil else {
                throw PostgreSQLNames.refusal("A store can’t be copied into tables that another program has made.")
            }
            return try PostgreSQLViews(connection: connection).make(names, schema)
        }
        let creation = PostgreSQLCreation(schema)
        // Rows come faster into tables without indexes, and a copied to-one may lead to a row that comes later.
        let statements = copySource == nil ? try creation.statements : creation.tableStatements
        for statement in statements { try connection.execute(statement) }
    }
}

/// Removes the tables of a store.
struct PostgreSQLRemoval {
    private let connection: PostgreSQLConnection
    private static let ownTables =
        PostgreSQLHistoryTables.names
        + [
            "_coredata_trigger_notes", "_coredata_clients", "_coredata_tables", "_coredata_entities", "_coredata",
        ]

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    func run() throws {
        let tables = try PostgreSQLMetadata.tables(connection)
        let isMapped = try PostgreSQLMetadata.names(connection).isMapped
        try connection.transaction {
            if isMapped { try PostgreSQLViews(connection: connection).remove() }
            for text in PostgreSQLSearchIndexes.removal(of: try PostgreSQLSearchIndexes.tables(connection)) {
                try connection.execute(text)
            }
            let names = (isMapped ? [] : tables) + Self.ownTables
            let dialect = PostgreSQLDialect()
            let functions = try triggerFunctions(of: names)
            for name in names { try connection.execute("DROP TABLE IF EXISTS \(dialect.identifier(name)) CASCADE") }
            for function in functions { try connection.execute("DROP FUNCTION IF EXISTS \(function)") }
        }
    }

    /// The functions that triggers of the tables call.
    func triggerFunctions(of tables: [String]) throws -> [String] {
        var parameters = PostgreSQLParameters()
        try parameters.append(texts: tables.map { PostgreSQLDialect.shortened($0) })
        let rows = try connection.execute(
            """
            SELECT DISTINCT tgfoid::regprocedure::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid \
            WHERE NOT tgisinternal AND relname = ANY ($1) AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            """, parameters)
        return try (0..<rows.rowCount).map { try rows.text($0, 0) }
    }
}
