import Foundation

/// Collections without duplicates, equality being that of ``PredicateValue``: `1` and `1.0` are one value.
enum DistinctValues {
    /// The values in their order, each once.
    static func array(_ values: [Any]) -> [Any] {
        var seen = Set<PredicateValue>()
        return values.filter { seen.insert(PredicateValue($0)).inserted }
    }

    /// The values as a set with members that cast back to what they were.
    ///
    /// A Swift set rather than an `NSSet`: it casts to `NSSet`, `Set<String>` and `Set<Player>` alike.
    static func set(_ values: [Any]) -> Set<AnyHashable> {
        Set(array(values).map(hashable))
    }

    private static func hashable(_ value: Any) -> AnyHashable {
        switch value {
        case let number as NSDecimalNumber: DecimalNumber(decimal: number.decimalValue)
        case let value as AnyHashable: value
        case let array as [Any]: NSArray(array: array)
        default: boxed(value)
        }
    }

    /// A value without `Hashable`, a plain Swift object say, in the box that Foundation's sets put around it.
    private static func boxed(_ value: Any) -> AnyHashable {
        (NSSet(object: value) as Any as? Set<AnyHashable>)?.first ?? AnyHashable(ObjectIdentifier(value as AnyObject))
    }
}
