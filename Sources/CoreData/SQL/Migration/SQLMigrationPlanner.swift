/// Works out what has to be done to a store so that it is one of another version of its model.
///
/// What can be an ALTER TABLE is one. A table is copied only where several columns go, or where values come from other
/// tables. Rows keep their keys.
///
/// Copies are made first, while all old tables still are what they were. What is in the way of a new name gets another
/// one before that.
package struct SQLMigrationPlanner {
    package let basis: SQLMigrationBasis
    private let tables: [SQLTablePlan]
    private let joins: [SQLJoinPlan]

    /// - Parameter basis: Its names are those of the store.
    package init(_ basis: SQLMigrationBasis) {
        let first = basis.moves.map { SQLTablePlan($0, basis, mayContinue: basis.isMain($0)) }
        var named = basis
        named.names = Self.names(first, SQLJoinPlan.all(basis), basis)
        self.basis = named
        // The same plans, with the names that things have while the migration runs.
        tables = first.map { SQLTablePlan($0.move, named, mayContinue: $0.isContinued) }
        joins = SQLJoinPlan.all(named)
    }

    /// What is in the way of a new name.
    private static func names(
        _ tables: [SQLTablePlan], _ joins: [SQLJoinPlan], _ basis: SQLMigrationBasis
    ) -> SQLTemporaryNames {
        var names = SQLTemporaryNames()
        let staying =
            tables.filter { $0.isContinued && $0.move.old.name == $0.move.new.name }.map(\.move.new.name)
            + joins.filter { $0.continued == $0.name }.map(\.name)
        let taken = Set(basis.new.tables.map(\.name) + basis.new.joinTables.map(\.name)).subtracting(staying)
        for table in basis.oldTables where taken.contains(table) { names.rename(table: table) }
        for plan in tables where plan.isContinued {
            let new = Set(plan.move.new.columns.map(\.name))
            for column in plan.move.old.columns.map(\.name)
            where new.contains(column) && plan.kept[column] != column && !SQLTablePlan.fixed.contains(column) {
                names.rename(column: column, in: plan.move.old.name)
            }
        }
        return names
    }

    /// The migration of a store whose entities are in Apple's table of them.
    func migration() -> SQLMigration { migration(entities: entityStatements()) }

    /// - Parameter entities: What writes the new entities into the store.
    package func migration(entities: [SQLStatement]) -> SQLMigration {
        var migration = SQLMigration()
        migration.added = addedParts()
        migration.steps += checksBefore()
        migration.run(migration.added.removals + removals())
        migration.steps += discards()
        migration.run(basis.names.statements)
        migration.run(copies())
        for plan in tables where plan.isContinued { migration.run(changes(plan)) }
        migration.run(droppedTables.map { .drop(.table(basis.names.table($0))) })
        migration.run(finalTables())
        migration.run(tables.flatMap { $0.contents.numberings }.map { .number($0) })
        migration.run(entities)
        migration.steps += checksAfter()
        migration.untouchedTables = untouchedTables
        migration.steadyTables = Set(tables.filter(isSteady).map(\.move.new.name))
            .union(joins.filter(\.isUntouched).map(\.name))
        migration.droppedTables = Set(droppedTables)
        migration.continued = tables.filter(\.isContinued).map(\.move)
        return migration
    }

    private func current(_ column: String, _ move: SQLTableMove) -> String {
        basis.names.column(column, in: move.old.name)
    }

    // MARK: What depends on tables

    /// Triggers would run, and be in the way of changes. Those that the new model asks for are made again. Those that
    /// know only tables which stay as they are stay, too: of some, Apple's framework alone knows the functions.
    private func removals() -> [SQLStatement] {
        let changing = Set(basis.oldTables).subtracting(untouchedTables)
        let triggers = basis.catalogue.triggers.filter { !$0.isForeign }.filter { trigger in
            trigger.name.hasPrefix("Z_RT_")
                || trigger.name.hasPrefix("Z_") && changing.contains { trigger.text.hasWord($0) }
        }
        return triggers.map { .drop(.trigger($0.name, on: $0.table)) }
    }

    /// What the app made by itself over tables that change.
    private func addedParts() -> SQLAddedParts {
        let untouched = untouchedTables
        var changes: [String: SQLTableFate] = [:]
        for name in basis.oldTables where !untouched.contains(name) { changes[name] = SQLTableFate() }
        for plan in tables where !plan.isUntouched && basis.isMain(plan.move) {
            changes[plan.move.old.name] = SQLTableFate(plan, basis)
        }
        for plan in joins where !plan.isUntouched { plan.note(in: &changes) }
        return SQLAddedParts(basis.catalogue, changes)
    }

    private var untouchedTables: Set<String> {
        Set(tables.filter(\.isUntouched).map(\.move.new.name) + joins.filter(\.isUntouched).map(\.name))
    }

    // MARK: Fresh tables

    private func copies() -> [SQLStatement] {
        let continued = Set(tables.filter(\.isContinued).map(\.move.new.name))
        let fresh = basis.new.tables.filter { !continued.contains($0.name) }
        let pairs = joins.filter { $0.continued == nil }
        let copied = tables.filter { !$0.isContinued }
        return fresh.map { .createTable(SQLSchema.definition(of: $0, basis.dialect)) } + pairs.map(\.creation)
            + copied.flatMap(addedColumns) + copied.map(copy) + pairs.flatMap(\.copies)
    }

    /// The columns that the app made by itself, in a fresh table.
    private func addedColumns(_ plan: SQLTablePlan) -> [SQLStatement] {
        plan.addedColumns.map {
            .alterTable(plan.move.new.name, .columnAdded(.init(name: $0.name, type: basis.dialect.type(of: $0))))
        }
    }

    private func copy(_ plan: SQLTablePlan) -> SQLStatement {
        let move = plan.move
        let added = plan.addedColumns.map(\.name)
        var select = SQLSelect(from: .table(basis.names.table(move.old.name), .only))
        select.columns = move.new.columns.map { value($0.name, plan) } + added.map { .own($0) }
        if move.old.hasSubentities { select.conditions = [isOne(of: move.rows)] }
        return .insert(SQLInsert(table: move.new.name, columns: move.new.columns.map(\.name) + added, .rows(select)))
    }

    /// That a row is of one of some entities.
    private func isOne(of rows: [SQLRowMove]) -> SQLExpression {
        let numbers = rows.map { SQLExpression.integer(Int($0.oldNumber)) }
        return numbers.count == 1 ? .equal(.own("Z_ENT"), numbers[0]) : .isOne(.own("Z_ENT"), of: numbers)
    }

    /// What a column of the new table gets, in terms of the old row.
    private func value(_ column: String, _ plan: SQLTablePlan) -> SQLExpression {
        switch column {
        case "Z_PK", "Z_OPT": return .own(column)
        case "Z_ENT": return number(plan.move)
        default: break
        }
        let contents = plan.move.rows.indices.map { plan.contents.content(column, $0) }
        guard let first = contents.first(where: { $0 != .null }) else { return .null }
        let suitsAll = contents.enumerated().allSatisfy { place, content in
            // Rows of entities without the property have nothing in the column that others have it in.
            content == first || content == .null && first.isColumn(outside: plan.contents.oldColumns[place])
        }
        if suitsAll { return expression(first, plan.move) }
        return choice(Array(zip(plan.move.rows, contents)).filter { $1 != .null }, plan.move, otherwise: .null)
    }

    private func expression(_ content: SQLContent, _ move: SQLTableMove) -> SQLExpression {
        content.expression { current($0, move) }
    }

    /// A value by the entity of the row.
    private func choice(
        _ contents: [(row: SQLRowMove, content: SQLContent)], _ move: SQLTableMove, otherwise: SQLExpression
    ) -> SQLExpression {
        .choice(
            contents.map { row, content in
                SQLBranch(
                    condition: .equal(.own("Z_ENT"), .integer(Int(row.oldNumber))), result: expression(content, move))
            }, otherwise: otherwise)
    }

    /// The new `Z_ENT` of the rows.
    private func number(_ move: SQLTableMove) -> SQLExpression {
        if move.rows.count == 1 { return .integer(Int(move.rows[0].newNumber)) }
        let changed = move.rows.filter { $0.oldNumber != $0.newNumber }
        let branches = changed.map {
            SQLBranch(
                condition: .equal(.own("Z_ENT"), .integer(Int($0.oldNumber))), result: .integer(Int($0.newNumber)))
        }
        return branches.isEmpty ? .own("Z_ENT") : .choice(branches, otherwise: .own("Z_ENT"))
    }

    // MARK: Changed tables

    private func changes(_ plan: SQLTablePlan) -> [SQLStatement] {
        additions(plan) + [deletion(plan)].compactMap { $0 } + adjustments(plan) + [update(plan)].compactMap { $0 }
            + columnRemovals(plan) + finalColumns(plan)
    }

    private func table(_ plan: SQLTablePlan) -> String { basis.names.table(plan.move.old.name) }

    private func additions(_ plan: SQLTablePlan) -> [SQLStatement] {
        SQLSchema.definition(of: plan.move.new, basis.dialect).columns.filter { plan.kept[$0.name] == nil }
            .map { .alterTable(table(plan), .columnAdded($0)) }
    }

    /// The rows that are of no entity any longer, or have gone to another table.
    private func deletion(_ plan: SQLTablePlan) -> SQLStatement? {
        let staying = Set(plan.move.rows.map(\.oldNumber))
        let leaving = basis.old.layouts[plan.move.old.root].selfAndDescendants
            .filter { !$0.isAbstract && basis.old.contains($0) }
            .compactMap { basis.old.number(of: $0) }.filter { !staying.contains($0) }
        if leaving.isEmpty { return nil }
        let condition = SQLExpression.isOne(.own("Z_ENT"), of: leaving.map { .integer(Int($0)) })
        return .delete(SQLDelete(table: table(plan), conditions: [condition]))
    }

    /// Other values for some of those in columns that stay.
    private func adjustments(_ plan: SQLTablePlan) -> [SQLStatement] {
        plan.move.new.columns.flatMap { column in
            plan.move.rows.indices.compactMap { place -> SQLStatement? in
                guard let old = plan.kept[column.name], let adjustment = plan.adjustment(column.name, place) else {
                    return nil
                }
                let setting = SQLSetting(column: current(old, plan.move), value: adjustment.value)
                let entity = plan.move.old.hasSubentities ? [isOne(of: [plan.move.rows[place]])] : []
                return .update(
                    SQLUpdate(table: table(plan), settings: [setting], conditions: entity + [adjustment.condition]))
            }
        }
    }

    /// All other values in one statement, in which each column is read as it was before.
    private func update(_ plan: SQLTablePlan) -> SQLStatement? {
        let move = plan.move
        let changed = move.rows.indices.filter { place in
            move.rows[place].oldNumber != move.rows[place].newNumber
                || move.new.columns.contains { !plan.isKept($0.name, place) }
        }
        if changed.isEmpty { return nil }
        var settings = move.new.columns.compactMap { setting($0.name, plan) }
        if changed.contains(where: { move.rows[$0].oldNumber != move.rows[$0].newNumber }) {
            settings.append(SQLSetting(column: "Z_ENT", value: number(move)))
        }
        let conditions = changed.count == move.rows.count ? [] : [isOne(of: changed.map { move.rows[$0] })]
        return .update(SQLUpdate(table: table(plan), settings: settings, conditions: conditions))
    }

    private func setting(_ column: String, _ plan: SQLTablePlan) -> SQLSetting? {
        let places = plan.move.rows.indices.filter { !plan.isKept(column, $0) }
        guard let place = places.first else { return nil }
        let name = plan.kept[column].map { current($0, plan.move) } ?? column
        let contents = places.map { (row: plan.move.rows[$0], content: plan.contents.content(column, $0)) }
        let isOne = places.count == plan.move.rows.count && contents.allSatisfy { $0.content == contents[0].content }
        let value =
            isOne
            ? expression(plan.contents.content(column, place), plan.move)
            : choice(contents, plan.move, otherwise: .own(name))
        return SQLSetting(column: name, value: value)
    }

    /// A column can't go while an index is over it.
    private func columnRemovals(_ plan: SQLTablePlan) -> [SQLStatement] {
        let old = plan.move.old.name
        let indexes = basis.catalogue.indexes.filter { index in
            index.table == old && plan.dropped.contains { index.text.hasWord($0) }
        }
        return indexes.map { .drop(.index($0.name)) }
            + plan.dropped.map { .alterTable(table(plan), .columnDropped(current($0, plan.move))) }
    }

    private func finalColumns(_ plan: SQLTablePlan) -> [SQLStatement] {
        plan.move.new.columns.compactMap { column in
            guard let old = plan.kept[column.name] else { return nil }
            let name = current(old, plan.move)
            return name == column.name ? nil : .alterTable(table(plan), .columnRenamed(name, to: column.name))
        }
    }

    private func finalTables() -> [SQLStatement] {
        tables.filter(\.isContinued).compactMap { plan in
            table(plan) == plan.move.new.name ? nil : .alterTable(table(plan), .renamed(to: plan.move.new.name))
        } + joins.flatMap(\.renames)
    }

    /// The old tables that go, by their old names.
    private var droppedTables: [String] {
        let staying = Set(tables.filter(\.isContinued).map(\.move.old.name) + joins.compactMap(\.continued))
        return basis.oldTables.filter { !staying.contains($0) }
    }

    /// Whether a table keeps its name and all its rows, and columns that stay keep their names.
    private func isSteady(_ plan: SQLTablePlan) -> Bool {
        let old = Set(plan.move.old.columns.map(\.name))
        return plan.isContinued && plan.move.old.name == plan.move.new.name && plan.contents.numberings.isEmpty
            && deletion(plan) == nil
            && plan.move.new.columns.allSatisfy { plan.kept[$0.name] == (old.contains($0.name) ? $0.name : nil) }
    }
}

extension SQLContent {
    /// Whether it is what a column has that is not one of some others.
    fileprivate func isColumn(outside others: Set<String>) -> Bool {
        if case .column(let name) = self { !others.contains(name) } else { false }
    }
}

extension String {
    /// Whether a name stands in the text by itself. Databases do not tell small letters from capital ones.
    func hasWord(_ name: String) -> Bool { hasWord(among: [name.uppercased()]) }

    /// Whether one of some names, in capital letters, stands in the text by itself.
    func hasWord(among names: Set<String>) -> Bool {
        split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { names.contains($0.uppercased()) }
    }
}
