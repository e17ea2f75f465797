public import Foundation

extension NSPredicate {
    /// The predicate with values in place of its variables.
    ///
    /// ```swift
    /// let ofTeam = NSPredicate(format: "team == $team AND age > $age")      // read once
    /// request.predicate = ofTeam.withSubstitutionVariables(["team": heat, "age": 30])
    /// ```
    ///
    /// This is faster than reading a text each time. Variables that the dictionary doesn't name stay. The variable of a
    /// subquery hides one of its name outside. The original does not change.
    ///
    /// Traps for an app's own subclass of `NSComparisonPredicate`. Its variables can only be bound by
    /// `evaluate(with:substitutionVariables:)`.
    ///
    /// - Parameter variables: Values or expressions by the variables' names, without `$`. Use `NSNull()` for nil.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let result = substituting(variables.mapValues(NSExpression.expression))
        guard let result = result as? Self else {
            fatalError(
                "\(Self.self) evaluates itself: its variables can only be bound by evaluate(with:substitutionVariables:)"
            )
        }
        return result
    }

    func substituting(_ variables: [String: NSExpression]) -> NSPredicate {
        if variables.isEmpty { return self }
        if let compound = plainCompound {
            return CompoundPredicate(
                compound.compoundPredicateType,
                of: compound.subpredicates.map { $0.substituting(variables) })
        }
        guard let comparison = self as? NSComparisonPredicate else { return self }
        let left = comparison.leftExpression.substituting(variables)
        let right = comparison.rightExpression.substituting(variables)
        if let selector = comparison.customSelector {
            return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: selector)
        }
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
            type: comparison.predicateOperatorType, options: comparison.options)
    }
}

extension NSExpression {
    func substituting(_ variables: [String: NSExpression]) -> NSExpression {
        func all(_ expressions: [NSExpression]) -> [NSExpression] { expressions.map { $0.substituting(variables) } }
        switch node {
        case .constant, .evaluatedObject, .anyKey, .symbol, .custom: return self
        case .variable(let name): return variables[name] ?? self
        case .keyPath(let operand, let path):
            return NSExpression(node: .keyPath(operand: operand.substituting(variables), path: path))
        case .function(let function, let arguments): return NSExpression(function, all(arguments))
        case .message(let receiver, let selector, let arguments):
            return NSExpression(
                node: .message(
                    receiver: receiver.substituting(variables), selector: selector, arguments: all(arguments)))
        case .set(let operation, let left, let right):
            return NSExpression(node: .set(operation, left.substituting(variables), right.substituting(variables)))
        case .subquery(let collection, let variable, let predicate):
            return NSExpression(
                node: .subquery(
                    collection: collection.substituting(variables), variable: variable,
                    predicate: predicate.substituting(variables.filter { $0.key != variable })))
        case .aggregate(let elements): return NSExpression(node: .aggregate(all(elements)))
        case .block(let block, let arguments): return NSExpression(node: .block(block, all(arguments)))
        case .conditional(let predicate, let whenTrue, let whenFalse):
            return NSExpression(
                node: .conditional(
                    predicate.substituting(variables), whenTrue.substituting(variables),
                    whenFalse.substituting(variables)))
        case .assignment(let variable, let value):
            return NSExpression(node: .assignment(variable: variable, value: value.substituting(variables)))
        case .fetch(let request, let context, let countOnly):
            return NSExpression.fetch(
                request.substituting(variables), context.substituting(variables), countOnly: countOnly)
        }
    }
}
