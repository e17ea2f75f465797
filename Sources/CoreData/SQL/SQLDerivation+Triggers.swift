/// The triggers that keep a derived attribute, in the form that Apple's framework gives them.
///
/// Each computes the value anew for the rows that a change can matter to, then tells by one of Apple's functions which
/// rows these were. The `Z_OPT` of those rows stays: no changes conflict with a derived value.
extension SQLDerivation {
    /// All triggers that keep the attribute; none where an opened store has no column for it or for what it comes from.
    func triggers(in schema: SQLSchema) -> [SQLTrigger] {
        guard let column = schema.column(of: layout, slot: slot.index)?.name else { return [] }
        let target = DerivedColumn(self, column, schema)
        switch source {
        case .now: return target.onOwnRows(updating: ["Z_OPT"], value: "NSCoreDataNow()")
        case .value(let path, let attribute, let transform):
            guard let walk = DerivationWalk(path, attribute, from: layout, schema) else { return [] }
            return walk.triggers(target, transform)
        case .members(let relationship, let summed):
            guard let members = DerivationMembers(relationship, summed, of: layout, schema) else { return [] }
            return members.triggers(target)
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
    private let numbers: String?

    init(_ derivation: SQLDerivation, _ column: String, _ schema: SQLSchema) {
        table = schema.table(of: derivation.layout).name
        prefix = derivation.triggerPrefix
        self.column = SQLSchema.name(column)
        attribute = derivation.slot.name
        let numbers = derivation.layout.selfAndDescendants.filter { schema.contains($0) }
            .compactMap { schema.number(of: $0) }
        self.numbers =
            derivation.layout.parent == nil ? nil : "(\(numbers.map { "\($0)" }.joined(separator: ", ")))"
    }

    /// What computes the value anew where the condition holds.
    func recompute(_ value: String, where condition: String, isInsert: Bool) -> [String] {
        let rows = condition + (numbers.map { " AND Z_ENT IN \($0)" } ?? "")
        let name = SQLSchema.name(table)
        let note =
            isInsert
            ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue" : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
        return [
            "UPDATE \(name) SET \(column) = \(value) WHERE \(rows)",
            "SELECT \(note)(\(table.sqlLiteral), Z_ENT, Z_PK, \(attribute.sqlLiteral), \(column)) FROM \(name) "
                + "WHERE \(rows)",
        ]
    }

    /// The triggers for the rows with the column themselves: when they come, and when one of the columns changes.
    func onOwnRows(updating columns: [String], value: String) -> [SQLTrigger] {
        let events: [SQLTrigger.Event] = [.insert] + (columns.isEmpty ? [] : [.update(of: columns)])
        return events.map { event in
            SQLTrigger(
                prefix(table), event, on: table, when: numbers.map { "NEW.Z_ENT IN \($0)" },
                do: recompute(value, where: "Z_PK = NEW.Z_PK", isInsert: event == .insert))
        }
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
        let value = transform.map { "\($0.rawValue)(\(expression))" } ?? expression
        var triggers = target.onOwnRows(updating: [hops.first?.column ?? self.value], value: value)
        for (index, hop) in hops.enumerated() {
            let next = index + 1 < hops.count ? hops[index + 1].column : self.value
            let name = ([target.prefix(hop.table)] + hops[...index].map(\.name)).joined(separator: "_")
            for event in [SQLTrigger.Event.insert, .update(of: [next]), .delete] {
                let row = event == .delete ? "OLD.Z_PK" : "NEW.Z_PK"
                let rows = target.recompute(value, where: reaching(row, index), isInsert: event == .insert)
                triggers.append(SQLTrigger(name, event, on: hop.table, do: rows))
            }
        }
        return triggers
    }

    /// The value, in terms of the row that it is for.
    private var expression: String {
        guard let first = hops.first else { return SQLSchema.name(value) }
        // Where the way comes back to the table that it starts from, the tables on it need names of their own.
        let isLoop = hops.contains { $0.table == start }
        var expression = "\(SQLSchema.name(start)).\(SQLSchema.name(first.column))"
        for (index, hop) in hops.enumerated() {
            let next = SQLSchema.name(index + 1 < hops.count ? hops[index + 1].column : value)
            let (alias, prefix) = isLoop ? (" T\(index)", "T\(index).") : ("", "")
            expression =
                "(SELECT \(prefix)\(next) FROM \(SQLSchema.name(hop.table))\(alias) WHERE \(prefix)Z_PK = \(expression))"
        }
        return expression
    }

    /// Which rows' way leads over the row with this key in the table behind a hop.
    private func reaching(_ key: String, _ index: Int) -> String {
        var condition = "\(SQLSchema.name(hops[index].column)) = \(key)"
        for back in stride(from: index - 1, through: 0, by: -1) {
            let hop = hops[back]
            condition =
                "\(SQLSchema.name(hop.column)) IN (SELECT Z_PK FROM \(SQLSchema.name(hop.table)) WHERE \(condition))"
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

    private func value(for owner: String) -> String {
        let (source, pairs) = (SQLSchema.name(link.sourceColumn), SQLSchema.name(link.table))
        let key = "\(SQLSchema.name(owner)).Z_PK"
        if case .joinTable = link, let summed {
            return "(SELECT IFNULL(SUM(T1.\(SQLSchema.name(summed))), 0) FROM \(pairs) T0 "
                + "JOIN \(SQLSchema.name(table)) T1 ON T1.Z_PK = T0.\(SQLSchema.name(link.targetColumn)) "
                + "WHERE T0.\(source) = \(key))"
        }
        let aggregate =
            summed.map { "SUM" + "(\(prefix(owner))\(SQLSchema.name($0)))" } ?? "COUNT(\(prefix(owner))\(source))"
        let alias = link.table == owner ? " T0" : ""
        return "(SELECT IFNULL(\(aggregate), 0) FROM \(pairs)\(alias) WHERE \(prefix(owner))\(source) = \(key))"
    }

    /// A table with rows that belong to rows of the same table needs a name of its own.
    private func prefix(_ owner: String) -> String { link.table == owner ? "T0." : "" }

    /// The triggers for the rows that say which objects are members.
    private func onPairs(_ target: DerivedColumn, _ value: String) -> [SQLTrigger] {
        let source = SQLSchema.name(link.sourceColumn)
        var columns = [link.sourceColumn]
        if case .joinTable = link {} else { columns += [summed].compactMap { $0 } }
        return [SQLTrigger.Event.insert, .update(of: columns), .delete].map { event in
            let rows =
                switch event {
                case .insert: "Z_PK = NEW.\(source)"
                case .delete: "Z_PK = OLD.\(source)"
                case .update: "Z_PK IN (OLD.\(source), NEW.\(source))"
                }
            return SQLTrigger(
                "\(target.prefix(link.table))_\(name)", event, on: link.table,
                do: target.recompute(value, where: rows, isInsert: event == .insert))
        }
    }

    /// The trigger for the summed values of members that stand in a table of their own.
    private func onMembers(_ target: DerivedColumn, _ value: String) -> [SQLTrigger] {
        guard case .joinTable(let pairs, let source, let member, _) = link, let summed else { return [] }
        let rows =
            "Z_PK IN (SELECT \(SQLSchema.name(source)) FROM \(SQLSchema.name(pairs)) "
            + "WHERE \(SQLSchema.name(member)) = NEW.Z_PK)"
        return [
            SQLTrigger(
                "\(target.prefix(table))_\(name)", .update(of: [summed]), on: table,
                do: target.recompute(value, where: rows, isInsert: false))
        ]
    }
}

extension String {
    /// The text as a literal of SQL.
    var sqlLiteral: String { "'" + replacingOccurrences(of: "'", with: "''") + "'" }
}
