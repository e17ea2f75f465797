import FoundationGaps

extension SQLTranslation {
    /// The condition that a predicate states.
    func condition(_ predicate: NSPredicate, _ environment: SQLEnvironment) throws -> SQLExpression {
        if let compound = predicate.plainCompound { return try condition(compound, environment) }
        if let comparison = predicate as? NSComparisonPredicate { return try condition(comparison, environment) }
        if let value = predicate.constantTruth { return .truth(value) }
        throw SQLTranslationError.unsupported("a predicate is a block or a class of its own, which only runs in memory")
    }

    private func condition(_ compound: NSCompoundPredicate, _ environment: SQLEnvironment) throws -> SQLExpression {
        let parts = try compound.subpredicates.map { try condition($0, environment) }
        switch compound.compoundPredicateType {
        case .and: return .conjunction(parts)
        case .or: return .disjunction(parts)
        case .not:
            guard let part = parts.first else { throw SQLTranslationError.unsupported("NOT has nothing to negate") }
            return .negation(part)
        }
    }

    private func condition(
        _ comparison: NSComparisonPredicate, _ environment: SQLEnvironment
    ) throws -> SQLExpression {
        let relation = SQLRelation(comparison)
        let left = try operand(comparison.leftExpression, environment)
        let right = try operand(comparison.rightExpression, environment)
        switch comparison.comparisonPredicateModifier {
        case .direct: return try relate(left, relation, right, environment)
        case .any: return try anyOf(left, relation, right, environment)
        case .all: return try allOf(left, relation, right, environment)
        }
    }

    /// Whether one of the left side's elements fulfils the comparison.
    private func anyOf(
        _ left: SQLOperand, _ relation: SQLRelation, _ right: SQLOperand, _ environment: SQLEnvironment
    ) throws -> SQLExpression {
        if case .members(let members) = left {
            return members.exist(where: try relate(members.element.operand, relation, right, environment))
        }
        return .disjunction(
            try elements(of: left, environment).map { try relate($0, relation, right, environment) })
    }

    /// Whether all of the left side's elements fulfil the comparison; nil is no element.
    private func allOf(
        _ left: SQLOperand, _ relation: SQLRelation, _ right: SQLOperand, _ environment: SQLEnvironment
    ) throws -> SQLExpression {
        guard case .members(let members) = left else {
            return .conjunction(
                try elements(of: left, environment).map { try relate($0, relation, right, environment) })
        }
        let condition = try relate(members.element.operand, relation, right, environment)
        var failing: [SQLExpression] = [.isNotTrue(condition)]
        if case .value(let value) = members.element { failing.insert(.isNotNull(value.expression), at: 0) }
        return .not(members.exist(where: .all(failing)))
    }

    /// The elements of a list; a single value counts as a list of its own, as in Apple's SQL stores.
    private func elements(of operand: SQLOperand, _ environment: SQLEnvironment) throws -> [SQLOperand] {
        switch operand {
        case .list(let expressions): return try expressions.map { try self.operand($0, environment) }
        case .constant(let value): return value.listElements?.map { .constant($0) } ?? [operand]
        case .term, .object, .members: return [operand]
        }
    }
}

/// What a comparison asks for, apart from its sides.
struct SQLRelation {
    let type: NSComparisonPredicate.Operator
    let folding: SQLFolding
    /// The function of full-text search that decides, if one does.
    var function: TextFunction? { comparison.customSelector.flatMap { TextFunction(rawValue: $0.name) } }
    private let comparison: NSComparisonPredicate

    init(_ comparison: NSComparisonPredicate, type: NSComparisonPredicate.Operator? = nil) {
        self.type = type ?? comparison.predicateOperatorType
        self.comparison = comparison
        folding = SQLFolding(comparison.options)
    }

    /// The relation of an element to a value, for one that is about a whole list.
    var equality: SQLRelation { SQLRelation(comparison, type: .equalTo) }

    /// The comparison as the format language has it, for messages.
    var text: String {
        let text = comparison.formatText
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
}

extension SQLExpression {
    static func conjunction(_ parts: [SQLExpression]) -> SQLExpression { parts.count == 1 ? parts[0] : .all(parts) }

    static func disjunction(_ parts: [SQLExpression]) -> SQLExpression { parts.count == 1 ? parts[0] : .any(parts) }

    static func negation(_ part: SQLExpression) -> SQLExpression {
        if case .truth(let flag) = part { .truth(!flag) } else { .not(part) }
    }
}
