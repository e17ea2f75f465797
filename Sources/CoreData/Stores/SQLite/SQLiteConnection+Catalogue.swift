import CSQLite

/// What a database says of itself.
extension SQLiteConnection {
    /// The names of all that is of a kind: `table` or `index`.
    func names(ofKind kind: String) throws -> Set<String> {
        let statement = try SQLiteStatement("SELECT name FROM sqlite_master WHERE type = ?", on: self)
        statement.bind(1, text: kind)
        var names: Set<String> = []
        while try statement.step() { if let name = statement.text(0) { names.insert(name) } }
        return names
    }

    /// The columns of all tables in their order, by the tables' names. Virtual ones are left out: a library without
    /// their module can't be asked for theirs.
    package func columnsByTable() throws -> [String: [SQLTableColumn]] {
        let statement = try SQLiteStatement(
            "SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_info(m.name) c "
                + "WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.rowid, c.cid", on: self)
        var columns: [String: [SQLTableColumn]] = [:]
        while try statement.step() {
            guard let table = statement.text(0), let name = statement.text(1) else { continue }
            // A column may have no type.
            columns[table, default: []].append(SQLTableColumn(name: name, type: statement.text(2) ?? ""))
        }
        return columns
    }

    /// What the database has beside the columns of its tables.
    func catalogue(_ columns: [String: [SQLTableColumn]]) throws -> SQLStoreCatalogue {
        let statement = try SQLiteStatement(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid", on: self)
        var catalogue = SQLStoreCatalogue(
            columns: columns, tableTexts: [:], indexes: [], triggers: [], highestKeys: [:])
        while try statement.step() {
            let (name, table) = (statement.text(1) ?? "", statement.text(2) ?? "")
            let text = statement.text(3) ?? ""
            switch statement.text(0) {
            case "table":
                catalogue.tableTexts[name] = text
                guard text.hasPrefix("CREATE VIRTUAL") else { break }
                catalogue.virtualTableTexts[name] = text
                if name.hasPrefix("Z_RT_") { catalogue.spatialTables.append(name) }
            case "index": catalogue.indexes.append(.init(name: name, table: table, text: text))
            case "trigger": catalogue.triggers.append(.init(name: name, table: table, text: text))
            case "view": catalogue.views.append(.init(name: name, text: text))
            default: break
            }
        }
        let keys = try newStatement(SQLStoreTables.highestKeys)
        while try keys.step() { catalogue.highestKeys[keys.int(0)] = keys.int(1) }
        return catalogue
    }

    /// The size of the file's pages.
    func pageSize() throws -> Int {
        guard let size = try integer("PRAGMA page_size") else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "the database does not say how large its pages are")
        }
        return Int(size)
    }
}

/// What makes a database one like another.
extension SQLiteConnection {
    /// Makes the tables, indexes and triggers of another database.
    func takeTables(of other: SQLiteConnection) throws {
        let definitions = try SQLiteStatement(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                + "ORDER BY type != 'table', rowid", on: other)
        var known: Set<String> = []
        while try definitions.step() {
            guard let name = definitions.text(0), let sql = definitions.text(1) else { continue }
            // A virtual table makes the tables that it keeps its rows in.
            if known.contains(name) { continue }
            try execute(sql)
            known = try names(ofKind: "table")
        }
    }

    /// Inserts the rows that a table of another database has.
    func takeRows(of table: String, from other: SQLiteConnection) throws {
        let rows = try SQLiteStatement("SELECT * FROM \(table.quotedForSQL)", on: other)
        let count = Int(sqlite3_column_count(rows.handle))
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        let insert = try SQLiteStatement("INSERT INTO \(table.quotedForSQL) VALUES (\(marks))", on: self)
        while try rows.step() {
            for column in 0..<Int32(count) { SQLValue(rows, column).bind(to: insert, column + 1) }
            try insert.run()
        }
    }
}
