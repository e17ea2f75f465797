import FoundationGaps

extension SQLTranslation {
    /// The value of a collection operator: `players.@count`, `players.@sum.salary`, and `@sum.salary` over the rows of a
    /// dictionary result.
    func aggregate(
        _ name: String, _ rest: ArraySlice<String>, over position: SQLOperand, walk: SQLPathWalk
    ) throws -> SQLOperand {
        guard let aggregate = SQLAggregate(operatorName: name) else {
            throw walk.unsupported("\(name) is an operator that works in memory only")
        }
        if case .object(let scope) = position, walk.environment.aggregatesRows {
            if rest.isEmpty || aggregate == .count { return .term(overRows(aggregate, SQLTerm(scope.key, .unknown))) }
            return try overRows(aggregate, walk.follow(rest, from: position), walk.path)
        }
        guard case .members(let members) = position else {
            throw walk.unsupported("\(name) needs a to-many relationship")
        }
        if case .value = members.element, rest.isEmpty { return .term(try overValues(aggregate, members, walk.path)) }
        // @count ignores what follows it.
        let operand = aggregate == .count ? position : try walk.follow(rest, from: position)
        guard case .members(let values) = operand, values.depth == members.depth, members.depth == 1 else {
            throw walk.unsupported("\(name) stands for more than one to-many relationship; use SUBQUERY")
        }
        return .term(try overMembers(aggregate, values, walk.path))
    }

    /// An aggregate over a value of each member of a collection, as the collection operators compute it: nil counts as
    /// nothing in a sum and as zero in a mean, and no members make 0 but for a minimum or maximum.
    func overMembers(_ aggregate: SQLAggregate, _ members: SQLMembers, _ path: String) throws -> SQLTerm {
        if aggregate == .count {
            return SQLTerm(members.scalar(.aggregate(.count, nil, distinct: false)), .integer(.bits64))
        }
        guard case .value(let value) = members.element else {
            throw SQLTranslationError.unsupported("\"\(path)\" is computed over objects; name one of their attributes")
        }
        try check(aggregate, value, path)
        let type = aggregate.resultType(of: value.type)
        switch aggregate {
        case .sum:
            let sum: SQLExpression = .aggregate(.sum, value.expression, distinct: false)
            return SQLTerm(.firstNonNull([members.scalar(sum), .integer(0)]), type)
        case .average:
            let total: SQLExpression = .aggregate(.sum, .cast(value.expression, .real), distinct: false)
            let mean: SQLExpression = .arithmetic(.divide, total, .aggregate(.count, nil, distinct: false))
            return SQLTerm(.firstNonNull([members.scalar(mean), .integer(0)]), type)
        default:
            return SQLTerm(members.scalar(.aggregate(aggregate, value.expression, distinct: false)), type)
        }
    }

    /// An aggregate over the values that a key path collects, as the functions compute it: such values are a set, each
    /// once and without nil.
    func overValues(_ aggregate: SQLAggregate, _ members: SQLMembers, _ path: String) throws -> SQLTerm {
        guard case .value(let value) = members.element, !members.isList else {
            return try overMembers(aggregate, members, path)
        }
        try check(aggregate, value, path)
        let result = members.scalar(.aggregate(aggregate, value.expression, distinct: true))
        let hasZero = aggregate == .sum || aggregate == .average
        return SQLTerm(hasZero ? .firstNonNull([result, .integer(0)]) : result, aggregate.resultType(of: value.type))
    }

    /// An aggregate over the rows of the result or group.
    func overRows(_ aggregate: SQLAggregate, _ operand: SQLOperand, _ path: String) throws -> SQLOperand {
        switch operand {
        case .term(let term):
            try check(aggregate, term, path)
            return .term(overRows(aggregate, term))
        case .object(let scope): return .term(overRows(aggregate, scope.term))
        case .members(let members): return .term(try overValues(aggregate, members, path))
        case .constant, .list:
            throw SQLTranslationError.unsupported("\"\(path)\" is computed over a constant")
        }
    }

    func overRows(_ aggregate: SQLAggregate, _ term: SQLTerm, distinct: Bool = false) -> SQLTerm {
        SQLTerm(.aggregate(aggregate, term.expression, distinct: distinct), aggregate.resultType(of: term.type))
    }

    private func check(_ aggregate: SQLAggregate, _ term: SQLTerm, _ path: String) throws {
        guard aggregate == .sum || aggregate == .average else { return }
        guard term.type.isNumeric || term.type == .unknown else {
            throw SQLTranslationError.unsupported("\"\(path)\" adds up values of \(term.type.description)")
        }
    }
}

extension SQLAggregate {
    /// - Parameter operatorName: A collection operator of a key path.
    init?(operatorName: String) {
        switch operatorName {
        case "@count": self = .count
        case "@sum": self = .sum
        case "@avg": self = .average
        case "@min": self = .minimum
        case "@max": self = .maximum
        default: return nil
        }
    }

    func resultType(of type: SQLType) -> SQLType {
        switch (self, type) {
        case (.count, _), (.sum, .boolean): .integer(.bits64)
        case (.sum, .integer): .integer(.bits64)
        case (.sum, .float): .double
        case (.average, .decimal): .decimal
        case (.average, _): .double
        default: type
        }
    }
}
