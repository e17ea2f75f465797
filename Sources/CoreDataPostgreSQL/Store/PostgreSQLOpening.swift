import CoreData
import PostgreSQLClient

/// One attempt to open or make a store.
struct PostgreSQLOpening {
    private let model: StoreModel
    private let place: PostgreSQLPlace
    private let isReadOnly: Bool
    /// Whether the app takes a store that another version of the model made.
    private let ignoresVersion: Bool

    struct Result {
        let session: PostgreSQLSession
        let metadata: PostgreSQLMetadata
    }

    init(model: StoreModel, url: URL, options: [AnyHashable: Any]?) throws {
        self.model = model
        place = try PostgreSQLPlace(url)
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        ignoresVersion = (options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue ?? false
    }

    func open() throws -> Result {
        try refuseDerivedAttributes()
        let pool = place.pool()
        do {
            return try place.cocoa(isOpening: true) {
                let (metadata, schema) = try pool.withConnection { try content($0) }
                return Result(session: PostgreSQLSession(pool: pool, schema: schema, place: place), metadata: metadata)
            }
        } catch {
            pool.close()
            throw error
        }
    }

    /// No trigger would keep them.
    private func refuseDerivedAttributes() throws {
        for layout in model.layouts.layouts where model.entities?.contains(layout.name) ?? true {
            for slot in layout.slots where slot.isStoredInRow && slot.property is NSDerivedAttributeDescription {
                throw NSError.cocoa(
                    NSPersistentStoreIncompatibleSchemaError,
                    "A PostgreSQL store can't keep the derived attribute “\(layout.name).\(slot.name)”.",
                    reason: "Make it an ordinary attribute, or take it out of the store's configuration.")
            }
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
        if !ignoresVersion { try model.check(metadata.published, path: place.name, isReadOnly: isReadOnly) }
        let numbers = try PostgreSQLMetadata.entities(connection)
        return (metadata, schema(numbers))
    }

    private func schema(_ numbers: [String: Int64]?) -> SQLSchema {
        .derived(from: model.layouts, entities: model.entities, naming: PostgreSQLNaming(), numbers: numbers)
    }

    /// Makes all tables in one transaction.
    private func create(_ connection: PostgreSQLConnection) throws -> (PostgreSQLMetadata, SQLSchema) {
        let schema = schema(nil)
        let metadata = PostgreSQLMetadata(
            identifier: UUID().uuidString, values: model.metadata(type: NSPostgreSQLStoreType))
        let archive = try model.archive()
        try connection.transaction {
            for statement in place.schemaCreation + PostgreSQLFunctions.creation + PostgreSQLCreation.ownTables
                + PostgreSQLCreation(schema).statements
            {
                try connection.execute(statement)
            }
            try PostgreSQLMetadata.insertEntities(of: schema, connection)
            try PostgreSQLMetadata.insertTables(of: schema, connection)
            try metadata.insert(model: archive, connection)
        }
        return (metadata, schema)
    }
}

/// Removes the tables of a store.
struct PostgreSQLRemoval {
    private let connection: PostgreSQLConnection

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    func run() throws {
        let names = try PostgreSQLMetadata.tables(connection) + ["_coredata_tables", "_coredata_entities", "_coredata"]
        try connection.transaction {
            let dialect = PostgreSQLDialect()
            for name in names { try connection.execute("DROP TABLE IF EXISTS \(dialect.identifier(name)) CASCADE") }
        }
    }
}
