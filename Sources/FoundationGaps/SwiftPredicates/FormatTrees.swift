import Foundation

// Short words for the trees that conversions build.

extension NSExpression {
    static func constant(_ value: Any?) -> NSExpression { NSExpression(forConstantValue: value) }

    static func truth(_ value: Bool) -> NSExpression { NSExpression(forConstantValue: NSNumber(value: value)) }

    static func conditional(_ predicate: NSPredicate, _ first: NSExpression, _ second: NSExpression) -> NSExpression {
        NSExpression(forConditional: predicate, trueExpression: first, falseExpression: second)
    }

    static func call(_ function: String, _ arguments: NSExpression...) -> NSExpression {
        NSExpression(forFunction: function, arguments: arguments)
    }

    static func subquery(_ collection: NSExpression, _ variable: String, _ predicate: NSPredicate) -> NSExpression {
        NSExpression(forSubquery: collection, usingIteratorVariable: variable, predicate: predicate)
    }

    /// The value of a constant truth value, nil for anything else; the number 1 is none.
    var constantTruth: Bool? {
        guard case .constant(let value?, _) = node else { return nil }
        if let flag = value as? Bool, type(of: value) == Bool.self { return flag }
        guard let number = value as? NSNumber, type(of: number) == type(of: NSNumber(value: true)) else { return nil }
        return number.boolValue
    }

    var isConstant: Bool {
        switch node {
        case .constant: true
        case .aggregate(let elements): elements.allSatisfy(\.isConstant)
        default: false
        }
    }

    /// The expression's value at a key path: `a` and `b` make `a.b`.
    func appending(_ keys: String) -> NSExpression {
        switch node {
        case .evaluatedObject:
            NSExpression(forKeyPath: keys)
        case .keyPath(let operand, let path):
            NSExpression(node: .keyPath(operand: operand, path: PredicateKeyPath("\(path.text).\(keys)")))
        default:
            NSExpression(node: .keyPath(operand: self, path: PredicateKeyPath(keys)))
        }
    }

    /// Whether the expression is a key path that starts with another one, so that it is nil where that is.
    func isPath(through other: NSExpression) -> Bool {
        guard case .keyPath(let operand, let path) = node else { return false }
        switch other.node {
        case .keyPath(let otherOperand, let otherPath):
            let isLonger = path.keys.starts(with: otherPath.keys) && path.keys.count > otherPath.keys.count
            return operand.isEqual(otherOperand) && isLonger && !path.hasOperator
        default:
            return operand.isEqual(other) && !path.hasOperator
        }
    }
}

extension NSComparisonPredicate {
    static func comparing(
        _ left: NSExpression, _ type: Operator, _ right: NSExpression, _ options: Options = []
    ) -> NSComparisonPredicate {
        NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: .direct, type: type, options: options)
    }

    static func isPresent(_ expression: NSExpression) -> NSComparisonPredicate {
        comparing(expression, .notEqualTo, .constant(nil))
    }
}

extension NSPredicate {
    static func all(_ first: NSPredicate, _ second: NSPredicate) -> NSPredicate { joined(.and, first, second) }

    static func any(_ first: NSPredicate, _ second: NSPredicate) -> NSPredicate { joined(.or, first, second) }

    static func negation(of predicate: NSPredicate) -> NSPredicate {
        if let truth = predicate.constantTruth { return NSPredicate(value: !truth) }
        return CompoundPredicate(.not, of: [predicate])
    }

    /// Joins two predicates; `a AND b AND c` is one compound rather than two.
    private static func joined(
        _ type: NSCompoundPredicate.LogicalType, _ first: NSPredicate, _ second: NSPredicate
    ) -> NSPredicate {
        let parts = [first, second].flatMap { predicate in
            let compound = predicate.plainCompound
            return compound?.compoundPredicateType == type ? compound?.subpredicates ?? [] : [predicate]
        }
        return CompoundPredicate(type, of: parts)
    }
}
