/// The triggers that keep a derived attribute, in the form that Apple's framework gives them.
///
/// Each computes the value anew for the rows that a change can matter to, then tells which rows these were. The `Z_OPT`
/// of those rows stays: no changes conflict with a derived value.
extension SQLDerivation {
    /// All triggers that keep the attribute; none where an opened store has no column for it or for what it comes from.
    package func triggers(in schema: SQLSchema) -> [SQLTrigger] {
        guard let column = schema.column(of: layout, slot: slot.index)?.name else { return [] }
        let target = DerivedColumn(self, column, schema)
        switch source {
        case .now: return target.onOwnRows(updating: ["Z_OPT"], value: .call(.now, []))
        case .value(let path, let attribute, let transform):
            guard let walk = DerivationWalk(path, attribute, from: layout, schema) else { return [] }
            return walk.triggers(target, transform)
        case .members(let relationship, let summed):
            guard let members = DerivationMembers(relationship, summed, of: layout, schema) else { return [] }
            return members.triggers(target)
        }
    }

    /// What computes the attribute for all rows; nil where an opened store has no column for it or for what it comes
    /// from.
    package func filling(in schema: SQLSchema) -> SQLStatement? {
        guard let column = schema.column(of: layout, slot: slot.index)?.name else { return nil }
        let target = DerivedColumn(self, column, schema)
        switch source {
        case .now: return target.filling(.call(.now, []))
        case .value(let path, let attribute, let transform):
            return DerivationWalk(path, attribute, from: layout, schema).map { target.filling($0.value(transform)) }
        case .members(let relationship, let summed):
            return DerivationMembers(relationship, summed, of: layout, schema).map {
                target.filling($0.value(for: target.table))
            }
        }
    }

    /// How the names of the attribute's triggers on a table begin.
    func triggerPrefix(on table: String) -> String { "Z_DA_\(table)_\(layout.name)_\(slot.name)" }
}

/// The column that a derived attribute fills, and the rows that have one.
private struct DerivedColumn {
    let table: String
    let prefix: (String) -> String
    private let column: String
    private let attribute: String
    /// The `Z_ENT` of the entity and those below it, where the table has other rows too.
    private let numbers: [SQLExpression]?

    init(_ derivation: SQLDerivation, _ column: String, _ schema: SQLSchema) {
        table = schema.table(of: derivation.layout).name
        prefix = derivation.triggerPrefix
        self.column = column
        attribute = derivation.slot.name
        numbers = schema.numbersBelow(derivation.layout)
    }

    /// What computes the value anew where the condition holds.
    func recompute(_ value: SQLExpression, where condition: SQLExpression, isInsert: Bool) -> [SQLTrigger.Action] {
        let rows = [condition] + [numbers.map { .isOne(.own("Z_ENT"), of: $0) }].compactMap { $0 }
        let settings = [SQLSetting(column: column, value: value)]
        return [
            .run(.update(SQLUpdate(table: table, settings: settings, conditions: rows))),
            .tell(
                SQLTriggerNote(
                    isInsert: isInsert, table: table, attribute: attribute, column: column, conditions: rows)),
        ]
    }

    /// What computes the value for all rows.
    func filling(_ value: SQLExpression) -> SQLStatement {
        .update(
            SQLUpdate(
                table: table, settings: [SQLSetting(column: column, value: value)],
                conditions: [numbers.map { .isOne(.own("Z_ENT"), of: $0) }].compactMap { $0 }))
    }

    /// The triggers for the rows with the column themselves: when they come, and when one of the columns changes.
    func onOwnRows(updating columns: [String], value: SQLExpression) -> [SQLTrigger] {
        let events: [SQLTrigger.Event] = [.insert] + (columns.isEmpty ? [] : [.update(of: columns)])
        return events.map { event in
            SQLTrigger(
                prefix(table), event, on: table,
                when: numbers.map { .isOne(.column("Z_ENT", of: .newRow), of: $0) },
                do: recompute(
                    value, where: .equal(.own("Z_PK"), .column("Z_PK", of: .newRow)), isInsert: event == .insert))
        }
    }
}

extension SQLSchema {
    /// The `Z_ENT` of an entity's rows and of those of entities below it; nil for a root entity, which has all rows of
    /// its table.
    func numbersBelow(_ layout: EntityLayout) -> [SQLExpression]? {
        if layout.parent == nil { return nil }
        return layout.selfAndDescendants.filter { contains($0) }.compactMap { number(of: $0) }
            .map { .integer(Int($0)) }
    }
}

/// The way over to-ones from a row to the row with the value that it copies.
private struct DerivationWalk {
    /// A to-one on the way.
    struct Hop {
        let name: String
        /// The column with the key, in the table before.
        let column: String
        /// The table that it leads to.
        let table: String
    }

    private let hops: [Hop]
    /// The column with the value, in the last table.
    private let value: String
    private let start: String

    /// Nil where the store lacks a column on the way.
    init?(_ path: [PropertySlot], _ attribute: PropertySlot, from layout: EntityLayout, _ schema: SQLSchema) {
        var here = layout
        var hops: [Hop] = []
        for slot in path {
            guard let column = schema.column(of: here, slot: slot.index) else { return nil }
            here = layout.model[slot.destination]
            guard schema.contains(here) else { return nil }
            hops.append(Hop(name: slot.name, column: column.name, table: schema.table(of: here).name))
        }
        guard let column = schema.column(of: here, slot: attribute.index) else { return nil }
        self.hops = hops
        value = column.name
        start = schema.table(of: layout).name
    }

    func triggers(_ target: DerivedColumn, _ transform: SQLRoutine?) -> [SQLTrigger] {
        let value = value(transform)
        var triggers = target.onOwnRows(updating: [hops.first?.column ?? self.value], value: value)
        for (index, hop) in hops.enumerated() {
            let next = index + 1 < hops.count ? hops[index + 1].column : self.value
            let name = ([target.prefix(hop.table)] + hops[...index].map(\.name)).joined(separator: "_")
            for event in [SQLTrigger.Event.insert, .update(of: [next]), .delete] {
                let row = SQLExpression.column("Z_PK", of: event == .delete ? .oldRow : .newRow)
                let actions = target.recompute(value, where: reaching(row, index), isInsert: event == .insert)
                triggers.append(SQLTrigger(name, event, on: hop.table, do: actions))
            }
        }
        return triggers
    }

    /// The value, in terms of the row that it is for, put through a function where there is one.
    func value(_ transform: SQLRoutine?) -> SQLExpression { transform.map { .call($0, [expression]) } ?? expression }

    /// The value, in terms of the row that it is for.
    private var expression: SQLExpression {
        guard let first = hops.first else { return .own(value) }
        // Where the way comes back to the table that it starts from, the tables on it need names of their own.
        let isLoop = hops.contains { $0.table == start }
        var expression = SQLExpression.outerColumn(first.column, table: start)
        for (index, hop) in hops.enumerated() {
            let next = index + 1 < hops.count ? hops[index + 1].column : value
            let alias = isLoop ? SQLAlias.stored(index) : .only
            var select = SQLSelect(from: .table(hop.table, alias))
            select.columns = [.column(next, of: alias)]
            select.conditions = [.equal(.column("Z_PK", of: alias), expression)]
            expression = .scalar(select)
        }
        return expression
    }

    /// Which rows' way leads over the row with this key in the table behind a hop.
    private func reaching(_ key: SQLExpression, _ index: Int) -> SQLExpression {
        var condition = SQLExpression.equal(.own(hops[index].column), key)
        for back in stride(from: index - 1, through: 0, by: -1) {
            var select = SQLSelect(from: .table(hops[back].table, .only))
            select.columns = [.own("Z_PK")]
            select.conditions = [condition]
            condition = .isFound(.own(hops[back].column), in: select)
        }
        return condition
    }
}

/// The members of a to-many, for the column that holds their number or sum.
private struct DerivationMembers {
    private let name: String
    private let link: SQLLink
    /// The table of the members.
    private let table: String
    /// The column that is summed up, in the members' table.
    private let summed: String?

    init?(_ relationship: PropertySlot, _ attribute: PropertySlot?, of layout: EntityLayout, _ schema: SQLSchema) {
        let destination = layout.model[relationship.destination]
        guard schema.contains(destination), let link = schema.link(of: layout, slot: relationship.index) else {
            return nil
        }
        name = relationship.name
        self.link = link
        table = schema.table(of: destination).name
        summed = attribute.flatMap { schema.column(of: destination, slot: $0.index)?.name }
        if attribute != nil, summed == nil { return nil }
    }

    func triggers(_ target: DerivedColumn) -> [SQLTrigger] {
        let value = value(for: target.table)
        return target.onOwnRows(updating: [], value: value) + onPairs(target, value) + onMembers(target, value)
    }

    fileprivate func value(for owner: String) -> SQLExpression {
        var select: SQLSelect
        let aggregate: SQLExpression
        let pairs: SQLAlias
        if case .joinTable = link, let summed {
            let members = SQLAlias.stored(1)
            pairs = .stored(0)
            select = SQLSelect(from: .table(link.table, pairs))
            select.joins = [
                SQLJoin(
                    kind: .inner, table: table, alias: members,
                    condition: .equal(.column("Z_PK", of: members), .column(link.targetColumn, of: pairs)))
            ]
            aggregate = .aggregate(.sum, .column(summed, of: members), distinct: false)
        } else {
            // A table whose rows belong to rows of the same table needs a name of its own.
            pairs = link.table == owner ? .stored(0) : .only
            select = SQLSelect(from: .table(link.table, pairs))
            aggregate =
                summed.map { .aggregate(.sum, .column($0, of: pairs), distinct: false) }
                ?? .aggregate(.count, .column(link.sourceColumn, of: pairs), distinct: false)
        }
        select.columns = [.ifNull(aggregate, .integer(0))]
        select.conditions = [.equal(.column(link.sourceColumn, of: pairs), .outerColumn("Z_PK", table: owner))]
        return .scalar(select)
    }

    /// The triggers for the rows that say which objects are members.
    private func onPairs(_ target: DerivedColumn, _ value: SQLExpression) -> [SQLTrigger] {
        let source = link.sourceColumn
        let (old, new) = (SQLExpression.column(source, of: .oldRow), SQLExpression.column(source, of: .newRow))
        var columns = [source]
        if case .joinTable = link {} else { columns += [summed].compactMap { $0 } }
        return [SQLTrigger.Event.insert, .update(of: columns), .delete].map { event in
            let rows: SQLExpression =
                switch event {
                case .insert: .equal(.own("Z_PK"), new)
                case .delete: .equal(.own("Z_PK"), old)
                case .update: .isOne(.own("Z_PK"), of: [old, new])
                }
            return SQLTrigger(
                "\(target.prefix(link.table))_\(name)", event, on: link.table,
                do: target.recompute(value, where: rows, isInsert: event == .insert))
        }
    }

    /// The trigger for the summed values of members that stand in a table of their own.
    private func onMembers(_ target: DerivedColumn, _ value: SQLExpression) -> [SQLTrigger] {
        guard case .joinTable(let pairs, let source, let member, _) = link, let summed else { return [] }
        var owners = SQLSelect(from: .table(pairs, .only))
        owners.columns = [.own(source)]
        owners.conditions = [.equal(.own(member), .column("Z_PK", of: .newRow))]
        return [
            SQLTrigger(
                "\(target.prefix(table))_\(name)", .update(of: [summed]), on: table,
                do: target.recompute(value, where: .isFound(.own("Z_PK"), in: owners), isInsert: false))
        ]
    }
}
