import Foundation

/// An object that equals every other stand-in of the same thing: a managed object equals its object ID.
package protocol ComparisonIdentity: AnyObject {
    /// What is compared in the object's place.
    var comparisonIdentity: AnyHashable { get }
}

/// Comparison of values of unknown type, as Cocoa's `compare:` and `isEqual:` do it.
///
/// Numbers compare by value across all their kinds: integers exactly, also with doubles; decimals with doubles as
/// doubles, so that the constant `0.1` equals the decimal 0.1. Strings compare by Unicode scalars, canonically
/// equivalent ones being equal, which is the order of a store's rows too. Swift and Foundation types of the same thing
/// (`String` and `NSString`, `[Any]` and `NSArray`) are the same here.
package enum ValueComparison {
    /// The order of two values; nil if they have none, as a string and a number, or anything with a NaN.
    package static func compare(_ lhs: Any, _ rhs: Any) -> ComparisonResult? {
        guard let left = ScalarValue(lhs), let right = ScalarValue(rhs) else {
            return compareOthers(lhs, rhs)
        }
        return compare(left, right)
    }

    /// Whether two values are equal. Nil and `NSNull` equal each other and nothing else.
    package static func isEqual(_ lhs: Any?, _ rhs: Any?) -> Bool {
        guard let lhs = boxed(lhs), let rhs = boxed(rhs) else { return boxed(lhs) == nil && boxed(rhs) == nil }
        switch (ScalarValue(lhs), ScalarValue(rhs)) {
        case (let left?, let right?): return isEqual(left, right)
        case (nil, nil): return isEqualOther(lhs, rhs)
        default: return false
        }
    }

    /// A hash that agrees with ``isEqual(_:_:)``.
    package static func hash(of value: Any) -> Int {
        if let scalar = ScalarValue(value) { return hash(of: scalar) }
        if let collection = value as? any KeyValueCollection { return collection.keyValueCount }
        if let identified = value as? any ComparisonIdentity { return identified.comparisonIdentity.hashValue }
        if let dictionary = value as? NSDictionary { return dictionary.count }
        if let hashable = value as? AnyHashable { return hashable.hashValue }
        return type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject).hashValue : 0
    }

    // MARK: Scalars

    package static func compare(_ lhs: ScalarValue, _ rhs: ScalarValue) -> ComparisonResult? {
        switch (lhs, rhs) {
        case (.integer(let left), .integer(let right)): order(left, right)
        case (.string(let left), .string(let right)): order(left, right)
        case (.date(let left), .date(let right)): order(left, right)
        case (.double(let left), .double(let right)): order(doubles: left, right)
        case (.uuid(let left), .uuid(let right)): order(left, right)
        case (.data(let left), .data(let right)): order(bytes: left, right)
        default: compareNumbers(lhs, rhs)
        }
    }

    private static func compareNumbers(_ lhs: ScalarValue, _ rhs: ScalarValue) -> ComparisonResult? {
        switch (lhs, rhs) {
        case (.integer(let left), .double(let right)):
            return order(integer: left, double: right)
        case (.double(let left), .integer(let right)):
            return order(integer: right, double: left).map(reversed)
        case (.double, _), (_, .double):
            guard let left = lhs.doubleValue, let right = rhs.doubleValue else { return nil }
            return order(doubles: left, right)
        default:
            guard let left = lhs.decimalValue, let right = rhs.decimalValue else { return nil }
            return left.isNaN || right.isNaN ? nil : order(left, right)
        }
    }

    private static func isEqual(_ lhs: ScalarValue, _ rhs: ScalarValue) -> Bool {
        if let order = compare(lhs, rhs) { return order == .orderedSame }
        guard let left = lhs.doubleValue, let right = rhs.doubleValue else { return false }
        return left.isNaN && right.isNaN
    }

    private static func hash(of scalar: ScalarValue) -> Int {
        switch scalar {
        case .string(let string): string.hashValue
        case .date(let date): date.hashValue
        case .data(let data): data.hashValue
        case .uuid(let uuid): uuid.hashValue
        case .integer, .unsigned, .double, .decimal: scalar.doubleValue.hashValue
        }
    }

    // MARK: Orders

    private static func order<T: Comparable>(_ lhs: T, _ rhs: T) -> ComparisonResult {
        lhs < rhs ? .orderedAscending : lhs == rhs ? .orderedSame : .orderedDescending
    }

    private static func order(doubles lhs: Double, _ rhs: Double) -> ComparisonResult? {
        lhs.isNaN || rhs.isNaN ? nil : order(lhs, rhs)
    }

    /// Exact, where a conversion to `Double` would make neighbours of 2⁵³ equal.
    private static func order(integer lhs: Int64, double rhs: Double) -> ComparisonResult? {
        if rhs.isNaN { return nil }
        if rhs >= 0x1p63 { return .orderedAscending }
        if rhs < -0x1p63 { return .orderedDescending }
        let whole = Int64(rhs)
        return lhs == whole ? order(Double(whole), rhs) : order(lhs, whole)
    }

    private static func order(bytes lhs: Data, _ rhs: Data) -> ComparisonResult {
        if lhs == rhs { return .orderedSame }
        return lhs.lexicographicallyPrecedes(rhs) ? .orderedAscending : .orderedDescending
    }

    private static func reversed(_ order: ComparisonResult) -> ComparisonResult {
        ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
    }

    // MARK: Everything else

    private static func compareOthers(_ lhs: Any, _ rhs: Any) -> ComparisonResult? {
        guard let left = lhs as? any Comparable else { return nil }
        return compare(left, rhs)
    }

    private static func compare<T: Comparable>(_ lhs: T, _ rhs: Any) -> ComparisonResult? {
        (rhs as? T).map { order(lhs, $0) }
    }

    private static func isEqualOther(_ lhs: Any, _ rhs: Any) -> Bool {
        if let left = lhs as? any ComparisonIdentity {
            return left.comparisonIdentity == (rhs as? any ComparisonIdentity)?.comparisonIdentity
        }
        if let left = lhs as? any KeyValueCollection {
            guard let right = rhs as? any KeyValueCollection else { return false }
            return isEqualCollection(left, right)
        }
        if let left = lhs as? NSDictionary {
            guard let right = rhs as? NSDictionary else { return false }
            return isEqualDictionary(left, right)
        }
        if let left = lhs as? AnyHashable { return left == rhs as? AnyHashable }
        guard type(of: lhs) is AnyClass, type(of: rhs) is AnyClass else { return false }
        return lhs as AnyObject === rhs as AnyObject
    }

    private static func isEqualCollection(_ lhs: any KeyValueCollection, _ rhs: any KeyValueCollection) -> Bool {
        guard lhs.keyValueCount == rhs.keyValueCount, lhs.keyValueIsOrdered == rhs.keyValueIsOrdered else {
            return false
        }
        if lhs.keyValueIsOrdered {
            return zip(lhs.keyValueMembers, rhs.keyValueMembers).allSatisfy { isEqual($0, $1) }
        }
        return Set(lhs.keyValueMembers.map(ComparedValue.init)) == Set(rhs.keyValueMembers.map(ComparedValue.init))
    }

    private static func isEqualDictionary(_ lhs: NSDictionary, _ rhs: NSDictionary) -> Bool {
        lhs.count == rhs.count
            && lhs.allKeys.allSatisfy { key in
                rhs.object(forKey: key).map { isEqual(lhs.object(forKey: key), $0) } ?? false
            }
    }
}
