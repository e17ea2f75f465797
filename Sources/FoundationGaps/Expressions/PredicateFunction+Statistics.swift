import Foundation

// The functions of several numbers. One argument that is a collection stands for its elements; nil doesn't count.

extension PredicateFunction {
    func ofSeveral(_ values: [PredicateValue]) throws -> PredicateValue {
        let values = elements(values)
        if self == .count { return .integer(Int64(values.count)) }
        let present = values.filter { !$0.isNull }
        switch self {
        case .sum: return try sum(present)
        case .minimum: return try extreme(present, .orderedAscending)
        case .maximum: return try extreme(present, .orderedDescending)
        case .mode: return .collection(PredicateCollection(array: mostFrequent(present)))
        default: break
        }
        let numbers = try present.map { try Arithmetic.number($0, self) }
        if numbers.isEmpty { return .null }
        switch self {
        case .average: return .double(mean(numbers))
        case .median: return .double(middle(numbers.sorted()))
        default: return .double(standardDeviation(numbers))
        }
    }

    private func elements(_ values: [PredicateValue]) -> [PredicateValue] {
        guard values.count == 1 else { return values }
        switch values[0] {
        case .collection(let collection): return collection.elements.map { PredicateValue($0) }
        case .null: return []
        default: return values
        }
    }

    private func sum(_ values: [PredicateValue]) throws -> PredicateValue {
        try values.reduce(.integer(0)) { try Arithmetic.apply($0, $1, .add) }
    }

    private func extreme(_ values: [PredicateValue], _ wanted: ComparisonResult) throws -> PredicateValue {
        guard var best = values.first else { return .null }
        for value in values.dropFirst() {
            guard let order = value.order(best) else {
                throw PredicateEvaluationError("\(rawValue) can't compare \(value.kindName) and \(best.kindName)")
            }
            if order == wanted { best = value }
        }
        return best
    }

    private func mostFrequent(_ values: [PredicateValue]) -> [Any] {
        var counts: [PredicateValue: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let highest = counts.values.max()
        var seen = Set<PredicateValue>()
        return values.filter { counts[$0] == highest && seen.insert($0).inserted }.compactMap(\.boxed)
    }

    private func mean(_ numbers: [Double]) -> Double {
        numbers.reduce(0, +) / Double(numbers.count)
    }

    private func middle(_ sorted: [Double]) -> Double {
        let half = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
    }

    /// Of the numbers as a whole population.
    private func standardDeviation(_ numbers: [Double]) -> Double {
        let mean = mean(numbers)
        let squares = numbers.map { ($0 - mean) * ($0 - mean) }
        return (squares.reduce(0, +) / Double(numbers.count)).squareRoot()
    }
}
