import Foundation

/// One conversion of a Swift predicate's tree into the format language's.
struct PredicateConversion {
    /// What can't be said in the format language.
    struct Impossible: Error {}

    /// What the tree's variables stand for: the evaluated object, the element of a subquery, an unwrapped value.
    private var variables: [PredicateExpressions.VariableID: NSExpression] = [:]
    private var subqueryCount = 0

    mutating func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, to expression: NSExpression) {
        variables[variable.key] = expression
    }

    func expression<Value>(for variable: PredicateExpressions.Variable<Value>) throws -> NSExpression {
        guard let expression = variables[variable.key] else { throw Impossible() }
        return expression
    }

    /// A name for the element of a subquery, other than those of the subqueries around it.
    mutating func newVariableName() -> String {
        subqueryCount += 1
        return "element\(subqueryCount)"
    }

    mutating func convert(_ expression: any PredicateExpression) throws -> ConvertedExpression {
        guard let convertible = expression as? any ConvertibleToFormat else { throw Impossible() }
        return try convertible.converted(&self)
    }

    mutating func expression(_ expression: any PredicateExpression) throws -> NSExpression {
        try convert(expression).expression
    }

    mutating func predicate(_ expression: any PredicateExpression) throws -> NSPredicate {
        try convert(expression).predicate
    }
}

/// A part of a Swift predicate that the format language has words for.
protocol ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression
}

/// A part of a Swift predicate in the format language, where truth values and conditions are two things.
enum ConvertedExpression {
    case expression(NSExpression)
    case predicate(NSPredicate)
    /// An optional condition: it is nil unless the first predicate holds.
    case optionalPredicate(present: NSPredicate, NSPredicate)
    /// The order of two texts, a `ComparisonResult`.
    case order(NSExpression, NSExpression, NSComparisonPredicate.Options)

    var expression: NSExpression {
        switch self {
        case .expression(let expression):
            return expression
        case .predicate(let predicate):
            return .conditional(predicate, .truth(true), .truth(false))
        case .optionalPredicate(let present, let predicate):
            return .conditional(present, Self.predicate(predicate).expression, .constant(nil))
        case .order(let left, let right, let options):
            let isLess = NSComparisonPredicate.comparing(left, .lessThan, right, options)
            let isEqual = NSComparisonPredicate.comparing(left, .equalTo, right, options)
            return .conditional(isLess, .constant(-1), .conditional(isEqual, .constant(0), .constant(1)))
        }
    }

    var predicate: NSPredicate {
        get throws {
            switch self {
            case .expression(let expression):
                if let truth = expression.constantTruth { return NSPredicate(value: truth) }
                return NSComparisonPredicate.comparing(expression, .equalTo, .truth(true))
            case .predicate(let predicate):
                return predicate
            case .optionalPredicate, .order:
                throw PredicateConversion.Impossible()
            }
        }
    }

    /// The value of a constant `true` or `false`.
    var constantTruth: Bool? {
        guard case .expression(let expression) = self else { return nil }
        return expression.constantTruth
    }

    /// Whether it is a condition by itself rather than a value.
    var isPredicate: Bool {
        switch self {
        case .predicate, .optionalPredicate: true
        case .expression, .order: false
        }
    }
}
