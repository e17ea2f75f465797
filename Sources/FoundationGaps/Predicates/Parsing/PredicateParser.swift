import Foundation
import PropertyLists

/// Reads the format language by recursive descent; expressions by the binding power of their operators.
///
/// All tokens are cut first, and for each parenthesis its partner is known. So whether a parenthesis groups a predicate
/// or an expression (`(a + b) > c`) is told by the token after its partner, without trying both.
struct PredicateParser {
    private let format: String
    private let lexemes: [PredicateLexeme]
    /// The index of each opening bracket's partner.
    private let partners: [Int: Int]
    private var index = 0
    /// How many parts of the grammar are open.
    private var depth = 0
    /// How many levels the tree has that was read last.
    var height = 0

    /// Deeper texts and higher trees would be a danger to the stack.
    private static let greatestDepth = 250
    private static let greatestHeight = 300

    init(_ format: String, arguments: [Any]) throws(PredicateFormatError) {
        self.format = format
        var lexer = PredicateLexer(format, arguments: arguments)
        lexemes = try lexer.tokens()
        partners = try Self.partners(lexemes, format)
    }

    mutating func wholePredicate() throws(PredicateFormatError) -> NSPredicate {
        let predicate = try predicate()
        try expectEnd()
        return predicate
    }

    mutating func wholeExpression() throws(PredicateFormatError) -> NSExpression {
        let expression = try expression()
        try expectEnd()
        return expression
    }

    // MARK: Tokens

    var token: PredicateToken { lexemes[index].token }

    var nextToken: PredicateToken { lexemes[min(index + 1, lexemes.count - 1)].token }

    /// The token after the partner of the parenthesis at hand.
    var tokenAfterGroup: PredicateToken {
        partners[index].map { lexemes[$0 + 1].token } ?? .end
    }

    var offset: Int { lexemes[index].offset }

    mutating func advance() {
        index = min(index + 1, lexemes.count - 1)
    }

    mutating func skip(_ symbol: String) -> Bool {
        guard token == .symbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func skip(word: String) -> Bool {
        guard token.isWord(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: String) throws(PredicateFormatError) {
        guard skip(symbol) else { throw unexpected("\"\(symbol)\"") }
    }

    func error(_ message: Sentence, at offset: Int? = nil) -> PredicateFormatError {
        PredicateFormatError(message, format: format, offset: offset ?? self.offset)
    }

    func unexpected(_ expected: String) -> PredicateFormatError {
        error("expected \(expected) instead of \(token.inWords)")
    }

    private func expectEnd() throws(PredicateFormatError) {
        if token == .end { return }
        if comparisonSymbol != nil {
            throw error("comparisons can't be chained; join two of them with AND")
        }
        throw unexpected("AND, OR or the end")
    }

    /// Runs a part of the grammar that may contain itself.
    mutating func nested<Part>(
        _ body: (inout Self) throws(PredicateFormatError) -> Part
    ) throws(PredicateFormatError) -> Part {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.greatestDepth else {
            throw error("this is nested deeper than \(Self.greatestDepth) levels")
        }
        return try body(&self)
    }

    /// Says that the tree read last became a part of another, beside one of a height.
    mutating func grow(beside other: Int = 0) throws(PredicateFormatError) {
        height = max(height, other) + 1
        guard height <= Self.greatestHeight else {
            throw error("this makes a tree of more than \(Self.greatestHeight) levels")
        }
    }

    private static func partners(
        _ lexemes: [PredicateLexeme], _ format: String
    ) throws(PredicateFormatError) -> [Int: Int] {
        var partners: [Int: Int] = [:]
        var open: [(index: Int, closing: String)] = []
        for (index, lexeme) in lexemes.enumerated() {
            guard case .symbol(let symbol) = lexeme.token else { continue }
            switch symbol {
            case "(": open.append((index, ")"))
            case "[": open.append((index, "]"))
            case "{": open.append((index, "}"))
            case ")", "]", "}":
                guard let last = open.popLast(), last.closing == symbol else {
                    throw PredicateFormatError(
                        "nothing is open that \"\(symbol)\" could close", format: format, offset: lexeme.offset)
                }
                partners[last.index] = index
            default: break
            }
        }
        if let last = open.last {
            throw PredicateFormatError(
                "\"\(last.closing)\" is missing for what opens here", format: format, offset: lexemes[last.index].offset
            )
        }
        return partners
    }
}
