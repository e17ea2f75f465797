import FoundationGaps

/// The predicate of a partial index as SQL without parameters and functions, which is what an index's condition may be.
///
/// Whatever comes out, fetches stay right: the database uses a partial index only for what its condition covers.
struct SQLIndexPredicate {
    let schema: SQLSchema
    let layout: EntityLayout

    /// The condition; nil where the predicate asks for what only functions can tell, or holds for all rows.
    func sql(_ predicate: NSPredicate) -> String? {
        if let compound = predicate.plainCompound { return self.compound(compound) }
        return (predicate as? NSComparisonPredicate).flatMap { comparison($0) }
    }

    private func compound(_ predicate: NSCompoundPredicate) -> String? {
        let parts = predicate.subpredicates.compactMap { sql($0) }
        guard !parts.isEmpty, parts.count == predicate.subpredicates.count else { return nil }
        switch predicate.compoundPredicateType {
        case .not: return "NOT (\(parts[0]))"
        case .and: return parts.map { "(\($0))" }.joined(separator: " AND ")
        case .or: return parts.map { "(\($0))" }.joined(separator: " OR ")
        }
    }

    private func comparison(_ predicate: NSComparisonPredicate) -> String? {
        guard predicate.comparisonPredicateModifier == .direct, predicate.options.isEmpty,
            case .keyPath(let operand, let path) = predicate.leftExpression.node,
            case .evaluatedObject = operand.node, let column = schema.columnName(path.text, of: layout)
        else { return nil }
        let name = SQLSchema.name(column)
        let right = predicate.rightExpression
        switch predicate.predicateOperatorType {
        case .in: return list(right).map { "\(name) IN (\($0.joined(separator: ", ")))" }
        case .between:
            guard let bounds = list(right), bounds.count == 2 else { return nil }
            return "\(name) BETWEEN \(bounds[0]) AND \(bounds[1])"
        case .equalTo where isNull(right): return "\(name) IS NULL"
        case .notEqualTo where isNull(right): return "\(name) IS NOT NULL"
        default:
            guard let sign = Self.sign(of: predicate.predicateOperatorType), let value = literal(right) else {
                return nil
            }
            return "\(name) \(sign) \(value)"
        }
    }

    private static func sign(of type: NSComparisonPredicate.Operator) -> String? {
        switch type {
        case .equalTo: "="
        case .notEqualTo: "<>"
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        default: nil
        }
    }

    private func isNull(_ expression: NSExpression) -> Bool {
        if case .constant(_, .null) = expression.node { true } else { false }
    }

    private func list(_ expression: NSExpression) -> [String]? {
        let literals: [String?]
        switch expression.node {
        case .aggregate(let elements): literals = elements.map { literal($0) }
        case .constant(_, .collection(let collection)):
            literals = collection.elements.map { literal(PredicateValue($0)) }
        default: return nil
        }
        let known = literals.compactMap { $0 }
        return known.isEmpty || known.count != literals.count ? nil : known
    }

    private func literal(_ expression: NSExpression) -> String? {
        guard case .constant(_, let value) = expression.node else { return nil }
        return literal(value)
    }

    private func literal(_ value: PredicateValue) -> String? {
        switch value {
        case .integer(let value): "\(value)"
        case .double(let value) where value.isFinite: "\(value)"
        case .string(let text): text.sqlLiteral
        case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
        default: nil
        }
    }
}
