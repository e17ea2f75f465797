import CoreData

/// The statements that make a store's tables, from the ground up.
struct PostgreSQLCreation {
    let schema: SQLSchema
    private let dialect = PostgreSQLDialect()

    /// The store's own tables. Their names begin with an underscore, which no entity's name does.
    static let ownTables = [
        """
        CREATE TABLE "_coredata" ("_id" boolean PRIMARY KEY DEFAULT true CHECK ("_id"), \
        "format" integer NOT NULL, "uuid" text NOT NULL, "metadata" bytea NOT NULL, "model" bytea NOT NULL)
        """,
        """
        CREATE TABLE "_coredata_entities" ("number" integer PRIMARY KEY, "name" text COLLATE "C" NOT NULL UNIQUE, \
        "parent" integer REFERENCES "_coredata_entities" ("number"))
        """,
        "CREATE TABLE \"_coredata_tables\" (\"name\" text COLLATE \"C\" PRIMARY KEY)",
    ]

    init(_ schema: SQLSchema) { self.schema = schema }

    /// All statements but those of ``ownTables``.
    var statements: [String] { tableStatements + constraintStatements + indexes }

    /// What a store needs before it has rows.
    var tableStatements: [String] { tables + joinTables + sequences }

    /// What the rows have to keep.
    var constraintStatements: [String] { foreignKeys + constraints }

    // MARK: Tables

    private var tables: [String] {
        schema.tables.map { table in
            let columns = table.columns.map { "\(dialect.identifier($0.name)) \(definition(of: $0))" }
            return "CREATE TABLE \(dialect.identifier(table.name)) (\(columns.joined(separator: ", ")))"
        }
    }

    private func definition(of column: SQLTableColumn) -> String {
        switch column.name {
        case "Z_PK": column.type + " PRIMARY KEY"
        case "Z_ENT", "Z_OPT": column.type + " NOT NULL"
        default: column.type == PostgreSQLType.text.rawValue ? column.type + " COLLATE \"C\"" : column.type
        }
    }

    /// A pair goes with the rows that it is of.
    private var joinTables: [String] {
        schema.joinTables.map { table in
            let keys = table.columns.prefix(2).map { dialect.identifier($0) }
            let columns = table.columns.enumerated().map { index, name in
                "\(dialect.identifier(name)) bigint\(index < 2 ? " NOT NULL" : "")"
            }
            return """
                CREATE TABLE \(dialect.identifier(table.name)) (\(columns.joined(separator: ", ")), \
                PRIMARY KEY (\(keys.joined(separator: ", "))))
                """
        }
    }

    /// The source of an entity tree's keys. Its name is that of the table with an ending.
    static func sequence(of table: SQLTable) -> String { table.name + "._keys" }

    /// A sequence goes with its table.
    private var sequences: [String] {
        schema.tables.map {
            """
            CREATE SEQUENCE \(dialect.identifier(Self.sequence(of: $0))) INCREMENT BY \(PostgreSQLKeys.blockSize) \
            OWNED BY \(dialect.identifier($0.name)).\(dialect.identifier("Z_PK"))
            """
        }
    }

    // MARK: Constraints

    /// To-ones with an inverse lead to rows that are there. The order in which a save writes its rows does not matter:
    /// the database looks at the end of the transaction.
    ///
    /// A to-one without an inverse may lead to a row that is gone, as everywhere in the framework. So may one whose
    /// inverse has the delete rule "no action".
    private var foreignKeys: [String] {
        var known: Set<String> = []
        return schema.layouts.layouts.filter { schema.contains($0) }.flatMap { layout in
            layout.slots.compactMap { slot -> String? in
                let destination = schema.layouts[max(slot.destination, 1)]
                guard slot.kind == .toOne, slot.isStoredInRow, slot.inverse >= 0, schema.contains(destination),
                    destination.slots[slot.inverse].relationship?.deleteRule != .noActionDeleteRule,
                    let column = schema.column(of: layout, slot: slot.index)
                else { return nil }
                let table = schema.table(of: layout).name
                guard known.insert("\(table).\(column.name)").inserted else { return nil }
                return foreignKey(table, column.name, to: schema.table(of: destination).name)
            }
        }
    }

    private func foreignKey(_ table: String, _ column: String, to target: String) -> String {
        """
        ALTER TABLE \(dialect.identifier(table)) ADD CONSTRAINT \(dialect.identifier("\(table).\(column)._exists")) \
        FOREIGN KEY (\(dialect.identifier(column))) REFERENCES \(dialect.identifier(target)) \
        (\(dialect.identifier("Z_PK"))) DEFERRABLE INITIALLY DEFERRED
        """
    }

    /// Uniqueness is looked at when a save has written all its rows: two rows may swap their values.
    private var constraints: [String] {
        schema.uniqueness().map { layout, _, index in
            let columns = index.columns.compactMap { column in
                if case .binary(let name, _) = column { dialect.identifier(name) } else { nil }
            }
            return """
                ALTER TABLE \(dialect.identifier(index.table)) ADD CONSTRAINT \(dialect.identifier(index.name)) \
                UNIQUE (\(columns.joined(separator: ", "))) DEFERRABLE INITIALLY DEFERRED
                """
        }
    }

    /// An index of an expression that PostgreSQL has not is left out, with a warning. Fetches find the same without it.
    var indexes: [String] {
        let typing = PostgreSQLTyping(schema)
        return schema.allIndexes(dialect).filter { !$0.isUnique }.compactMap { index in
            do { return dialect.text(of: .createIndex(try typing.typed(index))) } catch {
                NSManagedObjectModel.warn(
                    "The index \(index.name) is not made in PostgreSQL: \((error as NSError).localizedDescription)")
                return nil
            }
        }
    }
}
