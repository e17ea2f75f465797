import Foundation

/// A collection operator of a key path, ready to be applied.
///
/// Nil members' values count as 0 for `@sum` and `@avg`, and are left out everywhere else. (Apple's guide lets the
/// unions raise on nil; here a missing value in the data can't end the process.)
enum CollectionOperator: String {
    case count, sum, avg, min, max
    case unionOfObjects, distinctUnionOfObjects
    case unionOfArrays, distinctUnionOfArrays
    case unionOfSets, distinctUnionOfSets

    init?(key: String) {
        guard key.utf8.first == UInt8(ascii: "@") else { return nil }
        self.init(rawValue: String(key.dropFirst()))
    }

    func result(over collection: any KeyValueCollection, keys: ArraySlice<String>) -> Any? {
        switch self {
        case .count:
            return NSNumber(value: collection.keyValueCount)
        case .sum:
            return sum(of: collection, keys).boxed
        case .avg:
            let count = collection.keyValueCount
            return count == 0 ? NSNumber(value: 0) : sum(of: collection, keys).divided(by: count).boxed
        case .min:
            return extreme(of: collection, keys, wanted: .orderedAscending)
        case .max:
            return extreme(of: collection, keys, wanted: .orderedDescending)
        case .unionOfObjects:
            return values(of: collection, keys)
        case .distinctUnionOfObjects:
            return type(of: collection).distinct(values(of: collection, keys))
        case .unionOfArrays:
            return nestedValues(of: collection, keys)
        case .distinctUnionOfArrays:
            return DistinctValues.array(nestedValues(of: collection, keys))
        case .unionOfSets, .distinctUnionOfSets:
            return DistinctValues.set(nestedValues(of: collection, keys))
        }
    }

    private func values(of collection: any KeyValueCollection, _ keys: ArraySlice<String>) -> [Any] {
        collection.keyValueMembers.compactMap { member in
            let value = value(of: member, forKeys: keys)
            return value is NSNull ? nil : value.flatMap(boxed)
        }
    }

    private func nestedValues(of collection: any KeyValueCollection, _ keys: ArraySlice<String>) -> [Any] {
        collection.keyValueMembers.flatMap { member in
            guard let inner = member as? any KeyValueCollection else {
                KeyValueFailure.wrongOperand(member, of: "@\(rawValue)", wanted: "a collection of collections")
            }
            return values(of: inner, keys)
        }
    }

    private func sum(of collection: any KeyValueCollection, _ keys: ArraySlice<String>) -> NumericSum {
        var sum = NumericSum()
        for value in values(of: collection, keys) {
            guard let number = ScalarValue(value), sum.add(number) else {
                KeyValueFailure.wrongOperand(value, of: "@\(rawValue)", wanted: "numbers")
            }
        }
        return sum
    }

    private func extreme(
        of collection: any KeyValueCollection, _ keys: ArraySlice<String>, wanted: ComparisonResult
    ) -> Any? {
        var best: Any?
        for value in values(of: collection, keys) {
            guard let current = best else {
                best = value
                continue
            }
            guard let order = ValueComparison.compare(value, current) else {
                KeyValueFailure.wrongOperand(value, of: "@\(rawValue)", wanted: "values that compare with each other")
            }
            if order == wanted { best = value }
        }
        return best
    }
}

/// A sum in the narrowest kind of number that holds it: integer, then decimal, then double.
struct NumericSum {
    private var total = ScalarValue.integer(0)

    var boxed: NSNumber { total.boxedNumber ?? NSNumber(value: 0) }

    /// Adds a number; false if it is none.
    mutating func add(_ value: ScalarValue) -> Bool {
        switch (total, value) {
        case (.integer(let lhs), .integer(let rhs)):
            let (sum, overflow) = lhs.addingReportingOverflow(rhs)
            total = overflow ? .decimal(Decimal(lhs) + Decimal(rhs)) : .integer(sum)
        case (_, .double(let rhs)):
            total = .double(doubleTotal + rhs)
        case (.double(let lhs), _):
            guard let rhs = value.doubleValue else { return false }
            total = .double(lhs + rhs)
        default:
            guard let lhs = total.decimalValue, let rhs = value.decimalValue else { return false }
            total = .decimal(lhs + rhs)
        }
        return true
    }

    func divided(by count: Int) -> NumericSum {
        var result = self
        if case .decimal(let sum) = total {
            result.total = .decimal(sum / Decimal(count))
        } else {
            result.total = .double(doubleTotal / Double(count))
        }
        return result
    }

    private var doubleTotal: Double { total.doubleValue ?? 0 }
}
