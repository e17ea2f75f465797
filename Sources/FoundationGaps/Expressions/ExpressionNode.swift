import Foundation

/// An expression's content: one case per kind, with everything that the evaluator, the printer and a translation to SQL
/// need.
package indirect enum ExpressionNode {
    /// The value as it was given, and as the evaluator reads it.
    case constant(Any?, PredicateValue)
    case evaluatedObject
    case variable(String)
    case keyPath(operand: NSExpression, path: PredicateKeyPath)
    /// A built-in function, arithmetic and indexing included.
    case function(PredicateFunction, [NSExpression])
    /// `FUNCTION(receiver, "selector:", …)`
    case message(receiver: NSExpression, selector: String, arguments: [NSExpression])
    case set(SetOperation, NSExpression, NSExpression)
    case subquery(collection: NSExpression, variable: String, predicate: NSPredicate)
    case aggregate([NSExpression])
    case anyKey
    case symbol(IndexSymbol)
    case block(ExpressionBlock, [NSExpression])
    case conditional(NSPredicate, NSExpression, NSExpression)
    case assignment(variable: String, value: NSExpression)
    case fetch(request: NSExpression, context: NSExpression, countOnly: Bool)
    /// A subclass's own kind.
    case custom(NSExpression.ExpressionType)

    package typealias ExpressionBlock = (Any?, [NSExpression], NSMutableDictionary?) -> Any

    /// The operations on sets, as the format language spells them.
    package enum SetOperation: String, Sendable {
        case union = "UNION"
        case intersect = "INTERSECT"
        case minus = "MINUS"
    }

    /// What may stand in brackets instead of an index.
    package enum IndexSymbol: String, Sendable {
        case first = "FIRST"
        case last = "LAST"
        case size = "SIZE"
    }

    package var type: NSExpression.ExpressionType {
        switch self {
        case .constant: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath: .keyPath
        case .function, .message: .function
        case .set(.union, _, _): .unionSet
        case .set(.intersect, _, _): .intersectSet
        case .set(.minus, _, _): .minusSet
        case .subquery: .subquery
        case .aggregate: .aggregate
        case .anyKey: .anyKey
        case .symbol: .symbolicIndex
        case .block: .block
        case .conditional: .conditional
        case .assignment: .variableAssignment
        case .fetch: .fetchRequest
        case .custom(let type): type
        }
    }
}
