import CoreData
import PostgreSQLClient

/// The indexes for full-text search that a store has, and those that its model asks for.
///
/// Each is a table with the words of another one's rows, which triggers keep up to date. A comment on the table says
/// what it was made by.
struct PostgreSQLSearchIndexes {
    private let connection: PostgreSQLConnection
    private let parts: [Part]
    private static let dialect = PostgreSQLDialect()

    private struct Part {
        let name: String
        let triggers: [String]
        /// What makes the table, fills it, and keeps it.
        let texts: [String]

        init(_ parts: SQLSchema.SearchParts, _ typing: PostgreSQLTyping) throws {
            name = parts.table.name
            triggers = parts.triggers.map { PostgreSQLDialect.shortened($0.name) }
            texts = try parts.statements.map { statement in
                guard case .createTrigger(let trigger) = statement else { return dialect.text(of: statement) }
                return dialect.text(of: .createTrigger(try typing.typed(trigger)))
            }
        }

        /// What the table says of itself: by what it was made, and the names of its triggers.
        var comment: String {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in (texts + ["\(PostgreSQLFunctions.searchVersion)"]).joined(separator: ";").utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
            return ([PostgreSQLSearchIndexes.mark + String(hash, radix: 36)] + triggers).joined(separator: "\n")
        }
    }

    /// How the comments of all search tables begin.
    private static let mark = "coredata search "

    /// - Throws: 134020 for a mark that can't be kept, and where the process can't split queries into words.
    init(_ schema: SQLSchema, _ connection: PostgreSQLConnection) throws {
        self.connection = connection
        let typing = PostgreSQLTyping(schema)
        parts = try schema.searchParts().map { try Part($0, typing) }
        // Each search splits its query. A process that can't has no index: a search says so, and does not find nothing.
        if !parts.isEmpty { _ = try TextQuery("word").phrases(by: .words) }
    }

    /// Whether the model asks for none.
    var isEmpty: Bool { parts.isEmpty }

    /// The tables that are as the model asks for them, with all of their triggers.
    func current() throws -> Set<String> {
        if parts.isEmpty { return [] }
        let (tables, triggers) = (try Self.tables(connection), try triggers())
        return Set(parts.filter { isCurrent($0, tables, triggers) }.map(\.name))
    }

    private func isCurrent(_ part: Part, _ tables: [String: String], _ triggers: Set<String>) -> Bool {
        tables[PostgreSQLDialect.shortened(part.name)] == part.comment && triggers.isSuperset(of: part.triggers)
    }

    /// Makes what is missing or out of date, in one transaction, and drops what the model no longer asks for.
    func keep() throws {
        if try isKept() { return }
        try connection.transaction {
            // Another process may do the same.
            try connection.execute(PostgreSQLMetadata.lock)
            let (tables, triggers) = (try Self.tables(connection), try triggers())
            let current = parts.filter { isCurrent($0, tables, triggers) }
            let kept = Set(current.map { PostgreSQLDialect.shortened($0.name) })
            for text in Self.removal(of: tables.filter { !kept.contains($0.key) }) { try connection.execute(text) }
            for part in parts where !current.contains(where: { $0.name == part.name }) {
                for text in creation(of: part) { try connection.execute(text) }
            }
        }
    }

    private func isKept() throws -> Bool {
        let (tables, triggers) = (try Self.tables(connection), try triggers())
        return tables.count == parts.count && parts.allSatisfy { isCurrent($0, tables, triggers) }
    }

    /// What makes all indexes.
    var creation: [String] { parts.flatMap { creation(of: $0) } }

    private func creation(of part: Part) -> [String] {
        let comment = Self.dialect.literal(.text(part.comment))
        return part.texts + ["COMMENT ON TABLE \(Self.dialect.identifier(part.name)) IS \(comment)"]
    }

    /// The names of the enabled triggers of the store's tables.
    private func triggers() throws -> Set<String> {
        let rows = try connection.execute(
            """
            SELECT tgname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal \
            AND tgenabled <> 'D' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            """)
        return Set(try (0..<rows.rowCount).map { try rows.text($0, 0) })
    }

    // MARK: Of any model

    /// The search tables that a store has, with what they say of themselves.
    static func tables(_ connection: PostgreSQLConnection) throws -> [String: String] {
        let rows = try connection.execute(
            """
            SELECT relname::text, obj_description(oid, 'pg_class') FROM pg_class WHERE relkind = 'r' \
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
            AND starts_with(obj_description(oid, 'pg_class'), \(dialect.literal(.text(mark))))
            """)
        return Dictionary(
            try (0..<rows.rowCount).map { (try rows.text($0, 0), try rows.text($0, 1)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What takes search tables and their triggers away.
    ///
    /// - Parameter tables: What ``tables(_:)`` gives.
    static func removal(of tables: [String: String]) -> [String] {
        tables.sorted { $0.key < $1.key }.flatMap { name, comment in
            comment.split(separator: "\n").dropFirst().map {
                "DROP FUNCTION IF EXISTS \(dialect.identifier(String($0)))() CASCADE"
            } + ["DROP TABLE IF EXISTS \(dialect.identifier(name))"]
        }
    }
}

extension PostgreSQLStore: SearchedStore {
    func hasSearchIndex(of layout: EntityLayout) throws -> Bool {
        let schema = session.schema
        guard let table = try schema.searchTable(of: layout) else { return false }
        return schema.searchTables?.contains(table.name) ?? false
    }
}
