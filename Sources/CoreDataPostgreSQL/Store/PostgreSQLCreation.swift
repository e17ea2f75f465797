import CoreData

/// The statements that make a store's tables, from the ground up.
struct PostgreSQLCreation {
    let schema: SQLSchema
    private let dialect = PostgreSQLDialect()

    /// The store's own tables. Their names begin with an underscore, which no entity's name does.
    static let ownTables = [
        """
        CREATE TABLE "_coredata" ("_id" boolean PRIMARY KEY DEFAULT true CHECK ("_id"), \
        "format" integer NOT NULL, "uuid" text NOT NULL, "metadata" bytea NOT NULL, "model" bytea NOT NULL, "names" jsonb NOT NULL)
        """,
        """
        CREATE TABLE "_coredata_entities" ("number" integer PRIMARY KEY, "name" text COLLATE "C" NOT NULL UNIQUE, \
        "parent" integer REFERENCES "_coredata_entities" ("number"))
        """,
        "CREATE TABLE \"_coredata_tables\" (\"name\" text COLLATE \"C\" PRIMARY KEY)",
        PostgreSQLMark.table, PostgreSQLTriggerNotes.table, PostgreSQLTriggerNotes.index,
    ]

    init(_ schema: SQLSchema) { self.schema = schema }

    /// All statements but those of ``ownTables``.
    ///
    /// - Throws: 134020 for a derived attribute that no store can keep; 134091 for one that PostgreSQL can't compute.
    var statements: [String] {
        get throws { tableStatements + (try PostgreSQLParts(schema).all.map(\.text)) }
    }

    /// What a store needs before it has rows.
    var tableStatements: [String] { tables + sequences }

    // MARK: Tables

    private var tables: [String] {
        let distribution = PostgreSQLDistribution(schema)
        let all =
            schema.tables.map { SQLSchema.definition(of: $0, dialect) }
            + schema.joinTables.map { SQLSchema.definition(of: $0) }
        return all.map { dialect.text(of: distribution.spread(.createTable($0))) }
    }

    /// The source of an entity tree's keys. Its name is that of the table with an ending.
    static func sequence(of table: SQLTable) -> String { table.name + "._keys" }

    private var sequences: [String] { schema.tables.map { Self.creationOfSequence(of: $0) } }

    /// A sequence goes with its table.
    static func creationOfSequence(of table: SQLTable) -> String {
        let dialect = PostgreSQLDialect()
        return """
            CREATE SEQUENCE \(dialect.identifier(sequence(of: table))) INCREMENT BY \(PostgreSQLKeys.blockSize) \
            OWNED BY \(dialect.identifier(table.name)).\(dialect.identifier("Z_PK"))
            """
    }
}
