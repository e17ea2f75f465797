import Foundation

/// What may stand against a migration in the rows, what goes with it, and what the store says of its entities.
extension SQLMigrationPlanner {
    // MARK: Checks

    /// The rows of the store as it is that stand against the migration.
    func checksBefore() -> [SQLMigration.Step] {
        basis.mapping.obstacles.compactMap { obstacle in
            obstacle.rows.flatMap { countBefore($0) }.map { .check(obstacle, $0) }
        } + basis.moves.flatMap(addedColumnChecks)
    }

    /// The values of columns that the app made by itself, where the new model needs a column of that name.
    private func addedColumnChecks(_ move: SQLTableMove) -> [SQLMigration.Step] {
        let known = basis.knownColumns(of: move.old).union(SQLTablePlan.fixed)
        let wanted = Set(move.new.columns.map(\.name))
        return move.old.columns.map(\.name).filter { wanted.contains($0) && !known.contains($0) }.map { name in
            let obstacle = InferenceObstacle(
                basis.new.layouts[move.new.root].name, nil,
                "the app's own column \(name) has values, and the model needs a column of that name")
            return .check(obstacle, count(move.old.name, [.isNotNull(.own(name))]))
        }
    }

    private func countBefore(_ rows: InferenceObstacle.Rows) -> SQLSelect? {
        switch rows {
        case .lacking: return nil
        case .any(let entity):
            let layout = basis.old.layouts[entity]
            return existing(layout).map { number in
                count(basis.old.table(of: layout).name, [.equal(.own("Z_ENT"), .integer(Int(number)))])
            }
        case .leading(let entity, let slot, let target):
            guard let pairs = basis.pairs(entity, slot) else { return nil }
            let layout = basis.old.layouts[target]
            return existing(layout).map { count(pairs.table, [leads(pairs.target, to: layout, $0)]) }
        case .sharing(let entity, let slot):
            guard let pairs = basis.pairs(entity, slot) else { return nil }
            let target = SQLExpression.own(pairs.target.column)
            var shared = SQLSelect(from: .table(pairs.table, .only))
            shared.columns = [target]
            shared.conditions = [.isNotNull(target)]
            shared.groups = [target]
            shared.having = .compare(.greater, .aggregate(.count, nil, distinct: false), .integer(1))
            var select = SQLSelect(from: .select(shared))
            select.columns = [.aggregate(.count, nil, distinct: false)]
            return select
        case .disagreeing(let entity, let slot, let inverseEntity, let inverseSlot):
            guard let pairs = basis.pairs(entity, slot), let inverse = basis.pairs(inverseEntity, inverseSlot) else {
                return nil
            }
            return disagreement(pairs, inverse.reversed)
        case .unfit(let entity, let slot, let type): return unfit(basis.old.layouts[entity], slot, type)
        }
    }

    /// How many pairs are in one of two relationships only.
    private func disagreement(_ one: SQLPairs, _ other: SQLPairs) -> SQLSelect {
        func surplus(_ one: SQLPairs, over other: SQLPairs) -> SQLExpression {
            let (first, second) = (SQLAlias.stored(0), SQLAlias.stored(1))
            var match = SQLSelect(from: .table(other.table, second))
            match.columns = [.integer(1)]
            match.conditions = [
                .equal(.column(other.source.column, of: second), .column(one.source.column, of: first)),
                .equal(.column(other.target.column, of: second), .column(one.target.column, of: first)),
            ]
            var select = SQLSelect(from: .table(one.table, first))
            select.columns = [.aggregate(.count, nil, distinct: false)]
            select.conditions = [
                .isNotNull(.column(one.source.column, of: first)), .isNotNull(.column(one.target.column, of: first)),
                .not(.exists(match)),
            ]
            return .scalar(select)
        }
        var select = SQLSelect(from: .table(basis.singleRow, .only))
        select.columns = [.arithmetic(.add, surplus(one, over: other), surplus(other, over: one))]
        return select
    }

    /// The numbers of an attribute that another type can't hold.
    private func unfit(_ layout: EntityLayout, _ slot: Int, _ type: SlotKind) -> SQLSelect? {
        guard let number = existing(layout), let name = basis.old.column(of: layout, slot: slot)?.name else {
            return nil
        }
        let column = SQLExpression.own(name)
        let bounds = type.integers.map { range in
            SQLExpression.between(
                column, .constant(.int(range.lowerBound)), .constant(.int(range.upperBound)))
        }
        let isWhole = SQLExpression.equal(.cast(column, .integer), column)
        return count(
            basis.old.table(of: layout).name,
            [
                .equal(.own("Z_ENT"), .integer(Int(number))), .isNotNull(column),
                .isNotTrue(.all([bounds, isWhole].compactMap { $0 })),
            ])
    }

    /// The `Z_ENT` of an entity that the store has a table of.
    private func existing(_ layout: EntityLayout) -> Int64? {
        guard basis.old.contains(layout), basis.catalogue.columns[basis.old.table(of: layout).name] != nil else {
            return nil
        }
        return basis.old.number(of: layout)
    }

    private func leads(_ end: SQLPairs.End, to target: EntityLayout, _ number: Int64) -> SQLExpression {
        let number = SQLExpression.integer(Int(number))
        if let column = end.entityColumn { return .equal(.own(column), number) }
        var rows = SQLSelect(from: .table(basis.old.table(of: target).name, .only))
        rows.columns = [.own("Z_PK")]
        rows.conditions = [.equal(.own("Z_ENT"), number)]
        return .isFound(.own(end.column), in: rows)
    }

    /// The rows of the new tables that lack a value.
    func checksAfter() -> [SQLMigration.Step] {
        basis.mapping.obstacles.compactMap { obstacle in
            guard case .lacking(let entity, let slot)? = obstacle.rows else { return nil }
            let layout = basis.new.layouts[entity]
            guard basis.new.contains(layout), let number = basis.new.number(of: layout),
                let column = basis.new.column(of: layout, slot: slot)?.name
            else { return nil }
            let rows = count(
                basis.new.table(of: layout).name,
                [.equal(.own("Z_ENT"), .integer(Int(number))), .isNull(.own(column))])
            return .check(obstacle, rows)
        }
    }

    private func count(_ table: String, _ conditions: [SQLExpression]) -> SQLSelect {
        var select = SQLSelect(from: .table(table, .only))
        select.columns = [.aggregate(.count, nil, distinct: false)]
        select.conditions = conditions
        return select
    }

    // MARK: Files of external storage

    /// The values that name files which no row will name any more.
    func discards() -> [SQLMigration.Step] {
        basis.old.layouts.layouts.flatMap { layout -> [SQLMigration.Step] in
            guard !layout.isAbstract, let number = existing(layout) else { return [] }
            return leavingSlots(layout).compactMap { slot in
                guard let column = basis.old.column(of: layout, slot: slot.index)?.name else { return nil }
                var select = SQLSelect.namingFiles(column, in: basis.old.table(of: layout).name)
                select.conditions.insert(.equal(.own("Z_ENT"), .integer(Int(number))), at: 0)
                return .discard(select)
            }
        }
    }

    private func leavingSlots(_ layout: EntityLayout) -> [PropertySlot] {
        guard let pair = basis.mapping.entity(from: layout), basis.heir(of: layout) != nil else {
            return layout.slots.filter { $0.isExternal && $0.isStoredInRow }
        }
        let inlined = pair.properties.filter { !$0.destination.isExternal }.compactMap(\.source)
        return (pair.removedSlots + inlined).filter(\.isExternal)
    }

    // MARK: Entities

    func entityStatements() -> [SQLStatement] {
        SQLStoreTables.entityChange(
            basis.new.layouts.layouts.compactMap { layout in
                guard basis.new.contains(layout), let number = basis.new.number(of: layout) else { return nil }
                return SQLStoreTables.EntityRow(
                    number: number, name: layout.name,
                    parent: layout.parent.flatMap { basis.new.number(of: $0) } ?? 0, highestKey: highestKey(layout))
            }) + historyStatements()
    }

    /// The highest key that the rows of a tree have had; 0 for all but roots.
    private func highestKey(_ layout: EntityLayout) -> Int64 {
        guard layout.parent == nil, let move = basis.moves.first(where: { $0.new.root == layout.number }),
            let number = basis.old.number(of: basis.old.layouts[move.old.root])
        else { return 0 }
        return basis.catalogue.highestKeys[number] ?? 0
    }

    /// The persistent history that Apple's framework keeps in a store names entities by their numbers.
    private func historyStatements() -> [SQLStatement] {
        guard basis.catalogue.columns["ACHANGE"]?.contains(where: { $0.name == "ZENTITY" }) ?? false else { return [] }
        let numbers = basis.old.layouts.layouts.compactMap { layout -> (old: Int64, new: Int64?)? in
            guard basis.old.contains(layout), let number = basis.old.number(of: layout) else { return nil }
            return (number, basis.heir(of: layout).flatMap { basis.new.number(of: $0) })
        }
        let gone = numbers.filter { $0.new == nil }.map { SQLExpression.integer(Int($0.old)) }
        let changed = numbers.filter { $0.new != nil && $0.new != $0.old }.map {
            SQLBranch(
                condition: .equal(.own("ZENTITY"), .integer(Int($0.old))), result: .integer(Int($0.new ?? 0)))
        }
        let deletion = SQLStatement.delete(SQLDelete(table: "ACHANGE", conditions: [.isOne(.own("ZENTITY"), of: gone)]))
        let setting = SQLSetting(column: "ZENTITY", value: .choice(changed, otherwise: .own("ZENTITY")))
        let update = SQLStatement.update(SQLUpdate(table: "ACHANGE", settings: [setting], conditions: []))
        return (gone.isEmpty ? [] : [deletion]) + (changed.isEmpty ? [] : [update])
    }
}

extension SQLSelect {
    /// The values of a column that name files of external data: they begin with a 2.
    static func namingFiles(_ column: String, in table: String) -> SQLSelect {
        var select = SQLSelect(from: .table(table, .only))
        select.columns = [.own(column)]
        select.conditions = [
            .compare(.greaterOrEqual, .own(column), .constant(.blob(Data([2])))),
            .compare(.less, .own(column), .constant(.blob(Data([3])))),
        ]
        return select
    }
}
