import CoreData

/// Gives a statement's tree the types that PostgreSQL asks for.
///
/// The translation makes trees as SQLite wants them: a Boolean is an integer, a date a number, and everything compares
/// with everything. Here constants take the types of what they meet, so that indexes answer, and what meets a value of
/// another type is converted as SQLite would do it.
struct PostgreSQLTyping {
    private let columns: PostgreSQLColumns
    /// The tables in scope.
    private var tables: [SQLAlias: String] = [:]
    /// Whether constants meet values of rows only: none is stored, or given back. See ``PostgreSQLTerm/isCompared``.
    private var compares = false

    init(_ schema: SQLSchema) { self.init(PostgreSQLColumns(schema)) }

    init(_ columns: PostgreSQLColumns) { self.columns = columns }

    /// The typing of what speaks of one table.
    func about(_ table: String, as alias: SQLAlias = .only) -> PostgreSQLTyping {
        var inner = self
        inner.tables[alias] = table
        return inner
    }

    /// The typing of conditions and orders.
    private var comparing: PostgreSQLTyping {
        if compares { return self }
        var inner = self
        inner.compares = true
        return inner
    }

    // MARK: Statements

    /// - Throws: 134091 for what PostgreSQL can't answer.
    func typed(_ select: SQLSelect) throws -> SQLSelect { try typedWithTypes(select).select }

    /// - Throws: As ``typed(_:)-(SQLSelect)``.
    func typed(_ update: SQLUpdate) throws -> SQLUpdate {
        let inner = about(update.table, as: update.alias)
        return update.replacing(
            settings: try update.settings.map { setting in
                let type = columns.type(of: setting.column, in: update.table)
                let value = try inner.term(setting.value)
                return SQLSetting(
                    column: setting.column, value: type.map { value.converted(to: $0) } ?? value.expression)
            }, conditions: try update.conditions.map { try inner.condition($0) })
    }

    /// - Throws: As ``typed(_:)-(SQLSelect)``.
    func typed(_ insert: SQLInsert) throws -> SQLInsert {
        guard case .insert(let insert) = columns.distribution.spread(.insert(insert)) else { return insert }
        func converted(_ terms: [PostgreSQLTerm]) -> [SQLExpression] {
            zip(insert.columns, terms).map { column, term in
                columns.type(of: column, in: insert.table).map { term.converted(to: $0) } ?? term.expression
            }
        }
        switch insert.source {
        case .values(let values): return insert.replacing(.values(converted(try values.map { try term($0) })))
        case .rows(let rows):
            var (select, terms) = try typedWithTypes(rows)
            select.columns = converted(terms)
            return insert.replacing(.rows(select))
        }
    }

    /// - Throws: As ``typed(_:)-(SQLSelect)``.
    func typed(_ delete: SQLDelete) throws -> SQLDelete {
        let inner = about(delete.table, as: delete.alias)
        return delete.replacing(conditions: try delete.conditions.map { try inner.condition($0) })
    }

    /// - Throws: As ``typed(_:)-(SQLSelect)``.
    func typed(_ trigger: SQLTrigger) throws -> SQLTrigger {
        let inner = about(trigger.table, as: .newRow).about(trigger.table, as: .oldRow)
        return trigger.replacing(
            condition: try trigger.condition.map { try inner.condition($0) },
            actions: try trigger.actions.map { action in
                switch action {
                case .run(let statement): .run(try inner.typed(statement))
                case .tell(let note):
                    .tell(
                        note.replacing(
                            conditions: try note.conditions.map { try inner.about(note.table).condition($0) }))
                }
            })
    }

    /// - Throws: As ``typed(_:)-(SQLSelect)``.
    func typed(_ statement: SQLStatement) throws -> SQLStatement {
        switch statement {
        case .select(let select): .select(try typed(select))
        case .update(let update): .update(try typed(update))
        case .delete(let delete): .delete(try typed(delete))
        case .insert(let insert): .insert(try typed(insert))
        case .createTable: columns.distribution.spread(statement)
        default: statement
        }
    }

    /// - Throws: As ``typed(_:)-(SQLSelect)``.
    func typed(_ index: SQLIndexDefinition) throws -> SQLIndexDefinition {
        let inner = about(index.table)
        return index.replacing(
            columns: try index.columns.map { column in
                guard case .expression(let expression, let isAscending) = column else { return column }
                return .expression(try inner.ordered(expression), isAscending: isAscending)
            }, condition: try index.condition.map { try inner.condition($0) })
    }

    /// A select, and the types of its columns.
    func typedWithTypes(_ select: SQLSelect) throws -> (select: SQLSelect, terms: [PostgreSQLTerm]) {
        var inner = self
        var select = select
        switch select.source {
        case .table(let table, let alias): inner.tables[alias] = table
        case .select(let source): select.source = .select(try typed(source))
        }
        for join in select.joins { inner.tables[join.alias] = join.table }
        select.joins = try select.joins.map {
            SQLJoin(kind: $0.kind, table: $0.table, alias: $0.alias, condition: try inner.tied($0.condition))
        }
        select.conditions = try select.conditions.map { try inner.tied($0) }
        SQLGrouping(select)?.apply(to: &select)
        let terms = try select.columns.map { try inner.term($0).natural }
        select.columns = terms.map(\.expression)
        select.groups = try select.groups.map { try inner.term($0).natural.expression }
        select.having = try select.having.map { try inner.condition($0) }
        select.order = try select.order.map { try inner.comparing.order($0) }
        return (select.withDistinctOrder, terms)
    }

    private func order(_ order: SQLOrder) throws -> SQLOrder {
        switch order.comparison {
        case .standard: return SQLOrder(try ordered(order.expression), ascending: order.ascending)
        case .caseInsensitive:
            let key = SQLExpression.form("coredata.case_insensitive_key(@)", [try text(order.expression)])
            return SQLOrder(.form("@ COLLATE \"C\"", [key]), ascending: order.ascending)
        case .localizedCaseInsensitive:
            let key = SQLExpression.form("coredata.fold(@, 1)", [try text(order.expression)])
            return SQLOrder(key, ascending: order.ascending, comparison: order.comparison)
        case .localized, .localizedStandard:
            return SQLOrder(
                try text(order.expression), ascending: order.ascending, comparison: order.comparison)
        }
    }

    /// An expression whose texts are ordered byte by byte.
    private func ordered(_ expression: SQLExpression) throws -> SQLExpression {
        let term = try self.term(expression).natural
        return term.byteOrdered
    }

    /// A condition whose equal keys are of rows on one node.
    private func tied(_ condition: SQLExpression) throws -> SQLExpression {
        try self.condition(columns.distribution.narrowed(condition, tables))
    }

    // MARK: Expressions

    func text(_ expression: SQLExpression) throws -> SQLExpression { try term(expression).converted(to: .text) }

    /// An expression that is true, false or null.
    func condition(_ expression: SQLExpression) throws -> SQLExpression {
        let term = try comparing.term(expression)
        if term.isNull { return .form("NULL::boolean", []) }
        return term.converted(to: .boolean)
    }

    func term(_ expression: SQLExpression) throws -> PostgreSQLTerm {
        switch expression {
        case .column(let name, let alias):
            return .column(expression, alias.table(in: tables).flatMap { columns.type(of: name, in: $0) })
        case .outerColumn(let name, let table): return .column(expression, columns.type(of: name, in: table))
        case .value(let value): return PostgreSQLTerm(constant: value, isLiteral: false, isCompared: compares)
        case .constant(let value): return PostgreSQLTerm(constant: value, isLiteral: true, isCompared: compares)
        case .parameter: return PostgreSQLTerm(expression, nil)
        case .integer: return PostgreSQLTerm(expression, .integer)
        case .truth: return PostgreSQLTerm(expression, .boolean)
        case .null: return .null
        case .arithmetic(let operation, let left, let right):
            return try PostgreSQLArithmetic.term(operation, term(left), term(right))
        case .bitwiseNot(let operand): return try PostgreSQLArithmetic.complement(of: term(operand))
        case .call(let routine, let arguments): return try call(routine, arguments)
        case .aggregate(let aggregate, let operand, let distinct):
            return try operand.map { try term($0).aggregated(aggregate, distinct: distinct) }
                ?? PostgreSQLTerm(expression, .bigint)
        case .cast(let operand, let storage): return try term(operand).cast(to: storage)
        case .scalar(let select):
            let (select, terms) = try typedWithTypes(select)
            var term = PostgreSQLTerm(.scalar(select), terms.first?.type)
            if let first = terms.first { (term.bits, term.affinity) = (first.bits, first.affinity) }
            return term
        default: return try wrapped(expression)
        }
    }

    /// What has the type of its operands.
    private func wrapped(_ expression: SQLExpression) throws -> PostgreSQLTerm {
        switch expression {
        case .firstNonNull(let operands):
            let (all, type) = try PostgreSQLUnion(operands.map { try term($0) }).unified()
            return PostgreSQLTerm(.firstNonNull(all), type)
        case .ifNull(let value, let other), .greater(let value, let other):
            let (all, type) = try PostgreSQLUnion([term(value), term(other)]).unified()
            if case .ifNull = expression { return PostgreSQLTerm(.ifNull(all[0], all[1]), type) }
            // In SQLite, what is greater than null is null.
            let isNull = SQLExpression.any([.isNull(all[0]), .isNull(all[1])])
            let branch = SQLBranch(condition: isNull, result: .null)
            return PostgreSQLTerm(.choice([branch], otherwise: .greater(all[0], all[1])), type)
        case .choice(let branches, let otherwise): return try choice(branches, otherwise)
        case .unindexed(let operand):
            var term = try self.term(operand).natural
            term.affinity = .none
            return term
        case .indexed(let operand), .grouped(let operand):
            var term = try self.term(operand).natural
            term.expression = .grouped(term.expression)
            return term
        case .form(SQLGrouping.first, let operands):
            var term = try self.term(operands[0]).natural
            (term.expression, term.affinity) = (.form("(array_agg(@))[1]", [term.expression]), .none)
            return term
        case .search(let value, _):
            return PostgreSQLTerm(expression, value == .match ? .boolean : value == .rank ? .double : .text)
        case .rowNumber(let group, let order):
            let (group, order) = (try group.map { try term($0).expression }, try order.map { try term($0).expression })
            return PostgreSQLTerm(.rowNumber(among: group, by: order), .bigint)
        case .form, .typed: return PostgreSQLTerm(expression, nil)
        default: return PostgreSQLTerm(try comparing.connected(expression), .boolean)
        }
    }

    private func choice(_ branches: [SQLBranch], _ otherwise: SQLExpression) throws -> PostgreSQLTerm {
        let results = try branches.map { try self.term($0.result) } + [self.term(otherwise)]
        let (all, type) = PostgreSQLUnion(results).unified()
        let typed = try zip(branches, all).map { SQLBranch(condition: try condition($0.condition), result: $1) }
        var term = PostgreSQLTerm(.choice(typed, otherwise: all[all.count - 1]), type)
        term.bits = results.map(\.bits).max() ?? 63
        return term
    }

    /// What is true, false or null.
    private func connected(_ expression: SQLExpression) throws -> SQLExpression {
        switch expression {
        case .all(let parts): return .all(try parts.map { try condition($0) })
        case .any(let parts): return .any(try parts.map { try condition($0) })
        case .not(let operand): return .not(try condition(operand))
        case .isTrue(let operand): return .isTrue(try condition(operand))
        case .isNotTrue(let operand): return .isNotTrue(try condition(operand))
        case .isNull(let operand): return .isNull(try term(operand).natural.expression)
        case .isNotNull(let operand): return .isNotNull(try term(operand).natural.expression)
        case .exists(let select): return .exists(try typed(select))
        case .isKey: return expression
        case .text(let text, let relation, let part): return try related(term(text), relation, term(part))
        default: return try compared(expression)
        }
    }
}

extension PostgreSQLTerm {
    fileprivate static func column(_ expression: SQLExpression, _ type: PostgreSQLType?) -> PostgreSQLTerm {
        PostgreSQLTerm(
            expression, type, affinity: type == .text ? .text : type == .bytes || type == .uuid ? .none : .number)
    }
}

extension SQLAlias {
    fileprivate func table(in tables: [SQLAlias: String]) -> String? { tables[self] }
}

/// The types of a schema's columns.
struct PostgreSQLColumns {
    private var types: [String: [String: PostgreSQLType]] = [:]
    let distribution: PostgreSQLDistribution

    init(_ schema: SQLSchema) {
        distribution = PostgreSQLDistribution(schema)
        for table in schema.tables { add(table.columns, of: table.name) { $0 } }
        for table in schema.joinTables { add(table, as: table.name) }
    }

    /// - Parameter name: What a column is called.
    mutating func add(_ columns: [SQLTableColumn], of table: String, _ name: (String) -> String) {
        for column in columns { types[table, default: [:]][name(column.name)] = PostgreSQLType(rawValue: column.type) }
    }

    /// The two keys, and the places of ordered sides.
    mutating func add(_ table: SQLJoinTable, as name: String) {
        for column in table.columns { types[name, default: [:]][column] = .bigint }
    }

    /// - Returns: Nil for a table that is none of an entity's.
    func type(of column: String, in table: String) -> PostgreSQLType? {
        types[table]?[column] ?? (column == SQLSearchTable.key ? .bigint : nil)
    }
}
