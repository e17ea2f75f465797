import CoreData
import PostgreSQLClient

/// The statements that migrate a store.
struct PostgreSQLMigrationPlan {
    let old: SQLSchema
    let new: SQLSchema
    private let basis: SQLMigrationBasis
    private let names: SQLTemporaryNames
    private let migration: SQLMigration
    private let isDeferred: Bool
    private let dialect = PostgreSQLDialect()

    /// A statement. Where it counts what stands against the migration, the migration ends at more than 0.
    struct Step {
        let query: PostgreSQLQuery
        var obstacle: InferenceObstacle?
    }

    init(_ mapping: InferredMapping, from old: SQLSchema, to new: SQLSchema, isDeferred: Bool) {
        (self.old, self.new, self.isDeferred) = (old, new, isDeferred)
        basis = SQLMigrationBasis(
            mapping, from: old, to: new, SQLStoreCatalogue(of: old), PostgreSQLDialect(), singleRow: "_coredata")
        let planner = SQLMigrationPlanner(basis)
        names = planner.basis.names
        migration = planner.migration(entities: [])
    }

    /// Which tables take over the rows of which.
    var moves: [SQLTableMove] { basis.moves }

    // MARK: What the app made by itself

    /// Refuses to drop a table with columns that the app has added: their values would be lost.
    func check(_ connection: PostgreSQLConnection) throws {
        for table in old.tables where migration.droppedTables.contains(table.name) {
            var parameters = PostgreSQLParameters()
            try parameters.append(text: dialect.identifier(table.name))
            try parameters.append(
                texts: table.columns.map {
                    PostgreSQLDialect.shortened(PostgreSQLNaming.systemColumns[$0.name] ?? $0.name)
                })
            let added = try connection.execute(
                """
                SELECT attname::text FROM pg_attribute \
                WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($2::text[])
                """, parameters)
            guard added.rowCount > 0 else { continue }
            throw InferenceObstacle.error([
                InferenceObstacle(
                    old.layouts[table.root].name, nil,
                    "its table is made anew, and would lose the column \(try added.text(0, 0)), which the model does not know",
                    rows: nil)
            ])
        }
    }

    // MARK: Looking ahead

    /// The statements, and what stands against them in the store as it is.
    ///
    /// - Parameters:
    ///   - first: What runs before the plan's own statements.
    ///   - last: What runs after them.
    func forecast(
        _ connection: PostgreSQLConnection, after first: [String], before last: [String]
    ) throws -> SQLMigrationForecast {
        let statements = try steps().filter { $0.obstacle == nil }.map(\.query.wholeText)
        var forecast = SQLMigrationForecast(statements: first + statements + last)
        let typing = PostgreSQLTyping(old)
        try forecast.look(SQLMigrationPreview(basis: basis)) { count in
            let query = PostgreSQLQuery(.select(try typing.typed(count)))
            return try connection.execute(query.text, query.values).int(0, 0)
        }
        return forecast
    }

    // MARK: Steps

    /// All steps but those about the store's own tables, in their order.
    ///
    /// - Throws: 134020 for a derived attribute that no store can keep; 134091 for what PostgreSQL can't express.
    func steps() throws -> [Step] {
        let before = try PostgreSQLParts(old, canFail: true)
        let after = try PostgreSQLParts(new)
        let kept = before.kept(in: after) { migration.steadyTables.contains($0) }
        let removals = before.all.filter { !kept.contains($0) }.map(\.removal)
        let additions = after.all.filter { !kept.contains($0) && !(isDeferred && $0.kind == .index) }.map(\.text)
        // Before anything runs, a column has the old type, be it called as one with another type.
        let first = migration.steps.prefix(while: \.isCheck)
        let (oldTyping, typing) = (PostgreSQLTyping(old), typing)
        let checks = try first.compactMap { try step($0, oldTyping) }
        let changes = try migration.steps.dropFirst(first.count).compactMap { try step($0, typing) }
        let plain = { (texts: [String]) in texts.map { Step(query: PostgreSQLQuery(text: $0)) } }
        return checks + plain(sequencesBefore + removals) + changes + (try fillings())
            + plain(sequencesAfter + additions)
    }

    /// Nil for what there is nothing to do for.
    private func step(_ step: SQLMigration.Step, _ typing: PostgreSQLTyping) throws -> Step? {
        switch step {
        case .run(let statement): Step(query: PostgreSQLQuery(try typing.typed(statement)))
        case .check(let obstacle, let count):
            Step(query: PostgreSQLQuery(.select(try typing.typed(count))), obstacle: obstacle)
        // Values are in their rows.
        case .discard: nil
        }
    }

    /// What computes the derived attributes that are new, or that come from changed values.
    private func fillings() throws -> [Step] {
        let typing = PostgreSQLTyping(new)
        let end = SQLMigrationEnd(
            basis: basis, catalogue: SQLStoreCatalogue(of: new), untouchedTables: migration.untouchedTables)
        return try end.fillings().map { Step(query: PostgreSQLQuery(try typing.typed($0))) }
    }

    /// The types of all columns that there are while tables change.
    private var typing: PostgreSQLTyping {
        var columns = PostgreSQLColumns(new)
        for table in old.tables {
            columns.add(table.columns, of: names.table(table.name)) { names.column($0, in: table.name) }
        }
        for move in migration.continued {
            columns.add(move.new.columns, of: names.table(move.old.name)) { $0 }
        }
        for table in old.joinTables { columns.add(table, as: names.table(table.name)) }
        return PostgreSQLTyping(columns)
    }

    // MARK: Keys

    /// Tables that change give up their sequences, which may be in the way of new ones. Their last keys are kept for
    /// the time of the transaction.
    private var sequencesBefore: [String] {
        let changing = old.tables.filter { !migration.steadyTables.contains($0.name) }
        return changing.flatMap { table in
            let sequence = dialect.identifier(PostgreSQLCreation.sequence(of: table))
            return [
                """
                SELECT set_config(\(setting(table.name)), last_value::text, true) FROM \(sequence)
                """,
                "DROP SEQUENCE \(sequence)",
            ]
        }
    }

    /// The new sequences give no key that a row has, or has had.
    private var sequencesAfter: [String] {
        new.tables.filter { !migration.steadyTables.contains($0.name) }.flatMap { table -> [String] in
            let creation = PostgreSQLCreation.creationOfSequence(of: table)
            let sequence = PostgreSQLCreation.sequence(of: table)
            let former = Set(basis.moves.filter { $0.new === table }.map(\.old.name)).sorted()
            guard !former.isEmpty else { return [creation] }
            let last = former.map { "current_setting(\(setting($0)))::bigint" }
            let rows = dialect.identifier(table.name)
            return [
                creation,
                """
                SELECT setval(\(dialect.literal(.text(dialect.identifier(sequence)))), \
                greatest(\(last.joined(separator: ", ")), (SELECT max(\(dialect.identifier("Z_PK"))) FROM \(rows))))
                """,
            ]
        }
    }

    /// Where the last key of a table is kept.
    private func setting(_ table: String) -> String {
        let place = old.tables.firstIndex { $0.name == table } ?? 0
        return "'coredata.last_key_\(place)'"
    }
}

extension SQLMigration.Step {
    fileprivate var isCheck: Bool {
        if case .check = self { true } else { false }
    }
}

extension SQLStoreCatalogue {
    /// What a database has that has the tables of a schema.
    fileprivate init(of schema: SQLSchema) {
        var columns = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, $0.columns) })
        for table in schema.joinTables {
            columns[table.name] = table.columns.map { SQLTableColumn(name: $0, type: PostgreSQLType.bigint.rawValue) }
        }
        self.init(columns: columns)
    }
}
