import CoreData

/// Uniqueness constraints, whether or not the store has an index that enforces them.
extension StoreCheck {
    func checkUniqueness(of layout: EntityLayout) throws {
        for constraint in layout.ownUniquenessConstraints {
            let columns = constraint.compactMap { name in
                layout.slot(named: name).flatMap { schema?.column(of: layout, slot: $0.index)?.name }
            }
            guard columns.count == constraint.count, !columns.isEmpty else { continue }
            try checkConstraint(constraint, columns.map(\.quotedForSQL), layout)
        }
    }

    /// Rows with NULL in a column never collide, as in SQLite's unique indexes.
    private func checkConstraint(_ names: [String], _ columns: [String], _ layout: EntityLayout) throws {
        let list = columns.joined(separator: ", ")
        let conditions = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        try forEachRow(
            "SELECT min(Z_PK), count(*), group_concat(Z_PK, ', ') FROM \(table(of: layout).quotedForSQL) "
                + "WHERE Z_ENT IN (\(numbers(of: layout))) AND \(conditions) GROUP BY \(list) HAVING count(*) > 1"
        ) { row in
            let keys = row.text(2) ?? ""
            report(
                .uniqueness, table: table(of: layout), entity: layout.name, key: row.int(0),
                property: names.joined(separator: " + "),
                "\(row.int(1)) rows have the same value, their keys being \(keys.count > 80 ? keys.prefix(80) + "…" : keys)"
            )
        }
    }
}
