import FoundationGaps

extension SQLTranslation {
    /// The value of a collection operator: `players.@count`, `players.@sum.salary`, and `@sum.salary` over the rows of
    /// a dictionary result.
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
        if case .value = members.element, rest.isEmpty {
            return .term(try overMembers(aggregate, members, walk.path, distinct: !members.isList))
        }
        // @count ignores what follows it.
        let operand = aggregate == .count ? position : try walk.follow(rest, from: position)
        guard case .members(let values) = operand, values.depth == members.depth, members.depth == 1 else {
            throw walk.unsupported("\(name) stands for more than one to-many relationship; use SUBQUERY")
        }
        return .term(try overMembers(aggregate, values, walk.path))
    }

    /// An aggregate over a value of each member of a collection, as the collection operators compute it: nil counts as
    /// nothing in a sum and as zero in a mean, and no members make 0 but for a minimum or maximum.
    ///
    /// - Parameter distinct: Whether equal values count once.
    func overMembers(
        _ aggregate: SQLAggregate, _ members: SQLMembers, _ path: String, distinct: Bool = false
    ) throws -> SQLTerm {
        guard case .value(let value) = members.element else {
            guard aggregate == .count else { throw overObjects(path) }
            return SQLTerm(members.scalar(.aggregate(.count, nil, distinct: false)), .integer(.bits64))
        }
        try check(aggregate, value, path)
        let type = aggregate.resultType(of: value.type)
        switch aggregate {
        case .sum:
            let sum: SQLExpression = .aggregate(.sum, value.expression, distinct: distinct)
            return SQLTerm(members.scalar(sum, emptyValue: .integer(0)), type)
        case .average where !distinct:
            let total: SQLExpression = .aggregate(.sum, .cast(value.expression, .real), distinct: false)
            let mean: SQLExpression = .arithmetic(.divide, total, .aggregate(.count, nil, distinct: false))
            return SQLTerm(members.scalar(mean, emptyValue: .integer(0)), type)
        default:
            let result: SQLExpression = .aggregate(aggregate, value.expression, distinct: distinct)
            return SQLTerm(members.scalar(result, emptyValue: aggregate == .average ? .integer(0) : nil), type)
        }
    }

    /// An aggregate over the values that a key path collects, as the functions compute it: nil never counts, values of
    /// a relationship's members count once, and only a sum or count of nothing is 0.
    func overValues(_ aggregate: SQLAggregate, _ members: SQLMembers, _ path: String) throws -> SQLTerm {
        var members = members
        // The members of nil are no members.
        members.optionalOwner = nil
        guard case .value(let value) = members.element, aggregate != .count || !members.isList else {
            guard aggregate == .count else { throw overObjects(path) }
            return SQLTerm(members.scalar(.aggregate(.count, nil, distinct: false)), .integer(.bits64))
        }
        try check(aggregate, value, path)
        let result: SQLExpression = .aggregate(aggregate, value.expression, distinct: !members.isList)
        return SQLTerm(
            members.scalar(result, emptyValue: aggregate == .sum ? .integer(0) : nil),
            aggregate.resultType(of: value.type))
    }

    private func overObjects(_ path: String) -> CocoaError {
        SQLTranslationError.unsupported("\"\(path)\" is computed over objects; name one of their attributes")
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
        if case .object = term.type { objects.keys.append(term.expression) }
        return SQLTerm(.aggregate(aggregate, term.expression, distinct: distinct), aggregate.resultType(of: term.type))
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
