import Foundation

/// Comparison of values of unknown type, as Cocoa's `compare:` and `isEqual:` do it, by the rules of
/// ``PredicateValue``.
///
/// Numbers compare by value across all their kinds, strings by their Unicode scalars, which is the order of a store's
/// rows too. Swift and Foundation types of the same thing (`String` and `NSString`, `[Any]` and `NSArray`) are the
/// same.
package enum ValueComparison {
    /// The order of two values; nil if they have none, as a string and a number, or anything with a NaN.
    ///
    /// Swift values of one `Comparable` type that Cocoa doesn't know, an enumeration say, have that type's order.
    package static func compare(_ lhs: Any, _ rhs: Any) -> ComparisonResult? {
        let (left, right) = (PredicateValue(lhs), PredicateValue(rhs))
        if let order = left.order(right) { return order }
        guard case .other(let left) = left, case .other(let right) = right else { return nil }
        return (left as? any Comparable).flatMap { order($0, right) }
    }

    /// Whether two values are equal. Nil and `NSNull` equal each other and nothing else.
    package static func isEqual(_ lhs: Any?, _ rhs: Any?) -> Bool { PredicateValue(lhs) == PredicateValue(rhs) }

    private static func order<Value: Comparable>(_ lhs: Value, _ rhs: Any) -> ComparisonResult? {
        (rhs as? Value).map { ComparisonResult(lhs, $0) }
    }
}
