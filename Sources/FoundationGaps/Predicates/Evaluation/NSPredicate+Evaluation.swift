import Foundation

extension NSPredicate {
    /// Whether the predicate holds: for code that filters many objects or wants the error instead of the end of the
    /// program.
    ///
    /// - Throws: `PredicateEvaluationError` when values can't be compared or a variable is unbound, and what the reader
    ///   throws.
    package func evaluateOrThrow(
        with object: Any?, substitutionVariables bindings: [String: Any] = [:], reader: (any PredicateReader)? = nil
    ) throws -> Bool {
        try holds(in: EvaluationScope(object: object, variables: bindings, reader: reader))
    }

    package func holds(in scope: EvaluationScope) throws -> Bool {
        if let comparison = self as? NSComparisonPredicate, type(of: comparison) == NSComparisonPredicate.self {
            return try comparison.compareValues(in: scope)
        }
        if let compound = plainCompound {
            switch compound.compoundPredicateType {
            case .and: return try compound.subpredicates.allSatisfy { try $0.holds(in: scope) }
            case .or: return try compound.subpredicates.contains { try $0.holds(in: scope) }
            case .not: return try !compound.subpredicates[0].holds(in: scope)
            }
        }
        // A constant, a block, or an app's subclass that overrides its evaluation.
        return evaluate(with: scope.object, substitutionVariables: scope.variables)
    }

    /// Runs an evaluation that may not throw.
    func orTrap<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            fatalError("the predicate \(formatText) can't be evaluated: \(error)")
        }
    }
}
