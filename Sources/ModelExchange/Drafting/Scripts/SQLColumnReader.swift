/// Reads the definition of a column: its name, its type and what follows.
struct SQLColumnReader {
    private(set) var column: ForeignTable.Column
    private(set) var isKey = false
    private(set) var isUnique = false
    private(set) var reference: ForeignTable.Reference?
    private(set) var notes: [String] = []
    private var cursor: SQLCursor

    /// Words at which a type ends.
    private static let ends: Set<String> = [
        "NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "REFERENCES", "CHECK", "COLLATE", "GENERATED", "AS",
        "AUTO_INCREMENT", "AUTOINCREMENT", "COMMENT", "CONSTRAINT", "ON", "CHARACTER", "CHARSET", "KEY", "IDENTITY",
        "ENCODE", "STORAGE", "VISIBLE", "INVISIBLE", "DEFERRABLE", "INITIALLY",
    ]

    /// - Returns: Nil for what begins with no name.
    init?(_ tokens: [SQLToken], enumerations: [String: [String]]) {
        cursor = SQLCursor(tokens)
        guard let name = cursor.next()?.identifier else { return nil }
        column = ForeignTable.Column(name: name, type: ForeignType(""))
        readType(enumerations)
        while let token = cursor.first { if !readConstraint() { note(token) } }
        if isKey { column.isNullable = false }
    }

    private mutating func note(_ token: SQLToken) {
        _ = cursor.next()
        notes.append("“\(token.description)” is unknown here")
    }

    // MARK: The type

    private mutating func readType(_ enumerations: [String: [String]]) {
        var words: [String] = []
        var type = ForeignType("")
        while let token = cursor.first {
            if case .word(let word) = token, Self.ends.contains(word.uppercased()) {
                // `character varying` and `CHARACTER SET` begin alike.
                guard word.uppercased() == "CHARACTER", words.isEmpty else { break }
            }
            if let brackets = cursor.brackets() {
                type.arguments = brackets.compactMap { if case .number(let text) = $0 { Int(text) } else { nil } }
                type.values = brackets.compactMap { if case .text(let text) = $0 { text } else { nil } }
                continue
            }
            if token == .sign("[") {
                while let sign = cursor.next(), sign != .sign("]") {}
                words.append((words.popLast() ?? "") + "[]")
                continue
            }
            guard let word = cursor.name()?.table else { break }
            words.append(word.lowercased())
        }
        type.name = words.joined(separator: " ")
        if let values = enumerations[type.name] { type = ForeignType("text", values: values) }
        if ["serial", "bigserial", "smallserial"].contains(type.name) { column.isNullable = false }
        column.type = type
    }

    // MARK: What follows

    /// - Returns: False for what is unknown.
    private mutating func readConstraint() -> Bool {
        if cursor.take("CONSTRAINT") { return cursor.name() != nil }
        if cursor.take("NOT", "NULL") { column.isNullable = false; return true }
        if cursor.take("NULL") { return true }
        if cursor.take("PRIMARY", "KEY") {
            isKey = true
            _ = cursor.take("ASC") || cursor.take("DESC")
            return true
        }
        if cursor.take("UNIQUE") { isUnique = true; return true }
        if cursor.take("DEFAULT") { column.standard = readDefault(); return true }
        if cursor.take("REFERENCES") { return readReference() }
        if cursor.take("COMMENT") { return readComment() }
        if cursor.take("CHECK") {
            notes.append("has the check (\((cursor.brackets() ?? []).text)), which was left out")
            return true
        }
        return readGeneration() || readMinor()
    }

    private mutating func readReference() -> Bool {
        guard let reference = SQLReferenceReader.read([column.name], &cursor) else { return false }
        self.reference = reference
        return true
    }

    private mutating func readComment() -> Bool {
        guard case .text(let text)? = cursor.next() else { return false }
        column.comment = text.isEmpty ? nil : text
        return true
    }

    /// `GENERATED ALWAYS AS IDENTITY`, and `GENERATED ALWAYS AS (…) STORED`.
    private mutating func readGeneration() -> Bool {
        let isGeneration = cursor.take("GENERATED")
        if isGeneration { _ = cursor.take("ALWAYS") || cursor.take("BY", "DEFAULT") }
        guard cursor.take("AS") else { return isGeneration }
        if cursor.take("IDENTITY") {
            _ = cursor.brackets()
            column.isNullable = false
            return true
        }
        column.isGenerated = cursor.brackets() != nil
        _ = cursor.take("STORED") || cursor.take("VIRTUAL") || cursor.take("PERSISTENT")
        return true
    }

    /// What says nothing that a model could have.
    private mutating func readMinor() -> Bool {
        if cursor.take("AUTO_INCREMENT") || cursor.take("AUTOINCREMENT") || cursor.take("KEY") { return true }
        if cursor.take("IDENTITY") { _ = cursor.brackets(); return true }
        if cursor.take("VISIBLE") || cursor.take("INVISIBLE") { return true }
        if cursor.take("COLLATE") || cursor.take("CHARSET") || cursor.take("CHARACTER", "SET") || cursor.take("STORAGE")
            || cursor.take("ENCODE")
        {
            _ = cursor.next()
            return true
        }
        if cursor.take("ON", "UPDATE") {
            let tokens = Self.expression(&cursor)
            notes.append("is set to \(tokens.text) by each update, which was left out")
            return true
        }
        if cursor.take("ON", "CONFLICT") { _ = cursor.next(); return true }
        return SQLReferenceReader.passTiming(&cursor)
    }

    private mutating func readDefault() -> ForeignTable.Default? { Self.standard(Self.expression(&cursor)) }

    /// The tokens of an expression: up to a word that begins something else.
    static func expression(_ cursor: inout SQLCursor) -> [SQLToken] {
        var tokens: [SQLToken] = []
        while let token = cursor.first {
            // A type behind a cast may begin like something else: `'draft'::character varying`.
            if case .word(let word) = token, ends.contains(word.uppercased()), tokens.last != .sign(":"),
                !tokens.isEmpty || word.uppercased() != "NULL"
            {
                break
            }
            if let brackets = cursor.brackets() {
                tokens += [.sign("(")] + brackets + [.sign(")")]
            } else {
                tokens.append(token)
                _ = cursor.next()
            }
        }
        return tokens
    }

    /// The value of an expression, if it is a plain one.
    static func standard(_ tokens: [SQLToken]) -> ForeignTable.Default? {
        var tokens = tokens[...]
        while tokens.count > 2, tokens.first == .sign("("), tokens.last == .sign(")") {
            tokens = tokens.dropFirst().dropLast()
        }
        // A cast of PostgreSQL: 'draft'::character varying.
        if let cast = tokens.firstIndex(of: .sign(":")), cast > tokens.startIndex,
            cast == tokens.startIndex + 1 || tokens.first == .sign("-")
        {
            tokens = tokens[..<cast]
        }
        let isNegative = tokens.count == 2 && tokens.first == .sign("-")
        guard let token = tokens.last, tokens.count == 1 || isNegative else {
            return tokens.isEmpty ? nil : .expression(tokens.text)
        }
        switch token {
        case .text(let text): return .text(text)
        case .number(let text): return .number(isNegative ? "-" + text : text)
        case .word(let word) where ["TRUE", "FALSE"].contains(word.uppercased()):
            return .boolean(word.uppercased() == "TRUE")
        case .word(let word) where word.uppercased() == "NULL": return nil
        default: return .expression(tokens.text)
        }
    }
}

/// Reads what follows `REFERENCES`.
enum SQLReferenceReader {
    /// - Returns: Nil where no table is named.
    static func read(_ columns: [String], _ cursor: inout SQLCursor) -> ForeignTable.Reference? {
        guard let target = cursor.name() else { return nil }
        var reference = ForeignTable.Reference(columns: columns, target: target)
        if let list = cursor.brackets() { reference.targetColumns = (SQLCursor.columns(list) ?? []).map(\.column) }
        while !cursor.isAtEnd {
            if cursor.take("ON", "DELETE") {
                reference.deletion = action(&cursor)
            } else if cursor.take("ON", "UPDATE") {
                _ = action(&cursor)
            } else if cursor.take("MATCH") {
                _ = cursor.next()
            } else if !passTiming(&cursor) {
                break
            }
        }
        return reference
    }

    private static func action(_ cursor: inout SQLCursor) -> ForeignTable.Deletion {
        if cursor.take("CASCADE") { return .cascades }
        if cursor.take("SET", "NULL") {
            _ = cursor.brackets()
            return .setsNull
        }
        _ = cursor.take("NO", "ACTION") || cursor.take("RESTRICT") || cursor.take("SET", "DEFAULT")
        return .refused
    }

    /// Passes over when a constraint is looked at.
    static func passTiming(_ cursor: inout SQLCursor) -> Bool {
        cursor.take("DEFERRABLE") || cursor.take("NOT", "DEFERRABLE") || cursor.take("INITIALLY", "DEFERRED")
            || cursor.take("INITIALLY", "IMMEDIATE") || cursor.take("NOT", "VALID") || cursor.take("ENABLE")
    }
}
