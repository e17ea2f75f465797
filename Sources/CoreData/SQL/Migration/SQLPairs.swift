/// The pairs of a relationship of the old model: which columns of which table have the two keys.
struct SQLPairs {
    /// One end of the pairs.
    struct End {
        let column: String
        /// The entity at this end that declares the relationship or is its destination.
        let entity: EntityLayout
        /// The entity of the new model that objects at this end must belong to.
        let heir: EntityLayout
        /// The column with the `Z_ENT` of the row at this end, if there is one.
        let entityColumn: String?
        /// The column with the place of this end among those that belong to the other.
        let orderColumn: String?

        /// Whether the pair stands in the row of this end.
        var isRow: Bool { column == "Z_PK" }
    }

    let table: String
    /// The end that has the new relationship.
    let source: End
    let target: End

    var reversed: SQLPairs { SQLPairs(table: table, source: target, target: source) }
}

extension SQLMigrationBasis {
    /// Where the pairs of a relationship of the new model come from: the former relationships, or those of its inverse.
    ///
    /// - Parameter layout: The entity that declares the relationship.
    func pairs(of slot: PropertySlot, in layout: EntityLayout) -> [SQLPairs] {
        let target = new.layouts[slot.destination]
        let own = formers(of: slot, below: layout).compactMap { pairs($0.slot, $0.owner, layout, target) }
        if !own.isEmpty || slot.inverse < 0 { return own.filter(hasMembers) }
        return formers(of: target.slots[slot.inverse], below: target)
            .compactMap { pairs($0.slot, $0.owner, target, layout)?.reversed }.filter(hasMembers)
    }

    /// Whether any rows fit at both ends: where an entity is gone with all of its objects there are no pairs.
    private func hasMembers(_ pairs: SQLPairs) -> Bool {
        [pairs.source, pairs.target].allSatisfy { end in
            end.entity.selfAndDescendants.contains { heir(of: $0)?.isKind(of: end.heir) ?? false }
        }
    }

    /// The relationships of the old model that a new one was, each where it was declared.
    private func formers(of slot: PropertySlot, below layout: EntityLayout) -> [(
        owner: EntityLayout, slot: PropertySlot
    )] {
        var found: [(owner: EntityLayout, slot: PropertySlot)] = []
        for heir in layout.selfAndDescendants {
            guard let pair = mapping.entity(to: heir), let source = pair.source, old.contains(source),
                let former = pair.property(to: heir.slots[slot.index])?.source
            else { continue }
            let owner = source.owner(of: former)
            if !found.contains(where: { $0.owner === owner && $0.slot.index == former.index }) {
                found.append((owner, owner.slots[former.index]))
            }
        }
        return found
    }

    /// The pairs of a relationship of the old model, by the numbers of entity and slot.
    func pairs(_ entity: Int32, _ slot: Int) -> SQLPairs? {
        let layout = old.layouts[entity]
        return pairs(layout.slots[slot], layout, layout, old.layouts[layout.slots[slot].destination])
    }

    /// Nil where an opened store has nothing that holds the relationship.
    private func pairs(
        _ slot: PropertySlot, _ owner: EntityLayout, _ heir: EntityLayout, _ targetHeir: EntityLayout
    ) -> SQLPairs? {
        let target = old.layouts[slot.destination]
        guard old.contains(owner), old.contains(target) else { return nil }
        func end(_ column: String, entity: String? = nil, order: String? = nil, isTarget: Bool) -> SQLPairs.End {
            SQLPairs.End(
                column: column, entity: isTarget ? target : owner, heir: isTarget ? targetHeir : heir,
                entityColumn: column == "Z_PK" ? "Z_ENT" : entity, orderColumn: order)
        }
        if slot.kind == .toOne {
            guard let column = old.column(of: owner, slot: slot.index) else { return nil }
            return SQLPairs(
                table: old.table(of: owner).name, source: end("Z_PK", order: column.orderColumn, isTarget: false),
                target: end(column.name, entity: column.entityColumn, isTarget: true))
        }
        switch old.link(of: owner, slot: slot.index) {
        case .foreignKey(let table, let column, let entityColumn, let order):
            return SQLPairs(
                table: table, source: end(column, entity: entityColumn, isTarget: false),
                target: end("Z_PK", order: order, isTarget: true))
        case .sourceColumnInDestination(let table, let column, let order):
            return SQLPairs(
                table: table, source: end(column, isTarget: false), target: end("Z_PK", order: order, isTarget: true))
        case .joinTable(let name, let source, let column, let order):
            let back = slot.inverse < 0 ? nil : old.link(of: target, slot: slot.inverse)?.orderColumn
            return SQLPairs(
                table: name, source: end(source, order: source == SQLNaming.reflexive ? nil : back, isTarget: false),
                target: end(column, order: order, isTarget: true))
        case nil: return nil
        }
    }

    // MARK: Ends that do not fit

    /// The `Z_ENT` of rows that can't be at an end of the new relationship: their entity is gone, or has another place
    /// among the entities.
    func misfits(_ end: SQLPairs.End) -> [SQLExpression] {
        end.entity.selfAndDescendants.filter { layout in
            !layout.isAbstract && !(heir(of: layout)?.isKind(of: end.heir) ?? false)
        }.compactMap { old.number(of: $0) }.map { .integer(Int($0)) }
    }

    /// That the row at an end fits; nil where all do.
    ///
    /// - Parameter alias: The table of the pairs.
    func fits(_ end: SQLPairs.End, in pairs: SQLPairs, _ alias: SQLAlias) -> SQLExpression? {
        let misfits = misfits(end)
        if misfits.isEmpty { return nil }
        func column(_ name: String) -> SQLExpression { .column(names.column(name, in: pairs.table), of: alias) }
        if let entityColumn = end.entityColumn {
            return .isNotTrue(.isOne(column(entityColumn), of: misfits))
        }
        let table = old.table(of: end.entity).name
        var select = SQLSelect(from: .table(names.table(table), .only))
        select.columns = [.own("Z_PK")]
        select.conditions = [.isOne(.own("Z_ENT"), of: misfits)]
        return .isNotTrue(.isFound(column(end.column), in: select))
    }

    /// The new `Z_ENT` of a row at an end.
    ///
    /// - Parameter column: What gives the old one.
    func newNumber(_ column: SQLExpression, _ end: SQLPairs.End) -> SQLExpression {
        let branches = end.entity.selfAndDescendants.compactMap { layout -> SQLBranch? in
            guard let number = old.number(of: layout), let heir = heir(of: layout), let other = new.number(of: heir),
                number != other
            else { return nil }
            return SQLBranch(condition: .equal(column, .integer(Int(number))), result: .integer(Int(other)))
        }
        return branches.isEmpty ? column : .choice(branches, otherwise: column)
    }
}
