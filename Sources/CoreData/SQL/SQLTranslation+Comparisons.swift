import FoundationGaps

extension SQLTranslation {
    /// The condition that two sides stand in a relation.
    func relate(
        _ left: SQLOperand, _ relation: SQLRelation, _ right: SQLOperand, _ environment: SQLEnvironment
    ) throws -> SQLExpression {
        switch relation.type {
        case .equalTo: return try compare(left, .equal, right, relation)
        case .notEqualTo: return try compare(left, .notEqual, right, relation)
        case .lessThan: return try compare(left, .less, right, relation)
        case .lessThanOrEqualTo: return try compare(left, .lessOrEqual, right, relation)
        case .greaterThan: return try compare(left, .greater, right, relation)
        case .greaterThanOrEqualTo: return try compare(left, .greaterOrEqual, right, relation)
        case .between: return try between(left, right, relation, environment)
        case .in: return try member(left, of: right, relation, environment)
        case .contains: return try member(right, of: left, relation, environment)
        case .beginsWith: return try text(left, .beginsWith, right, relation)
        case .endsWith: return try text(left, .endsWith, right, relation)
        case .like, .matches: return try pattern(left, right, relation)
        case .customSelector:
            if relation.function == .matches { return try match(left, right, "\"\(relation.text)\"") }
            throw SQLTranslationError.unsupported("\"\(relation.text)\" calls a function of its own")
        }
    }

    func compare(
        _ left: SQLOperand, _ comparison: SQLComparison, _ right: SQLOperand, _ relation: SQLRelation
    ) throws -> SQLExpression {
        if let test = try nullTest(left, comparison, right, relation) { return test }
        let (first, second) = try pair(left, right, relation)
        if first.type == .externalData || second.type == .externalData {
            throw SQLTranslationError.external(relation.text)
        }
        guard comparison == .equal || comparison == .notEqual || first.type.isOrdered else {
            throw SQLTranslationError.unsupported(
                "\"\(relation.text)\" asks for the order of \(first.type.description)")
        }
        if let shortcut = Self.existence(first.expression, comparison, second.expression) { return shortcut }
        if case .object(let root) = first.type, case .object(let other) = second.type, !isSameTree(root, other) {
            return .truth(false)
        }
        if relation.folding.contains(.localized), first.type.isText, second.type.isText {
            let options = SQLExpression.integer(relation.folding.rawValue)
            return .compare(
                comparison, .call(.localizedOrder, [first.expression, second.expression, options]), .integer(0))
        }
        let (a, b) = folded(first, second, relation.folding)
        return .compare(comparison, a, b)
    }

    /// `== nil` and `!= nil`, which SQL says in other words than `==` and `!=`.
    private func nullTest(
        _ left: SQLOperand, _ comparison: SQLComparison, _ right: SQLOperand, _ relation: SQLRelation
    ) throws -> SQLExpression? {
        guard comparison == .equal || comparison == .notEqual else { return nil }
        let value: SQLOperand
        switch (left, right) {
        case (.constant(.null), .constant(.null)): return .truth(comparison == .equal)
        case (.constant(.null), _): value = right
        case (_, .constant(.null)): value = left
        default: return nil
        }
        let expression = try term(value, beside: nil, relation).expression
        return comparison == .equal ? .isNull(expression) : .isNotNull(expression)
    }

    /// Whether a count is compared with nothing: then a single row decides.
    private static func existence(
        _ left: SQLExpression, _ comparison: SQLComparison, _ right: SQLExpression
    ) -> SQLExpression? {
        guard let (select, owner) = left.count else {
            return right.count == nil ? nil : existence(right, comparison.mirrored, left)
        }
        guard case .value(.int(let bound)) = right else { return nil }
        switch (comparison, bound) {
        case (.greater, 0), (.greaterOrEqual, 1): return .exists(select)
        case (.notEqual, 0): return owner == nil ? .exists(select) : nil
        case (.equal, 0), (.lessOrEqual, 0), (.less, 1):
            // Nil has no members, and no count that could be 0.
            let isEmpty = SQLExpression.not(.exists(select))
            return owner.map { .all([.isNotNull($0), isEmpty]) } ?? isEmpty
        default: return nil
        }
    }

    private func between(
        _ left: SQLOperand, _ right: SQLOperand, _ relation: SQLRelation, _ environment: SQLEnvironment
    ) throws -> SQLExpression {
        let bounds: [SQLOperand]
        switch right {
        case .list(let expressions): bounds = try expressions.map { try operand($0, environment) }
        case .constant(let value): bounds = value.listElements?.map { SQLOperand.constant($0) } ?? []
        case .term, .object, .members: bounds = []
        }
        guard bounds.count == 2 else {
            throw SQLTranslationError.unsupported(
                "\"\(relation.text)\" needs a list of two bounds right of BETWEEN, as in {1, 10}")
        }
        let (low, value) = try pair(bounds[0], left, relation)
        let (high, _) = try pair(bounds[1], left, relation)
        guard value.type.isOrdered else {
            throw SQLTranslationError.unsupported(
                "\"\(relation.text)\" asks for the order of \(value.type.description)")
        }
        let (folded, first) = self.folded(value, low, relation.folding)
        let (_, last) = self.folded(value, high, relation.folding)
        return .between(folded, first, last)
    }

    // MARK: Sides

    /// Both sides as terms, a constant as what the other side's type makes of it.
    func pair(_ left: SQLOperand, _ right: SQLOperand, _ relation: SQLRelation) throws -> (SQLTerm, SQLTerm) {
        if case .constant = left {
            let second = try term(right, beside: nil, relation)
            return (try term(left, beside: second.type, relation), second)
        }
        let first = try term(left, beside: nil, relation)
        return (first, try term(right, beside: first.type, relation))
    }

    /// - Parameter type: The type of the value on the other side, if it is known.
    func term(_ operand: SQLOperand, beside type: SQLType?, _ relation: SQLRelation) throws -> SQLTerm {
        switch operand {
        case .term(let term): return term
        case .object(let scope): return scope.term
        case .constant(let value) where value.listElements == nil: return try constant(value, as: type)
        case .members: throw SQLTranslationError.toMany(relation.text)
        case .constant, .list:
            throw SQLTranslationError.unsupported(
                "\"\(relation.text)\" compares a list; a list can stand right of IN and BETWEEN only")
        }
    }

    func isSameTree(_ first: Int32, _ second: Int32) -> Bool {
        schema.layouts[first].rootNumber == schema.layouts[second].rootNumber
    }

    /// The operands of a comparison of strings that ignores case or diacritics.
    func folded(_ first: SQLTerm, _ second: SQLTerm, _ folding: SQLFolding) -> (SQLExpression, SQLExpression) {
        guard !folding.isEmpty, first.type.isText, second.type.isText else {
            return (first.expression, second.expression)
        }
        return (folding.folded(first.expression), folding.folded(second.expression))
    }
}

extension SQLExpression {
    /// The select with the rows that the expression counts, and the key of their owner where there may be none.
    fileprivate var count: (SQLSelect, owner: SQLExpression?)? {
        switch self {
        case .scalar(var select) where select.columns == [.aggregate(.count, nil, distinct: false)]:
            select.columns = [.integer(1)]
            return (select, nil)
        case .choice(let branches, let otherwise):
            guard case .isNull(let owner)? = branches.first?.condition, branches.first?.result == .null,
                let (select, _) = otherwise.count
            else { return nil }
            return (select, owner)
        default: return nil
        }
    }
}

extension SQLType {
    /// Whether `<` and its like mean something.
    var isOrdered: Bool {
        switch self {
        case .transformable, .externalData, .object, .objectID, .entity: false
        default: true
        }
    }
}
