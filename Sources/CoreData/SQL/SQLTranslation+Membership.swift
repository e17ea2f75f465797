import FoundationGaps

extension SQLTranslation {
    /// The condition that a value is in a collection, or a string in another one.
    func member(
        _ element: SQLOperand, of collection: SQLOperand, _ relation: SQLRelation, _ environment: SQLEnvironment
    ) throws -> SQLExpression {
        let equality = relation.equality
        switch collection {
        case .members(let members):
            return members.exist(where: try compare(members.element.operand, .equal, element, equality))
        case .list(let expressions):
            return .disjunction(
                try expressions.map { try compare(element, .equal, try operand($0, environment), equality) })
        case .constant(.null): return .truth(false)
        case .constant(let value):
            if let items = value.listElements { return try member(element, of: items, relation) }
            return try text(collection, .contains, element, relation)
        case .term: return try text(collection, .contains, element, relation)
        case .object:
            throw SQLTranslationError.unsupported("\"\(relation.text)\" looks into an object, which is no collection")
        }
    }

    /// The condition that a value is in a list of constants.
    ///
    /// SQL's own `IN` never finds NULL in a list; a nil in the list is asked for by itself.
    private func member(
        _ element: SQLOperand, of items: [PredicateValue], _ relation: SQLRelation
    ) throws -> SQLExpression {
        let values = items.filter { !$0.isNull }
        let hasNil = values.count < items.count
        if case .constant(.null) = element { return .truth(hasNil) }
        let term = try self.term(element, beside: type(of: values, beside: element), relation)
        let isNull: [SQLExpression] = hasNil ? [.isNull(term.expression)] : []
        guard !values.isEmpty else { return isNull.first ?? .truth(false) }
        let folding: SQLFolding = term.type.isText ? relation.folding : []
        let bound = try values.map { folding.folded(try value($0, as: term.type)) }
        return .disjunction([.isMember(folding.folded(term.expression), of: bound)] + isNull)
    }

    /// What a constant is compared with in a list; a column has a type of its own, which the list's values need not
    /// have by themselves.
    private func type(of values: [PredicateValue], beside element: SQLOperand) throws -> SQLType? {
        guard case .constant = element else { return nil }
        return try values.first.map { try constant($0, as: nil).type }
    }

    /// The condition that a string has another one at its start, its end or anywhere.
    func text(
        _ text: SQLOperand, _ relation: SQLTextRelation, _ part: SQLOperand, _ comparison: SQLRelation
    ) throws -> SQLExpression {
        let (whole, piece) = try strings(text, part, comparison)
        if case .value(.null) = piece.expression { return .null }
        if comparison.folding.contains(.localized) {
            return .isTrue(
                .call(
                    .localizedSearch,
                    [
                        whole.expression, piece.expression, .integer(relation.number),
                        .integer(comparison.folding.rawValue),
                    ]))
        }
        let (a, b) = folded(whole, piece, comparison.folding)
        return .text(a, relation, b)
    }

    /// The condition that a string fits a pattern of LIKE or MATCHES.
    func pattern(_ text: SQLOperand, _ pattern: SQLOperand, _ relation: SQLRelation) throws -> SQLExpression {
        let (whole, pattern) = try strings(text, pattern, relation)
        if case .value(.null) = pattern.expression { return .null }
        if relation.type == .matches {
            try check(pattern.expression, relation)
            return .call(.matches, [whole.expression, pattern.expression, .integer(relation.folding.rawValue)])
        }
        let like: SQLExpression = .call(
            .like, [whole.expression, pattern.expression, .integer(relation.folding.rawValue)])
        guard relation.folding.isEmpty, case .value(.text(let pattern)) = pattern.expression else { return like }
        // What the pattern begins with narrows the search, if there is an index.
        let prefix = SQLPattern.prefix(ofLike: pattern)
        return prefix.isEmpty ? like : .all([.text(whole.expression, .beginsWith, .value(.text(prefix))), like])
    }

    /// Makes sure that a regular expression has a meaning before the database calls it for each row.
    private func check(_ pattern: SQLExpression, _ relation: SQLRelation) throws {
        guard case .value(.text(let text)) = pattern else { return }
        do {
            _ = try StringPatternCache.shared.matching(text, relation.folding.options)
        } catch {
            throw SQLTranslationError.unsupported("\(error)")
        }
    }

    private func strings(
        _ left: SQLOperand, _ right: SQLOperand, _ relation: SQLRelation
    ) throws -> (SQLTerm, SQLTerm) {
        let (first, second) = try (
            term(left, beside: .string, relation), term(right, beside: .string, relation)
        )
        for term in [first, second] where !term.type.isText && term.type != .unknown {
            throw SQLTranslationError.unsupported(
                "\"\(relation.text)\" works on strings, not on \(term.type.description)")
        }
        return (first, second)
    }
}
