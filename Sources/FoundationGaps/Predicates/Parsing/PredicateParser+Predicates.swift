import Foundation

extension PredicateParser {
    mutating func predicate() throws(PredicateFormatError) -> NSPredicate {
        try nested { (parser) throws(PredicateFormatError) in
            try parser.chain(.or, "OR", "||") { (parser) throws(PredicateFormatError) in
                try parser.chain(.and, "AND", "&&") { (parser) throws(PredicateFormatError) in try parser.negation() }
            }
        }
    }

    /// `a AND b AND c` makes one predicate of three parts.
    private mutating func chain(
        _ type: NSCompoundPredicate.LogicalType, _ word: String, _ symbol: String,
        part: (inout Self) throws(PredicateFormatError) -> NSPredicate
    ) throws(PredicateFormatError) -> NSPredicate {
        let first = try part(&self)
        var parts = [first]
        var highest = height
        while skip(word: word) || skip(symbol) {
            parts.append(try part(&self))
            highest = max(highest, height)
        }
        if parts.count == 1 { return first }
        try grow(beside: highest)
        return CompoundPredicate(type, of: parts)
    }

    private mutating func negation() throws(PredicateFormatError) -> NSPredicate {
        guard skip(word: "NOT") || skip("!") else { return try primary() }
        let predicate = try nested { (parser) throws(PredicateFormatError) in try parser.negation() }
        try grow()
        return CompoundPredicate(.not, of: [predicate])
    }

    private mutating func primary() throws(PredicateFormatError) -> NSPredicate {
        height = 1
        if skip(word: "TRUEPREDICATE") { return NSPredicate(value: true) }
        if skip(word: "FALSEPREDICATE") { return NSPredicate(value: false) }
        guard token == .symbol("("), !continuesExpression(tokenAfterGroup) else { return try comparison() }
        advance()
        let predicate = try predicate()
        try expect(")")
        return predicate
    }

    /// Whether a token after a closed group says that the group was an expression.
    private func continuesExpression(_ token: PredicateToken) -> Bool {
        switch token {
        case .symbol(let symbol): !["(", ")", "{", "}", "]", ",", "&&", "||", "!"].contains(symbol)
        case .selector: true
        case .word(let word):
            Self.wordOperators[word.uppercased()] != nil || Self.setOperations[word.uppercased()] != nil
        default: false
        }
    }

    // MARK: Comparisons

    private mutating func comparison() throws(PredicateFormatError) -> NSPredicate {
        let qualifier = qualifier()
        let start = offset
        let left = try expression()
        let height = height
        if let name = try customSelector() {
            guard qualifier == nil else {
                throw error("\(name) compares values, not the elements of collections", at: start)
            }
            let right = try expression()
            try grow(beside: height)
            return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: Selector(name))
        }
        let type = try comparisonOperator(after: left, start)
        let options = try options()
        let right = try expression()
        try grow(beside: height)
        let comparison = NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: qualifier?.modifier ?? .direct, type: type,
            options: options)
        return qualifier == .no ? CompoundPredicate(.not, of: [comparison]) : comparison
    }

    private enum Qualifier {
        case any, all, no

        var modifier: NSComparisonPredicate.Modifier {
            self == .all ? .all : .any
        }
    }

    private mutating func qualifier() -> Qualifier? {
        if skip(word: "ANY") || skip(word: "SOME") { return .any }
        if skip(word: "ALL") { return .all }
        return skip(word: "NONE") ? Qualifier.no : nil
    }

    private mutating func customSelector() throws(PredicateFormatError) -> String? {
        guard case .selector(let name) = token else { return nil }
        guard name.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, name.hasSuffix(":") else {
            throw error("only a selector with one colon can stand between two values")
        }
        advance()
        return name
    }

    private mutating func comparisonOperator(
        after left: NSExpression, _ start: Int
    ) throws(PredicateFormatError) -> NSComparisonPredicate.Operator {
        if let type = comparisonSymbol {
            advance()
            return type
        }
        if case .constant(let value?, _) = left.node, value is NSPredicate {
            throw error("a predicate can't be an argument; combine predicates with NSCompoundPredicate", at: start)
        }
        if token.isWord("NOT") {
            throw error("write NOT before the comparison: NOT (\(left) \(nextToken.plainText) …)")
        }
        throw unexpected("a comparison operator after \(left)" + hint(for: left))
    }

    private func hint(for left: NSExpression) -> String {
        guard case .keyPath = left.node else { return "" }
        return ", such as == YES,"
    }

    /// The comparison operator at hand.
    var comparisonSymbol: NSComparisonPredicate.Operator? {
        switch token {
        case .symbol(let symbol): Self.symbolOperators[symbol]
        case .word(let word): Self.wordOperators[word.uppercased()]
        default: nil
        }
    }

    private static let symbolOperators: [String: NSComparisonPredicate.Operator] = [
        "<": .lessThan, "<=": .lessThanOrEqualTo, "=<": .lessThanOrEqualTo, ">": .greaterThan,
        ">=": .greaterThanOrEqualTo, "=>": .greaterThanOrEqualTo, "=": .equalTo, "==": .equalTo, "!=": .notEqualTo,
        "<>": .notEqualTo,
    ]

    private static let wordOperators: [String: NSComparisonPredicate.Operator] = [
        "MATCHES": .matches, "LIKE": .like, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "IN": .in,
        "CONTAINS": .contains, "BETWEEN": .between,
    ]

    /// The letters in brackets after an operator.
    private mutating func options() throws(PredicateFormatError) -> NSComparisonPredicate.Options {
        guard skip("[") else { return [] }
        guard case .word(let letters) = token else { throw unexpected("one of the options c, d, n, l") }
        var options: NSComparisonPredicate.Options = []
        for letter in letters.lowercased() {
            guard let known = NSComparisonPredicate.Options.letters.first(where: { $0.letter == letter }) else {
                throw error("\"\(letter)\" is no option; the options are c, d, n and l")
            }
            options.insert(known.option)
        }
        advance()
        try expect("]")
        return options
    }
}

extension PredicateToken {
    /// The token as it may stand in an example.
    fileprivate var plainText: String {
        switch self {
        case .word(let text), .symbol(let text): text
        default: "=="
        }
    }
}
