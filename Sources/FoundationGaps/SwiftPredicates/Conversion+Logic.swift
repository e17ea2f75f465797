import Foundation

// Conjunction, disjunction, negation, conditions.

extension PredicateExpressions.Conjunction: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(.all(try conversion.predicate(lhs), try conversion.predicate(rhs)))
    }
}

extension PredicateExpressions.Disjunction: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(.any(try conversion.predicate(lhs), try conversion.predicate(rhs)))
    }
}

extension PredicateExpressions.Negation: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(.negation(of: try conversion.predicate(wrapped)))
    }
}

extension PredicateExpressions.Conditional: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let condition = try conversion.predicate(test)
        let (first, second) = (try conversion.convert(trueBranch), try conversion.convert(falseBranch))
        guard If.Output.self == Bool.self else {
            return .expression(.conditional(condition, first.expression, second.expression))
        }
        let whenTrue = NSPredicate.all(condition, try first.predicate)
        let whenFalse = NSPredicate.all(.negation(of: condition), try second.predicate)
        return .predicate(.any(whenTrue, whenFalse))
    }
}
