/// The statements that make a fresh store's tables, indexes and triggers, in Apple's order.
extension SQLSchema {
    /// - Precondition: The schema is derived.
    /// - Throws: 134020 for a derived attribute that no store can keep.
    func creation(for dialect: any SQLDialect) throws -> [SQLStatement] {
        try tableCreation(for: dialect) + derivationTriggers()
    }

    /// The triggers that keep derived attributes and need no function of ours.
    func derivationTriggers() throws -> [SQLStatement] {
        try derivations().filter { $0.transform == nil }.flatMap { $0.triggers(in: self) }
            .distinctlyNamed.map { .createTrigger($0) }
    }

    /// The derived attributes of the store's entities, each where it is declared.
    ///
    /// - Parameter isWanted: Which of them.
    /// - Throws: 134020 for one that no store can keep.
    package func derivations(where isWanted: (EntityLayout, PropertySlot) -> Bool = { _, _ in true }) throws
        -> [SQLDerivation]
    {
        try layouts.layouts.filter { contains($0) }.flatMap { layout in
            try layout.slots[(layout.parent?.slots.count ?? 0)...].compactMap { slot in
                guard slot.isStoredInRow, let description = slot.property as? NSDerivedAttributeDescription,
                    isWanted(layout, slot)
                else { return nil }
                return try SQLDerivation(slot, description, of: layout)
            }
        }
    }

    /// The indexes of all tables.
    package func allIndexes(_ dialect: any SQLDialect) -> [SQLIndexDefinition] {
        tables.flatMap { indexes(on: $0, dialect) } + joinTables.map { Self.index(on: $0) } + uniquenessIndexes()
    }

    /// The statements without the triggers of derived attributes.
    func tableCreation(for dialect: any SQLDialect) -> [SQLStatement] {
        let indexes = allIndexes(dialect)
        return tables.map { .createTable(Self.definition(of: $0, dialect)) }
            + joinTables.map { .createTable(Self.definition(of: $0)) }
            + indexes.map { .createIndex($0) } + spatialIndexes() + SQLStoreTables.all.map { .createTable($0) }
    }

    package static func definition(of table: SQLTable, _ dialect: any SQLDialect) -> SQLTableDefinition {
        SQLTableDefinition(
            name: table.name, columns: table.columns.map { .init(name: $0.name, type: dialect.type(of: $0)) })
    }

    package static func definition(of table: SQLJoinTable) -> SQLTableDefinition {
        SQLTableDefinition(
            name: table.name, columns: table.columns.map { .init(name: $0, type: .integer) },
            primaryKey: Array(table.columns.prefix(2)))
    }

    /// The way back: pairs by the second column.
    private static func index(on table: SQLJoinTable) -> SQLIndexDefinition {
        let (first, second) = (table.columns[0], table.columns[1])
        return SQLIndexDefinition(
            name: "\(table.name)_\(second)_INDEX", table: table.name, columns: [.plain(second), .plain(first)])
    }

    private func indexes(on table: SQLTable, _ dialect: any SQLDialect) -> [SQLIndexDefinition] {
        let entities = layouts[table.root].selfAndDescendants.filter { contains($0) }
        let keys = table.columns.map(\.name).filter { keyColumns(of: table, entities).contains($0) }
        let columns = keys + (table.hasSubentities ? ["Z_ENT"] : [])
        return columns.map { column in
            SQLIndexDefinition(name: "\(table.name)_\(column)_INDEX", table: table.name, columns: [.plain(column)])
        } + entities.flatMap { fetchIndexes(of: $0, dialect) }
    }

    /// The columns of to-ones, and of to-manys without inverse that end in this table.
    private func keyColumns(of table: SQLTable, _ entities: [EntityLayout]) -> Set<String> {
        var names: Set<String> = []
        for layout in entities {
            for slot in layout.slots where slot.kind == .toOne {
                if let column = column(of: layout, slot: slot.index) { names.insert(column.name) }
            }
        }
        for layout in layouts.layouts where contains(layout) {
            for slot in layout.slots.indices {
                guard case .sourceColumnInDestination(table.name, let column, _)? = link(of: layout, slot: slot) else {
                    continue
                }
                names.insert(column)
            }
        }
        return names
    }

    func columnName(_ property: String, of layout: EntityLayout) -> String? {
        layout.slot(named: property).flatMap { column(of: layout, slot: $0.index)?.name }
    }
}
