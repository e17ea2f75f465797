/// How the pairs of a many-to-many come into its table: the old table gets other names, or a fresh one the pairs.
struct SQLJoinPlan {
    let table: SQLJoinTable
    /// The old table that becomes the new one.
    private(set) var continued: String?
    private let link: Link
    private let pairs: [SQLPairs]
    private let basis: SQLMigrationBasis

    /// The columns of the new table, seen from the side that the pairs are read by.
    private struct Link {
        let source, target: String
        /// The column with the target's place among the source's members.
        let targetOrder: String?
        /// The column with the source's place among the target's members.
        let sourceOrder: String?

        var isReflexive: Bool { source == SQLNaming.reflexive }
        var columns: [String] { [source, target] + [targetOrder, sourceOrder].compactMap { $0 } }
    }

    var name: String { table.name }

    /// The plans for all many-to-manys of the new schema.
    static func all(_ basis: SQLMigrationBasis) -> [SQLJoinPlan] {
        var plans: [SQLJoinPlan] = []
        for layout in basis.new.layouts.layouts where basis.new.contains(layout) {
            for slot in layout.slots[(layout.parent?.slots.count ?? 0)...] {
                guard case .joinTable(let name, _, _, _)? = basis.new.link(of: layout, slot: slot.index),
                    !plans.contains(where: { $0.name == name })
                else { continue }
                plans += [SQLJoinPlan(slot, layout, basis)].compactMap { $0 }
            }
        }
        let uses = Dictionary(grouping: plans.flatMap { $0.pairs.map(\.table) }) { $0 }.mapValues(\.count)
        for place in plans.indices {
            guard let pairs = plans[place].pairs.first, uses[pairs.table] == 1, plans[place].canContinue(pairs) else {
                continue
            }
            plans[place].continued = pairs.table
        }
        return plans
    }

    private init?(_ slot: PropertySlot, _ layout: EntityLayout, _ basis: SQLMigrationBasis) {
        guard
            case .joinTable(let name, let source, let target, let order)? = basis.new.link(of: layout, slot: slot.index),
            let table = basis.new.joinTables.first(where: { $0.name == name })
        else { return nil }
        self.table = table
        self.basis = basis
        let isReflexive = source == SQLNaming.reflexive
        let back = basis.new.link(of: basis.new.layouts[slot.destination], slot: slot.inverse)?.orderColumn
        link = Link(source: source, target: target, targetOrder: order, sourceOrder: isReflexive ? nil : back)
        pairs = basis.pairs(of: slot, in: layout)
    }

    /// Whether nothing is to be done.
    var isUntouched: Bool { continued == name && renames.isEmpty }

    // MARK: The old table

    /// Whether new names for the old table and its columns make it the new one.
    private func canContinue(_ old: SQLPairs) -> Bool {
        guard pairs.count == 1, !old.source.isRow, !old.target.isRow, basis.misfits(old.source).isEmpty,
            basis.misfits(old.target).isEmpty, old.targetOrder == (link.targetOrder != nil),
            old.sourceOrder == (link.sourceOrder != nil),
            let columns = basis.catalogue.columns[old.table]?.map(\.name), columns.count == table.columns.count
        else { return false }
        let new = columns.map { newName($0, old) }
        // A name that another column still has would be in the way.
        return new == table.columns && zip(columns, table.columns).allSatisfy { $0 == $1 || !columns.contains($1) }
    }

    private func newName(_ column: String, _ old: SQLPairs) -> String? {
        switch column {
        case old.source.column: link.source
        case old.target.column: link.target
        case old.target.orderColumn: link.targetOrder
        case old.source.orderColumn: link.sourceOrder
        default: nil
        }
    }

    /// What makes the continued table the new one.
    var renames: [SQLStatement] {
        guard let continued, let columns = basis.catalogue.columns[continued]?.map(\.name) else { return [] }
        let current = basis.names.table(continued)
        return zip(columns, table.columns).filter { $0 != $1 }.map { .alterTable(current, .columnRenamed($0, to: $1)) }
            + (current == name ? [] : [.alterTable(current, .renamed(to: name))])
    }

    // MARK: The app's own parts

    /// Notes what becomes of the old table and its columns.
    func note(in fates: inout [String: SQLTableFate]) {
        for old in pairs {
            guard !old.source.isRow, !old.target.isRow, let columns = basis.catalogue.columns[old.table]?.map(\.name)
            else { continue }
            let renamed = columns.compactMap { column in newName(column, old).map { (column, $0) } }
            fates[old.table] = SQLTableFate(
                name: name, columns: Dictionary(renamed) { first, _ in first }, isCopied: continued == nil)
        }
    }

    // MARK: A fresh table

    var creation: SQLStatement { .createTable(SQLSchema.definition(of: table)) }

    var copies: [SQLStatement] {
        pairs.flatMap { pairs in
            // Each pair of a relationship that is its own inverse stands there both ways.
            let isOneWay = link.isReflexive && pairs.source.column != SQLNaming.reflexive
            return [copy(pairs)] + (isOneWay ? [copy(pairs.reversed)] : [])
        }
    }

    private func copy(_ pairs: SQLPairs) -> SQLStatement {
        func own(_ column: String) -> SQLExpression { .own(basis.names.column(column, in: pairs.table)) }
        let (source, target) = (own(pairs.source.column), own(pairs.target.column))
        func order(_ end: SQLPairs.End, among owner: SQLExpression, by member: SQLExpression) -> SQLExpression {
            end.orderColumn.map { own($0) }
                ?? SQLNumbering.sortKey(.rowNumber(among: [owner], by: [member]))
        }
        var select = SQLSelect(from: .table(basis.names.table(pairs.table), .only))
        select.columns = [source, target]
        if link.targetOrder != nil { select.columns.append(order(pairs.target, among: source, by: target)) }
        if link.sourceOrder != nil { select.columns.append(order(pairs.source, among: target, by: source)) }
        select.conditions =
            [pairs.source, pairs.target].filter { !$0.isRow }.map { .isNotNull(own($0.column)) }
            + [pairs.source, pairs.target].compactMap { basis.fits($0, in: pairs, .only) }
        return .insert(
            SQLInsert(table: name, columns: link.columns, .rows(select), conflict: .keepsTheOldRow))
    }
}

extension SQLPairs {
    fileprivate var targetOrder: Bool { target.orderColumn != nil }
    fileprivate var sourceOrder: Bool { source.orderColumn != nil }
}
