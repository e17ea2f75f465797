import StoreBrowsing

/// The tables that a script in SQL makes, in the dialect of SQLite, PostgreSQL or MySQL.
struct SQLScript {
    private(set) var tables: [ForeignTable] = []
    /// What has no place in tables, a sentence each.
    private(set) var notes: [String] = []
    /// The values of the types that the script makes.
    var enumerations: [String: [String]] = [:]
    /// How many statements there were that make no tables, by their first words.
    private var passed: [String: Int] = [:]

    /// - Throws: ``ToolFailure`` for a quote or a comment that does not end, and for a script that makes no table.
    init(_ text: String, name: String) throws {
        do {
            var scanner = SQLScanner(text)
            while let statement = try scanner.statement() { read(statement) }
        } catch let failure as SQLScanner.Failure {
            throw ToolFailure(.damaged, "\(name), line \(failure.line): \(whole: failure.reason)")
        }
        if tables.isEmpty { throw ToolFailure(.foreign, "\(name) has no CREATE TABLE that could be read.") }
        if !passed.isEmpty {
            let list = passed.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
            notes.append("Statements that make no tables were passed over: \(list.joined(separator: ", ")).")
        }
    }

    private mutating func read(_ statement: [SQLToken]) {
        var cursor = SQLCursor(statement)
        if cursor.take("CREATE") { return create(&cursor, statement) }
        if cursor.take("ALTER", "TABLE") { return alter(&cursor) }
        if cursor.take("COMMENT", "ON") { return comment(&cursor, statement) }
        pass(statement.first?.description.uppercased() ?? "")
    }

    private mutating func pass(_ title: String) { passed[title, default: 0] += 1 }

    mutating func note(_ sentence: String) { notes.append(sentence) }

    // MARK: Making

    private mutating func create(_ cursor: inout SQLCursor, _ statement: [SQLToken]) {
        _ = cursor.take("OR", "REPLACE")
        var isTemporary = false
        while let word = cursor.first, ["TEMP", "TEMPORARY", "UNLOGGED", "GLOBAL", "LOCAL"].contains(where: word.is) {
            isTemporary = isTemporary || word.is("TEMP") || word.is("TEMPORARY")
            _ = cursor.next()
        }
        if cursor.take("TABLE") { return table(&cursor, isTemporary: isTemporary) }
        if cursor.take("TYPE") { return type(&cursor) }
        let isUnique = cursor.take("UNIQUE")
        if cursor.take("INDEX") { return index(&cursor, isUnique: isUnique) }
        pass(statement.prefix(2).map { $0.description.uppercased() }.joined(separator: " "))
    }

    private mutating func table(_ cursor: inout SQLCursor, isTemporary: Bool) {
        _ = cursor.take("IF", "NOT", "EXISTS")
        guard let name = cursor.name() else { return pass("CREATE TABLE") }
        guard !isTemporary else { return note("\(name.text) is temporary, and was left out.") }
        guard let items = cursor.brackets() else {
            return note("\(name.text) is made of a query or of another table, and was left out.")
        }
        guard !tables.contains(where: { $0.name == name }) else {
            return note("\(name.text) is made twice; the first one counts.")
        }
        var table = ForeignTable(name: name)
        for item in SQLCursor.parts(items) { add(item, to: &table) }
        while !cursor.isAtEnd {
            if cursor.take("COMMENT") {
                _ = cursor.take(sign: "=")
                if case .text(let text)? = cursor.first { table.comment = text }
            }
            if cursor.take("INHERITS") || cursor.take("PARTITION") {
                note("\(name.text) is part of another table, or has parts, which no entity says.")
            }
            if let word = cursor.next(), word.is("CREATE") || word.is("ALTER") {
                note("Behind \(name.text) a semicolon is missing: “\(cursor.rest.text)” was left out.")
                break
            }
        }
        tables.append(table)
    }

    private mutating func type(_ cursor: inout SQLCursor) {
        guard let name = cursor.name(), cursor.take("AS"), cursor.take("ENUM"), let list = cursor.brackets() else {
            return pass("CREATE TYPE")
        }
        enumerations[name.table.lowercased()] = list.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    private mutating func index(_ cursor: inout SQLCursor, isUnique: Bool) {
        _ = cursor.take("CONCURRENTLY")
        _ = cursor.take("IF", "NOT", "EXISTS")
        let name = cursor.isNext("ON") ? nil : cursor.name()?.table
        guard cursor.take("ON") else { return pass("CREATE INDEX") }
        _ = cursor.take("ONLY")
        guard let table = cursor.name(), let place = place(of: table) else { return pass("CREATE INDEX") }
        if cursor.take("USING") { _ = cursor.next() }
        let list = cursor.brackets() ?? []
        let title = name ?? "on \(table.text)"
        guard let elements = SQLCursor.columns(list), !elements.isEmpty else {
            return note("The index \(title) is over an expression (\(list.text)), and was left out.")
        }
        if cursor.rest.contains(where: { $0.is("WHERE") }) {
            return note("The index \(title) is over some rows only, and was left out.")
        }
        if isUnique {
            tables[place].uniques.append(elements.map(\.column))
        } else {
            tables[place].indexes.append(
                .init(name: name ?? elements.map(\.column).joined(separator: "_"), elements: elements))
        }
    }

    // MARK: Changing

    private func place(of name: ForeignTable.Name) -> Int? {
        tables.firstIndex { $0.name == name }
            ?? tables.firstIndex { $0.name.table.lowercased() == name.table.lowercased() }
    }

    private mutating func alter(_ cursor: inout SQLCursor) {
        _ = cursor.take("IF", "EXISTS")
        _ = cursor.take("ONLY")
        guard let name = cursor.name(), let place = place(of: name) else { return pass("ALTER TABLE") }
        var table = tables[place]
        for part in SQLCursor.parts(cursor.rest) { change(&table, part) }
        tables[place] = table
    }

    private mutating func change(_ table: inout ForeignTable, _ tokens: [SQLToken]) {
        var cursor = SQLCursor(tokens)
        if cursor.take("ADD") {
            let isColumn = cursor.take("COLUMN")
            _ = cursor.take("IF", "NOT", "EXISTS")
            return isColumn ? addColumn(cursor.rest, to: &table) : add(cursor.rest, to: &table)
        }
        if cursor.take("MODIFY") || cursor.take("CHANGE") {
            _ = cursor.take("COLUMN")
            guard let name = cursor.first?.identifier, let old = table.columns.firstIndex(where: { $0.name == name }),
                let reader = SQLColumnReader(cursor.rest, enumerations: enumerations)
            else { return pass("ALTER TABLE … MODIFY") }
            var column = reader.column
            if table.primaryKey.contains(name) { column.isNullable = false }
            table.columns[old] = column
            return
        }
        guard cursor.take("ALTER") else {
            return pass("ALTER TABLE … \(tokens.first?.description.uppercased() ?? "")")
        }
        _ = cursor.take("COLUMN")
        guard let name = cursor.next()?.identifier, let place = table.columns.firstIndex(where: { $0.name == name })
        else { return pass("ALTER TABLE … ALTER") }
        if cursor.take("SET", "NOT", "NULL") {
            table.columns[place].isNullable = false
        } else if cursor.take("SET", "DEFAULT") {
            table.columns[place].standard = SQLColumnReader.standard(cursor.rest)
        } else if !cursor.isNext("ADD", "GENERATED") {
            pass("ALTER TABLE … ALTER")
        }
    }

    private mutating func comment(_ cursor: inout SQLCursor, _ statement: [SQLToken]) {
        guard case .text(let text)? = statement.last else { return pass("COMMENT") }
        if cursor.take("TABLE"), let name = cursor.name(), let place = place(of: name) {
            tables[place].comment = text
        } else if cursor.take("COLUMN"), let name = columnName(cursor), let place = place(of: name.table),
            let column = tables[place].columns.firstIndex(where: { $0.name == name.column })
        {
            tables[place].columns[column].comment = text
        } else {
            pass("COMMENT")
        }
    }

    /// `schema.table.column`, or `table.column`.
    private func columnName(_ cursor: SQLCursor) -> (table: ForeignTable.Name, column: String)? {
        let names = cursor.rest.prefix { !$0.is("IS") }.compactMap(\.identifier)
        guard names.count > 1 else { return nil }
        let schema = names.count > 2 ? names[names.count - 3] : nil
        return (ForeignTable.Name(schema: schema, table: names[names.count - 2]), names[names.count - 1])
    }
}
