extension SQLExpression {
    /// What the expression is directly made of; what is inside of a select of its own does not count.
    package var operands: [SQLExpression] {
        var found: [SQLExpression] = []
        _ = replacingOperands { operand in
            found.append(operand)
            return operand
        }
        return found
    }

    /// Whether there is an aggregate over the rows of the select that the expression is in.
    package var aggregatesRows: Bool {
        if case .aggregate = self { return true }
        return operands.contains { $0.aggregatesRows }
    }

    /// The expression with other operands.
    package func replacingOperands(_ new: (SQLExpression) -> SQLExpression) -> SQLExpression {
        switch self {
        case .column, .outerColumn, .value, .parameter, .constant, .integer, .truth, .null, .exists, .scalar, .search,
            .typed:
            self
        case .compare(let comparison, let a, let b): .compare(comparison, new(a), new(b))
        case .isSame(let a, let b): .isSame(new(a), new(b))
        case .isOne(let operand, let elements): .isOne(new(operand), of: elements.map(new))
        case .isKey(let operand, let keys): .isKey(new(operand), in: keys)
        case .ifNull(let a, let b): .ifNull(new(a), new(b))
        case .greater(let a, let b): .greater(new(a), new(b))
        case .grouped(let operand): .grouped(new(operand))
        case .arithmetic(let operation, let a, let b): .arithmetic(operation, new(a), new(b))
        case .bitwiseNot(let operand): .bitwiseNot(new(operand))
        case .all(let parts): .all(parts.map(new))
        case .any(let parts): .any(parts.map(new))
        case .not(let operand): .not(new(operand))
        case .isNull(let operand): .isNull(new(operand))
        case .isNotNull(let operand): .isNotNull(new(operand))
        case .isTrue(let operand): .isTrue(new(operand))
        case .isNotTrue(let operand): .isNotTrue(new(operand))
        case .between(let operand, let low, let high): .between(new(operand), new(low), new(high))
        case .isMember(let operand, let values): .isMember(new(operand), of: values)
        case .isFound(let operand, let select): .isFound(new(operand), in: select)
        case .text(let text, let relation, let part): .text(new(text), relation, new(part))
        case .call(let routine, let arguments): .call(routine, arguments.map(new))
        case .aggregate(let aggregate, let operand, let distinct):
            .aggregate(aggregate, operand.map(new), distinct: distinct)
        case .firstNonNull(let operands): .firstNonNull(operands.map(new))
        case .choice(let branches, let otherwise):
            .choice(
                branches.map { SQLBranch(condition: new($0.condition), result: new($0.result)) },
                otherwise: new(otherwise))
        case .cast(let operand, let storage): .cast(new(operand), storage)
        case .unindexed(let operand): .unindexed(new(operand))
        case .indexed(let operand): .indexed(new(operand))
        case .form(let text, let operands): .form(text, operands.map(new))
        case .rowNumber(let group, let order): .rowNumber(among: group.map(new), by: order.map(new))
        }
    }
}
