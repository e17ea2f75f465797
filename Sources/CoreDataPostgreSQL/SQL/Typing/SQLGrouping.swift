import CoreData

/// What a select with groups or aggregates computes once for each group.
///
/// PostgreSQL takes an expression for a group's if it is the same as one behind GROUP BY; SQLite takes any, with the
/// value of one of the group's rows.
struct SQLGrouping {
    /// The form of a value of one of the group's rows, until its type is known.
    static let first = "first of group"

    private let groups: [SQLExpression]
    private let patterns: [SQLExpression]

    /// - Returns: Nil where a select gives each of its rows.
    init?(_ select: SQLSelect) {
        let computed = select.columns + [select.having].compactMap { $0 } + select.order.map(\.expression)
        guard !select.groups.isEmpty || computed.contains(where: \.aggregatesRows) else { return nil }
        groups = select.groups
        patterns = select.groups.map(\.withCountedAliases)
    }

    func apply(to select: inout SQLSelect) {
        select.columns = select.columns.map(grouped)
        select.having = select.having.map(grouped)
        select.order = select.order.map {
            SQLOrder(grouped($0.expression), ascending: $0.ascending, comparison: $0.comparison)
        }
    }

    private func grouped(_ expression: SQLExpression) -> SQLExpression {
        if let place = patterns.firstIndex(of: expression.withCountedAliases) { return groups[place] }
        switch expression {
        case .aggregate, .value, .integer, .truth, .null: return expression
        case .column, .scalar, .exists: return .form(Self.first, [expression])
        case .isFound(let operand, let select):
            return operand.aggregatesRows ? .isFound(grouped(operand), in: select) : .form(Self.first, [expression])
        default: return expression.replacingOperands(grouped)
        }
    }
}

extension SQLExpression {
    /// The expression with the aliases of the selects in it counted anew, so that two that mean the same are equal.
    var withCountedAliases: SQLExpression {
        var counter = SQLAliasCounter()
        return counter.counted(self)
    }
}

/// Gives the aliases that selects inside of an expression have numbers of their own.
private struct SQLAliasCounter {
    private var names: [SQLAlias: SQLAlias] = [:]

    private mutating func declare(_ alias: SQLAlias) -> SQLAlias {
        if !alias.isNamed { return alias }
        let new = SQLAlias(number: 1_000_000 + names.count)
        names[alias] = new
        return new
    }

    mutating func counted(_ expression: SQLExpression) -> SQLExpression {
        switch expression {
        case .column(let name, let alias): return .column(name, of: names[alias] ?? alias)
        case .exists(let select): return .exists(counted(select))
        case .scalar(let select): return .scalar(counted(select))
        case .isFound(let operand, let select): return .isFound(counted(operand), in: counted(select))
        default: break
        }
        var operands: [SQLExpression] = []
        for operand in expression.operands { operands.append(counted(operand)) }
        var rest = operands[...]
        return expression.replacingOperands { rest.popFirst() ?? $0 }
    }

    private mutating func counted(_ select: SQLSelect) -> SQLSelect {
        var select = select
        switch select.source {
        case .table(let name, let alias): select.source = .table(name, declare(alias))
        case .select(let inner): select.source = .select(counted(inner))
        }
        let aliases = select.joins.map { declare($0.alias) }
        var joins: [SQLJoin] = []
        for (join, alias) in zip(select.joins, aliases) {
            joins.append(SQLJoin(kind: join.kind, table: join.table, alias: alias, condition: counted(join.condition)))
        }
        select.joins = joins
        select.columns = counted(select.columns)
        select.conditions = counted(select.conditions)
        select.groups = counted(select.groups)
        if let having = select.having { select.having = counted(having) }
        var order: [SQLOrder] = []
        for key in select.order {
            order.append(SQLOrder(counted(key.expression), ascending: key.ascending, comparison: key.comparison))
        }
        select.order = order
        return select
    }

    private mutating func counted(_ expressions: [SQLExpression]) -> [SQLExpression] {
        var counted: [SQLExpression] = []
        for expression in expressions { counted.append(self.counted(expression)) }
        return counted
    }
}

// MARK: Distinct rows in an order

extension SQLSelect {
    /// The select as one that PostgreSQL takes: it orders distinct rows by what it selects alone, and by no collation.
    ///
    /// Others come in the order of one of the rows that are the same.
    var withDistinctOrder: SQLSelect {
        guard isDistinct, order.contains(where: { !columns.contains($0.expression) || $0.comparison != .standard })
        else {
            return self
        }
        var inner = self
        (inner.isDistinct, inner.order, inner.limit, inner.offset) = (false, [], nil, nil)
        inner.columns =
            columns.enumerated().map { .form("@ AS c\($0)", [$1]) }
            + order.enumerated().map { .form("@ AS o\($0)", [$1.expression]) }
        var outer = SQLSelect(from: .select(inner))
        outer.columns = columns.indices.map { .form("c\($0)", []) }
        outer.groups = outer.columns
        outer.order = order.enumerated().map { place, key in
            let known = columns.firstIndex(of: key.expression).map { outer.columns[$0] }
            return SQLOrder(
                known ?? .form("(array_agg(o\(place)))[1]", []), ascending: key.ascending, comparison: key.comparison)
        }
        (outer.limit, outer.offset) = (limit, offset)
        return outer
    }
}
