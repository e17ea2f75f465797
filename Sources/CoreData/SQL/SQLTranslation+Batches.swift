import FoundationGaps

/// Changes of all rows that a fetch finds, as one statement.
extension SQLTranslation {
    /// The UPDATE that gives all rows that a fetch finds other values and the next version.
    ///
    /// - Throws: 134091 where SQL can't express the predicate or a value.
    func update(_ update: StoreBatchUpdate) throws -> SQLUpdate {
        let rows = try rows(of: update.fetch)
        let table = schema.table(of: update.fetch.entity).name
        let row = SQLScope(update.fetch.entity, at: rows.alias, in: builder, schema: schema)
        let version = SQLExpression.column("Z_OPT", of: rows.alias)
        var settings = [SQLSetting(column: "Z_OPT", value: .arithmetic(.add, version, .integer(1)))]
        for setting in update.settings { settings += try self.settings(setting, of: row, in: table) }
        return SQLUpdate(
            table: table, alias: rows.alias, settings: settings, conditions: rows.conditions,
            returning: update.wantsReferences ? ["Z_PK", "Z_ENT"] : [])
    }

    /// The DELETE of all rows that a fetch finds, without what delete rules ask for.
    ///
    /// - Throws: 134091 where SQL can't express the predicate or the order.
    func delete(_ deletion: StoreBatchDeletion) throws -> SQLDelete {
        let rows = try rows(of: deletion.fetch)
        return SQLDelete(
            table: schema.table(of: deletion.fetch.entity).name, alias: rows.alias, conditions: rows.conditions,
            returning: deletion.wantsReferences ? ["Z_PK", "Z_ENT"] : [])
    }

    // MARK: Which rows

    /// What a statement over the fetch's table calls a row, and which rows it is about.
    ///
    /// A fetch that looks at one table is asked for directly. Any other is a select of keys.
    private func rows(of fetch: StoreFetch) throws -> (alias: SQLAlias, conditions: [SQLExpression]) {
        var fetch = fetch
        fetch.output = .references
        if !fetch.isPaged { fetch.sortDescriptors = [] }
        var select = try self.select(for: fetch, rowColumns: []).0
        if select.joins.isEmpty, !fetch.isPaged { return (builder.first, select.conditions) }
        select.columns = [root.key]
        let alias = builder.aliases.next()
        return (alias, [.isFound(.column("Z_PK", of: alias), in: select)])
    }

    // MARK: Which values

    private func settings(_ setting: BatchSetting, of row: SQLScope, in table: String) throws -> [SQLSetting] {
        guard let column = schema.column(of: row.layout, slot: setting.slot.index) else {
            throw SQLTranslationError.unsupported(
                "\"\(setting.slot.name)\" of \(row.layout.name) has no column in this store")
        }
        if setting.slot.kind == .toOne { return try destination(setting, column, of: row.layout) }
        return [SQLSetting(column: column.name, value: try value(setting, of: row, in: table))]
    }

    private func value(_ setting: BatchSetting, of row: SQLScope, in table: String) throws -> SQLExpression {
        let type = SQLType(setting.slot, of: row.layout)
        switch setting.value {
        case .constant(nil): return .null
        case .constant(let value?):
            return .value(type == .externalData ? external(value) : try self.value(PredicateValue(value), as: type))
        case .expression(let expression): return try value(expression, as: type, of: row, in: table)
        }
    }

    /// Data that may be in a file goes into the row: rows that a statement changes together can't share a file.
    private func external(_ value: Any) -> SQLValue { (value as? Data).map { dialect.external($0) } ?? .null }

    /// An expression over a row. What it says of other rows is a select of its own.
    private func value(
        _ expression: NSExpression, as type: SQLType, of row: SQLScope, in table: String
    ) throws -> SQLExpression {
        if type == .externalData { throw SQLTranslationError.external("an expression") }
        let inner = SQLSelectBuilder(from: table, aliases: builder.aliases)
        let key = SQLExpression.column("Z_PK", of: rowAlias(of: row))
        let scope = SQLScope(row.layout, at: rowAlias(of: row), in: inner, schema: schema)
        let operand = try operand(expression, SQLEnvironment(this: scope))
        let term = try value(operand, "an update", beside: type)
        guard let value = type.stored(term) else {
            throw SQLTranslationError.unsupported("\"\(expression)\" does not give \(type.description)")
        }
        if inner.select.joins.isEmpty { return value }
        inner.select.columns = [value]
        inner.select.conditions = [.equal(.column("Z_PK", of: inner.first), key)]
        return .scalar(inner.select)
    }

    private func rowAlias(of row: SQLScope) -> SQLAlias {
        guard case .column(_, let alias) = row.key else { defect("The row of an update has no key.") }
        return alias
    }

    private static func number(_ value: Int64?) -> SQLExpression { value.map { .value(.int($0)) } ?? .null }

    /// The columns of a to-one relationship. A row that gets another owner has no place among its members yet.
    private func destination(
        _ setting: BatchSetting, _ column: SQLColumn, of layout: EntityLayout
    ) throws -> [SQLSetting] {
        guard case .constant(let value) = setting.value else {
            throw SQLTranslationError.unsupported(
                "\"\(setting.slot.name)\" of \(layout.name) is a relationship, which an update sets to an object or nil"
            )
        }
        let destination = value.flatMap { self.reference(PredicateValue($0)) }
        var settings = [SQLSetting(column: column.name, value: Self.number(destination?.key))]
        if let entityColumn = column.entityColumn {
            let number = destination.flatMap { schema.number(of: schema.layouts[$0.entity]) }
            settings.append(SQLSetting(column: entityColumn, value: Self.number(number)))
        }
        if let orderColumn = column.orderColumn { settings.append(SQLSetting(column: orderColumn, value: .null)) }
        return settings
    }
}

extension SQLType {
    /// An expression's value as a column of this type holds it; nil where a value of its type has no place there.
    fileprivate func stored(_ term: SQLTerm) -> SQLExpression? {
        if case .integer = self, term.type.isNumeric {
            if case .integer = term.type { return term.expression }
            return .cast(term.expression, .integer)
        }
        let fits =
            term.type == self || term.type == .unknown || term.type.isNumeric && (isNumeric || self == .date)
            || term.type.isText && self == .string
        return fits ? term.expression : nil
    }
}
