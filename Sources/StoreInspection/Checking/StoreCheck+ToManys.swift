import CoreData

/// To-many relationships: pairs in tables of their own, keys in their destinations' tables, and how many members there
/// are.
extension StoreCheck {
    func checkToManys(of layout: EntityLayout) throws {
        guard let schema else { return }
        for slot in ownSlots(of: layout) where slot.kind.isToMany && !slot.isTransient && slot.destination > 0 {
            guard let link = schema.link(of: layout, slot: slot.index) else { continue }
            let destination = schema.layouts[slot.destination]
            guard schema.contains(destination), hasTable(destination) else { continue }
            let check = ToManyCheck(check: self, layout: layout, slot: slot, link: link, destination: destination)
            switch link {
            case .joinTable: try check.checkPairs()
            case .sourceColumnInDestination: try check.checkSources()
            case .foreignKey: break  // The other side, a to-one, tells all that can be wrong.
            }
            try check.checkCount()
        }
    }
}

/// One to-many relationship, in the rows of the entity that declares it and of all below.
private struct ToManyCheck {
    let check: StoreCheck
    let layout: EntityLayout
    let slot: PropertySlot
    let link: SQLLink
    let destination: EntityLayout

    private var table: String { link.table }
    private var source: String { "l." + link.sourceColumn.quotedForSQL }
    private var target: String { "l." + link.targetColumn.quotedForSQL }
    private var isReflexive: Bool {
        link.sourceColumn == SQLNaming.reflexive || link.targetColumn == SQLNaming.reflexive
    }

    private func report(_ kind: StoreFinding.Kind, key: Int64?, _ message: String) {
        check.report(kind, table: table, entity: layout.name, key: key, property: slot.name, message)
    }

    // MARK: Many-to-manys

    /// The rows of the table that pairs keys: each must pair two rows that are there. The other direction's check looks
    /// at the other column.
    func checkPairs() throws {
        try checkKeys(source, isKeyOf: layout)
        if isReflexive { try checkMirrors() }
        if slot.inverse < 0 || isReflexive || isFirst { try checkDuplicates() }
        try checkOrder()
    }

    /// Of the two directions the one that looks at what concerns whole pairs.
    private var isFirst: Bool {
        let inverse = destination.slots[slot.inverse].name
        return layout.name == destination.name
            ? slot.name.isOrderedByScalars(inverse) : layout.name.isOrderedByScalars(destination.name)
    }

    private func checkKeys(_ column: String, isKeyOf entity: EntityLayout) throws {
        let pairs =
            "SELECT \(source), \(target), e.Z_ENT FROM \(table.quotedForSQL) l "
            + "LEFT JOIN \(check.table(of: entity).quotedForSQL) e ON e.Z_PK = \(column) "
        try check.forEachRow(pairs + "WHERE e.Z_PK IS NULL") { row in
            let key = row.isNull(0) ? nil : row.int(0)
            let what = key.map { "the row \($0) of \(check.table(of: entity)), which is not there" } ?? "NULL"
            report(.danglingReference, key: key, "a pair has \(what), with the member \(row.text(1) ?? "NULL")")
        }
        try check.forEachRow(pairs + "WHERE e.Z_ENT NOT IN (\(check.numbers(of: entity)))") { row in
            let name = check.name(ofEntity: row.int(2)) ?? "an unknown entity"
            report(.wrongDestination, key: row.int(0), "a pair has a row of \(name), no \(entity.name)")
        }
    }

    private func checkMirrors() throws {
        try check.forEachRow(
            "SELECT \(source), \(target) FROM \(table.quotedForSQL) l WHERE NOT EXISTS (SELECT 1 FROM "
                + "\(table.quotedForSQL) m WHERE m.\(link.sourceColumn.quotedForSQL) = \(target) "
                + "AND m.\(link.targetColumn.quotedForSQL) = \(source)) AND \(source) IS NOT NULL AND \(target) IS NOT NULL"
        ) { row in
            report(.oneSided, key: row.int(0), "has the member \(row.int(1)), which does not have it in return")
        }
    }

    private func checkDuplicates() throws {
        try check.forEachRow(
            "SELECT \(source), \(target), count(*) FROM \(table.quotedForSQL) l WHERE \(source) IS NOT NULL "
                + "GROUP BY 1, 2 HAVING count(*) > 1"
        ) { row in
            report(.duplicatePair, key: row.int(0), "has the member \(row.int(1)) \(row.int(2)) times")
        }
    }

    // MARK: To-manys without inverse

    /// The column in the destination's rows with the key of their source.
    func checkSources() throws {
        let rows =
            "SELECT l.Z_PK, l.Z_ENT, \(source), e.Z_ENT FROM \(table.quotedForSQL) l "
            + "LEFT JOIN \(check.table(of: layout).quotedForSQL) e ON e.Z_PK = \(source) WHERE \(source) IS NOT NULL "
        func report(_ kind: StoreFinding.Kind, _ row: SQLiteStatement, _ message: String) {
            check.report(
                kind, table: table, entity: check.name(ofEntity: row.int(1)), key: row.int(0),
                property: link.sourceColumn, message)
        }
        try check.forEachRow(rows + "AND e.Z_PK IS NULL") { row in
            report(
                .danglingReference, row,
                "is a member of \(layout.name)/p\(row.int(2)).\(slot.name), but that row is not there")
        }
        try check.forEachRow(rows + "AND e.Z_ENT NOT IN (\(check.numbers(of: layout)))") { row in
            report(.wrongDestination, row, "is a member of the row \(row.int(2)), which is no \(layout.name)")
        }
        try check.forEachRow(rows + "AND l.Z_ENT NOT IN (\(check.numbers(of: destination)))") { row in
            report(.wrongDestination, row, "is a member of \(layout.name).\(slot.name), but no \(destination.name)")
        }
        try checkOrder()
    }

    // MARK: Order and number

    private func checkOrder() throws {
        guard let column = link.orderColumn else { return }
        let order = "l." + column.quotedForSQL
        try check.forEachRow(
            "SELECT \(source), \(target) FROM \(table.quotedForSQL) l WHERE \(source) IS NOT NULL "
                + "AND typeof(\(order)) <> 'integer'"
        ) { row in
            report(.missingOrderKey, key: row.int(0), "\(column) of the member \(row.int(1)) is no number")
        }
        try check.forEachRow(
            "SELECT \(source), \(order), count(*) FROM \(table.quotedForSQL) l WHERE \(source) IS NOT NULL "
                + "AND typeof(\(order)) = 'integer' GROUP BY 1, 2 HAVING count(*) > 1"
        ) { row in
            report(.duplicateOrderKey, key: row.int(0), "\(column) is \(row.int(1)) for \(row.int(2)) members")
        }
    }

    /// How many members each source has, where the model has a say in it.
    func checkCount() throws {
        guard let relationship = slot.relationship, slot.hasCountLimits else { return }
        let sources = check.table(of: layout)
        try check.forEachRow(
            "SELECT s.Z_PK, s.Z_ENT, count(\(target)) FROM \(sources.quotedForSQL) s LEFT JOIN \(table.quotedForSQL) l "
                + "ON \(source) = s.Z_PK WHERE s.Z_ENT IN (\(check.numbers(of: layout))) GROUP BY s.Z_PK"
        ) { row in
            let count = Int(row.int(2))
            guard let (kind, message) = problem(count, relationship) else { return }
            check.report(
                kind, table: sources, entity: check.name(ofEntity: row.int(1)), key: row.int(0), property: slot.name,
                message)
        }
    }

    private func problem(_ count: Int, _ relationship: NSRelationshipDescription) -> (StoreFinding.Kind, String)? {
        // Apple's framework saves a required to-many without members where the model sets no minimum.
        if count == 0 {
            guard !slot.isOptional, relationship.minCount > 0 else { return nil }
            return (.requiredValue, "has no members, but is required")
        }
        if count < relationship.minCount {
            return (.memberCount, "has \(count) members of at least \(relationship.minCount)")
        }
        if relationship.maxCount > 0, count > relationship.maxCount {
            return (.memberCount, "has \(count) members of at most \(relationship.maxCount)")
        }
        return nil
    }
}
