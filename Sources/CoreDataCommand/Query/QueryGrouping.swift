import CoreData
import Foundation
import StoreBrowsing

/// Objects in groups with equal values, and what is computed of each group.
struct QueryGrouping {
    private let keys: [QueryColumn]
    private let aggregates: [QueryAggregate]

    /// - Parameters:
    ///   - keys: The key paths to group by.
    ///   - aggregates: `@count`, `@sum.price` and the like; empty: only the groups.
    /// - Throws: ``CommandFailure`` for a key or an aggregate that the entity does not have.
    init(keys: [String], aggregates: [String], of entity: NSEntityDescription) throws {
        guard !keys.isEmpty else { throw CommandFailure(.invalidQuery, "--group-by names no key.") }
        self.keys = try keys.map { try QueryColumn(path: $0, of: entity) }
        self.aggregates = try aggregates.map { try QueryAggregate($0, of: entity) }
    }

    var columns: [RowColumn] {
        keys.map { RowColumn(title: $0.title, isNumeric: $0.isNumeric) }
            + aggregates.map { RowColumn(title: $0.title, isNumeric: $0.isNumeric) }
    }

    /// The places of columns to sort by, each with whether greater values come first.
    ///
    /// - Throws: ``CommandFailure`` for a column that is not shown.
    func order(_ titles: [String]) throws -> [(column: Int, isDescending: Bool)] {
        let shown = columns.map(\.title)
        return try titles.map { item in
            let isDescending = item.hasPrefix("-")
            let title = isDescending ? String(item.dropFirst()) : item
            guard let column = shown.firstIndex(of: title) else {
                throw CommandFailure(
                    .invalidQuery,
                    "“\(title)” is no column of the groups; these are \(list: shown).")
            }
            return (column, isDescending)
        }
    }

    /// A row for each group: in the order asked for, and where that leaves it open by the keys.
    func rows(
        of objects: [NSManagedObject], _ renderer: ValueRenderer, order: [(column: Int, isDescending: Bool)],
        _ progress: ProgressBar?
    ) throws -> [[JSONValue]] {
        var groups: [[JSONValue]: [AggregateState]] = [:]
        for object in objects {
            progress?.advance()
            let key = try keys.map { try $0.json(of: object, renderer) }
            let values = try aggregates.map { try $0.value(of: object, renderer) }
            var states = groups[key] ?? aggregates.map { _ in AggregateState() }
            for index in states.indices { states[index].add(values[index]) }
            groups[key] = states
        }
        let rows = groups.map { key, states in key + zip(aggregates, states).map { $0.result($1) } }
        let full = order + keys.indices.map { ($0, false) }
        return rows.sorted { left, right in
            for (column, isDescending) in full {
                let (a, b) = isDescending ? (right[column], left[column]) : (left[column], right[column])
                if a.sortsBefore(b) { return true }
                if b.sortsBefore(a) { return false }
            }
            return false
        }
    }
}

/// One number or value that is computed of a group.
private struct QueryAggregate {
    enum Function: String, CaseIterable {
        case count, sum, avg, min, max
    }

    let title: String
    private let function: Function
    private let operand: QueryColumn?

    init(_ text: String, of entity: NSEntityDescription) throws {
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        let names = Function.allCases.map { "@" + $0.rawValue }
        guard let name = parts.first, name.hasPrefix("@"), let function = Function(rawValue: String(name.dropFirst()))
        else {
            throw CommandFailure(
                .invalidQuery,
                "“\(text)” is no aggregate; with --group-by, --columns takes \(list: names).")
        }
        guard (function == .count) == (parts.count == 1) else {
            throw CommandFailure(
                .invalidQuery, function == .count ? "Nothing can follow “@count”." : "“\(name)” needs a key behind it.")
        }
        title = text
        self.function = function
        operand = try parts.count == 1 ? nil : QueryColumn(path: parts[1], of: entity)
        guard let operand else { return }
        let isFit = operand.isNumeric || (function != .sum && function != .avg && operand.isOrdered)
        guard isFit else {
            let needed = function == .sum || function == .avg ? "numbers" : "numbers, texts or dates"
            throw CommandFailure(.invalidQuery, "“\(name)” needs \(needed), which “\(parts[1])” has not.")
        }
    }

    var isNumeric: Bool { operand?.isNumeric ?? true }

    func value(of object: NSManagedObject, _ renderer: ValueRenderer) throws -> JSONValue {
        try operand?.json(of: object, renderer) ?? .null
    }

    func result(_ state: AggregateState) -> JSONValue {
        switch function {
        case .count: .int(state.count)
        case .sum: state.sum
        case .avg: state.average
        case .min: state.least
        case .max: state.greatest
        }
    }
}

/// What is known of a group's values so far.
private struct AggregateState {
    private(set) var count: Int64 = 0
    private(set) var least = JSONValue.null
    private(set) var greatest = JSONValue.null
    /// Integers and decimals are added exactly.
    private var exact = Decimal()
    private var inexact = 0.0
    private var isExact = true
    private var isDecimal = false
    private var numbers = 0

    mutating func add(_ value: JSONValue) {
        count += 1
        if value == .null { return }
        if least == .null || value.sortsBefore(least) { least = value }
        if greatest == .null || greatest.sortsBefore(value) { greatest = value }
        switch value {
        case .int(let number):
            exact += Decimal(number)
            inexact += Double(number)
        case .double(let number):
            isExact = false
            inexact += number
        case .string(let text):
            guard let number = Decimal(string: text) else { return }
            isDecimal = true
            exact += number
            inexact += NSDecimalNumber(decimal: number).doubleValue
        default: return
        }
        numbers += 1
    }

    var sum: JSONValue {
        guard isExact else { return Self.json(inexact) }
        let text = exact.description
        if isDecimal { return .string(text) }
        return Int64(text).map(JSONValue.int) ?? .string(text)
    }

    var average: JSONValue {
        guard numbers > 0 else { return .null }
        if isExact, isDecimal { return .string((exact / Decimal(numbers)).description) }
        return Self.json(inexact / Double(numbers))
    }

    private static func json(_ number: Double) -> JSONValue {
        number.isFinite ? .double(number) : .string("\(number)")
    }
}

extension JSONValue {
    /// Whether the value comes first: null before everything, numbers by size, and so texts that are both numbers.
    fileprivate func sortsBefore(_ other: JSONValue) -> Bool {
        if self == .null || other == .null { return self == .null && other != .null }
        if case .int(let left) = self, case .int(let right) = other { return left < right }
        if let left = number, let right = other.number { return left < right }
        return fieldText.precedesByCodePoint(other.fieldText)
    }

    private var number: Decimal? {
        switch self {
        case .int(let number): Decimal(number)
        case .double(let number): Decimal(number)
        case .bool(let flag): flag ? 1 : 0
        case .string(let text):
            text.utf8.allSatisfy { ($0 >= 48 && $0 <= 57) || $0 == 45 || $0 == 46 } ? Decimal(string: text) : nil
        default: nil
        }
    }
}
