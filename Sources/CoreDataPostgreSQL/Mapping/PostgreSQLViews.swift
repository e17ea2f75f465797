import CoreData
import PostgreSQLClient

/// Makes and removes the views of a store over tables of another program.
struct PostgreSQLViews {
    let connection: PostgreSQLConnection

    /// - Throws: 134020 where the tables are not as the model says.
    func make(_ names: PostgreSQLNames, _ schema: SQLSchema) throws { try run(creation(names, schema)) }

    /// Makes the views anew, for another model or other names.
    func replace(_ names: PostgreSQLNames, _ schema: SQLSchema) throws { try run(replacement(names, schema)) }

    /// Removes the views, and the numbers of rows that have no integers as keys.
    func remove() throws { try run(removal() + (try books()).map { "DROP TABLE IF EXISTS \($0)" }) }

    /// The statements of ``replace(_:_:)``.
    func replacement(_ names: PostgreSQLNames, _ schema: SQLSchema) throws -> [String] {
        try removal() + creation(names, schema)
    }

    private func creation(_ names: PostgreSQLNames, _ schema: SQLSchema) throws -> [String] {
        try PostgreSQLMapping(names, schema).creation(PostgreSQLCatalogue(connection))
    }

    /// The functions of their triggers go, too.
    private func removal() throws -> [String] {
        let dialect = PostgreSQLDialect()
        let views = try PostgreSQLMetadata.tables(connection)
        let functions = try PostgreSQLRemoval(connection).triggerFunctions(of: views)
        return views.map { "DROP VIEW IF EXISTS \(dialect.identifier($0))" }
            + functions.map { "DROP FUNCTION IF EXISTS \($0)" }
            // Their triggers are those of the other program's tables.
            + (try books()).map { "DROP FUNCTION IF EXISTS \($0)() CASCADE" }
    }

    /// The books of keys, as statements have them.
    private func books() throws -> [String] {
        var parameters = PostgreSQLParameters()
        try parameters.append(text: PostgreSQLKeyBook.mark)
        let rows = try connection.execute(
            """
            SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND obj_description(oid, 'pg_class') = $1 \
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) ORDER BY relname
            """, parameters)
        return try (0..<rows.rowCount).map { try rows.text($0, 0) }
    }

    private func run(_ statements: [String]) throws {
        for statement in statements { try connection.execute(statement) }
    }
}
