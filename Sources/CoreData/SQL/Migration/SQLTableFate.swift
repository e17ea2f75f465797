/// What becomes of an old table and its columns, as far as parts of the store that know their names are concerned.
struct SQLTableFate {
    /// The table that most rows come to; nil where they go.
    private(set) var name: String?
    /// The new names of the columns that stay, by the old ones.
    private(set) var columns: [String: String] = [:]
    /// Whether the rows are copied to a fresh table: all indexes go with the old one.
    private(set) var isCopied = true
    /// Whether a `Z_ENT` means another entity than before.
    private(set) var isRenumbered = false

    /// That of a table that goes.
    init() {}

    init(name: String, columns: [String: String], isCopied: Bool) {
        (self.name, self.columns, self.isCopied) = (name, columns, isCopied)
    }

    init(_ plan: SQLTablePlan, _ basis: SQLMigrationBasis) {
        name = plan.move.new.name
        isCopied = !plan.isContinued
        isRenumbered = basis.old.layouts[plan.move.old.root].selfAndDescendants.contains { layout in
            guard basis.old.contains(layout), let number = basis.old.number(of: layout) else { return false }
            return basis.heir(of: layout).flatMap { basis.new.number(of: $0) } != number
        }
        let staying = SQLTablePlan.fixed + plan.addedColumns.map(\.name)
        columns = Dictionary(uniqueKeysWithValues: staying.map { ($0, $0) })
        let names = plan.isContinued ? plan.kept.map { ($0.value, $0.key) } : Self.copiedColumns(plan)
        for (old, new) in names { columns[old] = new }
    }

    /// The columns whose values all come to one column.
    private static func copiedColumns(_ plan: SQLTablePlan) -> [(String, String)] {
        var found: [String: Set<String>] = [:]
        for column in plan.move.new.columns.map(\.name) {
            for place in plan.move.rows.indices {
                if let old = plan.contents.content(column, place).column { found[old, default: []].insert(column) }
            }
        }
        return found.compactMap { old, new in new.count == 1 ? new.first.map { (old, $0) } : nil }
    }
}
