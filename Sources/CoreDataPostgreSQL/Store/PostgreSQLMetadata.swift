import CoreData
import ModelArchive
import PostgreSQLClient
import PropertyLists

/// The one row of the table `_coredata`.
struct PostgreSQLMetadata {
    /// The store's UUID.
    let identifier: String
    let values: [String: Any]

    /// The version of the tables' layout that this framework writes.
    static let format = 1

    /// What an app sees: the list with the store's UUID and type in it.
    var published: [String: Any] {
        var all = values
        all[NSStoreUUIDKey] = identifier
        all[NSStoreTypeKey] = NSPostgreSQLStoreType
        return all
    }

    /// Reads the metadata of the store in the connection's schema; nil where there is none.
    ///
    /// - Throws: 259 for metadata that are damaged, or of a later version of the framework; 257 where the role may not
    ///   use the schema.
    static func read(_ connection: PostgreSQLConnection) throws -> PostgreSQLMetadata? {
        let found = try connection.execute(
            "SELECT 1 FROM pg_catalog.pg_class WHERE oid = pg_catalog.to_regclass('\"_coredata\"')")
        guard found.rowCount > 0 else {
            // A schema that the role may not use has no tables for it.
            try checkUsage(connection)
            return nil
        }
        let row = try connection.execute("SELECT \"format\", \"uuid\", \"metadata\" FROM \"_coredata\"")
        guard row.rowCount > 0 else { return nil }
        guard try row.int(0, 0) <= format else {
            throw corrupt(
                "was made by a later version of CoreDataPostgreSQL", "Its tables have the version \(try row.int(0, 0))."
            )
        }
        guard let bytes = try row.bytes(0, 2),
            let values = try? PropertyListValue.foundationValue(of: Data(bytes)) as? [String: Any]
        else { throw corrupt("has damaged metadata", "The metadata are no property list.") }
        return PostgreSQLMetadata(identifier: try row.text(0, 1), values: values)
    }

    /// - Throws: 257 for a schema that is there, and that the role has no right to use.
    private static func checkUsage(_ connection: PostgreSQLConnection) throws {
        let found = try connection.execute(
            """
            SELECT nspname::text, current_user::text, format('GRANT USAGE ON SCHEMA %I TO %I', nspname, current_user) \
            FROM pg_catalog.pg_namespace \
            WHERE oid = pg_catalog.to_regnamespace(pg_catalog.current_setting('search_path')) \
            AND NOT pg_catalog.has_schema_privilege(oid, 'USAGE')
            """)
        guard found.rowCount > 0 else { return }
        throw NSError.cocoa(
            CocoaError.Code.fileReadNoPermission.rawValue,
            "The role “\(try found.text(0, 1))” may not use the schema “\(try found.text(0, 0))” of the database.",
            reason: "Run as the owner of the schema: \(try found.text(0, 2)).")
    }

    private static func corrupt(_ sentence: String, _ reason: String) -> NSError {
        .cocoa(CocoaError.Code.fileReadCorruptFile.rawValue, "The store \(sentence).", reason: reason)
    }

    /// Has other clients that change what the store is made of wait for the end of the transaction.
    static let lock = "SELECT 1 FROM \"_coredata\" FOR UPDATE"

    /// Writes the metadata of a store that is there.
    func write(_ connection: PostgreSQLConnection) throws {
        var parameters = PostgreSQLParameters()
        try parameters.append(text: identifier)
        try parameters.append(data: plist)
        _ = try connection.execute("UPDATE \"_coredata\" SET \"uuid\" = $1, \"metadata\" = $2", parameters)
    }

    /// Replaces the archive of the model that made the store, and the names.
    static func write(model: Data, _ names: PostgreSQLNames, _ connection: PostgreSQLConnection) throws {
        var parameters = PostgreSQLParameters()
        try parameters.append(data: model)
        try parameters.append(text: text(of: names))
        try connection.execute(
            "UPDATE \"_coredata\" SET \"model\" = $1, \"names\" = $2::text::jsonb", parameters)
    }

    /// Writes the metadata of a new store, with the archive of its model, and the names that it is made with.
    func insert(model: Data, _ names: PostgreSQLNames, _ connection: PostgreSQLConnection) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(int32: Int32(Self.format))
        try parameters.append(text: identifier)
        try parameters.append(data: plist)
        try parameters.append(data: model)
        try parameters.append(text: Self.text(of: names))
        _ = try connection.execute(
            """
            INSERT INTO "_coredata" ("format", "uuid", "metadata", "model", "names") \
            VALUES ($1, $2, $3, $4, $5::text::jsonb)
            """, parameters)
    }

    private var plist: Data {
        get throws {
            var values = values
            values[NSStoreUUIDKey] = nil
            do { return try PropertyListValue(foundation: values).binary } catch {
                throw NSError.cocoa(
                    NSPersistentStoreSaveError, "The store's metadata could not be written.",
                    reason: "Metadata may hold strings, numbers, dates, data, and arrays and dictionaries of these.",
                    userInfo: [NSUnderlyingErrorKey: error])
            }
        }
    }

    /// The archive of the model that made the store.
    static func model(_ connection: PostgreSQLConnection) throws -> Data? {
        let row = try connection.execute("SELECT \"model\" FROM \"_coredata\"")
        return row.rowCount > 0 ? try row.bytes(0, 0).map { Data($0) } : nil
    }

    // MARK: Names

    /// The names that the store was made with.
    static func names(_ connection: PostgreSQLConnection) throws -> PostgreSQLNames {
        let row = try connection.execute("SELECT \"names\"::text FROM \"_coredata\"")
        guard row.rowCount > 0,
            let names = try? JSONDecoder().decode(PostgreSQLNames.self, from: Data(try row.text(0, 0).utf8))
        else { throw corrupt("has damaged metadata", "The names of its tables are no JSON object of texts.") }
        return names
    }

    private static func text(of names: PostgreSQLNames) throws -> String {
        String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    }

    // MARK: Entities

    /// The numbers of the entities in the store, by name.
    static func entities(_ connection: PostgreSQLConnection) throws -> [String: Int64] {
        let rows = try connection.execute("SELECT \"name\", \"number\" FROM \"_coredata_entities\"")
        return Dictionary(
            try (0..<rows.rowCount).map { (try rows.text($0, 0), try rows.int($0, 1)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Enters the entities of a new store. Parents come before their subentities, as their numbers do.
    static func insertEntities(of schema: SQLSchema, _ connection: PostgreSQLConnection) throws {
        for layout in schema.layouts.layouts where schema.contains(layout) {
            guard let number = schema.number(of: layout) else { continue }
            var parameters = PostgreSQLParameters()
            parameters.append(int32: Int32(number))
            try parameters.append(text: layout.name)
            if let parent = layout.parent.flatMap({ schema.number(of: $0) }) {
                parameters.append(int32: Int32(parent))
            } else {
                parameters.appendNull()
            }
            _ = try connection.execute(
                "INSERT INTO \"_coredata_entities\" (\"number\", \"name\", \"parent\") VALUES ($1, $2, $3)", parameters)
        }
    }

    // MARK: Tables

    /// The tables that the store has made.
    static func tables(_ connection: PostgreSQLConnection) throws -> [String] {
        let rows = try connection.execute("SELECT \"name\" FROM \"_coredata_tables\"")
        return try (0..<rows.rowCount).map { try rows.text($0, 0) }
    }

    static func insertTables(of schema: SQLSchema, _ connection: PostgreSQLConnection) throws {
        for name in schema.tables.map(\.name) + schema.joinTables.map(\.name) {
            var parameters = PostgreSQLParameters()
            try parameters.append(text: name)
            _ = try connection.execute("INSERT INTO \"_coredata_tables\" (\"name\") VALUES ($1)", parameters)
        }
    }
}
