import Foundation
import PostgreSQLClient
import StoreBrowsing

/// The tables of a PostgreSQL database that is no store, by its catalogue.
struct PostgreSQLTablesReader {
    private(set) var tables: [ForeignTable] = []
    private(set) var notes: [String] = []
    private let connection: PostgreSQLConnection

    /// - Parameters:
    ///   - url: With `?schema=`, the tables of that schema; without, those of all schemas but the server's own.
    ///   - name: What failures call the database.
    /// - Throws: ``ToolFailure`` where the server can't be reached, and where there is no table.
    init(_ url: String, name: String) throws {
        do {
            let parsed = try PostgreSQLURL(url, options: ["schema", "pooler"])
            connection = try PostgreSQLConnection(parsed.connectionString)
            defer { connection.close() }
            try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                try read(schema: parsed.options["schema"])
            }
        } catch let error as PostgreSQLError {
            throw ToolFailure(.other, "\(name) can't be read: \(whole: error.message)")
        }
        if tables.isEmpty { throw ToolFailure(.foreign, "\(name) has no tables.") }
    }

    private mutating func read(schema: String?) throws {
        let condition =
            schema == nil
            ? "nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%'" : "nspname = $1"
        let found = try rows(
            """
            SELECT pg_class.oid::text, nspname::text, relname::text, obj_description(pg_class.oid, 'pg_class'), \
            relkind::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
            WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition AND \(condition) ORDER BY 2, 3
            """, schema)
        for row in found {
            guard let oid = row[0], let table = row[2], let kind = row[4] else { continue }
            let name = ForeignTable.Name(schema: row[1], table: table)
            if table.hasPrefix("_coredata") { continue }
            guard kind == "r" || kind == "p" else {
                notes.append("\(name.text) is \(kind == "f" ? "a foreign table" : "a view"), and was left out.")
                continue
            }
            tables.append(try self.table(oid, name, comment: row[3]))
        }
    }

    private func rows(_ sql: String, _ parameter: String? = nil) throws -> [[String?]] {
        var parameters = PostgreSQLParameters()
        if let parameter { try parameters.append(text: parameter) }
        let result = try connection.execute(sql, parameters)
        return try (0..<result.rowCount).map { row in
            try (0..<result.columnCount).map { try result.string(row, $0) }
        }
    }

    // MARK: One table

    private mutating func table(_ oid: String, _ name: ForeignTable.Name, comment: String?) throws -> ForeignTable {
        var table = ForeignTable(name: name)
        table.comment = comment
        for row in try rows(Self.columns, oid) {
            guard let column = row[1], let type = row[2] else { continue }
            table.columns.append(try self.column(column, type, row))
        }
        for row in try rows(Self.constraints, oid) { add(row, to: &table) }
        for row in try rows(Self.indexes, oid) { addIndex(row, to: &table) }
        return table
    }

    private static let columns = """
        SELECT attnum::text, attname::text, typname::text, format_type(pg_type.oid, NULL), attnotnull::text, \
        pg_get_expr(adbin, adrelid), attgenerated::text, col_description(attrelid, attnum), atttypmod::text, \
        (SELECT string_agg(enumlabel, E'\\n' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = pg_type.oid) \
        FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid \
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum \
        WHERE attrelid = $1::text::oid AND attnum > 0 AND NOT attisdropped ORDER BY pg_attribute.attnum
        """

    private func column(_ name: String, _ type: String, _ row: [String?]) throws -> ForeignTable.Column {
        var found = ForeignTable.Column(name: name, type: ForeignType(type))
        if type.hasPrefix("_"), row[3]?.hasSuffix("[]") == true { found.type.name = row[3] ?? type }
        // Texts with a limit have its length and four.
        if ["varchar", "bpchar"].contains(type), let limit = row[8].flatMap({ Int($0) }), limit > 4 {
            found.type.arguments = [limit - 4]
        }
        if let labels = row[9] { found.type = ForeignType(type, values: labels.components(separatedBy: "\n")) }
        found.isNullable = row[4] != "true"
        found.isGenerated = row[6]?.isEmpty == false
        found.comment = row[7]
        if !found.isGenerated, let text = row[5], !text.hasPrefix("nextval(") {
            var scanner = SQLScanner(text)
            found.standard = SQLColumnReader.standard((try? scanner.statement()) ?? [])
        }
        return found
    }

    private static let constraints = """
        SELECT contype::text, conname::text, confdeltype::text, target.relname::text, nspname::text, \
        (SELECT string_agg(attname, E'\\n' ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS k (number, place) \
        JOIN pg_attribute ON attrelid = conrelid AND attnum = number), \
        (SELECT string_agg(attname, E'\\n' ORDER BY place) FROM unnest(confkey) WITH ORDINALITY AS k (number, place) \
        JOIN pg_attribute ON attrelid = confrelid AND attnum = number), pg_get_constraintdef(pg_constraint.oid) \
        FROM pg_constraint LEFT JOIN pg_class AS target ON target.oid = confrelid \
        LEFT JOIN pg_namespace ON pg_namespace.oid = target.relnamespace \
        WHERE conrelid = $1::text::oid ORDER BY conname
        """

    private mutating func add(_ row: [String?], to table: inout ForeignTable) {
        let columns = row[5]?.components(separatedBy: "\n") ?? []
        switch row[0] {
        case "p": table.primaryKey = columns
        case "u": table.uniques.append(columns)
        case "f":
            let deletion: ForeignTable.Deletion = row[2] == "c" ? .cascades : row[2] == "n" ? .setsNull : .refused
            table.references.append(
                .init(
                    columns: columns, target: .init(schema: row[4], table: row[3] ?? ""),
                    targetColumns: row[6]?.components(separatedBy: "\n") ?? [], deletion: deletion))
        // The server says of a column that it is not null, and has a constraint for it in newer versions.
        case "n": break
        default: notes.append("\(table.name.text) has \(row[7] ?? row[1] ?? "a constraint"), which was left out.")
        }
    }

    private static let indexes = """
        SELECT relname::text, indisunique::text, (indpred IS NOT NULL OR indexprs IS NOT NULL)::text, \
        (SELECT string_agg(attname, E'\\n' ORDER BY place) FROM unnest(indkey[0:indnkeyatts - 1]) \
        WITH ORDINALITY AS k (number, place) JOIN pg_attribute ON attrelid = indrelid AND attnum = number), \
        (SELECT string_agg((options & 1)::text, E'\\n' ORDER BY place) FROM unnest(indoption) \
        WITH ORDINALITY AS o (options, place)), amname::text \
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam \
        WHERE indrelid = $1::text::oid AND NOT indisprimary \
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype = 'u') ORDER BY relname
        """

    private mutating func addIndex(_ row: [String?], to table: inout ForeignTable) {
        guard let name = row[0] else { return }
        guard row[2] != "true", let columns = row[3]?.components(separatedBy: "\n") else {
            return notes.append("The index \(name) is over some rows or an expression, and was left out.")
        }
        guard row[5] == "btree" || row[5] == "hash" else {
            return notes.append("The index \(name) is of the kind \(row[5] ?? ""), and was left out.")
        }
        if row[1] == "true" { return table.uniques.append(columns) }
        let descending = row[4]?.components(separatedBy: "\n").map { $0 == "1" } ?? []
        let elements = columns.enumerated().map { place, column in
            ForeignTable.Index.Element(column: column, isAscending: !(place < descending.count && descending[place]))
        }
        table.indexes.append(.init(name: name, elements: elements))
    }
}
