import Foundation

extension NSComparisonPredicate {
    /// Whether the comparison holds.
    ///
    /// - Throws: `PredicateEvaluationError` when the values can't be compared.
    func compareValues(in scope: EvaluationScope) throws -> Bool {
        if parts.type == .customSelector, parts.modifier == .direct, let name = parts.selector?.name {
            return PredicateValue(try parts.left.call(name, [parts.right], in: scope)).truth
        }
        let left = try parts.left.value(in: scope)
        let right = try plan.right ?? parts.right.value(in: scope)
        switch parts.modifier {
        case .direct: return try compare(left, right)
        case .any: return try elements(of: left).contains { try compare($0, right) }
        case .all: return try elements(of: left).allSatisfy { try compare($0, right) }
        }
    }

    /// The values that `ANY` and `ALL` go through. A collection inside (`teams.players.name`) contributes its elements,
    /// as a join does.
    private func elements(of value: PredicateValue) throws -> [PredicateValue] {
        switch value {
        case .null: return []
        case .collection(let collection):
            let values = collection.elements.map { PredicateValue($0) }
            if parts.type == .contains { return values }
            return try values.flatMap { value in
                if case .collection = value { try elements(of: value) } else { [value] }
            }
        default:
            throw PredicateEvaluationError(
                "ANY and ALL need a collection on their left, and the value of \(parts.left) is \(value.kindName)")
        }
    }

    /// Compares two values by the operator.
    func compare(_ left: PredicateValue, _ right: PredicateValue) throws -> Bool {
        switch parts.type {
        case .equalTo: equal(left, right)
        case .notEqualTo: !equal(left, right)
        case .lessThan: try order(left, right) == .orderedAscending
        case .lessThanOrEqualTo: try order(left, right).map { $0 != .orderedDescending } ?? false
        case .greaterThan: try order(left, right) == .orderedDescending
        case .greaterThanOrEqualTo: try order(left, right).map { $0 != .orderedAscending } ?? false
        case .matches, .like: try matches(left, right)
        case .beginsWith, .endsWith: try hasAffix(left, right)
        case .in: try isMember(left, of: right)
        case .contains: try contains(left, right)
        case .between: try isBetween(left, right)
        case .customSelector: try decideByFunction(left, right)
        }
    }

    private func equal(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
        guard !parts.options.isEmpty, case .string(let a) = left, case .string(let b) = right else {
            return left == right
        }
        if let folded = plan.text, !parts.options.contains(.localeSensitive) {
            return StringComparison.equal(StringComparison.folded(a, parts.options), folded)
        }
        return StringComparison.equal(a, b, parts.options)
    }

    /// The order of two values; nil, which no order comparison holds for, when one of them is nil or not a number.
    private func order(_ left: PredicateValue, _ right: PredicateValue) throws -> ComparisonResult? {
        if left.isNull || right.isNull { return nil }
        if let order = left.order(right, options: parts.options) { return order }
        if left.isNumber && right.isNumber { return nil }
        throw incomparable(left, right)
    }

    private func isBetween(_ value: PredicateValue, _ bounds: PredicateValue) throws -> Bool {
        guard case .collection(let bounds) = bounds, bounds.elements.count == 2 else {
            throw PredicateEvaluationError(
                "BETWEEN needs a collection of two bounds on its right, and \(parts.right) is none")
        }
        guard let low = try order(value, PredicateValue(bounds.elements[0])), low != .orderedAscending,
            let high = try order(value, PredicateValue(bounds.elements[1]))
        else { return false }
        return high != .orderedDescending
    }

    private func isMember(_ value: PredicateValue, of whole: PredicateValue) throws -> Bool {
        if let members = plan.members { return members.contains(value.folded(parts.options)) }
        switch (value, whole) {
        case (_, .null): return false
        case (_, .collection(let collection)):
            return collection.elements.contains { equal(value, PredicateValue($0)) }
        case (.null, .string): return false
        case (.string(let part), .string(let text)): return occurs(part, in: text)
        default: throw incomparable(value, whole)
        }
    }

    private func contains(_ whole: PredicateValue, _ value: PredicateValue) throws -> Bool {
        switch (whole, value) {
        case (.null, _): return false
        case (.collection(let collection), _):
            return collection.elements.contains { equal(PredicateValue($0), value) }
        case (.string, .null): return false
        case (.string(let text), .string(let part)): return occurs(part, in: text)
        default: throw incomparable(whole, value)
        }
    }

    func incomparable(_ left: PredicateValue, _ right: PredicateValue) -> PredicateEvaluationError {
        PredicateEvaluationError(
            """
            \(left.kindName) and \(right.kindName) can't be compared by \(parts.type.symbol): \
            the values of \(parts.left) and \(parts.right)
            """)
    }
}

extension NSComparisonPredicate {
    private func matches(_ left: PredicateValue, _ right: PredicateValue) throws -> Bool {
        guard let (text, source) = try texts(left, right) else { return false }
        if let pattern = plan.pattern { return pattern.matches(text) }
        if parts.type == .like { return StringPatternCache.shared.like(source, parts.options).matches(text) }
        return try StringPatternCache.shared.matching(source, parts.options).matches(text)
    }

    private func hasAffix(_ left: PredicateValue, _ right: PredicateValue) throws -> Bool {
        guard let (text, affix) = try texts(left, right) else { return false }
        if parts.options.contains(.localeSensitive) {
            let anchor: String.CompareOptions =
                parts.type == .beginsWith ? .anchored : [.anchored, .backwards]
            return affix.isEmpty
                || text.range(of: affix, options: parts.options.foundation.union(anchor), locale: .current) != nil
        }
        let folded = StringComparison.folded(text, parts.options)
        let part = plan.text ?? StringComparison.folded(affix, parts.options)
        return parts.type == .beginsWith
            ? StringComparison.hasPrefix(folded, part) : StringComparison.hasSuffix(folded, part)
    }

    private func occurs(_ part: String, in text: String) -> Bool {
        if parts.options.contains(.localeSensitive) {
            return part.isEmpty || text.range(of: part, options: parts.options.foundation, locale: .current) != nil
        }
        return StringComparison.contains(
            StringComparison.folded(text, parts.options), StringComparison.folded(part, parts.options))
    }

    /// Both sides of an operator for texts; nil when one of them is nil.
    private func texts(_ left: PredicateValue, _ right: PredicateValue) throws -> (String, String)? {
        switch (left, right) {
        case (.string(let left), .string(let right)): (left, right)
        case (.null, _), (_, .null): nil
        default: throw incomparable(left, right)
        }
    }

    private func decideByFunction(_ left: PredicateValue, _ right: PredicateValue) throws -> Bool {
        guard let name = parts.selector?.name else { return false }
        let result = try NamedFunctions.shared.call(name, receiver: left.boxed, arguments: [right.boxed])
        return PredicateValue(result).truth
    }
}

extension PredicateValue {
    var isNumber: Bool {
        switch self {
        case .integer, .double, .decimal: true
        default: false
        }
    }

    /// Whether a number differs from 0; nothing else is true.
    var truth: Bool {
        switch self {
        case .integer(let value): value != 0
        case .double(let value): value != 0
        case .decimal(let value): value != 0
        default: false
        }
    }
}
