import Foundation

// What an expression of a kind consists of, behind the open members. Asking an expression for what its kind doesn't
// have is a programming error, as at Apple.

extension NSExpression {
    /// See ``constantValue``.
    var ownConstantValue: Any? {
        guard case .constant(let value, _) = node else { missing("constant value") }
        return value
    }

    /// See ``keyPath``.
    var ownKeyPath: String {
        guard case .keyPath(_, let path) = node else { missing("key path") }
        return path.text
    }

    /// See ``function``.
    var ownFunction: String {
        switch node {
        case .function(let function, _): function.rawValue
        case .message(_, let selector, _): selector
        case .keyPath: "valueForKeyPath:"
        default: missing("function")
        }
    }

    /// See ``variable``.
    var ownVariable: String {
        switch node {
        case .variable(let name), .subquery(_, let name, _), .assignment(let name, _): name
        default: missing("variable")
        }
    }

    /// See ``operand``.
    var ownOperand: NSExpression {
        switch node {
        case .keyPath(let operand, _): operand
        case .message(let receiver, _, _): receiver
        case .function: NSExpression(forConstantValue: nil)
        default: missing("operand")
        }
    }

    /// See ``arguments``.
    var ownArguments: [NSExpression]? {
        switch node {
        case .function(_, let arguments), .message(_, _, let arguments), .block(_, let arguments): arguments
        default: nil
        }
    }

    /// See ``collection``.
    var ownCollection: Any {
        switch node {
        case .aggregate(let elements): elements
        case .subquery(let collection, _, _): collection
        default: missing("collection")
        }
    }

    /// See ``predicate``.
    var ownPredicate: NSPredicate {
        switch node {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate
        default: missing("predicate")
        }
    }

    /// See ``left``.
    var ownLeft: NSExpression {
        guard case .set(_, let left, _) = node else { missing("left operand") }
        return left
    }

    /// See ``right``.
    var ownRight: NSExpression {
        guard case .set(_, _, let right) = node else { missing("right operand") }
        return right
    }

    /// See ``true``.
    var ownTrue: NSExpression {
        guard case .conditional(_, let expression, _) = node else { missing("true expression") }
        return expression
    }

    /// See ``false``.
    var ownFalse: NSExpression {
        guard case .conditional(_, _, let expression) = node else { missing("false expression") }
        return expression
    }

    /// See ``expressionBlock``.
    var ownExpressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any {
        guard case .block(let block, _) = node else { missing("block") }
        return block
    }

    private func missing(_ part: String) -> Never {
        fatalError(
            "the expression \(self) is of the kind \(expressionType), which has no \(part); ask expressionType first")
    }
}
