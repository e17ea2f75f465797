import CoreData

/// Full-text search. A search table has the words of each text as a `tsvector`, or for parts of words the texts
/// themselves in small letters.
///
/// Words are those of SQLite's indexes: ``PostgreSQLFunctions/searches`` splits the texts of rows, and the library's
/// own splitter the query.
extension PostgreSQLDialect {
    /// The words of all columns. No attribute has a name with an underscore at its start.
    private static let all = "_all"

    // MARK: Tables

    func writeSearch(_ statement: SQLSearchStatement, to writer: inout SQLWriter) {
        switch statement {
        case .create(let table): writeCreation(table, to: &writer)
        case .fill(let table, let conditions):
            writeTarget(table, to: &writer)
            writer.write("SELECT ")
            writeEntry(table, .only, to: &writer)
            writer.write(" FROM \(identifier(table.source))")
            writer.conditions(conditions)
        case .enter(let table, let row):
            writeTarget(table, to: &writer)
            writer.write("VALUES (")
            writeEntry(table, row, to: &writer)
            writer.write(")")
        case .leave(let table, let row):
            writer.write("DELETE FROM \(identifier(table.name)) WHERE \(identifier(SQLSearchTable.key)) = ")
            writer.expression(.column("Z_PK", of: row))
        }
    }

    /// A table with its indexes, by one statement.
    private func writeCreation(_ table: SQLSearchTable, to writer: inout SQLWriter) {
        let name = identifier(table.name)
        let type = table.tokenizer == .substrings ? "TEXT COLLATE \"C\"" : "TSVECTOR"
        var block = SQLWriter(dialect: self)
        block.write("CREATE TABLE \(name) (\(identifier(SQLSearchTable.key)) BIGINT PRIMARY KEY, ")
        block.list(table.columns) { $0.write("\(identifier($1)) \(type)") }
        if table.hasColumnOfAll {
            block.write(", \(identifier(Self.all)) TSVECTOR GENERATED ALWAYS AS (")
            block.list(table.columns, separator: " || ") { $0.write("COALESCE(\(identifier($1)), '')") }
            block.write(") STORED")
        }
        block.write("); ")
        if table.tokenizer == .substrings {
            writePartIndexes(table, to: &block)
        } else {
            for column in table.columns + (table.hasColumnOfAll ? [Self.all] : []) {
                block.write("CREATE INDEX ON \(name) USING GIN (\(identifier(column))); ")
            }
        }
        writer.write(PostgreSQLQuoting.block(block.text.trimmingCharacters(in: .whitespaces)))
    }

    /// Indexes of three characters in a row, where the database has the extension for them.
    private func writePartIndexes(_ table: SQLSearchTable, to writer: inout SQLWriter) {
        writer.write("IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN ")
        for column in table.columns {
            let text = "CREATE INDEX ON \(identifier(table.name)) USING GIN (\(identifier(column)) %I.gin_trgm_ops)"
            writer.write("EXECUTE format(\(literal(.text(text))), (SELECT extnamespace::regnamespace::text ")
            writer.write("FROM pg_extension WHERE extname = 'pg_trgm')); ")
        }
        writer.write("END IF; ")
    }

    private func writeTarget(_ table: SQLSearchTable, to writer: inout SQLWriter) {
        writer.write("INSERT INTO \(identifier(table.name)) ")
        writer.names([SQLSearchTable.key] + table.columns)
        writer.write(" ")
    }

    private func writeEntry(_ table: SQLSearchTable, _ row: SQLAlias, to writer: inout SQLWriter) {
        writer.expression(.column("Z_PK", of: row))
        for column in table.columns {
            writer.write(table.tokenizer == .substrings ? ", coredata.small(" : ", coredata.search_vector(")
            writer.expression(.column(column, of: row))
            writer.write(table.tokenizer == .substrings ? ")" : ", \(table.configuration))")
        }
    }

    // MARK: Searches

    func writeSearch(_ value: SQLSearchValue, of search: SQLSearch, to writer: inout SQLWriter) {
        let phrases = PostgreSQLSearchPhrase.all(of: search)
        switch value {
        case .match where phrases.isEmpty: writer.write(truth(false))
        case .match: writeMatch(phrases, search, to: &writer)
        case .rank where phrases.isEmpty: writer.write("0::double precision")
        case .rank: writeRank(phrases, search, to: &writer)
        case .snippet: writeSnippet(phrases, search, to: &writer)
        }
    }

    /// Single words may be in several texts, words side by side are in one.
    private func writeMatch(_ phrases: [PostgreSQLSearchPhrase], _ search: SQLSearch, to writer: inout SQLWriter) {
        let columns = search.columns ?? search.table.columns
        let isJoint = search.columns == nil && search.table.hasColumnOfAll
        let words = isJoint ? phrases.filter(\.isOneWord) : []
        if !words.isEmpty {
            writer.write("\(search.alias.name).\(identifier(Self.all)) @@ ")
            writeQuery(words, to: &writer)
        }
        for (index, phrase) in (isJoint ? phrases.filter { !$0.isOneWord } : phrases).enumerated() {
            if index > 0 || !words.isEmpty { writer.write(" AND ") }
            writer.write(columns.count > 1 ? "(" : "")
            writer.list(columns, separator: " OR ") { writer, column in
                let column = "\(search.alias.name).\(identifier(column))"
                if search.table.tokenizer == .substrings {
                    writer.write("\(column) LIKE ")
                    writer.bind(SQLTypedValue(.text(phrase.pattern), as: "text"))
                } else {
                    writer.write("\(column) @@ ")
                    writeQuery([phrase], to: &writer)
                }
            }
            writer.write(columns.count > 1 ? ")" : "")
        }
    }

    private func writeQuery(_ phrases: [PostgreSQLSearchPhrase], to writer: inout SQLWriter) {
        let text = phrases.map(\.query).joined(separator: " & ")
        writer.bind(SQLTypedValue(.text(text), as: "text"))
        writer.write("::tsquery")
    }

    /// Less for a better match, as in SQLite. Long texts count less.
    private func writeRank(_ phrases: [PostgreSQLSearchPhrase], _ search: SQLSearch, to writer: inout SQLWriter) {
        writer.write("(-")
        if search.table.tokenizer == .substrings {
            writer.write("coredata.rank_of_parts(ARRAY[")
            writer.list(search.columns ?? search.table.columns) {
                $0.write("\(search.alias.name).\(identifier($1))")
            }
            writer.write("], ")
            writeTexts(phrases.map(\.part), to: &writer)
            writer.write(")")
        } else {
            writer.write("ts_rank(")
            writeVector(search, to: &writer)
            writer.write(", ")
            writeQuery(phrases, to: &writer)
            writer.write(", 1)::double precision")
        }
        writer.write(")")
    }

    private func writeVector(_ search: SQLSearch, to writer: inout SQLWriter) {
        if search.columns == nil, search.table.hasColumnOfAll {
            return writer.write("\(search.alias.name).\(identifier(Self.all))")
        }
        writer.list(search.columns ?? search.table.columns, separator: " || ") {
            $0.write("COALESCE(\(search.alias.name).\(identifier($1)), '')")
        }
    }

    private func writeSnippet(_ phrases: [PostgreSQLSearchPhrase], _ search: SQLSearch, to writer: inout SQLWriter) {
        let isOfParts = search.table.tokenizer == .substrings
        writer.write(isOfParts ? "coredata.snippet_of_parts((SELECT ARRAY[" : "coredata.snippet((SELECT ARRAY[")
        writer.list(search.columns ?? search.table.columns) { $0.write(identifier($1)) }
        writer.write("] FROM \(identifier(search.table.source)) WHERE \(identifier("Z_PK")) = ")
        writer.write("\(search.alias.name).\(identifier(SQLSearchTable.key))), ")
        if isOfParts {
            writeTexts(phrases.map(\.part), to: &writer)
        } else {
            writeTexts(phrases.flatMap(\.wholeWords), to: &writer)
            writer.write(", ")
            writeTexts(phrases.compactMap(\.beginning), to: &writer)
            writer.write(", \(truth(search.table.tokenizer == .english))")
        }
        writer.write(")")
    }

    /// An array of texts, none of which has a line break.
    private func writeTexts(_ texts: [String], to writer: inout SQLWriter) {
        writer.write("string_to_array(")
        writer.bind(SQLTypedValue(.text(texts.joined(separator: "\n")), as: "text"))
        writer.write(", E'\\n')")
    }
}

/// Words that stand side by side in a text, as an index has them.
struct PostgreSQLSearchPhrase {
    private let words: [String]
    private let isPrefix: Bool

    /// None: nothing matches.
    static func all(of search: SQLSearch) -> [PostgreSQLSearchPhrase] {
        // A store whose process can't split texts has no search table.
        let phrases = (try? search.query.phrases(by: search.table.tokenizer)) ?? []
        // No text of a database has U+0000.
        return phrases.map { phrase in
            PostgreSQLSearchPhrase(
                words: phrase.words.map { $0.replacing("\0", with: "\u{1}") }, isPrefix: phrase.isPrefix)
        }
    }

    var isOneWord: Bool { words.count == 1 }

    /// What a `tsquery` has for it.
    var query: String {
        let terms = words.map { "'\($0.replacing("\\", with: "\\\\").replacing("'", with: "''"))'" }
        let text = terms.joined(separator: " <-> ") + (isPrefix ? ":*" : "")
        return terms.count > 1 ? "(\(text))" : text
    }

    /// The words that a text has as they are.
    var wholeWords: [String] { isPrefix ? words.dropLast() : words }

    /// What the last word begins with.
    var beginning: String? { isPrefix ? words.last : nil }

    /// The part of a text that each three characters in a row make.
    var part: String {
        var scalars = (words.first ?? "").unicodeScalars
        for word in words.dropFirst() { scalars.append(contentsOf: word.unicodeScalars.suffix(1)) }
        return String(scalars)
    }

    /// The pattern of LIKE for ``part``.
    var pattern: String {
        "%" + part.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_") + "%"
    }
}

extension SQLSearchTable {
    /// Whether the table has a column with the words of all others.
    fileprivate var hasColumnOfAll: Bool { tokenizer != .substrings && columns.count > 1 }

    /// How words are made of a text.
    fileprivate var configuration: String { tokenizer == .english ? "'coredata.english'" : "'pg_catalog.simple'" }
}
