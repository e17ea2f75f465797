import Foundation

extension ExpressionNode {
    /// Whether two expressions are the same tree. An aggregate of constants equals the constant array of their values,
    /// which is how such an array prints and reads back.
    func isEqual(to other: ExpressionNode) -> Bool {
        switch (self, other) {
        case (.constant(_, let a), .constant(_, let b)): a == b
        case (.constant(_, let a), .aggregate(let b)): Self.equal(a, b)
        case (.aggregate(let a), .constant(_, let b)): Self.equal(b, a)
        case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): true
        case (.variable(let a), .variable(let b)): a == b
        case (.keyPath(let a, let path), .keyPath(let b, let otherPath)): path == otherPath && a == b
        case (.function(let a, let arguments), .function(let b, let others)): a == b && arguments == others
        case (.message(let a, let name, let arguments), .message(let b, let otherName, let others)):
            name == otherName && a == b && arguments == others
        case (.set(let a, let left, let right), .set(let b, let otherLeft, let otherRight)):
            a == b && left == otherLeft && right == otherRight
        case (.subquery(let a, let name, let predicate), .subquery(let b, let otherName, let otherPredicate)):
            name == otherName && a == b && predicate.isEqualTree(otherPredicate)
        case (.aggregate(let a), .aggregate(let b)): a == b
        case (.symbol(let a), .symbol(let b)): a == b
        case (.conditional(let p, let a, let b), .conditional(let q, let c, let d)):
            p.isEqualTree(q) && a == c && b == d
        case (.assignment(let name, let a), .assignment(let otherName, let b)): name == otherName && a == b
        case (.fetch(let a, let context, let counts), .fetch(let b, let otherContext, let otherCounts)):
            counts == otherCounts && a == b && context == otherContext
        default: false
        }
    }

    private static func equal(_ constant: PredicateValue, _ elements: [NSExpression]) -> Bool {
        guard case .collection(let collection) = constant, collection.kind == .array,
            collection.elements.count == elements.count
        else { return false }
        return zip(collection.elements, elements).allSatisfy { PredicateValue($0) == $1.constantOperand }
    }

    func hash(into hasher: inout Hasher) {
        // A constant array and the aggregate of its elements are equal, so collections hash by their size.
        switch self {
        case .constant(_, .collection(let collection)): hasher.combine(collection.elements.count)
        case .aggregate(let elements): hasher.combine(elements.count)
        case .constant(_, let value): hasher.combine(value)
        case .variable(let name): hasher.combine(name)
        case .keyPath(let operand, let path):
            hasher.combine(operand.hash)
            hasher.combine(path)
        case .function(let function, let arguments):
            hasher.combine(function)
            for argument in arguments { hasher.combine(argument.hash) }
        case .message(_, let selector, _): hasher.combine(selector)
        case .subquery(let collection, let variable, _):
            hasher.combine(variable)
            hasher.combine(collection.hash)
        default: hasher.combine(type)
        }
    }
}
