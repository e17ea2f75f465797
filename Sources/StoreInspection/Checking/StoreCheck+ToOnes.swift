import CoreData

/// To-one relationships, and with them the order of one-to-manys.
extension StoreCheck {
    func checkToOnes(of layout: EntityLayout) throws {
        guard let schema else { return }
        for slot in ownSlots(of: layout) where slot.kind == .toOne && !slot.isTransient && slot.destination > 0 {
            guard let column = schema.column(of: layout, slot: slot.index) else { continue }
            let destination = schema.layouts[slot.destination]
            guard schema.contains(destination), hasTable(destination) else { continue }
            try ToOneCheck(check: self, layout: layout, slot: slot, column: column, destination: destination).run()
        }
    }
}

/// One to-one relationship, in the rows of the entity that declares it and of all below.
private struct ToOneCheck {
    let check: StoreCheck
    let layout: EntityLayout
    let slot: PropertySlot
    let column: SQLColumn
    let destination: EntityLayout

    private var source: String { check.table(of: layout) }
    private var target: String { check.table(of: destination) }
    private var name: String { "s." + column.name.quotedForSQL }

    func run() throws {
        if !slot.isOptional { try checkRequired() }
        try checkDestinations()
        if let side = column.entityColumn { try checkEntityColumn("s." + side.quotedForSQL) }
        if let order = column.orderColumn { try checkOrder("s." + order.quotedForSQL) }
        try checkInverse()
    }

    private func report(_ kind: StoreFinding.Kind, _ row: SQLiteStatement, _ message: String) {
        check.report(
            kind, table: source, entity: check.name(ofEntity: row.int(1)), key: row.int(0), property: slot.name,
            message)
    }

    /// Visits rows of the relationship's sources: key, entity number, reference, then the columns asked for.
    private func forEachSource(
        _ columns: [String] = [], join: String = "", where condition: String, _ body: (SQLiteStatement) -> Void
    ) throws {
        let list = (["s.Z_PK", "s.Z_ENT", name] + columns).joined(separator: ", ")
        try check.forEachRow(
            "SELECT \(list) FROM \(source.quotedForSQL) s \(join) WHERE s.Z_ENT IN (\(check.numbers(of: layout))) "
                + "AND \(condition) ORDER BY s.Z_PK", body)
    }

    private var joinTarget: String { "LEFT JOIN \(target.quotedForSQL) t ON t.Z_PK = \(name)" }

    private func checkRequired() throws {
        try forEachSource(where: "\(name) IS NULL") { report(.requiredValue, $0, "is NULL, but required") }
    }

    private func checkDestinations() throws {
        try forEachSource(where: "\(name) IS NOT NULL AND typeof(\(name)) <> 'integer'") {
            report(.valueType, $0, "“\($0.text(2) ?? "")” is stored instead of a key")
        }
        try forEachSource(join: joinTarget, where: "typeof(\(name)) = 'integer' AND t.Z_PK IS NULL") {
            report(.danglingReference, $0, "the row \($0.int(2)) of \(target) is not there")
        }
        let valid = check.numbers(of: destination)
        try forEachSource(["t.Z_ENT"], join: joinTarget, where: "t.Z_PK IS NOT NULL AND t.Z_ENT NOT IN (\(valid))") {
            let entity = check.name(ofEntity: $0.int(3)) ?? "an unknown entity"
            report(.wrongDestination, $0, "the row \($0.int(2)) of \(target) is of \(entity), no \(destination.name)")
        }
    }

    private func checkEntityColumn(_ side: String) throws {
        try forEachSource([side, "t.Z_ENT"], join: joinTarget, where: "t.Z_PK IS NOT NULL AND \(side) IS NOT t.Z_ENT") {
            report(
                .destinationEntity, $0,
                "\(column.entityColumn ?? "") is \($0.text(3) ?? "NULL"), but the row \($0.int(2)) of \(target) has "
                    + "the entity \($0.text(4) ?? "NULL")")
        }
    }

    private func checkOrder(_ order: String) throws {
        let inverse = slot.relationship?.inverseRelationship?.name ?? ""
        try forEachSource([order], where: "\(name) IS NOT NULL AND typeof(\(order)) <> 'integer'") {
            report(
                .missingOrderKey, $0,
                "\(column.orderColumn ?? "") is \($0.text(3) ?? "NULL"), so it has no place in \(destination.name)/"
                    + "p\($0.int(2)).\(inverse)")
        }
        let (key, place) = (column.name.quotedForSQL, (column.orderColumn ?? "").quotedForSQL)
        // Grouped once: a look at the other members for each member would take the square of their number.
        let shared =
            "JOIN (SELECT \(key) AS k, \(place) AS p, min(Z_PK) AS first FROM \(source.quotedForSQL) "
            + "WHERE \(key) IS NOT NULL AND \(place) IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1) d "
            + "ON d.k = \(name) AND d.p = \(order)"
        try forEachSource([order], join: shared, where: "s.Z_PK > d.first") {
            report(
                .duplicateOrderKey, $0,
                "\(column.orderColumn ?? "") is \($0.int(3)), as of another member of \(destination.name)/"
                    + "p\($0.int(2)).\(inverse)")
        }
    }

    /// Both rows of a one-to-one name each other.
    private func checkInverse() throws {
        guard slot.inverse >= 0, destination.slots[slot.inverse].kind == .toOne,
            let back = check.schema?.column(of: destination, slot: slot.inverse)
        else { return }
        let other = "t." + back.name.quotedForSQL
        try forEachSource([other], join: joinTarget, where: "t.Z_PK IS NOT NULL AND \(other) IS NOT s.Z_PK") {
            report(
                .oneSided, $0,
                "leads to the row \($0.int(2)) of \(target), and that row's “\(destination.slots[slot.inverse].name)” "
                    + ($0.isNull(3) ? "is NULL" : "leads to the row \($0.int(3))"))
        }
    }
}
