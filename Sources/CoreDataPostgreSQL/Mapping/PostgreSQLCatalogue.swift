import CoreData
import PostgreSQLClient

/// What tables of other programs have.
struct PostgreSQLCatalogue {
    private let connection: PostgreSQLConnection

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    /// The schema that the store is in.
    func schema() throws -> String { try connection.execute("SELECT current_schema()::text").text(0, 0) }

    struct Column {
        /// As `int4`, or an enumeration's name.
        let type: String
        /// As a statement writes the type.
        let typeName: String
        let isEnumeration: Bool
        /// Whether the database computes the value.
        let isGenerated: Bool
        /// Whether texts compare byte by byte.
        let isPlain: Bool

        var isInteger: Bool { ["int2", "int4", "int8"].contains(type) }
    }

    /// The columns of a table by their names.
    ///
    /// - Parameters:
    ///   - table: As statements have it.
    ///   - path: What the table is for, in the error.
    /// - Throws: 134020 where there is no such table.
    func columns(of table: String, for path: String) throws -> [String: Column] {
        if let columns = try columnsIfThere(of: table) { return columns }
        throw PostgreSQLNames.refusal(
            "\(path): there is no table \(table). A table of another schema has it before a dot.")
    }

    /// Nil where there is no such table.
    func columnsIfThere(of table: String) throws -> [String: Column]? {
        var parameters = PostgreSQLParameters()
        try parameters.append(text: table)
        let found = try connection.execute("SELECT to_regclass($1::text) IS NOT NULL", parameters)
        guard try found.bool(0, 0) == true else { return nil }
        let rows = try connection.execute(
            """
            SELECT attname::text, typname::text, format_type(pg_type.oid, NULL), typtype = 'e', attgenerated <> '', \
            coalesce(collname IN ('C', 'POSIX') OR (collname = 'default' AND datcollate IN ('C', 'POSIX')), true) \
            FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid \
            LEFT JOIN pg_collation ON pg_collation.oid = attcollation \
            JOIN pg_database ON datname = current_database() \
            WHERE attrelid = to_regclass($1::text) AND attnum > 0 AND NOT attisdropped
            """, parameters)
        var columns: [String: Column] = [:]
        for row in 0..<rows.rowCount {
            columns[try rows.text(row, 0)] = Column(
                type: try rows.text(row, 1), typeName: try rows.text(row, 2),
                isEnumeration: try rows.bool(row, 3) ?? false, isGenerated: try rows.bool(row, 4) ?? false,
                isPlain: try rows.bool(row, 5) ?? false)
        }
        return columns
    }

    /// Whether no two rows of the table can have the same values in the columns.
    func isUnique(_ columns: [String], in table: String) throws -> Bool {
        var parameters = PostgreSQLParameters()
        try parameters.append(text: table)
        try parameters.append(texts: columns)
        let rows = try connection.execute(
            """
            SELECT 1 FROM pg_index WHERE indrelid = to_regclass($1::text) AND indisunique AND indpred IS NULL AND \
            (SELECT array_agg(attname::text ORDER BY attname::text) FROM pg_attribute \
            WHERE attrelid = indrelid AND attnum = ANY (indkey)) = (SELECT array_agg(n ORDER BY n) FROM unnest($2::text[]) AS n)
            """, parameters)
        return rows.rowCount > 0
    }
}
