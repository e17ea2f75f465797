import CoreData
import PostgreSQLClient

/// One attempt to open or make a store.
struct PostgreSQLOpening {
    private let model: StoreModel
    private let place: PostgreSQLPlace
    private let isReadOnly: Bool
    /// Whether the store is to be made: one that is there is another one's.
    private let mustBeNew: Bool
    private let options: [AnyHashable: Any]?
    /// The UUID of the source, where the store is the destination of a copy; see `StoreCopyOption`.
    private let copySource: String?

    struct Result {
        let session: PostgreSQLSession
        let metadata: PostgreSQLMetadata
    }

    init(model: StoreModel, url: URL, options: [AnyHashable: Any]?, mustBeNew: Bool = false) throws {
        (self.model, self.mustBeNew, self.options) = (model, mustBeNew, options)
        copySource = UnfinishedCopy.source(in: options)
        place = try PostgreSQLPlace(url)
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
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
        guard !mustBeNew else { throw place.taken }
        try UnfinishedCopy.check(metadata.values, place.name, options)
        try model.check(metadata.published, path: place.name, isReadOnly: isReadOnly)
        try makeFunctions(connection)
        let numbers = try PostgreSQLMetadata.entities(connection)
        return (metadata, schema(numbers))
    }

    private func schema(_ numbers: [String: Int64]?) -> SQLSchema {
        .derived(from: model.layouts, entities: model.entities, naming: PostgreSQLNaming(), numbers: numbers)
    }

    /// Makes the functions that statements call, where the database has not those of this version.
    ///
    /// - Throws: 134080 with the server's reason where the role may not make them.
    private func makeFunctions(_ connection: PostgreSQLConnection) throws {
        if isReadOnly { return }
        let found = try connection.execute(PostgreSQLFunctions.versionQuery)
        guard try found.text(0, 0) != PostgreSQLFunctions.version else { return }
        try connection.transaction {
            for statement in PostgreSQLFunctions.creation { try connection.execute(statement) }
        }
        guard try connection.execute(PostgreSQLFunctions.languageQuery).int(0, 0) == 0 else { return }
        NSManagedObjectModel.warn(
            "The server of \(place.name) has no ICU: texts are ordered byte by byte there, and only ASCII has cases.")
    }

    /// Makes all tables in one transaction.
    private func create(_ connection: PostgreSQLConnection) throws -> (PostgreSQLMetadata, SQLSchema) {
        let schema = schema(nil)
        var values = model.metadata(type: NSPostgreSQLStoreType)
        if let copySource { values.merge(UnfinishedCopy.beginning(of: copySource)) { $1 } }
        let metadata = PostgreSQLMetadata(identifier: UUID().uuidString, values: values)
        let archive = try model.archive()
        try makeFunctions(connection)
        try connection.transaction {
            let creation = PostgreSQLCreation(schema)
            // Rows come faster into tables without indexes, and a copied to-one may lead to a row that comes later.
            let tables = copySource == nil ? creation.statements : creation.tableStatements
            for statement in place.schemaCreation + PostgreSQLCreation.ownTables + tables {
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
