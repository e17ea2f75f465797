/// The statements of a deletion of many rows: which rows are related to them, and how these let go of them.
///
/// The keys of the rows that are to go are the parameters.
struct SQLDeletionStatements {
    private let schema: SQLSchema
    private let layout: EntityLayout

    /// - Parameter layout: The entity of the rows that are to go.
    init(_ layout: EntityLayout, schema: SQLSchema) { (self.layout, self.schema) = (layout, schema) }

    private var table: String { schema.table(of: layout).name }

    /// The rows that a relationship leads to: their keys and their entities' numbers. Nil where the store has nothing
    /// that holds them.
    func destinations(_ slot: PropertySlot, _ keys: SQLKeyList) -> SQLStatement? {
        guard let target = destinationTable(slot) else { return nil }
        guard slot.kind == .toOne else {
            return schema.link(of: layout, slot: slot.index).map {
                SQLMembersSelect($0, target: target).ofAll(["Z_PK", "Z_ENT"], in: keys)
            }
        }
        guard let column = schema.column(of: layout, slot: slot.index) else { return nil }
        let (source, destination) = (SQLAlias(number: 0), SQLAlias(number: 1))
        var select = SQLSelect(from: .table(table, source))
        select.joins = [
            SQLJoin(
                kind: .inner, table: target, alias: destination,
                condition: .equal(.column("Z_PK", of: destination), .column(column.name, of: source)))
        ]
        select.columns = [.column("Z_PK", of: destination), .column("Z_ENT", of: destination)]
        select.conditions = [.isKey(.column("Z_PK", of: source), in: keys)]
        return .select(select)
    }

    /// Takes the keys out of the rows that have them in the to-one at the other end of a relationship; they get their
    /// next version. Nil where no other row has them.
    func release(_ slot: PropertySlot, _ keys: SQLKeyList) -> SQLStatement? {
        guard let target = destinationTable(slot), slot.inverse >= 0 else { return nil }
        let destination = schema.layouts[slot.destination]
        guard destination.slots[slot.inverse].kind == .toOne,
            let column = schema.column(of: destination, slot: slot.inverse)
        else { return nil }
        let columns = column.columns + [column.orderColumn].compactMap { $0 }
        let version = SQLSetting(column: "Z_OPT", value: .arithmetic(.add, .own("Z_OPT"), .integer(1)))
        return .update(
            SQLUpdate(
                table: target, settings: [version] + columns.map { SQLSetting(column: $0, value: .null) },
                conditions: [.isKey(.own(column.name), in: keys)]))
    }

    /// Removes the pairs that the rows are in, and takes the keys out of members without an inverse.
    func linkRemovals(_ slot: PropertySlot, _ keys: SQLKeyList) -> [SQLStatement] {
        schema.link(of: layout, slot: slot.index).map { SQLMemberStatements($0).removals { .isKey($0, in: keys) } }
            ?? []
    }

    /// Deletes the rows.
    func deletion(_ keys: SQLKeyList) -> SQLStatement {
        .delete(SQLDelete(table: table, conditions: [.isKey(.own("Z_PK"), in: keys)]))
    }

    private func destinationTable(_ slot: PropertySlot) -> String? {
        let destination = schema.layouts[slot.destination]
        return schema.contains(destination) ? schema.table(of: destination).name : nil
    }
}
