/// Walks through the tokens of a statement.
struct SQLCursor {
    private var tokens: ArraySlice<SQLToken>

    init(_ tokens: some Sequence<SQLToken>) { self.tokens = Array(tokens)[...] }

    var isAtEnd: Bool { tokens.isEmpty }
    var first: SQLToken? { tokens.first }
    var rest: [SQLToken] { Array(tokens) }

    mutating func next() -> SQLToken? { tokens.popFirst() }

    func isNext(_ words: String...) -> Bool {
        tokens.count >= words.count && zip(tokens, words).allSatisfy { $0.is($1) }
    }

    /// Passes over these words, if they are next.
    mutating func take(_ words: String...) -> Bool {
        guard tokens.count >= words.count, zip(tokens, words).allSatisfy({ $0.is($1) }) else { return false }
        tokens = tokens.dropFirst(words.count)
        return true
    }

    mutating func take(sign: Character) -> Bool {
        guard tokens.first == .sign(sign) else { return false }
        tokens = tokens.dropFirst()
        return true
    }

    /// A name, with its schema before a dot. Of several names before dots the last two count.
    mutating func name() -> ForeignTable.Name? {
        guard let first = tokens.first?.identifier else { return nil }
        tokens = tokens.dropFirst()
        var name = ForeignTable.Name(schema: nil, table: first)
        while tokens.first == .sign("."), let more = tokens.dropFirst().first?.identifier {
            tokens = tokens.dropFirst(2)
            name = ForeignTable.Name(schema: name.table, table: more)
        }
        return name
    }

    /// What stands between brackets, without them; nil where no bracket is next.
    mutating func brackets() -> [SQLToken]? {
        guard tokens.first == .sign("(") else { return nil }
        var depth = 0
        var inner: [SQLToken] = []
        while let token = tokens.popFirst() {
            if token == .sign("(") { depth += 1 }
            if token == .sign(")") { depth -= 1 }
            if depth == 0 { return Array(inner.dropFirst()) }
            inner.append(token)
        }
        return Array(inner.dropFirst())
    }

    /// The parts between commas that stand outside of brackets.
    static func parts(_ tokens: [SQLToken]) -> [[SQLToken]] {
        var parts: [[SQLToken]] = [[]]
        var depth = 0
        for token in tokens {
            if token == .sign("(") { depth += 1 }
            if token == .sign(")") { depth -= 1 }
            if token == .sign(","), depth == 0 { parts.append([]) } else { parts[parts.count - 1].append(token) }
        }
        return parts.filter { !$0.isEmpty }
    }

    /// The names of a list of columns: each part's first word, whatever stands behind it.
    ///
    /// - Returns: Nil where a part is an expression.
    static func columns(_ tokens: [SQLToken]) -> [ForeignTable.Index.Element]? {
        let elements = parts(tokens).map { part -> ForeignTable.Index.Element? in
            guard let name = part.first?.identifier, part.dropFirst().first != .sign(".") else { return nil }
            // MySQL tells how many characters of a text are in an index. Other brackets are those of a function.
            if part.count > 1, part[1] == .sign("("), part.count < 4 || !part[2].isNumber { return nil }
            if part.dropFirst().contains(where: { [.sign("+"), .sign("|"), .sign("-"), .sign(":")].contains($0) }) {
                return nil
            }
            return .init(column: name, isAscending: !part.contains { $0.is("DESC") })
        }
        return elements.contains { $0 == nil } ? nil : elements.compactMap { $0 }
    }
}

extension SQLToken {
    var isNumber: Bool { if case .number = self { true } else { false } }
}

extension Sequence<SQLToken> {
    /// The tokens as a sentence repeats them.
    var text: String {
        var text = ""
        for token in self {
            let part = token.description
            let isTight =
                text.isEmpty || text.hasSuffix("(") || text.hasSuffix(".") || ["(", ")", ",", "."].contains(part)
            text += isTight ? part : " " + part
        }
        return text.count > 80 ? text.prefix(77) + "…" : text
    }
}
