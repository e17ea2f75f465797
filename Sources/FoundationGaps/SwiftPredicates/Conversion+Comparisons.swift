import Foundation

// Equality, order, ranges.

extension PredicateExpressions.Equal: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(try .equality(try conversion.convert(lhs), try conversion.convert(rhs)))
    }
}

extension PredicateExpressions.NotEqual: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (left, right) = (try conversion.convert(lhs), try conversion.convert(rhs))
        if case .expression(let left) = left, case .expression(let right) = right {
            return .predicate(NSComparisonPredicate.comparing(left, .notEqualTo, right))
        }
        return .predicate(.negation(of: try .equality(left, right)))
    }
}

extension NSPredicate {
    /// That two values are equal. A condition that equals `true` is that condition.
    fileprivate static func equality(
        _ left: ConvertedExpression, _ right: ConvertedExpression
    ) throws -> NSPredicate {
        switch (left, right) {
        case (.order(let first, let second, let options), _):
            return try order(first, second, options, is: right.expression)
        case (_, .order(let first, let second, let options)):
            return try order(first, second, options, is: left.expression)
        default: break
        }
        if left.isPredicate, let truth = right.constantTruth { return condition(left, is: truth) }
        if right.isPredicate, let truth = left.constantTruth { return condition(right, is: truth) }
        return NSComparisonPredicate.comparing(left.expression, .equalTo, right.expression)
    }

    private static func condition(_ condition: ConvertedExpression, is truth: Bool) -> NSPredicate {
        switch condition {
        case .optionalPredicate(let present, let predicate):
            return all(present, truth ? predicate : negation(of: predicate))
        case .predicate(let predicate):
            return truth ? predicate : negation(of: predicate)
        case .expression, .order:
            return NSComparisonPredicate.comparing(condition.expression, .equalTo, .truth(truth))
        }
    }

    /// That two texts compare as a constant `ComparisonResult` says.
    private static func order(
        _ first: NSExpression, _ second: NSExpression, _ options: NSComparisonPredicate.Options, is wanted: NSExpression
    ) throws -> NSPredicate {
        guard case .constant(let value?, _) = wanted.node, let number = value as? NSNumber else {
            throw PredicateConversion.Impossible()
        }
        let type: NSComparisonPredicate.Operator =
            number.intValue < 0 ? .lessThan : number.intValue > 0 ? .greaterThan : .equalTo
        return NSComparisonPredicate.comparing(first, type, second, options)
    }
}

extension PredicateExpressions.Comparison: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let type: NSComparisonPredicate.Operator
        switch op {
        case .lessThan: type = .lessThan
        case .lessThanOrEqual: type = .lessThanOrEqualTo
        case .greaterThan: type = .greaterThan
        case .greaterThanOrEqual: type = .greaterThanOrEqualTo
        @unknown default: throw PredicateConversion.Impossible()
        }
        let (left, right) = (try conversion.expression(lhs), try conversion.expression(rhs))
        return .predicate(NSComparisonPredicate.comparing(left, type, right))
    }
}

extension PredicateExpressions.RangeExpressionContains: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard let range = range as? any RangeBounds else { throw PredicateConversion.Impossible() }
        let bounds = try range.bounds(&conversion)
        return .predicate(try bounds.contain(try conversion.expression(element)))
    }
}

/// The bounds of a range, those that it has.
struct ConvertedBounds {
    var lower: NSExpression?
    var upper: NSExpression?
    var includesUpper = true

    func contain(_ element: NSExpression) throws -> NSPredicate {
        let belowUpper = upper.map {
            NSComparisonPredicate.comparing(element, includesUpper ? .lessThanOrEqualTo : .lessThan, $0)
        }
        switch (lower, upper, belowUpper) {
        case (let lower?, let upper?, _) where includesUpper:
            let bounds = NSExpression(forAggregate: [lower, upper])
            return NSComparisonPredicate.comparing(element, .between, bounds)
        case (let lower?, _, let belowUpper?):
            return .all(NSComparisonPredicate.comparing(element, .greaterThanOrEqualTo, lower), belowUpper)
        case (let lower?, _, nil):
            return NSComparisonPredicate.comparing(element, .greaterThanOrEqualTo, lower)
        case (nil, _, let belowUpper?):
            return belowUpper
        case (nil, _, nil):
            throw PredicateConversion.Impossible()
        }
    }
}

/// A part of a Swift predicate that is a range.
private protocol RangeBounds {
    func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedBounds
}

extension PredicateExpressions.Range: RangeBounds {
    fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedBounds {
        let (lower, upper) = (try conversion.expression(lower), try conversion.expression(upper))
        return ConvertedBounds(lower: lower, upper: upper, includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: RangeBounds {
    fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedBounds {
        ConvertedBounds(lower: try conversion.expression(lower), upper: try conversion.expression(upper))
    }
}

extension PredicateExpressions.Value: RangeBounds {
    fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> ConvertedBounds {
        guard let range = value as? any ConstantRange else { throw PredicateConversion.Impossible() }
        return try range.bounds
    }
}

/// A range that the predicate captured.
private protocol ConstantRange {
    var bounds: ConvertedBounds { get throws }
}

extension ClosedRange: ConstantRange {
    fileprivate var bounds: ConvertedBounds {
        get throws { ConvertedBounds(lower: try .converted(lowerBound), upper: try .converted(upperBound)) }
    }
}

extension Range: ConstantRange {
    fileprivate var bounds: ConvertedBounds {
        get throws {
            ConvertedBounds(
                lower: try .converted(lowerBound), upper: try .converted(upperBound), includesUpper: false)
        }
    }
}

extension PartialRangeFrom: ConstantRange {
    fileprivate var bounds: ConvertedBounds {
        get throws { ConvertedBounds(lower: try .converted(lowerBound)) }
    }
}

extension PartialRangeThrough: ConstantRange {
    fileprivate var bounds: ConvertedBounds {
        get throws { ConvertedBounds(upper: try .converted(upperBound)) }
    }
}

extension PartialRangeUpTo: ConstantRange {
    fileprivate var bounds: ConvertedBounds {
        get throws { ConvertedBounds(upper: try .converted(upperBound), includesUpper: false) }
    }
}
