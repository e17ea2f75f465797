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
            return mean(of: collection, keys).boxed
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
            if let inner = member as? any KeyValueCollection { return values(of: inner, keys) }
            // As at Apple, the path may also lead from an object to a collection:
            // `countries.@distinctUnionOfSets.moods`.
            guard !keys.isEmpty, let value = value(of: member, forKeys: keys) else { return [] }
            guard let inner = value as? any KeyValueCollection else {
                KeyValueFailure.wrongOperand(value, of: "@\(rawValue)", wanted: "a collection of collections")
            }
            return inner.keyValueMembers.compactMap(boxed)
        }
    }

    private func sum(of collection: any KeyValueCollection, _ keys: ArraySlice<String>) -> PredicateValue {
        values(of: collection, keys).reduce(.integer(0)) { sum, value in
            guard let result = try? Arithmetic.apply(sum, PredicateValue(value), .add) else {
                KeyValueFailure.wrongOperand(value, of: "@\(rawValue)", wanted: "numbers")
            }
            return result
        }
    }

    private func mean(of collection: any KeyValueCollection, _ keys: ArraySlice<String>) -> PredicateValue {
        let count = collection.keyValueCount
        guard count > 0 else { return .integer(0) }
        let sum = sum(of: collection, keys)
        if case .decimal(let total) = sum { return .decimal(total / Decimal(count)) }
        return .double((sum.doubleValue ?? 0) / Double(count))
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
