import Foundation

extension PredicateParser {
    mutating func expression() throws(PredicateFormatError) -> NSExpression {
        try nested { (parser) throws(PredicateFormatError) in
            var left = try parser.assignment()
            while case .word(let word) = parser.token, let operation = Self.setOperations[word.uppercased()] {
                let height = parser.height
                parser.advance()
                left = NSExpression(node: .set(operation, left, try parser.assignment()))
                try parser.grow(beside: height)
            }
            return left
        }
    }

    static let setOperations: [String: ExpressionNode.SetOperation] = [
        "UNION": .union, "INTERSECT": .intersect, "MINUS": .minus,
    ]

    private mutating func assignment() throws(PredicateFormatError) -> NSExpression {
        guard case .variable(let name) = token, nextToken == .symbol(":=") else { return try binary(.bits) }
        advance()
        advance()
        let value = try nested { (parser) throws(PredicateFormatError) in try parser.assignment() }
        try grow()
        return NSExpression(node: .assignment(variable: name, value: value))
    }

    /// Operators that bind at least as tightly as a level.
    private mutating func binary(_ level: ExpressionLevel) throws(PredicateFormatError) -> NSExpression {
        var left = try unary()
        while case .symbol(let symbol) = token,
            let infix = InfixOperator.table.first(where: { $0.symbol == symbol }), infix.level >= level
        {
            let height = height
            advance()
            let right: NSExpression
            if infix.level == .power {
                right = try nested { (parser) throws(PredicateFormatError) in try parser.binary(.power) }
            } else {
                right = try binary(infix.level.tighter)
            }
            left = NSExpression(infix.function, [left, right])
            try grow(beside: height)
        }
        return left
    }

    private mutating func unary() throws(PredicateFormatError) -> NSExpression {
        if skip("-") {
            let operand = try nested { (parser) throws(PredicateFormatError) in try parser.unary() }
            try grow()
            return negated(operand)
        }
        if skip("~") {
            let operand = try nested { (parser) throws(PredicateFormatError) in try parser.unary() }
            try grow()
            return NSExpression(.onesComplement, [operand])
        }
        return try postfix()
    }

    private func negated(_ operand: NSExpression) -> NSExpression {
        let number: Any? =
            switch operand.node {
            case .constant(_, .integer(.min)): DecimalNumber(decimal: -Decimal(Int64.min))
            case .constant(_, .integer(let value)): NSNumber(value: -value)
            case .constant(_, .double(let value)): NSNumber(value: -value)
            case .constant(_, .decimal(let value)):
                Int64("-\(value)").map { NSNumber(value: $0) } ?? DecimalNumber(decimal: -value)
            default: nil
            }
        if let number { return NSExpression(forConstantValue: number) }
        return NSExpression(.multiply, [operand, NSExpression(forConstantValue: NSNumber(value: -1))])
    }

    // MARK: Paths and indexes

    private mutating func postfix() throws(PredicateFormatError) -> NSExpression {
        var expression = try atom()
        while true {
            if skip(".") {
                expression = try path(from: expression)
            } else if token == .symbol("[") {
                expression = try element(of: expression)
            } else {
                return expression
            }
        }
    }

    /// The keys from here to the end of the path.
    private mutating func path(from operand: NSExpression) throws(PredicateFormatError) -> NSExpression {
        var keys = try keyPart()
        while skip(".") { keys += try keyPart() }
        if case .keyPath(let start, let path) = operand.node {
            return NSExpression(node: .keyPath(operand: start, path: PredicateKeyPath(keys: path.keys + keys)))
        }
        let path = PredicateKeyPath(keys: keys)
        if path.keys.isEmpty { return operand }
        try grow()
        return NSExpression(node: .keyPath(operand: operand, path: path))
    }

    private mutating func keyPart() throws(PredicateFormatError) -> [String] {
        switch token {
        case .word(let key), .key(let key):
            advance()
            return [key]
        case .argument("K", let argument):
            let keys = try keys(from: argument.value)
            advance()
            return keys
        default: throw unexpected("a key")
        }
    }

    func keys(from argument: Any) throws(PredicateFormatError) -> [String] {
        guard case .string(let text) = PredicateValue(argument) else {
            throw error("%K takes a key path, and the argument is \(PredicateValue(argument).kindName)")
        }
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if keys.contains("") { throw error("the key path \"\(text)\" has an empty key") }
        return keys
    }

    private mutating func element(of container: NSExpression) throws(PredicateFormatError) -> NSExpression {
        let height = height
        try expect("[")
        let index: NSExpression
        if case .word(let word) = token, let symbol = ExpressionNode.IndexSymbol(rawValue: word.uppercased()),
            nextToken == .symbol("]")
        {
            advance()
            index = NSExpression(node: .symbol(symbol))
        } else {
            index = try expression()
        }
        try expect("]")
        try grow(beside: height)
        return NSExpression(.element, [container, index])
    }
}
