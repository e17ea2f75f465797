import FoundationGaps

/// The format of a derivation's expression.
///
/// Unlike the format language, a derivation keeps the colon of its functions' names: `canonical:(title)`. Documents may
/// say `pages.@count` where a compiled model has the function `count:(pages)`. Hashes take the compiled spelling.
package enum DerivationFormat {
    private static let aggregates: [String: PredicateFunction] = ["@count": .count, "@sum": .sum]

    /// The text of a derivation as a compiled model spells it.
    ///
    /// - Throws: `PredicateFormatError` where the text is no expression.
    static func canonical(_ format: String) throws -> String {
        text(of: try expression(format))
    }

    /// The expression of a derivation's text, aggregates of key paths as functions.
    ///
    /// - Throws: `PredicateFormatError` where the text is no expression.
    package static func expression(_ format: String) throws -> NSExpression {
        let expression = try NSExpression.parse(format)
        guard case .keyPath(let operand, let path) = expression.node,
            let place = path.keys.firstIndex(where: { $0.hasPrefix("@") }), place > 0,
            let function = aggregates[path.keys[place]]
        else { return expression }
        let keys = Array(path.keys[..<place] + path.keys[(place + 1)...])
        let values = NSExpression(node: .keyPath(operand: operand, path: PredicateKeyPath(keys: keys)))
        return NSExpression(node: .function(function, [values]))
    }

    static func text(of expression: NSExpression) -> String {
        switch expression.node {
        case .function(let function, let arguments):
            "\(function.rawValue)(\(arguments.map(text).joined(separator: ", ")))"
        case .keyPath(let operand, let path) where operand.expressionType == .evaluatedObject:
            path.keys.joined(separator: ".")
        default:
            expression.description
        }
    }
}
