/// How the rows of an old table come into a new one: by changes of the old table, or by a copy into a fresh one.
struct SQLTablePlan {
    let move: SQLTableMove
    let contents: SQLTableContents
    /// Whether the old table becomes the new one.
    let isContinued: Bool
    /// The old column that each new column continues, by the new name; for a continued table.
    let kept: [String: String]
    /// The old columns that go, for a continued table.
    let dropped: [String]
    /// The columns of the old table that no model asked for: the app made them by itself. Those whose names the new
    /// model needs are left out.
    let addedColumns: [SQLTableColumn]

    /// - Parameter mayContinue: Whether the old table is free to become the new one.
    init(_ move: SQLTableMove, _ basis: SQLMigrationBasis, mayContinue: Bool) {
        self.move = move
        contents = SQLTableContents(move, basis)
        let kept = Self.keptColumns(move, contents)
        let known = basis.knownColumns(of: move.old)
        let dropped = move.old.columns.map(\.name).filter { known.contains($0) && !kept.values.contains($0) }
        let taken = Set(Self.fixed + move.new.columns.map(\.name)).union(known)
        addedColumns = move.old.columns.filter { !taken.contains($0.name) }
        self.kept = kept
        self.dropped = dropped
        isContinued = mayContinue && !Self.isDearer(move, contents, kept, dropped, basis)
    }

    /// What the new table's columns continue: a column of the same type that most of the rows have the value in, one of
    /// the same name before others.
    private static func keptColumns(_ move: SQLTableMove, _ contents: SQLTableContents) -> [String: String] {
        let types = Dictionary(move.old.columns.map { ($0.name, $0.type.uppercased()) }) { first, _ in first }
        var kept: [String: String] = Dictionary(uniqueKeysWithValues: fixed.map { ($0, $0) })
        var taken = Set(fixed)
        func candidates(_ column: SQLTableColumn) -> [String: Int] {
            var counts: [String: Int] = [:]
            for place in move.rows.indices {
                guard let name = contents.content(column.name, place).column, !taken.contains(name),
                    types[name] == column.type.uppercased()
                else { continue }
                counts[name, default: 0] += 1
            }
            return counts
        }
        let others = move.new.columns.filter { !fixed.contains($0.name) }
        for column in others where candidates(column)[column.name] != nil {
            kept[column.name] = column.name
            taken.insert(column.name)
        }
        for column in others where kept[column.name] == nil {
            let best = candidates(column).max { ($0.value, $1.key) < ($1.value, $0.key) }
            guard let best else { continue }
            kept[column.name] = best.key
            taken.insert(best.key)
        }
        return kept
    }

    static let fixed = ["Z_PK", "Z_ENT", "Z_OPT"]

    /// Whether a copy of the table costs less than changes: a dropped column has all rows written anew, and so does an
    /// update.
    private static func isDearer(
        _ move: SQLTableMove, _ contents: SQLTableContents, _ kept: [String: String], _ dropped: [String],
        _ basis: SQLMigrationBasis
    ) -> Bool {
        // A constraint in the table's own statement, as stores had them until iOS 10, can't be changed.
        let text = basis.catalogue.tableTexts[move.old.name] ?? ""
        if text.contains("CONSTRAINT") || text.contains("UNIQUE") { return true }
        if !Set(fixed).isSubset(of: move.old.columns.map(\.name)) { return true }
        // What is looked up in other tables has to be as it was.
        return dropped.count > 2 || contents.hasLookups
    }

    /// Whether nothing is to be done.
    var isUntouched: Bool {
        isContinued && move.old.name == move.new.name && dropped.isEmpty && contents.numberings.isEmpty
            && move.rows.allSatisfy { $0.oldNumber == $0.newNumber }
            && move.new.columns.allSatisfy { column in
                kept[column.name] == column.name
                    && move.rows.indices.allSatisfy { isKept(column.name, $0) && adjustment(column.name, $0) == nil }
            }
    }

    /// Whether a column of the continued table has for the rows of an entity what it has to have, or the same with
    /// other values in the place of some.
    func isKept(_ column: String, _ place: Int) -> Bool {
        if Self.fixed.contains(column) { return true }
        let content = contents.content(column, place)
        guard let old = kept[column] else { return content == .null }
        // Rows of an entity without the property have nothing in its column.
        return content.column == old || content == .null && !contents.oldColumns[place].contains(old)
    }

    /// What a kept column gets in the place of some values.
    func adjustment(_ column: String, _ place: Int) -> (condition: SQLExpression, value: SQLExpression)? {
        guard case .adjusted(kept[column], let condition, let value) = contents.content(column, place) else {
            return nil
        }
        return (condition, value)
    }
}

extension SQLMigrationBasis {
    /// The columns of an old table that the old model knows; others are not the framework's.
    func knownColumns(of table: SQLTable) -> Set<String> {
        var known: Set<String> = []
        for layout in old.layouts[table.root].selfAndDescendants where old.contains(layout) {
            known.formUnion(columns(of: layout))
        }
        return known
    }

    /// The columns in which rows of an entity may have something.
    func columns(of layout: EntityLayout) -> Set<String> {
        let own = layout.slots.compactMap { old.column(of: layout, slot: $0.index) }
        return Set(own.flatMap { [$0.name, $0.entityColumn, $0.orderColumn, $0.stampColumn].compactMap { $0 } })
            .union(memberships(of: layout))
    }

    /// The columns of to-manys without inverse that have objects of an entity as members.
    private func memberships(of layout: EntityLayout) -> [String] {
        old.layouts.layouts.filter { old.contains($0) }.flatMap { owner in
            owner.slots.filter { $0.kind.isToMany && $0.destination > 0 }.flatMap { slot -> [String] in
                guard layout.isKind(of: old.layouts[slot.destination]),
                    case .sourceColumnInDestination(_, let column, let order)? = old.link(of: owner, slot: slot.index)
                else { return [] }
                return [column, order].compactMap { $0 }
            }
        }
    }
}
