/// What has to be done to a store so that it is one of another version of its model.
///
/// The steps run in one transaction, in their order. After them the store has the tables of a fresh one; then
/// ``SQLMigrationEnd`` makes what depends on the tables.
package struct SQLMigration {
    package var steps: [Step] = []
    /// The tables of the new schema in which no row and no column has changed.
    package var untouchedTables: Set<String> = []
    /// The old tables that become new ones of the same name: all rows stay, and so do the columns that are not dropped.
    package var steadyTables: Set<String> = []
    /// The old tables that go.
    package var droppedTables: Set<String> = []
    /// The moves of rows in tables that change and stay.
    package var continued: [SQLTableMove] = []
    /// The indexes, triggers and views that the app made by itself.
    var added = SQLAddedParts()

    package enum Step: Equatable {
        case run(SQLStatement)
        /// A count. More than 0 ends the migration.
        case check(InferenceObstacle, SQLSelect)
        /// The values of a column with external storage that go away: their files go with the commit.
        case discard(SQLSelect)
    }

    mutating func run(_ statement: SQLStatement) { steps.append(.run(statement)) }
    mutating func run(_ statements: [SQLStatement]) { steps += statements.map { .run($0) } }
}

/// The rows of one entity on their way to a new version of it.
struct SQLRowMove {
    let pair: InferredEntity
    let source: EntityLayout
    let destination: EntityLayout
    /// The rows' `Z_ENT`.
    let oldNumber: Int64
    let newNumber: Int64
}

/// The rows that go from the table of one entity tree to that of another.
package struct SQLTableMove {
    package let old: SQLTable
    package let new: SQLTable
    let rows: [SQLRowMove]
}

/// What a migration goes by: the two schemas and how they belong together.
package struct SQLMigrationBasis {
    let mapping: InferredMapping
    let old: SQLSchema
    let new: SQLSchema
    let catalogue: SQLStoreCatalogue
    let dialect: any SQLDialect
    /// The rows that stay, by the table that they come to.
    package let moves: [SQLTableMove]
    /// The name of a table that has one row.
    let singleRow: String
    /// What is called otherwise while the migration runs.
    package internal(set) var names = SQLTemporaryNames()

    package init(
        _ mapping: InferredMapping, from old: SQLSchema, to new: SQLSchema, _ catalogue: SQLStoreCatalogue,
        _ dialect: any SQLDialect, singleRow: String = "Z_METADATA"
    ) {
        (self.mapping, self.old, self.new, self.dialect) = (mapping, old, new, dialect)
        self.singleRow = singleRow
        let moves: [SQLTableMove] = new.tables.compactMap { table in
            let rows = new.layouts[table.root].selfAndDescendants.compactMap { layout -> SQLRowMove? in
                guard let pair = mapping.entity(to: layout), let source = pair.source, !source.isAbstract,
                    old.contains(source), let oldNumber = old.number(of: source),
                    let newNumber = new.number(of: layout), catalogue.columns[old.table(of: source).name] != nil
                else { return nil }
                return SQLRowMove(
                    pair: pair, source: source, destination: layout, oldNumber: oldNumber, newNumber: newNumber)
            }
            return rows.first.map { SQLTableMove(old: old.table(of: $0.source), new: table, rows: rows) }
        }
        self.moves = moves
        var noted = catalogue
        noted.noteForeignParts(
            knowing: Set((old.spatialParts() + new.spatialParts()).map(\.table.name)),
            staying: Set(moves.map(\.old.name)))
        self.catalogue = noted
    }

    /// The old tables that there are.
    var oldTables: [String] {
        (old.tables.map(\.name) + old.joinTables.map(\.name)).filter { catalogue.columns[$0] != nil }
    }

    /// Whether a move is the one, of those from a table, that the table can be changed for: that of the root's rows, or
    /// the first.
    func isMain(_ move: SQLTableMove) -> Bool {
        let all = moves.filter { $0.old === move.old }
        let main = all.first { $0.rows.contains { $0.source.number == move.old.root } } ?? all[0]
        return main.new === move.new
    }

    /// The entity of the new model that an entity of the old one has become, where the store holds it.
    func heir(of source: EntityLayout) -> EntityLayout? {
        mapping.entity(from: source)?.destination.flatMap { new.contains($0) ? $0 : nil }
    }
}

/// The names that tables and columns have while a migration runs, where new ones need theirs.
package struct SQLTemporaryNames {
    private var tables: [String: String] = [:]
    private var columns: [String: [String: String]] = [:]

    package func table(_ name: String) -> String { tables[name] ?? name }
    package func column(_ name: String, in table: String) -> String { columns[table]?[name] ?? name }

    mutating func rename(table: String) { tables[table] = "Z_OLD_\(table)" }
    mutating func rename(column: String, in table: String) { columns[table, default: [:]][column] = "Z_OLD_\(column)" }

    /// The statements that give the names.
    var statements: [SQLStatement] {
        let columns = columns.sorted { $0.key < $1.key }.flatMap { table, names in
            names.sorted { $0.key < $1.key }.map {
                SQLStatement.alterTable(table, .columnRenamed($0.key, to: $0.value))
            }
        }
        return columns + tables.sorted { $0.key < $1.key }.map { .alterTable($0.key, .renamed(to: $0.value)) }
    }
}
