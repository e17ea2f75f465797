extension SQLiteDialect {
    // MARK: Tables

    /// A table of FTS5 that keeps words alone; the texts stay where they are.
    package func writeSearch(_ statement: SQLSearchStatement, to writer: inout SQLWriter) {
        switch statement {
        case .create(let table): writeCreation(table, to: &writer)
        case .fill(let table, let conditions): writeFilling(table, conditions, to: &writer)
        case .enter(let table, let row):
            writeEntry(table, command: nil, to: &writer)
            writeValues(table, of: row, command: nil, to: &writer)
        case .leave(let table, let row):
            writeEntry(table, command: "delete", to: &writer)
            writeValues(table, of: row, command: "delete", to: &writer)
        }
    }

    private func writeCreation(_ table: SQLSearchTable, to writer: inout SQLWriter) {
        writer.write("CREATE VIRTUAL TABLE \(identifier(table.name)) USING FTS5 (")
        writer.list(table.columns) { $0.write(identifier($1)) }
        writer.write(", content = \(table.source.sqlLiteral), content_rowid = 'Z_PK', ")
        writer.write("tokenize = \(table.tokenizer.specification.joined(separator: " ").sqlLiteral))")
    }

    private func writeFilling(_ table: SQLSearchTable, _ conditions: [SQLExpression], to writer: inout SQLWriter) {
        writeEntry(table, command: nil, to: &writer)
        var rows = SQLSelect(from: .table(table.source, .only))
        rows.columns = (["Z_PK"] + table.columns).map { .own($0) }
        rows.conditions = conditions
        writer.select(rows)
    }

    private func writeEntry(_ table: SQLSearchTable, command: String?, to writer: inout SQLWriter) {
        writer.write("INSERT INTO \(identifier(table.name)) ")
        // A command is written as a value of the column that has the table's name.
        writer.names((command == nil ? [] : [table.name]) + [SQLSearchTable.key] + table.columns)
        writer.write(" ")
    }

    private func writeValues(
        _ table: SQLSearchTable, of row: SQLAlias, command: String?, to writer: inout SQLWriter
    ) {
        writer.write("VALUES (")
        if let command { writer.write("\(command.sqlLiteral), ") }
        writer.list(["Z_PK"] + table.columns) { $0.expression(.column($1, of: row)) }
        writer.write(")")
    }

    // MARK: Searches

    package func writeSearch(_ value: SQLSearchValue, of search: SQLSearch, to writer: inout SQLWriter) {
        let table = "\(search.alias.name).\(identifier(search.table.name))"
        switch value {
        case .match:
            writer.write("\(table) MATCH ")
            writer.bind(.text(Self.text(of: search)))
        case .rank: writer.write("\(search.alias.name).rank")
        case .snippet:
            writer.write("snippet(\(table), -1, ")
            writer.bind(.text(TextMarker.start))
            writer.write(", ")
            writer.bind(.text(TextMarker.end))
            writer.write(", '…', 24)")
        }
    }

    /// The query in FTS5's language. What users typed stands between quotes, so that none of it is a word of the
    /// language.
    private static func text(of search: SQLSearch) -> String {
        // A library that can't split texts has no such table.
        let query = try? SplitTextQuery(search.query, search.table.tokenizer, SQLiteTextSplitter.shared)
        let phrases = (query?.phrases ?? []).map { $0.text.quotedForSQL + ($0.isPrefix ? " *" : "") }
        if phrases.isEmpty { return "\"\"" }
        let all = phrases.joined(separator: " AND ")
        guard let columns = search.columns else { return all }
        return "{\(columns.map(\.quotedForSQL).joined(separator: " "))} : (\(all))"
    }
}

extension TextTokenizer {
    /// The name and the arguments of FTS5's tokenizer.
    var specification: [String] {
        switch self {
        case .words: ["unicode61", "remove_diacritics", "2"]
        case .english: ["porter", "unicode61", "remove_diacritics", "2"]
        case .substrings: ["trigram"]
        }
    }
}
