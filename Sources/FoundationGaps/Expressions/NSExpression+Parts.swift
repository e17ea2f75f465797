public import Foundation

// What an expression of a kind consists of. Asking an expression for what its kind doesn't have is a programming error, as at Apple.

extension NSExpression {
    /// A constant's value.
    public var constantValue: Any? {
        guard case .constant(let value, _) = node else { missing("constant value") }
        return value
    }

    /// A key path's text.
    public var keyPath: String {
        guard case .keyPath(_, let path) = node else { missing("key path") }
        return path.text
    }

    /// A function's full name.
    public var function: String {
        switch node {
        case .function(let function, _): function.rawValue
        case .message(_, let selector, _): selector
        case .keyPath: "valueForKeyPath:"
        default: missing("function")
        }
    }

    /// A variable's name, without `$`; for subqueries that of the element.
    public var variable: String {
        switch node {
        case .variable(let name), .subquery(_, let name, _), .assignment(let name, _): name
        default: missing("variable")
        }
    }

    /// What a key path or a function starts from. Built-in functions start from nothing: theirs is a constant nil.
    public var operand: NSExpression {
        switch node {
        case .keyPath(let operand, _): operand
        case .message(let receiver, _, _): receiver
        case .function: NSExpression(forConstantValue: nil)
        default: missing("operand")
        }
    }

    /// A function's or block's arguments, nil for other kinds.
    public var arguments: [NSExpression]? {
        switch node {
        case .function(_, let arguments), .message(_, _, let arguments), .block(_, let arguments): arguments
        default: nil
        }
    }

    /// An aggregate's expressions (`[NSExpression]`), or a subquery's collection (`NSExpression`).
    public var collection: Any {
        switch node {
        case .aggregate(let elements): elements
        case .subquery(let collection, _, _): collection
        default: missing("collection")
        }
    }

    /// A subquery's or conditional expression's predicate.
    public var predicate: NSPredicate {
        switch node {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate
        default: missing("predicate")
        }
    }

    /// The left operand of a set operation.
    public var left: NSExpression {
        guard case .set(_, let left, _) = node else { missing("left operand") }
        return left
    }

    /// The right operand of a set operation.
    public var right: NSExpression {
        guard case .set(_, _, let right) = node else { missing("right operand") }
        return right
    }

    /// A conditional expression's value when its predicate holds.
    public var `true`: NSExpression {
        guard case .conditional(_, let expression, _) = node else { missing("true expression") }
        return expression
    }

    /// A conditional expression's value when its predicate doesn't hold.
    public var `false`: NSExpression {
        guard case .conditional(_, _, let expression) = node else { missing("false expression") }
        return expression
    }

    /// A block expression's block.
    public var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any {
        guard case .block(let block, _) = node else { missing("block") }
        return block
    }

    private func missing(_ part: String) -> Never {
        fatalError(
            "the expression \(self) is of the kind \(expressionType), which has no \(part); ask expressionType first")
    }
}
