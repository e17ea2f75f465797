/// What stands between the brackets of a table: columns and constraints.
extension SQLScript {
    mutating func add(_ tokens: [SQLToken], to table: inout ForeignTable) {
        var cursor = SQLCursor(tokens)
        if cursor.take("CONSTRAINT"),
            !["PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "EXCLUDE"].contains(where: { cursor.isNext($0) })
        {
            _ = cursor.name()
        }
        if cursor.take("PRIMARY", "KEY") { return addKey(&cursor, to: &table) }
        if cursor.take("FOREIGN", "KEY") { return addReference(&cursor, to: &table) }
        if isList(cursor, "UNIQUE") { return addUnique(&cursor, to: &table) }
        if cursor.take("CHECK") {
            return note("\(table.name.text) has the check (\((cursor.brackets() ?? []).text)), which was left out.")
        }
        if isList(cursor, "KEY") || isList(cursor, "INDEX") { return addIndex(&cursor, to: &table) }
        for word in ["FULLTEXT", "SPATIAL", "EXCLUDE", "LIKE", "PERIOD"]
        where isList(cursor, word) || cursor.isNext("LIKE") {
            return note("\(table.name.text) has \(tokens.text), which was left out.")
        }
        addColumn(tokens, to: &table)
    }

    /// Whether this word begins a constraint, and is no column's name: brackets follow it, or a name and brackets.
    private func isList(_ cursor: SQLCursor, _ word: String) -> Bool {
        guard cursor.isNext(word) else { return false }
        let rest = cursor.rest.dropFirst()
        // A column may be called `key`: the brackets of its type have numbers in them.
        let inner = rest.drop { $0 != .sign("(") }.dropFirst().first
        if inner?.isNumber == true { return false }
        return rest.first == .sign("(") || rest.dropFirst().first == .sign("(")
            || rest.first.map { $0.is("KEY") || $0.is("INDEX") || $0.is("NULLS") || $0.is("USING") } == true
    }

    mutating func addColumn(_ tokens: [SQLToken], to table: inout ForeignTable) {
        guard let reader = SQLColumnReader(tokens, enumerations: enumerations) else {
            return note("\(table.name.text): “\(tokens.text)” is no column, and was left out.")
        }
        let name = reader.column.name
        guard table.column(name) == nil else { return note("\(table.name.text).\(name) is there twice.") }
        table.columns.append(reader.column)
        if reader.isKey { table.primaryKey = [name] }
        if reader.isUnique { table.uniques.append([name]) }
        if let reference = reader.reference { table.references.append(reference) }
        for sentence in reader.notes { note("\(table.name.text).\(name) \(sentence).") }
    }

    private mutating func addKey(_ cursor: inout SQLCursor, to table: inout ForeignTable) {
        passUntilBrackets(&cursor)
        let names = (cursor.brackets().flatMap { SQLCursor.columns($0) } ?? []).map(\.column)
        table.primaryKey = names
        for index in table.columns.indices where names.contains(table.columns[index].name) {
            table.columns[index].isNullable = false
        }
    }

    private mutating func addUnique(_ cursor: inout SQLCursor, to table: inout ForeignTable) {
        passUntilBrackets(&cursor)
        guard let elements = cursor.brackets().flatMap({ SQLCursor.columns($0) }) else {
            return note("\(table.name.text) has a unique expression, which was left out.")
        }
        table.uniques.append(elements.map(\.column))
    }

    private mutating func addReference(_ cursor: inout SQLCursor, to table: inout ForeignTable) {
        passUntilBrackets(&cursor)
        let columns = (cursor.brackets().flatMap { SQLCursor.columns($0) } ?? []).map(\.column)
        guard !columns.isEmpty, cursor.take("REFERENCES"), let reference = SQLReferenceReader.read(columns, &cursor)
        else { return note("\(table.name.text) has a foreign key that can't be read, and was left out.") }
        if !table.references.contains(where: { $0.columns == columns }) { table.references.append(reference) }
    }

    private mutating func addIndex(_ cursor: inout SQLCursor, to table: inout ForeignTable) {
        _ = cursor.next()
        let name = cursor.first?.identifier
        passUntilBrackets(&cursor)
        guard let elements = cursor.brackets().flatMap({ SQLCursor.columns($0) }), !elements.isEmpty else {
            return note("\(table.name.text) has the index \(name ?? "") over an expression, which was left out.")
        }
        table.indexes.append(.init(name: name ?? elements.map(\.column).joined(separator: "_"), elements: elements))
    }

    /// The name of a constraint and the kind of an index may stand before the columns.
    private func passUntilBrackets(_ cursor: inout SQLCursor) {
        while let token = cursor.first, token != .sign("(") { _ = cursor.next() }
    }
}
