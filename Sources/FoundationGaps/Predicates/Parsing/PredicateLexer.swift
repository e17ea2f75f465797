import Foundation
import PropertyLists

/// Cuts a format into tokens and takes the arguments for its `%` places.
struct PredicateLexer {
    let format: String
    let scalars: [Unicode.Scalar]
    var position = 0
    private var arguments: ArraySlice<Any>
    private let argumentCount: Int
    private var lexemes: [PredicateLexeme] = []
    /// What follows `%` at each place for an argument: `@`, `ld`.
    private(set) var conversions: [String] = []

    init(_ format: String, arguments: [Any]) {
        self.format = format
        scalars = Array(format.unicodeScalars)
        self.arguments = arguments[...]
        argumentCount = arguments.count
    }

    mutating func tokens() throws(PredicateFormatError) -> [PredicateLexeme] {
        while true {
            while let scalar = current, scalar.properties.isWhitespace { position += 1 }
            let start = position
            let token = try next()
            lexemes.append(PredicateLexeme(token: token, offset: start))
            if token == .end { return lexemes }
        }
    }

    var current: Unicode.Scalar? { scalar(at: position) }

    func scalar(at position: Int) -> Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    func error(_ message: Sentence, at offset: Int) -> PredicateFormatError {
        PredicateFormatError(message, format: format, offset: offset)
    }

    private mutating func next() throws(PredicateFormatError) -> PredicateToken {
        guard let scalar = current else { return .end }
        switch scalar {
        case "\"", "'": return .string(try string(quote: scalar))
        case "0"..."9": return .number(try number())
        case "." where isDigit(1) && !followsOperand: return .number(try number())
        case "$": return .variable(try name(after: "$"))
        case "#": return .key(try name(after: "#"))
        case "@": return .key("@" + (try name(after: "@")))
        case "%": return try argument()
        case _ where Self.startsName(scalar): return try word()
        default: return try symbol()
        }
    }

    private func isDigit(_ distance: Int) -> Bool {
        scalar(at: position + distance).map { ("0"..."9").contains($0) } ?? false
    }

    /// Whether a dot here would continue a key path.
    private var followsOperand: Bool {
        switch lexemes.last?.token {
        case .word, .key, .variable, .string, .argument, .symbol(")"), .symbol("]"), .symbol("}"): true
        default: false
        }
    }
}

// MARK: - Names and symbols

extension PredicateLexer {
    private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
    }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        startsName(scalar) || scalar.properties.numericType != nil
            || scalar.properties.generalCategory == .nonspacingMark
    }

    private mutating func identifier() -> String {
        let start = position
        while let scalar = current, Self.continuesName(scalar) { position += 1 }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    private mutating func name(after mark: Character) throws(PredicateFormatError) -> String {
        position += 1
        guard let scalar = current, Self.startsName(scalar) else {
            throw error("expected a name after \(mark)", at: position)
        }
        return identifier()
    }

    private mutating func word() throws(PredicateFormatError) -> PredicateToken {
        let start = position
        var text = identifier()
        if text.uppercased() == "UTI", current == "-" {
            throw error(
                "uniform type identifiers can't be compared here: this platform has no register of types", at: start)
        }
        guard endsSelectorPart else { return .word(text) }
        while endsSelectorPart {
            position += 1
            text += ":" + identifier()
        }
        return .selector(text)
    }

    /// Whether a colon here belongs to a selector and isn't the start of `:=`.
    private var endsSelectorPart: Bool {
        current == ":" && scalar(at: position + 1) != "="
    }

    private static let symbols = [
        "**", "<<", ">>", "<=", "=<", ">=", "=>", "==", "!=", "<>", "&&", "||", ":=",
        "<", ">", "=", "!", "&", "|", "^", "+", "-", "*", "/", "~", "(", ")", "{", "}", "[", "]", ",", ".",
    ].map { Array($0.unicodeScalars) }

    private mutating func symbol() throws(PredicateFormatError) -> PredicateToken {
        let rest = scalars[position...]
        guard let symbol = Self.symbols.first(where: { rest.starts(with: $0) }) else {
            throw error("\"\(scalars[position])\" has no meaning here", at: position)
        }
        position += symbol.count
        return .symbol(String(String.UnicodeScalarView(symbol)))
    }
}

// MARK: - Arguments

extension PredicateLexer {
    private mutating func argument() throws(PredicateFormatError) -> PredicateToken {
        let start = position
        position += 1
        // Flags, width, precision and length of C's conversions change nothing here, since no text is made.
        while let scalar = current, "0123456789.+-#lhqzjtL".unicodeScalars.contains(scalar) { position += 1 }
        guard let letter = current else { throw error("a conversion such as @, K or d has to follow %", at: start) }
        position += 1
        guard "@KdiuxXoDUOfFeEgGaAcCsS".unicodeScalars.contains(letter) else {
            throw error(
                "%\(letter) takes no argument; use %@ for objects, %K for key paths, %d or %f for numbers", at: start)
        }
        guard let value = arguments.popFirst() else {
            throw error("an argument is missing here: \(argumentCount) given", at: start)
        }
        conversions.append(String(String.UnicodeScalarView(scalars[(start + 1)..<position])))
        return .argument(Character(letter), value: .init(value: value))
    }
}
