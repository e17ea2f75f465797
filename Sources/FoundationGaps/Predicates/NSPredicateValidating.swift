public import Foundation

/// Looks at the parts of a predicate that came from outside before it may be evaluated, and throws at what it doesn't
/// permit.
///
/// ```swift
/// struct OnlyNames: NSPredicateValidating {
///     struct Refused: Error { let key: String? }
///     func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {
///         guard key == "firstName" || key == "lastName" else { throw Refused(key: key) }
///     }
/// }
///
/// let predicate = try NSPredicate.parse("lastName BEGINSWITH 'W'")
/// try predicate.allowEvaluation(validator: OnlyNames())
/// request.predicate = predicate
/// ```
///
/// Every method has an implementation that permits everything, so write only the ones that you need. The predicate
/// itself keeps no mark: code that skips the check can evaluate it.
public protocol NSPredicateValidating {
    /// A predicate, from the outermost one inwards. Throw for a class that you do not permit, such as a block.
    func visit(_ predicate: NSPredicate) throws
    /// An expression of any kind. Throw for a function that you do not permit; see ``NSExpression/expressionType``.
    func visit(_ expression: NSExpression) throws
    /// The operator of a comparison. Throw for `.matches`, for instance, as some regular expressions take very long.
    func visit(_ operatorType: NSComparisonPredicate.Operator) throws
    /// A key of a key path; called once for each key of `team.name`.
    ///
    /// - Parameters:
    ///   - expression: The key path's expression.
    ///   - scope: The keys before it joined by dots, nil for the first.
    ///   - key: The key. Collection operators such as `@count` are keys, too.
    func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws
}

extension NSPredicateValidating {
    /// Permits every predicate.
    public func visit(_ predicate: NSPredicate) throws {}
    /// Permits every expression.
    public func visit(_ expression: NSExpression) throws {}
    /// Permits every operator.
    public func visit(_ operatorType: NSComparisonPredicate.Operator) throws {}
    /// Permits every key.
    public func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {}
}

extension NSPredicate {
    /// Shows the predicate and all that is in it to a validator: subpredicates, operators, expressions and keys.
    ///
    /// ```swift
    /// let predicate = try NSPredicate.parse("age > 30")
    /// try predicate.allowEvaluation(validator: PermitsEverything())
    ///
    /// struct PermitsEverything: NSPredicateValidating {}
    /// ```
    ///
    /// Call it once for a predicate from outside, before the first evaluation. See ``NSPredicateValidating``.
    ///
    /// - Throws: What the validator throws. The walk ends there.
    public func allowEvaluation(validator: any NSPredicateValidating) throws {
        try validator.visit(self)
        if let compound = plainCompound {
            for predicate in compound.subpredicates { try predicate.allowEvaluation(validator: validator) }
        } else if let comparison = self as? NSComparisonPredicate {
            try validator.visit(comparison.predicateOperatorType)
            try comparison.leftExpression.show(to: validator)
            try comparison.rightExpression.show(to: validator)
        }
    }
}

extension NSExpression {
    /// Shows the expression and all that is in it to a validator.
    fileprivate func show(to validator: any NSPredicateValidating) throws {
        try validator.visit(self)
        if case .keyPath(_, let path) = node { try show(path, to: validator) }
        for expression in node.parts { try expression.show(to: validator) }
        for predicate in node.predicates { try predicate.allowEvaluation(validator: validator) }
    }

    private func show(_ path: PredicateKeyPath, to validator: any NSPredicateValidating) throws {
        for (index, key) in path.keys.enumerated() {
            let scope = index == 0 ? nil : path.keys[..<index].joined(separator: ".")
            try validator.visitExpressionKeyPath(self, scope: scope, key: key)
        }
    }
}

extension ExpressionNode {
    /// The expressions directly inside.
    package var parts: [NSExpression] {
        switch self {
        case .constant, .evaluatedObject, .variable, .anyKey, .symbol, .custom: []
        case .keyPath(let operand, _): [operand]
        case .function(_, let arguments), .block(_, let arguments): arguments
        case .message(let receiver, _, let arguments): [receiver] + arguments
        case .set(_, let left, let right): [left, right]
        case .subquery(let collection, _, _): [collection]
        case .aggregate(let elements): elements
        case .conditional(_, let whenTrue, let whenFalse): [whenTrue, whenFalse]
        case .assignment(_, let value): [value]
        case .fetch(let request, let context, _): [request, context]
        }
    }

    /// The predicates directly inside.
    package var predicates: [NSPredicate] {
        switch self {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): [predicate]
        default: []
        }
    }
}
