import CoreData
import Foundation

/// A look at a store as it lies on disk, for tools: whatever is read, neither the store nor its log changes.
///
/// It knows tables and numbers, no objects, and needs no model: a store can still be counted after its model is lost.
///
/// - Note: For one thread at a time.
package final class StoreInspection {
    /// The store, not the private copy that may be read in its place.
    package let url: URL
    /// The columns of all tables, by table name.
    package let columns: [String: [SQLTableColumn]]
    package let connection: SQLiteConnection
    private let evidence: EvidenceCopy

    /// Opens a database.
    ///
    /// - Throws: 257, 259 or 260 where the file can't be reached or is no SQLite database.
    package init(contentsOf url: URL) throws {
        self.url = url
        let evidence = try EvidenceCopy(of: url)
        self.evidence = evidence
        (connection, columns) = try SQLiteFile.cocoa(url) {
            let connection = try SQLiteConnection(path: evidence.url.path, access: evidence.access)
            return (connection, try connection.columnsByTable())
        }
    }

    /// Whether the database has the tables that make it a store.
    package var isStore: Bool { columns["Z_METADATA"] != nil && columns["Z_PRIMARYKEY"] != nil }

    /// The store's UUID, the property list of its metadata, empty where there is none, and a sentence where something
    /// of them is missing or damaged.
    package func metadata() throws -> (identifier: String?, values: [String: Any], problem: String?) {
        try reading {
            let (metadata, problem) = try SQLiteMetadata.look(connection)
            return (metadata.identifier, metadata.values, problem)
        }
    }

    /// Refuses a store with a view in a table's place, as a store that is opened for a context does.
    ///
    /// - Throws: 259 with the views' names.
    package func refuseViews() throws {
        try reading { try SQLiteTables.refuseViews(connection) }
    }

    /// The archive of the model that made the store, or nil where the store carries none.
    package func modelArchive() throws -> Data? {
        try reading { try SQLiteMetadata.modelCache(connection) }
    }

    /// An entity as `Z_PRIMARYKEY` numbers it.
    package struct NumberedEntity: Sendable, Hashable {
        package let name: String
        package let number: Int64
        /// The parent's number; 0 for a root.
        package let parent: Int64
    }

    /// The rows of `Z_PRIMARYKEY`.
    package func entities() throws -> [NumberedEntity] {
        // A table of another program may lack the column.
        let hasParents = columns["Z_PRIMARYKEY", default: []].contains { $0.name == "Z_SUPER" }
        let names = ["Z_NAME", "Z_ENT"] + (hasParents ? ["Z_SUPER"] : [])
        return try rows(of: "Z_PRIMARYKEY", columns: names) { values in
            guard case .text(let name) = values[0], case .int(let number) = values[1] else { return nil }
            var parent: Int64 = 0
            if hasParents, case .int(let value) = values[2] { parent = value }
            return NumberedEntity(name: name, number: number, parent: parent)
        }
    }

    /// How many rows of a table have this `Z_ENT`; none where there is no such table.
    package func rowCount(of table: String, number: Int64) throws -> Int {
        guard columns[table] != nil else { return 0 }
        return try reading {
            let sql = "SELECT count(*) FROM \(table.quotedForSQL) WHERE Z_ENT = ?"
            let statement = try SQLiteStatement(sql, on: connection)
            statement.bind(1, int: number)
            return try statement.step() ? Int(statement.int(0)) : 0
        }
    }

    // MARK: Rows

    /// Visits the rows of a table with this `Z_ENT` by key, each column's value as it is stored.
    ///
    /// - Parameters:
    ///   - only: The key of the only row to visit; nil: all.
    ///   - most: How many rows to visit at most; nil: all.
    package func forEachRow(
        of table: String, number: Int64, columns: [String], only: Int64? = nil, most: Int? = nil,
        _ body: (_ key: Int64, _ values: [SQLValue]) throws -> Void
    ) throws {
        guard self.columns[table] != nil else { return }
        try reading {
            let list = (["Z_PK"] + columns).map(\.quotedForSQL).joined(separator: ", ")
            let statement = try SQLiteStatement(
                "SELECT \(list) FROM \(table.quotedForSQL) WHERE Z_ENT = ?1 AND (?2 IS NULL OR Z_PK = ?2) "
                    + "ORDER BY Z_PK LIMIT ?3", on: connection)
            statement.bind(1, int: number)
            if let only { statement.bind(2, int: only) }
            statement.bind(3, int: Int64(most ?? -1))
            while try statement.step() {
                try body(statement.int(0), columns.indices.map { SQLValue(statement, Int32($0 + 1)) })
            }
        }
    }

    /// All rows of a table, what `transform` makes of each.
    package func rows<Row>(
        of table: String, columns: [String], _ transform: (_ values: [SQLValue]) throws -> Row?
    ) throws -> [Row] {
        guard self.columns[table] != nil else { return [] }
        return try reading {
            let list = columns.map(\.quotedForSQL).joined(separator: ", ")
            let statement = try SQLiteStatement("SELECT \(list) FROM \(table.quotedForSQL)", on: connection)
            var rows: [Row] = []
            while try statement.step() {
                let values = (0..<Int32(columns.count)).map { SQLValue(statement, $0) }
                if let row = try transform(values) { rows.append(row) }
            }
            return rows
        }
    }

    /// Visits the pairs of source and target keys of a to-many relationship's table, the members of one source in
    /// order.
    package func forEachPair(of link: SQLLink, _ body: (_ source: Int64, _ target: Int64) -> Void) throws {
        try reading {
            let names = [link.sourceColumn, link.targetColumn, link.table, link.orderColumn ?? link.targetColumn]
                .map(\.quotedForSQL)
            let statement = try SQLiteStatement(
                "SELECT \(names[0]), \(names[1]) FROM \(names[2]) WHERE \(names[0]) IS NOT NULL "
                    + "ORDER BY \(names[3]), \(names[1])", on: connection)
            while try statement.step() { body(statement.int(0), statement.int(1)) }
        }
    }

    /// Visits the rows of a table as SQLite has them, for those that read millions.
    ///
    /// - Parameters:
    ///   - number: The `Z_ENT` of the rows to visit by key, with the key as first column; nil: all rows, in any order.
    ///   - most: How many rows to visit at most; nil: all.
    ///   - body: Gets the statement. The statement's columns are valid until `body` returns.
    package func forEachRow(
        of table: String, number: Int64? = nil, columns: [String], most: Int? = nil,
        _ body: (_ row: OpaquePointer) throws -> Void
    ) throws {
        guard self.columns[table] != nil else { return }
        try reading {
            let list = ((number == nil ? [] : ["Z_PK"]) + columns).map(\.quotedForSQL).joined(separator: ", ")
            let condition = number == nil ? "" : " WHERE Z_ENT = ?1 ORDER BY Z_PK"
            let statement = try SQLiteStatement(
                "SELECT \(list) FROM \(table.quotedForSQL)\(condition) LIMIT ?2", on: connection)
            if let number { statement.bind(1, int: number) }
            statement.bind(2, int: Int64(most ?? -1))
            while try statement.step() { try body(statement.handle) }
        }
    }

    /// The data of an attribute with external storage: what follows the leading byte, or the content of the file named
    /// there; nil where that file is missing.
    package func externalData(_ raw: Data) throws -> Data? {
        try ExternalFiles.data(raw, folder: ExternalFiles.folder(of: url))
    }

    private func reading<R>(_ body: () throws -> R) throws -> R { try SQLiteFile.cocoa(url, body) }
}
