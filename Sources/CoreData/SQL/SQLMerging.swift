/// A dictionary fetch over several stores, cut in two: what each store is asked, and what is computed of all their
/// answers together.
///
/// The second select is the fetch's own, with a column of a table of parts in the place of whatever a store can work
/// out row by row. So what is distinct, a group, a condition or an order among the rows of all stores is what it would
/// be in one.
struct SQLMerging {
    /// What a column of the table of parts holds.
    enum PartColumn: Equatable {
        case value
        /// The key of an object, which means something in its own store only.
        case key
        /// A `Z_ENT`. Its numbers are the store's own.
        case entity
        /// Data that may lie in a file of the store.
        case externalData
    }

    /// The name of the table of parts.
    static let table = "parts"

    /// What each store is asked; its columns are those of the table of parts.
    private(set) var part: SQLSelect
    /// What is computed of the table of parts.
    private(set) var whole: SQLSelect
    private(set) var columns: [PartColumn] = []
    /// What the rows of ``whole`` are.
    let results: [SQLResultColumn]

    private let alias = SQLAlias(number: 0)
    /// Whether each store adds up its own rows: sums, counts, least and greatest values of all follow from those of
    /// each.
    private let recombines: Bool
    private let meanings: [(SQLExpression, PartColumn)]

    /// - Parameters:
    ///   - select: The fetch as one store would answer it.
    ///   - results: What its rows are.
    ///   - objects: The keys and entities of objects in it.
    init(_ select: SQLSelect, _ results: [SQLResultColumn], objects: SQLObjectColumns) {
        self.results = results
        let computed = select.columns + [select.having].compactMap { $0 } + select.order.map(\.expression)
        let isAggregated = !select.groups.isEmpty || computed.contains { $0.aggregatesRows }
        recombines = isAggregated && !computed.contains { $0.countsDistinctRows }
        meanings =
            objects.keys.map { ($0, .key) } + objects.entities.map { ($0, .entity) }
            + results.filter { $0.kind == .value(.externalData) }.map { (select.columns[$0.index], .externalData) }
        part = select
        (part.columns, part.order, part.having, part.limit, part.offset) = ([], [], nil, nil, nil)
        part.isDistinct = select.isDistinct && !isAggregated
        if !recombines { part.groups = [] }
        whole = SQLSelect(from: .table(Self.table, alias))
        whole.isDistinct = select.isDistinct
        (whole.limit, whole.offset) = (select.limit, select.offset)
        whole.columns = select.columns.map { split($0) }
        whole.groups = select.groups.map { split($0) }
        whole.having = select.having.map { split($0) }
        whole.order = select.order.map {
            SQLOrder(split($0.expression), ascending: $0.ascending, comparison: $0.comparison)
        }
        if !isAggregated, !select.isDistinct { narrow(select) }
        // Of constants alone there are as many as there are rows.
        if part.columns.isEmpty { _ = column(for: .integer(1)) }
    }

    /// No store need say more than would do if the others had nothing.
    private mutating func narrow(_ select: SQLSelect) {
        part.limit = select.limit.map { $0 + (select.offset ?? 0) }
        if part.limit != nil { part.order = select.order }
        // Equal rows stand in the order of their stores.
        whole.order.append(SQLOrder(.column("rowid", of: alias), ascending: true))
    }

    // MARK: Cutting

    private mutating func split(_ expression: SQLExpression) -> SQLExpression {
        switch expression {
        case .value, .integer, .truth, .null: return expression
        case .aggregate(let aggregate, let operand, let distinct) where !recombines:
            return .aggregate(aggregate, operand.map { column(for: $0) }, distinct: distinct)
        case .aggregate(let aggregate, let operand, _): return recombined(aggregate, operand)
        default: break
        }
        guard expression.aggregatesRows else { return column(for: expression) }
        var columns: [SQLExpression] = []
        for operand in expression.operands { columns.append(split(operand)) }
        var rest = columns[...]
        return expression.replacingOperands { rest.popFirst() ?? $0 }
    }

    /// An aggregate over all rows by those of each store's.
    private mutating func recombined(_ aggregate: SQLAggregate, _ operand: SQLExpression?) -> SQLExpression {
        func over(_ aggregate: SQLAggregate, _ operand: SQLExpression?) -> SQLExpression {
            .aggregate(aggregate, operand, distinct: false)
        }
        switch aggregate {
        case .count: return over(.sum, column(for: over(.count, operand)))
        case .sum, .minimum, .maximum: return over(aggregate, column(for: over(aggregate, operand)))
        case .average:
            let total = column(for: over(.sum, operand.map { .cast($0, .real) }))
            return .arithmetic(.divide, over(.sum, total), over(.sum, column(for: over(.count, operand))))
        }
    }

    /// The column of the table of parts for what the stores work out.
    private mutating func column(for expression: SQLExpression) -> SQLExpression {
        let place = part.columns.firstIndex(of: expression) ?? part.columns.count
        if place == part.columns.count {
            part.columns.append(expression)
            columns.append(meanings.first { $0.0 == expression }?.1 ?? .value)
        }
        return .column(Self.name(of: place), of: alias)
    }

    static func name(of column: Int) -> String { "c\(column)" }
}

/// The keys of objects in a dictionary fetch, and their entities.
struct SQLObjectColumns {
    var keys: [SQLExpression] = []
    var entities: [SQLExpression] = []
}

extension SQLExpression {
    /// Whether equal values of several rows count once somewhere.
    fileprivate var countsDistinctRows: Bool {
        if case .aggregate(_, _, distinct: true) = self { return true }
        return operands.contains { $0.countsDistinctRows }
    }
}
