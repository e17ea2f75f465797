/// What a migrated store's tables still lack: indexes, derived values, triggers, the store's own tables.
///
/// What is there already, and as the new model asks for it, stays as it is.
package struct SQLMigrationEnd {
    let basis: SQLMigrationBasis
    /// What the database has once all rows are in their tables.
    let catalogue: SQLStoreCatalogue
    let untouchedTables: Set<String>
    /// Whether indexes that only make fetches faster are made later.
    var defersIndexes = false

    private var schema: SQLSchema { basis.new }

    package init(
        basis: SQLMigrationBasis, catalogue: SQLStoreCatalogue, untouchedTables: Set<String>,
        defersIndexes: Bool = false
    ) {
        (self.basis, self.catalogue, self.untouchedTables) = (basis, catalogue, untouchedTables)
        self.defersIndexes = defersIndexes
    }

    /// - Throws: 134020 for a derived attribute that no store can keep.
    func statements() throws -> [SQLStatement] {
        let parts = schema.spatialParts()
        let stored = parts.filter { !isKept($0) }
        let storeTables = SQLStoreTables.all.filter { catalogue.columns[$0.name] == nil }.map {
            SQLStatement.createTable($0)
        }
        return try storeTables + indexes() + fillings() + spatialRemovals(keeping: parts.filter(isKept))
            + stored.flatMap { [.createSpatialTable($0.table), $0.filling] }
            + (parts.flatMap { $0.triggers.map { .createTrigger($0) } } + schema.derivationTriggers()).filter(isMissing)
            + searchStatements()
    }

    /// What computes the derived attributes that are new, or that come from other values than before.
    package func fillings() throws -> [SQLStatement] {
        try schema.derivations().filter { !isKept($0) }.compactMap { $0.filling(in: schema) }
    }

    private func isMissing(_ statement: SQLStatement) -> Bool {
        guard case .createTrigger(let trigger) = statement else { return true }
        return !catalogue.triggers.contains { $0.name == trigger.name }
    }

    // MARK: Indexes

    private func indexes() -> [SQLStatement] {
        let wanted = schema.allIndexes(basis.dialect).map { (definition: $0, text: text(.createIndex($0))) }
        let tables = Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
        let ours = catalogue.indexes.filter { tables.contains($0.table) && !$0.isAdded }
        let kept = Set(wanted.map(\.text)).intersection(ours.map { plain($0.text) })
        return ours.filter { !kept.contains(plain($0.text)) }.map { .drop(.index($0.name)) }
            + wanted.filter { !kept.contains($0.text) && !isDeferred($0.definition) }.map {
                .createIndex($0.definition)
            }
    }

    /// Whether an index waits: one of a uniqueness constraint does not.
    private func isDeferred(_ index: SQLIndexDefinition) -> Bool { defersIndexes && !index.isUnique }

    private func text(_ statement: SQLStatement) -> String { plain(basis.dialect.text(of: statement)) }

    /// Names that were changed are quoted in the file.
    private func plain(_ text: String) -> String { text.replacing("\"", with: "") }

    // MARK: Spatial indexes

    private func isKept(_ parts: SQLSchema.SpatialParts) -> Bool {
        untouchedTables.contains(parts.entityTable)
            && catalogue.tableTexts[parts.table.name].map(plain) == text(.createSpatialTable(parts.table))
    }

    private func spatialRemovals(keeping kept: [SQLSchema.SpatialParts]) -> [SQLStatement] {
        let names = Set(kept.map(\.table.name)).union(basis.catalogue.foreignSpatialTables)
        return catalogue.spatialTables.filter { !names.contains($0) }.map { .drop(.table($0)) }
    }

    // MARK: Full-text search

    /// A store that has indexes for full-text search has those of the new model.
    private func searchStatements() throws -> [SQLStatement] {
        let tables = catalogue.searchTables
        if tables.isEmpty { return [] }
        let parts = try schema.searchParts()
        let kept = Set(parts.filter(isKept).flatMap(\.names))
        let triggers = catalogue.triggers.filter {
            $0.name.hasPrefix(SQLSearchTable.prefix) && !kept.contains($0.name)
        }
        return triggers.map { .drop(.trigger($0.name, on: $0.table)) }
            + tables.filter { !kept.contains($0) }.map { .drop(.table($0)) }
            + parts.filter { !kept.contains($0.table.name) }.flatMap(\.statements)
    }

    private func isKept(_ parts: SQLSchema.SearchParts) -> Bool {
        let triggers = Dictionary(
            catalogue.triggers.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
        return untouchedTables.contains(parts.table.source)
            && parts.matches(catalogue.virtualTableTexts.merging(triggers) { first, _ in first }, basis.dialect)
    }

    // MARK: Derived attributes

    /// Whether the rows have the attribute's values, and what they come from has not changed.
    private func isKept(_ derivation: SQLDerivation) -> Bool {
        guard isCopied(derivation.slot, below: derivation.layout) else { return false }
        switch derivation.source {
        case .now: return true
        case .value(let path, let attribute, _):
            var here = derivation.layout
            for hop in path {
                guard isKept(hop, below: here) else { return false }
                here = schema.layouts[hop.destination]
            }
            return isCopied(attribute, below: here)
        case .members(let relationship, let summed):
            let members = schema.layouts[relationship.destination]
            return isKept(relationship, below: derivation.layout)
                && (summed.map { isCopied($0, below: members) } ?? true)
        }
    }

    /// Whether all objects have the values of a property that they had.
    private func isCopied(_ slot: PropertySlot, below layout: EntityLayout) -> Bool {
        moves(below: layout).allSatisfy { row in
            guard let property = row.pair.property(to: row.destination.slots[slot.index]) else { return false }
            return property.source != nil && property.value == .copied
        }
    }

    /// Whether all objects are related as they were.
    private func isKept(_ slot: PropertySlot, below layout: EntityLayout) -> Bool {
        isCopied(slot, below: layout)
            && basis.pairs(of: slot, in: layout.owner(of: slot)).allSatisfy {
                basis.misfits($0.source).isEmpty && basis.misfits($0.target).isEmpty
            }
    }

    private func moves(below layout: EntityLayout) -> [SQLRowMove] {
        basis.moves.flatMap(\.rows).filter { $0.destination.isKind(of: layout) }
    }
}
