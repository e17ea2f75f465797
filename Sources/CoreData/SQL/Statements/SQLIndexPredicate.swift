import FoundationGaps

/// The predicate of a partial index as a condition without parameters and functions, which is what an index's condition
/// may be.
///
/// Whatever comes out, fetches stay right: the database uses a partial index only for what its condition covers.
struct SQLIndexPredicate {
    let schema: SQLSchema
    let layout: EntityLayout

    /// The condition; nil where the predicate asks for what only functions can tell, or holds for all rows.
    func condition(_ predicate: NSPredicate) -> SQLExpression? {
        if let compound = predicate.plainCompound { return self.compound(compound) }
        return (predicate as? NSComparisonPredicate).flatMap { comparison($0) }
    }

    private func compound(_ predicate: NSCompoundPredicate) -> SQLExpression? {
        let parts = predicate.subpredicates.compactMap { condition($0) }.map { SQLExpression.grouped($0) }
        guard !parts.isEmpty, parts.count == predicate.subpredicates.count else { return nil }
        switch predicate.compoundPredicateType {
        case .not: return .not(parts[0])
        case .and: return .all(parts)
        case .or: return .any(parts)
        }
    }

    private func comparison(_ predicate: NSComparisonPredicate) -> SQLExpression? {
        guard predicate.comparisonPredicateModifier == .direct, predicate.options.isEmpty,
            case .keyPath(let operand, let path) = predicate.leftExpression.node,
            case .evaluatedObject = operand.node, let name = schema.columnName(path.text, of: layout)
        else { return nil }
        let column = SQLExpression.own(name)
        let right = predicate.rightExpression
        switch predicate.predicateOperatorType {
        case .in: return list(right).map { .isOne(column, of: $0) }
        case .between:
            guard let bounds = list(right), bounds.count == 2 else { return nil }
            return .between(column, bounds[0], bounds[1])
        case .equalTo where isNull(right): return .isNull(column)
        case .notEqualTo where isNull(right): return .isNotNull(column)
        default:
            guard let comparison = Self.comparison(predicate.predicateOperatorType), let value = literal(right) else {
                return nil
            }
            return .compare(comparison, column, value)
        }
    }

    private static func comparison(_ type: NSComparisonPredicate.Operator) -> SQLComparison? {
        switch type {
        case .equalTo: .equal
        case .notEqualTo: .notEqual
        case .lessThan: .less
        case .lessThanOrEqualTo: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqualTo: .greaterOrEqual
        default: nil
        }
    }

    private func isNull(_ expression: NSExpression) -> Bool {
        if case .constant(_, .null) = expression.node { true } else { false }
    }

    private func list(_ expression: NSExpression) -> [SQLExpression]? {
        let literals: [SQLExpression?]
        switch expression.node {
        case .aggregate(let elements): literals = elements.map { literal($0) }
        case .constant(_, .collection(let collection)):
            literals = collection.elements.map { literal(PredicateValue($0)) }
        default: return nil
        }
        let known = literals.compactMap { $0 }
        return known.isEmpty || known.count != literals.count ? nil : known
    }

    private func literal(_ expression: NSExpression) -> SQLExpression? {
        guard case .constant(_, let value) = expression.node else { return nil }
        return literal(value)
    }

    private func literal(_ value: PredicateValue) -> SQLExpression? {
        switch value {
        case .integer(let value): .constant(.int(value))
        case .double(let value) where value.isFinite: .constant(.double(value))
        case .string(let text): .constant(.text(text))
        case .date(let date): .constant(.double(date.timeIntervalSinceReferenceDate))
        default: nil
        }
    }
}
