/// The text of an index, a trigger or a view with other names of tables and columns.
struct SQLRenaming {
    private(set) var result = ""
    /// A table or a column of the text that is gone.
    private(set) var gone: String?
    /// A column that has different new names in the tables of the text.
    private(set) var unclear: String?
    /// A column of the text that gets another name.
    private(set) var renamedColumn: String?
    /// Whether the text has `Z_ENT` and a number.
    var namesEntities: Bool { hasEntityColumn && hasNumber }

    private var hasEntityColumn = false
    private var hasNumber = false
    private let tables: [String: SQLTableFate]
    /// The new names of columns; none for those that are gone.
    private var names: [String: Set<String?>] = [:]

    /// - Parameters:
    ///   - name: What the text makes; it keeps its name.
    ///   - fates: Those of the tables that the text names and that change.
    ///   - columns: The columns of all tables.
    init(of name: String, in text: String, _ fates: [String: SQLTableFate], _ columns: [String: [String]]) {
        tables = Dictionary(uniqueKeysWithValues: fates.map { ($0.key.uppercased(), $0.value) })
        let tokens = SQLToken.all(of: text)
        let words = Set(tokens.compactMap { $0.name?.uppercased() })
        for (table, known) in columns where words.contains(table.uppercased()) {
            let fate = fates[table]
            for column in known {
                names[column.uppercased(), default: []].insert(fate.map { $0.columns[column] } ?? column)
            }
        }
        let own = tokens.firstIndex { $0.name?.uppercased() == name.uppercased() }
        for (place, token) in tokens.enumerated() { result += place == own ? token.text : renamed(token) }
    }

    private mutating func renamed(_ token: SQLToken) -> String {
        hasNumber = hasNumber || token.isNumber
        guard let name = token.name else { return token.text }
        let key = name.uppercased()
        hasEntityColumn = hasEntityColumn || key == "Z_ENT"
        if let fate = tables[key] {
            guard let new = fate.name else {
                gone = gone ?? "the table \(name)"
                return token.text
            }
            return token.renamed(new)
        }
        guard let found = names[key] else { return token.text }
        if found.count > 1 { unclear = unclear ?? "the column \(name)" }
        guard let new = found.first ?? nil else {
            gone = gone ?? "the column \(name)"
            return token.text
        }
        if new.uppercased() != key { renamedColumn = renamedColumn ?? name }
        return token.renamed(new)
    }
}

/// A piece of a statement's text: a name, a number, a literal, a comment, or what stands between them.
private struct SQLToken {
    let text: String
    /// What the piece names; nil where it is no name.
    private(set) var name: String?

    var isNumber: Bool { name == nil && text.first?.isNumber ?? false }

    /// The piece with another name, quoted as it was.
    func renamed(_ new: String) -> String {
        if new.uppercased() == name?.uppercased() { return text }
        return "\"" + new.replacing("\"", with: "\"\"") + "\""
    }

    static func all(of text: String) -> [SQLToken] {
        var tokens: [SQLToken] = []
        var rest = text[...]
        while let first = rest.first {
            let token = SQLToken(first, rest)
            tokens.append(token)
            rest = rest.dropFirst(token.text.count)
        }
        return tokens
    }

    private init(_ first: Character, _ rest: Substring) {
        switch first {
        case "'": text = Self.quoted(rest, "'")
        case "\"", "`":
            text = Self.quoted(rest, first)
            name = String(text.dropFirst().dropLast()).replacing("\(first)\(first)", with: String(first))
        case "[":
            text = String(rest.prefix { $0 != "]" }) + "]"
            name = String(text.dropFirst().dropLast())
        case "-" where rest.hasPrefix("--"): text = String(rest.prefix { !$0.isNewline })
        case "/" where rest.hasPrefix("/*"): text = Self.comment(rest)
        case _ where first.isNumber: text = String(rest.prefix { Self.isInWord($0) || $0 == "." })
        case _ where Self.isInWord(first):
            text = String(rest.prefix(while: Self.isInWord))
            name = text
        default: text = String(first)
        }
    }

    private static func isInWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }

    /// A piece in quotes; two of them in it are one.
    private static func quoted(_ rest: Substring, _ quote: Character) -> String {
        var found = String(quote)
        var left = rest.dropFirst()
        while let next = left.first {
            found.append(next)
            left = left.dropFirst()
            guard next == quote else { continue }
            guard left.first == quote else { return found }
            found.append(quote)
            left = left.dropFirst()
        }
        return found
    }

    private static func comment(_ rest: Substring) -> String {
        guard let end = rest.dropFirst(2).firstRange(of: "*/") else { return String(rest) }
        return String(rest[..<end.upperBound])
    }
}
