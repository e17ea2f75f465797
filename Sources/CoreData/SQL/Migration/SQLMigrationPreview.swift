/// What of a migration the rows of a store decide, asked of the store as it is.
///
/// Some of it a migration can only ask at its end, when all rows are in their tables.
package struct SQLMigrationPreview {
    /// Its names are those of the store.
    let basis: SQLMigrationBasis

    package init(basis: SQLMigrationBasis) { self.basis = basis }

    /// For each obstacle that rows decide, what counts the rows that stand against it.
    package func obstacles() -> [(obstacle: InferenceObstacle, count: SQLSelect)] {
        let steps = SQLMigrationPlanner(basis).checksBefore()
        let before = steps.compactMap { step -> (obstacle: InferenceObstacle, count: SQLSelect)? in
            if case .check(let obstacle, let count) = step { (obstacle, count) } else { nil }
        }
        return before
            + basis.mapping.obstacles.compactMap { obstacle in
                lacking(obstacle).map { (obstacle: obstacle, count: $0) }
            }
    }

    /// Counts the rows that will lack a value.
    private func lacking(_ obstacle: InferenceObstacle) -> SQLSelect? {
        guard case .lacking(let entity, let slot)? = obstacle.rows else { return nil }
        let layout = basis.new.layouts[entity]
        guard basis.new.contains(layout), let column = basis.new.column(of: layout, slot: slot)?.name else {
            return nil
        }
        for move in basis.moves {
            guard let place = move.rows.firstIndex(where: { $0.destination.number == entity }) else { continue }
            let value = SQLTableContents(move, basis).content(column, place).expression { $0 }
            return count(
                move.old.name,
                [.equal(.own("Z_ENT"), .integer(Int(move.rows[place].oldNumber))), .isNull(value)])
        }
        return nil
    }

    // MARK: Uniqueness

    /// For each uniqueness constraint of the new model, what counts the values that several rows will have.
    ///
    /// A constraint over rows of several tables is left out: the migration itself finds what breaks it.
    package func duplicates() -> [(entity: String, properties: [String], count: SQLSelect)] {
        basis.new.uniqueness().compactMap { layout, names, index in
            let moves = basis.moves.filter { $0.new.name == index.table }
            guard moves.count == 1 else { return nil }
            return duplicates(index, moves[0]).map { (entity: layout.name, properties: names, count: $0) }
        }
    }

    private func duplicates(_ index: SQLIndexDefinition, _ move: SQLTableMove) -> SQLSelect? {
        let contents = SQLTableContents(move, basis)
        var values: [SQLExpression] = []
        for column in index.columns.compactMap(\.name) {
            let all = move.rows.indices.map { contents.content(column, $0) }
            // Rows of entities without the property have nothing in the column.
            guard let first = all.first(where: { $0 != .null }) else { return nil }
            guard all.allSatisfy({ $0 == first || $0 == .null }) else { return nil }
            values.append(first.expression { $0 })
        }
        guard values.count == index.columns.count else { return nil }
        var shared = SQLSelect(from: .table(move.old.name, .only))
        shared.columns = [.integer(1)]
        shared.conditions = values.map { .isNotNull($0) }
        shared.groups = values
        shared.having = .compare(.greater, .aggregate(.count, nil, distinct: false), .integer(1))
        var select = SQLSelect(from: .select(shared))
        select.columns = [.aggregate(.count, nil, distinct: false)]
        return select
    }

    private func count(_ table: String, _ conditions: [SQLExpression]) -> SQLSelect {
        var select = SQLSelect(from: .table(table, .only))
        select.columns = [.aggregate(.count, nil, distinct: false)]
        select.conditions = conditions
        return select
    }
}

extension SQLIndexColumn {
    /// The column; nil for an expression.
    fileprivate var name: String? {
        switch self {
        case .plain(let name), .binary(let name, _): name
        case .expression: nil
        }
    }
}
