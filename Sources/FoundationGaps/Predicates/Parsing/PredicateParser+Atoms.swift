import Foundation

extension PredicateParser {
    mutating func atom() throws(PredicateFormatError) -> NSExpression {
        height = 1
        switch token {
        case .number(let value):
            advance()
            return NSExpression(forConstantValue: value.boxed)
        case .string(let text):
            advance()
            return NSExpression(forConstantValue: text)
        case .variable(let name):
            advance()
            return NSExpression(forVariable: name)
        case .key(let key):
            advance()
            return keyPath([key])
        case .argument(let letter, let argument):
            let expression = try expression(of: argument.value, letter)
            advance()
            return expression
        case .selector(let name):
            guard nextToken == .symbol("(") else { throw unexpected("a value") }
            return try call(name)
        case .word(let word): return try wordAtom(word)
        case .symbol("{"):
            return NSExpression(node: .aggregate(try list("{", "}")))
        case .symbol("("):
            advance()
            let expression = try expression()
            try expect(")")
            return expression
        case .symbol, .end: throw unexpected("a value")
        }
    }

    private func keyPath(_ keys: [String]) -> NSExpression {
        let path = PredicateKeyPath(keys: keys)
        if path.keys.isEmpty { return .expressionForEvaluatedObject() }
        return NSExpression(node: .keyPath(operand: .expressionForEvaluatedObject(), path: path))
    }

    private mutating func wordAtom(_ word: String) throws(PredicateFormatError) -> NSExpression {
        if nextToken == .symbol("(") { return try call(word) }
        switch word.uppercased() {
        case "SELF":
            advance()
            return .expressionForEvaluatedObject()
        case "NULL", "NIL":
            advance()
            return NSExpression(forConstantValue: nil)
        case "TRUE", "YES":
            advance()
            return NSExpression(forConstantValue: NSNumber(value: true))
        case "FALSE", "NO":
            advance()
            return NSExpression(forConstantValue: NSNumber(value: false))
        case "ANYKEY":
            advance()
            return .expressionForAnyKey()
        case let upper where Self.neverKeys.contains(upper):
            throw error(
                "expected a value, and \"\(word)\" is a reserved word: as a key it is written #\(word), or passed with %K"
            )
        default:
            advance()
            return keyPath([word])
        }
    }

    /// The reserved words that can't be taken for keys without making the grammar ambiguous.
    private static let neverKeys: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "SUBQUERY", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    // MARK: Arguments

    private func expression(of argument: Any, _ letter: Character) throws(PredicateFormatError) -> NSExpression {
        switch letter {
        case "K": return keyPath(try keys(from: argument))
        case "@": return argument as? NSExpression ?? NSExpression(forConstantValue: argument)
        case "s", "S", "c", "C": return NSExpression(forConstantValue: try text(from: argument, letter))
        default:
            let value = PredicateValue(argument)
            guard value.isNumber else {
                throw error("%\(letter) takes a number, and the argument is \(value.kindName)")
            }
            return NSExpression(forConstantValue: value.boxed)
        }
    }

    private func text(from argument: Any, _ letter: Character) throws(PredicateFormatError) -> String {
        switch argument {
        case let pointer as UnsafePointer<CChar>: return String(cString: pointer)
        case let pointer as UnsafeMutablePointer<CChar>: return String(cString: pointer)
        default: break
        }
        switch PredicateValue(argument) {
        case .string(let text): return text
        case .integer(let code):
            guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { break }
            return String(Character(scalar))
        default: break
        }
        throw error("%\(letter) takes a text of C, and the argument is \(PredicateValue(argument).kindName)")
    }

    /// Expressions between brackets, separated by commas; maybe none.
    mutating func list(_ open: String, _ close: String) throws(PredicateFormatError) -> [NSExpression] {
        try expect(open)
        height = 0
        var elements: [NSExpression] = []
        if !skip(close) {
            var highest = 0
            repeat {
                elements.append(try expression())
                highest = max(highest, height)
            } while skip(",")
            height = highest
            try expect(close)
        }
        try grow()
        return elements
    }
}
