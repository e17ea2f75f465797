import CoreData
import Foundation
import StoreBrowsing
import StoreInspection

/// The tables of a database in SQLite that is no store, by its catalogue. The file stays as it is.
struct SQLiteTablesReader {
    private(set) var tables: [ForeignTable] = []
    private(set) var notes: [String] = []
    private let connection: SQLiteConnection

    /// - Throws: ``ToolFailure`` for a file that is no database, for a store of Core Data, and where there is no table.
    init(_ url: URL) throws {
        let inspection: StoreInspection
        do { inspection = try StoreInspection(contentsOf: url) } catch { throw ToolFailure(error, code: .foreign) }
        guard !inspection.isStore else {
            throw ToolFailure(
                .other, "\(url.lastPathComponent) is a store of Core Data: “coredata model” reads the model in it.")
        }
        connection = inspection.connection
        do {
            try read()
        } catch let error as SQLiteError {
            throw ToolFailure(.damaged, "\(url.lastPathComponent) can't be read: \(whole: error.message)")
        }
        withExtendedLifetime(inspection) {}
        if tables.isEmpty { throw ToolFailure(.foreign, "\(url.lastPathComponent) has no tables.") }
    }

    private mutating func read() throws {
        let objects = try rows(3, "SELECT type, name, sql FROM sqlite_master ORDER BY rowid")
        let virtual = objects.filter { $0[2]?.uppercased().hasPrefix("CREATE VIRTUAL") == true }.compactMap { $0[1] }
        for object in objects {
            guard let kind = object[0], let name = object[1], !name.hasPrefix("sqlite_") else { continue }
            switch kind {
            case "table" where virtual.contains(name): notes.append("\(name) is a virtual table, and was left out.")
            case "table" where virtual.contains(where: { name.hasPrefix($0 + "_") }): continue
            case "table": tables.append(try table(name, object[2] ?? ""))
            case "view": notes.append("\(name) is a view, and was left out.")
            case "trigger": notes.append("\(name) is a trigger, and was left out.")
            default: continue
            }
        }
    }

    /// Runs a statement, with a name in the place of its parameter.
    ///
    /// - Parameter count: How many columns it has.
    private func rows(_ count: Int32, _ sql: String, _ name: String? = nil) throws -> [[String?]] {
        let statement = try connection.statement(sql)
        if let name { statement.bind(1, text: name) }
        var found: [[String?]] = []
        while try statement.step() { found.append((0..<count).map { statement.text($0) }) }
        return found
    }

    // MARK: One table

    private mutating func table(_ name: String, _ sql: String) throws -> ForeignTable {
        var table = ForeignTable(name: .init(schema: nil, table: name))
        var keys: [(place: Int, name: String)] = []
        for row in try rows(
            6, "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", name)
        {
            guard let column = row[0], row[5] != "1" else { continue }
            table.columns.append(try self.column(column, row))
            if let place = row[4].flatMap({ Int($0) }), place > 0 { keys.append((place, column)) }
        }
        table.primaryKey = keys.sorted { $0.place < $1.place }.map(\.name)
        for index in table.columns.indices where table.primaryKey.contains(table.columns[index].name) {
            table.columns[index].isNullable = false
        }
        table.references = try references(name)
        try addIndexes(to: &table)
        addChecks(of: name, sql)
        return table
    }

    /// The catalogue has types and defaults as the statement had them: they are read as those of a script.
    private mutating func column(_ name: String, _ row: [String?]) throws -> ForeignTable.Column {
        var tokens: [SQLToken] = [.name(name)]
        for text in [row[1], row[3].map { "DEFAULT \($0)" }].compactMap({ $0 }) {
            var scanner = SQLScanner(text)
            tokens += (try? scanner.statement()) ?? []
        }
        var column = ForeignTable.Column(name: name, type: ForeignType(""))
        if let reader = SQLColumnReader(tokens, enumerations: [:]) { column = reader.column }
        column.isNullable = row[2] != "1"
        column.isGenerated = ["2", "3"].contains(row[5])
        return column
    }

    private func references(_ name: String) throws -> [ForeignTable.Reference] {
        var found: [(id: String, reference: ForeignTable.Reference)] = []
        let sql = "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq"
        for row in try rows(5, sql, name) {
            guard let id = row[0], let target = row[1], let column = row[2] else { continue }
            if let last = found.indices.last, found[last].id == id {
                found[last].reference.columns.append(column)
                if let other = row[3] { found[last].reference.targetColumns.append(other) }
                continue
            }
            let deletion: ForeignTable.Deletion =
                row[4] == "CASCADE" ? .cascades : row[4] == "SET NULL" ? .setsNull : .refused
            found.append(
                (
                    id,
                    .init(
                        columns: [column], target: .init(schema: nil, table: target),
                        targetColumns: [row[3]].compactMap { $0 }, deletion: deletion)
                ))
        }
        // The catalogue has the last one first.
        return found.reversed().map(\.reference)
    }

    private mutating func addIndexes(to table: inout ForeignTable) throws {
        let sql = "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?) ORDER BY seq DESC"
        for row in try rows(4, sql, table.name.table) {
            guard let name = row[0], row[2] != "pk" else { continue }
            let parts = try rows(
                2, "SELECT name, \"desc\" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno", name)
            let elements = parts.compactMap { part in
                part[0].map { ForeignTable.Index.Element(column: $0, isAscending: part[1] != "1") }
            }
            if row[3] == "1" || elements.count < parts.count {
                notes.append("The index \(name) is over some rows or an expression, and was left out.")
            } else if row[1] == "1" {
                table.uniques.append(elements.map(\.column))
            } else {
                table.indexes.append(.init(name: name, elements: elements))
            }
        }
    }

    /// The catalogue knows no checks. The statement does.
    private mutating func addChecks(of name: String, _ sql: String) {
        guard let script = try? SQLScript(sql, name: name) else { return }
        notes += script.notes.filter { $0.contains(" the check (") }
    }
}
