import Foundation

/// Arithmetic on numbers of any kinds.
///
/// Integers stay integers, and become floating point where the result leaves their range; with a decimal, integers
/// become decimals; with floating point everything does. An operand that is nil makes the result nil, and so does a
/// division by zero: the answers of an SQL store.
enum Arithmetic {
    typealias IntegerOperation = (Int64, Int64) -> (partialValue: Int64, overflow: Bool)

    static func apply(
        _ left: PredicateValue, _ right: PredicateValue, _ function: PredicateFunction
    ) throws -> PredicateValue {
        switch (left, right) {
        case (.null, _), (_, .null): .null
        case (.integer(let a), .integer(let b)): integers(a, b, function)
        case (.decimal(let a), .decimal(let b)): decimals(a, b, function)
        case (.decimal(let a), .integer(let b)): decimals(a, Decimal(b), function)
        case (.integer(let a), .decimal(let b)): decimals(Decimal(a), b, function)
        default: try doubles(number(left, function), number(right, function), function)
        }
    }

    /// A number, or the error that names what stands in its place.
    static func number(_ value: PredicateValue, _ function: PredicateFunction) throws -> Double {
        if let number = value.doubleValue { return number }
        if case .date = value {
            throw PredicateEvaluationError(
                "\(function.rawValue) needs numbers, not a date; CAST(date, \"NSNumber\") gives a date's seconds")
        }
        throw PredicateEvaluationError("\(function.rawValue) needs numbers, not \(value.kindName)")
    }

    private static func integers(_ a: Int64, _ b: Int64, _ function: PredicateFunction) -> PredicateValue {
        let result: (partialValue: Int64, overflow: Bool)
        switch function {
        case .add: result = a.addingReportingOverflow(b)
        case .subtract: result = a.subtractingReportingOverflow(b)
        case .multiply: result = a.multipliedReportingOverflow(by: b)
        case .divide: if b == 0 { return .null } else { result = a.dividedReportingOverflow(by: b) }
        case .modulus: if b == 0 { return .null } else { result = a.remainderReportingOverflow(dividingBy: b) }
        default: return power(a, b)
        }
        return result.overflow ? doubles(Double(a), Double(b), function) : .integer(result.partialValue)
    }

    private static func power(_ base: Int64, _ exponent: Int64) -> PredicateValue {
        let result = pow(Double(base), Double(exponent))
        // Up to 2^53 floating point holds every integer.
        if exponent >= 0, let whole = Int64(exactly: result), whole.magnitude <= 1 << 53 { return .integer(whole) }
        return .double(result)
    }

    private static func doubles(_ a: Double, _ b: Double, _ function: PredicateFunction) -> PredicateValue {
        switch function {
        case .add: .double(a + b)
        case .subtract: .double(a - b)
        case .multiply: .double(a * b)
        case .divide: b == 0 ? .null : .double(a / b)
        case .modulus: b == 0 ? .null : .double(a.truncatingRemainder(dividingBy: b))
        default: .double(pow(a, b))
        }
    }

    private static func decimals(_ a: Decimal, _ b: Decimal, _ function: PredicateFunction) -> PredicateValue {
        switch function {
        case .add: .decimal(a + b)
        case .subtract: .decimal(a - b)
        case .multiply: .decimal(a * b)
        case .divide: b == 0 ? .null : .decimal(a / b)
        case .modulus: b == 0 ? .null : .decimal(a - truncated(a / b) * b)
        default: .double(pow(a.nearestDouble, b.nearestDouble))
        }
    }

    static func truncated(_ value: Decimal) -> Decimal {
        rounded(value, value < 0 ? .up : .down)
    }

    static func rounded(_ value: Decimal, _ mode: NSDecimalNumber.RoundingMode) -> Decimal {
        var value = value
        var result = Decimal()
        NSDecimalRound(&result, &value, 0, mode)
        return result
    }
}
