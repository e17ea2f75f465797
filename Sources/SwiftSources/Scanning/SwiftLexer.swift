/// Walks over Swift source, token by token, without making a string of any.
///
/// It knows what a scanner of declarations has to know: comments that nest, string literals of all forms with what is
/// interpolated, regular expressions, backticks. Operators come as single characters.
package struct SwiftLexer {
    package struct Token: Equatable {
        package enum Kind: UInt8 {
            /// A name or keyword; between backticks, the name without them.
            case identifier
            case number
            case literal
            /// A bracket, a separator or one character of an operator.
            case punctuation
            /// `#if`, `#keyPath`: a number sign and a name.
            case directive
            case end
        }

        package var kind: Kind
        /// Where the text is, backticks left out.
        package var range: Range<Int>
        /// The first byte; 0 at the end of the source.
        package var byte: UInt8
        package var startsLine = false
        package var isEscaped = false
        /// Whether nothing is between this token and the one before.
        package var isAdjacent = false
    }

    package let bytes: [UInt8]
    package private(set) var position = 0
    private var previous = Token(kind: .end, range: 0..<0, byte: 0)

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: "#!".utf8) { skipLine() }
    }

    package func text(_ token: Token) -> String { text(token.range) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    package mutating func next() -> Token {
        let startsLine = skipTrivia() || previous.kind == .end
        let start = position
        var token = scanToken()
        token.startsLine = startsLine
        token.isAdjacent = start == previous.range.upperBound
        previous = token
        return token
    }

    /// What is left of the line, without a comment: the condition behind `#if`.
    package mutating func restOfLine() -> String {
        let start = position
        var end = position
        while position < bytes.count, bytes[position] != .lineFeed, !isComment { advance(&end) }
        let text = text(start..<end).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        skipLine()
        return text
    }

    /// Goes behind the bracket that closes the one that was just read.
    package mutating func skipGroup() {
        var depth = 1
        while depth > 0 {
            let token = next()
            switch token.byte {
            case _ where token.kind == .end: return
            case _ where token.kind != .punctuation: continue
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: continue
            }
        }
    }

    // MARK: - Trivia

    private var isComment: Bool { at("/") && (at("/", 1) || at("*", 1)) }

    private mutating func advance(_ end: inout Int) {
        position += 1
        end = position
    }

    /// - Returns: Whether a line ended on the way.
    private mutating func skipTrivia() -> Bool {
        var endsLine = false
        while position < bytes.count {
            switch bytes[position] {
            case .lineFeed, .carriageReturn:
                endsLine = true
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0b, 0x0c, 0: position += 1
            case UInt8(ascii: "/") where at("/", 1): skipLine()
            case UInt8(ascii: "/") where at("*", 1): endsLine = skipComment() || endsLine
            case 0xef where bytes[position...].starts(with: [0xef, 0xbb, 0xbf]): position += 3
            default: return endsLine
            }
        }
        return true
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != .lineFeed { position += 1 }
    }

    private mutating func skipComment() -> Bool {
        var (depth, endsLine) = (0, false)
        repeat {
            if at("/"), at("*", 1) {
                (depth, position) = (depth + 1, position + 2)
            } else if at("*"), at("/", 1) {
                (depth, position) = (depth - 1, position + 2)
            } else {
                endsLine = endsLine || at("\n")
                position += 1
            }
        } while depth > 0 && position < bytes.count
        return endsLine
    }

    // MARK: - Tokens

    private mutating func scanToken() -> Token {
        guard position < bytes.count else { return Token(kind: .end, range: position..<position, byte: 0) }
        let byte = bytes[position]
        switch byte {
        case _ where byte.continuesName && !byte.isDigit: return name(.identifier, from: position)
        case UInt8(ascii: "`"): return escapedName()
        case _ where byte.isDigit: return number()
        case UInt8(ascii: "\""): return literal(pounds: 0)
        case UInt8(ascii: "#"): return poundToken()
        case UInt8(ascii: "/") where startsRegex(pounds: 0): return regex(pounds: 0)
        default: return token(.punctuation, from: position, to: position + 1)
        }
    }

    private mutating func token(_ kind: Token.Kind, from start: Int, to end: Int) -> Token {
        position = end
        return Token(kind: kind, range: start..<min(end, bytes.count), byte: bytes[start])
    }

    private mutating func name(_ kind: Token.Kind, from start: Int) -> Token {
        var end = kind == .directive ? start + 1 : start
        while end < bytes.count, bytes[end].continuesName { end += 1 }
        return token(kind, from: start, to: end)
    }

    private mutating func escapedName() -> Token {
        let start = position + 1
        let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "`") || $0 == .lineFeed } ?? bytes.count
        position = min(end + 1, bytes.count)
        let first = start < end ? bytes[start] : UInt8(ascii: "`")
        return Token(kind: .identifier, range: min(start, end)..<end, byte: first, isEscaped: true)
    }

    private mutating func number() -> Token {
        var end = position
        while end < bytes.count, bytes[end].continuesName || isDecimalPoint(end) { end += 1 }
        return token(.number, from: position, to: end)
    }

    private func isDecimalPoint(_ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: ".") && index + 1 < bytes.count && bytes[index + 1].isDigit
    }

    /// A raw string, a regular expression between number signs, or a directive.
    private mutating func poundToken() -> Token {
        var pounds = 0
        while at("#", pounds) { pounds += 1 }
        if at("\"", pounds) { return literal(pounds: pounds) }
        if at("/", pounds) { return regex(pounds: pounds) }
        return name(.directive, from: position)
    }

    func at(_ character: Unicode.Scalar, _ offset: Int = 0) -> Bool {
        position + offset < bytes.count && bytes[position + offset] == UInt8(truncatingIfNeeded: character.value)
    }
}

// MARK: - Literals

extension SwiftLexer {
    /// A string literal of any form, with everything that is interpolated.
    private mutating func literal(pounds: Int) -> Token {
        let start = position
        position += pounds
        let quotes = at("\"", 1) && at("\"", 2) ? 3 : 1
        position += quotes
        while position < bytes.count, !isEnd(quotes: quotes, pounds: pounds) {
            if quotes == 1, at("\n") { break }
            if at("\\"), hasPounds(pounds, from: 1) {
                position += 1 + pounds
                if at("(") { skipInterpolation() } else { position += 1 }
            } else {
                position += 1
            }
        }
        return token(.literal, from: start, to: min(position + quotes + pounds, bytes.count))
    }

    private func isEnd(quotes: Int, pounds: Int) -> Bool {
        (0..<quotes).allSatisfy { at("\"", $0) } && hasPounds(pounds, from: quotes)
    }

    private func hasPounds(_ count: Int, from offset: Int) -> Bool {
        count == 0 || (0..<count).allSatisfy { at("#", offset + $0) }
    }

    private mutating func skipInterpolation() {
        position += 1
        let outer = previous
        skipGroup()
        previous = outer
    }

    /// Whether a slash begins a regular expression: where an operand is expected, closed on the same line.
    private func startsRegex(pounds: Int) -> Bool {
        guard expectsOperand, !at(" ", 1), !at("\t", 1), !at("*", 1), !at("=", 1) else { return false }
        return endOfRegex(pounds: 0) != nil
    }

    private var expectsOperand: Bool {
        switch previous.kind {
        case .end: true
        case .punctuation: !")]}".utf8.contains(previous.byte)
        case .identifier: !previous.isEscaped && Self.operandKeywords.contains(text(previous))
        case .number, .literal, .directive: false
        }
    }

    private static let operandKeywords: Set<String> = ["return", "case", "in", "if", "while", "try", "await", "where"]

    private mutating func regex(pounds: Int) -> Token {
        token(.literal, from: position, to: endOfRegex(pounds: pounds) ?? position + pounds + 1)
    }

    private func endOfRegex(pounds: Int) -> Int? {
        var index = position + pounds + 1
        while index < bytes.count, pounds > 0 || bytes[index] != .lineFeed {
            let closes = bytes[index] == UInt8(ascii: "/")
            if closes, index + pounds < bytes.count, bytes[index + 1..<index + 1 + pounds].allSatisfy({ $0 == 0x23 }) {
                return index + 1 + pounds
            }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}

extension UInt8 {
    package static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// Whether the byte can be part of a name: an ASCII letter or digit, `_`, `$`, or part of any other character.
    var continuesName: Bool {
        (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7a || isDigit || self == 0x5f || self == 0x24 || self >= 0x80
    }
}
