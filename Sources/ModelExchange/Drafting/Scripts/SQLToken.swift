/// A token of a script in SQL, whichever dialect it is in.
enum SQLToken: Hashable {
    /// A word without quotes, as it is written.
    case word(String)
    /// A name in double quotes, backticks or brackets, without them.
    case name(String)
    case text(String)
    case number(String)
    case sign(Character)

    /// Whether the token is this keyword.
    func `is`(_ word: String) -> Bool {
        if case .word(let text) = self { text.uppercased() == word } else { false }
    }

    /// What the token names.
    var identifier: String? {
        switch self {
        case .word(let text), .name(let text): text
        default: nil
        }
    }

    /// As a sentence repeats it.
    var description: String {
        switch self {
        case .word(let text), .number(let text): text
        case .name(let text): "\"\(text)\""
        case .text(let text): "'\(text)'"
        case .sign(let sign): String(sign)
        }
    }
}

/// Splits a script into statements, and those into tokens. Comments are passed over.
///
/// The quotes of all dialects are understood: `"name"`, `` `name` ``, `[name]`, `'text'`, `E'text'`, `$tag$text$tag$`.
struct SQLScanner {
    /// A script that does not end where it is to.
    struct Failure: Error {
        let line: Int
        let reason: String
    }

    private let scalars: [Unicode.Scalar]
    private var place = 0
    /// MySQL, which alone has backticks, takes `\'` for a quote in a text.
    private let takesBackslashes: Bool

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        takesBackslashes = scalars.contains("`")
    }

    /// The line of the place that was reached, from 1 on.
    private func line(of place: Int) -> Int { 1 + scalars[..<min(place, scalars.count)].count { $0 == "\n" } }

    /// The next statement, without its semicolon; nil at the end.
    ///
    /// - Throws: ``Failure`` for a quote or a comment that does not end.
    mutating func statement() throws -> [SQLToken]? {
        var tokens: [SQLToken] = []
        var blocks = 0
        while let token = try token(startsStatement: tokens.isEmpty) {
            // SQL Server ends statements by a line of its own.
            let isAlone = next == "\n" || next == "\r" || next == nil
            let isEnd = token == .sign(";") || token.is("GO") && isAlone && tokens.last == .sign(")")
            if isEnd, blocks == 0 {
                if tokens.isEmpty { continue }
                passCopiedRows(tokens)
                return tokens
            }
            // The body of a trigger has statements of its own.
            if Self.hasBody(tokens) {
                if token.is("BEGIN") || token.is("CASE") { blocks += 1 }
                if token.is("END") { blocks = max(0, blocks - 1) }
            }
            tokens.append(token)
        }
        return tokens.isEmpty ? nil : tokens
    }

    private static func hasBody(_ tokens: [SQLToken]) -> Bool {
        guard tokens.first?.is("CREATE") == true else { return false }
        return tokens.prefix(6).contains {
            $0.is("TRIGGER") || $0.is("PROCEDURE") || $0.is("FUNCTION") || $0.is("EVENT")
        }
    }

    // MARK: Tokens

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private func scalar(after count: Int) -> Unicode.Scalar? {
        place + count < scalars.count ? scalars[place + count] : nil
    }

    private mutating func token(startsStatement: Bool) throws -> SQLToken? {
        try passBlanks(startsStatement)
        guard let scalar = next else { return nil }
        switch scalar {
        case "'": return .text(try quoted("'", takesBackslashes: takesBackslashes))
        case "\"": return .name(try quoted("\"", takesBackslashes: false))
        case "`": return .name(try quoted("`", takesBackslashes: false))
        case "[" where isBracketName: return .name(try quoted("]", takesBackslashes: false))
        case "E" where self.scalar(after: 1) == "'", "e" where self.scalar(after: 1) == "'":
            place += 1
            return .text(try quoted("'", takesBackslashes: true))
        case "N" where self.scalar(after: 1) == "'", "X" where self.scalar(after: 1) == "'",
            "x" where self.scalar(after: 1) == "'", "B" where self.scalar(after: 1) == "'":
            place += 1
            return .text(try quoted("'", takesBackslashes: false))
        case "$": return try dollarQuoted() ?? sign()
        case "0"..."9": return .number(take { Self.isWord($0) || $0 == "." })
        case "." where self.scalar(after: 1).map { ("0"..."9").contains($0) } == true:
            return .number(take { Self.isWord($0) || $0 == "." })
        default: return Self.isWord(scalar) ? .word(take { Self.isWord($0) || $0 == "$" }) : sign()
        }
    }

    private mutating func sign() -> SQLToken {
        place += 1
        return .sign(Character(scalars[place - 1]))
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDContinue
    }

    private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, isPart(scalar) {
            text.append(scalar)
            place += 1
        }
        return String(text)
    }

    /// Whether a bracket begins a name, and no list of PostgreSQL: `[name]`, not `[]` and `[3]`.
    private var isBracketName: Bool {
        scalar(after: 1).map { $0 == "_" || $0.properties.isXIDStart } == true
    }

    private mutating func quoted(_ end: Unicode.Scalar, takesBackslashes: Bool) throws -> String {
        let start = place
        place += 1
        var text = String.UnicodeScalarView()
        while let scalar = next {
            place += 1
            if scalar == end {
                guard next == end, end != "]" else { return String(text) }
                place += 1
            } else if scalar == "\\", takesBackslashes, let escaped = next {
                place += 1
                text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
                continue
            }
            text.append(scalar)
        }
        throw Failure(line: line(of: start), reason: "A quote that begins here does not end.")
    }

    /// `$$ text $$` or `$tag$ text $tag$`; nil where a dollar stands for something else.
    private mutating func dollarQuoted() throws -> SQLToken? {
        var end = place + 1
        while end < scalars.count, Self.isWord(scalars[end]) { end += 1 }
        guard end < scalars.count, scalars[end] == "$" else { return nil }
        let tag = scalars[place...end]
        var last = end + 1
        while last + tag.count <= scalars.count {
            if scalars[last] == "$", scalars[last..<(last + tag.count)].elementsEqual(tag) {
                let text = String(String.UnicodeScalarView(scalars[(end + 1)..<last]))
                place = last + tag.count
                return .text(text)
            }
            last += 1
        }
        throw Failure(line: line(of: place), reason: "A text between dollars that begins here does not end.")
    }

    // MARK: What is no token

    private mutating func passBlanks(_ startsStatement: Bool) throws {
        while let scalar = next {
            if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                place += 1
            } else if scalar == "-", self.scalar(after: 1) == "-" {
                passLine()
            } else if startsStatement, scalar == "#" || scalar == "\\" {
                // A comment of MySQL, or a line for psql.
                passLine()
            } else if scalar == "/", self.scalar(after: 1) == "*" {
                try passComment()
            } else {
                return
            }
        }
    }

    private mutating func passLine() { while next != nil, next != "\n" { place += 1 } }

    private mutating func passComment() throws {
        let start = place
        place += 2
        while place < scalars.count {
            if scalars[place] == "*", scalar(after: 1) == "/" {
                place += 2
                return
            }
            place += 1
        }
        throw Failure(line: line(of: start), reason: "A comment that begins here does not end.")
    }

    /// Passes over the rows that follow `COPY … FROM stdin` in a dump.
    private mutating func passCopiedRows(_ tokens: [SQLToken]) {
        guard tokens.first?.is("COPY") == true, tokens.contains(where: { $0.is("STDIN") }) else { return }
        passLine()
        while place < scalars.count {
            place += 1
            if next == "\\", scalar(after: 1) == "." { return passLine() }
            passLine()
        }
    }
}
