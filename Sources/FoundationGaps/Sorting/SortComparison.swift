import Foundation

/// The comparisons that a sort descriptor can name by a selector, in memory and for a store's SQL.
package enum SortComparison: String, CaseIterable, Sendable {
    case standard = "compare:"
    case caseInsensitive = "caseInsensitiveCompare:"
    case localized = "localizedCompare:"
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    case localizedStandard = "localizedStandardCompare:"

    package init?(_ selector: Selector) { self.init(rawValue: selector.description) }

    package var selector: Selector { Selector(rawValue) }

    /// The order of two strings. Strings that differ in nothing but what the comparison ignores are the same.
    package func order(_ lhs: String, _ rhs: String) -> ComparisonResult {
        switch self {
        case .standard: lhs < rhs ? .orderedAscending : lhs == rhs ? .orderedSame : .orderedDescending
        case .caseInsensitive: lhs.caseInsensitiveCompare(rhs)
        case .localized: lhs.localizedCompare(rhs)
        case .localizedCaseInsensitive: lhs.localizedCaseInsensitiveCompare(rhs)
        case .localizedStandard: lhs.localizedStandardCompare(rhs)
        }
    }

    /// The order of two values that are not nil; nil where they have none.
    package func orderOfValues(_ lhs: Any, _ rhs: Any) -> ComparisonResult? {
        if self == .standard { return ValueComparison.compare(lhs, rhs) }
        guard case .string(let left) = PredicateValue(lhs), case .string(let right) = PredicateValue(rhs) else {
            return nil
        }
        return order(left, right)
    }
}
