import FoundationGaps

/// What a comparison of strings ignores, in a form that stands in statements: `[c]` is 1, `[d]` is 2, `[l]` is 8.
struct SQLFolding: OptionSet {
    let rawValue: Int

    static let caseInsensitive = SQLFolding(rawValue: 1)
    static let diacriticInsensitive = SQLFolding(rawValue: 2)
    static let localized = SQLFolding(rawValue: 8)

    init(rawValue: Int) { self.rawValue = rawValue }

    /// `[n]` says that both sides are normalised already: they are compared as they are.
    init(_ options: NSComparisonPredicate.Options) {
        var folding: SQLFolding = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        if options.contains(.localeSensitive) { folding.insert(.localized) }
        self = folding
    }

    var options: NSComparisonPredicate.Options {
        var options: NSComparisonPredicate.Options = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        if contains(.localized) { options.insert(.localeSensitive) }
        return options
    }

    /// The string without what is ignored: a value by now, a column by a function.
    func folded(_ expression: SQLExpression) -> SQLExpression {
        let folding = subtracting(.localized)
        if folding.isEmpty { return expression }
        if case .value(let value) = expression { return .value(folding.folded(value)) }
        return .call(.fold, [expression, .integer(folding.rawValue)])
    }

    func folded(_ value: SQLValue) -> SQLValue {
        guard case .text(let text) = value else { return value }
        return .text(StringComparison.folded(text, options))
    }
}

enum SQLPattern {
    /// The ASCII characters that every string begins with which fits a pattern of LIKE.
    static func prefix(ofLike pattern: String) -> String {
        String(pattern.prefix { $0.isASCII && $0 != "*" && $0 != "?" && $0 != "\\" })
    }
}
