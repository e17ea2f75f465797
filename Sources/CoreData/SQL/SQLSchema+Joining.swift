/// The tables of many-to-many relationships.
extension SQLSchemaBuilder {
    /// Gives each pair of to-manys its table, walking all entities by name, subentities with what they inherit.
    ///
    /// The side that is met first names the table. Where both ends lie in one entity, Apple's framework chooses in hash
    /// order, which differs between its releases; here it is the name that comes first.
    mutating func placeJoinTables() {
        var seen: Set<PropertyPlace> = []
        for layout in included.sorted(by: { $0.name.isOrderedByScalars($1.name) }) {
            let relationships = layout.slots.filter { isManyToMany($0) }
            for slot in relationships.sorted(by: { $0.name.isOrderedByScalars($1.name) }) {
                let pair = JoinPair(slot, in: layout, builder: self)
                guard !seen.contains(pair.place) else { continue }
                seen.formUnion([pair.place, pair.inversePlace])
                if real == nil { deriveJoin(pair) } else { fitJoin(pair) }
            }
        }
    }

    private func isManyToMany(_ slot: PropertySlot) -> Bool {
        guard slot.kind.isToMany, !slot.isTransient, slot.inverse >= 0 else { return false }
        let inverse = layouts[slot.destination].slots[slot.inverse]
        return inverse.kind.isToMany && !inverse.isTransient
    }

    private mutating func deriveJoin(_ pair: JoinPair) {
        let name = SQLNaming.unused(
            naming.joinTable(of: pair.slot.name, in: numbered(pair.owner)), in: joinTableNames)
        let target = naming.joinColumn(
            of: pair.slot.name, in: pair.owner.name, to: numbered(layouts[pair.slot.destination]))
        var source = SQLNaming.reflexive
        if !pair.isReflexive {
            let base = naming.joinColumn(
                of: pair.inverse.name, in: pair.inverseOwner.name, to: numbered(layouts[pair.inverse.destination]))
            source = SQLNaming.unused(base, in: [target])
        }
        place(pair, JoinColumns(table: name, source: source, target: target))
    }

    /// Finds the table by its name and those of its columns, in which entity numbers may be stale.
    private mutating func fitJoin(_ pair: JoinPair) {
        var found: JoinColumns?
        for (table, columns) in (real ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let candidate = rank(table, columns, for: pair), candidate.rank > found?.rank ?? 0 else { continue }
            found = candidate
        }
        guard let found else {
            oddities.append("\(pair.owner.name).\(pair.slot.name): no table or column holds this relationship")
            return
        }
        if found.isStale {
            oddities.append("\(pair.owner.name).\(pair.slot.name): the entity numbers in \(found.table) are stale")
        }
        place(pair, found)
    }

    private func rank(_ table: String, _ columns: [SQLTableColumn], for pair: JoinPair) -> JoinColumns? {
        let target = NumberedName(
            prefix: "Z_", number: number(layouts[pair.slot.destination]), name: pair.slot.name)
        let source = NumberedName(
            prefix: "Z_", number: number(layouts[pair.inverse.destination]), name: pair.inverse.name)
        let first = max(
            NumberedName(prefix: "Z_", number: number(pair.owner), name: pair.slot.name).rank(of: table),
            NumberedName(prefix: "Z_", number: number(pair.inverseOwner), name: pair.inverse.name).rank(of: table))
        guard first > 0, let second = target.best(of: columns) else { return nil }
        var third: (rank: Int, name: String)?
        if pair.isReflexive {
            third = columns.contains { $0.name == SQLNaming.reflexive } ? (4, SQLNaming.reflexive) : nil
        } else {
            third = source.best(of: columns.filter { $0.name != second.name })
        }
        guard let third else { return nil }
        return JoinColumns(
            table: table, source: third.name, target: second.name, rank: first + second.rank + third.rank,
            isStale: min(first, second.rank, third.rank) < 3)
    }

    private mutating func place(_ pair: JoinPair, _ join: JoinColumns) {
        let sourceOrder = pair.isReflexive ? nil : orderColumn(for: join.source, pair.inverse, pair.inverseOwner, join)
        let targetOrder = orderColumn(for: join.target, pair.slot, pair.owner, join)
        let keys = pair.isReflexive ? [join.target, join.source] : [join.source, join.target]
        place(SQLJoinTable(name: join.table, columns: keys + [sourceOrder, targetOrder].compactMap { $0 }))
        place(
            .joinTable(
                name: join.table, sourceColumn: join.source, targetColumn: join.target, orderColumn: targetOrder),
            for: pair.place)
        guard !pair.isReflexive else { return }
        place(
            .joinTable(
                name: join.table, sourceColumn: join.target, targetColumn: join.source, orderColumn: sourceOrder),
            for: pair.inversePlace)
    }

    private mutating func orderColumn(
        for column: String, _ slot: PropertySlot, _ owner: EntityLayout, _ join: JoinColumns
    ) -> String? {
        guard slot.kind == .orderedToMany else { return nil }
        let name = naming.orderColumn(for: column)
        if exists(name, in: join.table) { return name }
        oddities.append("\(owner.name).\(slot.name): ordered, but \(join.table) has no column \(name)")
        return nil
    }
}

/// A to-many and its inverse to-many, the one that names the table first.
private struct JoinPair {
    let slot: PropertySlot
    let owner: EntityLayout
    let inverse: PropertySlot
    let inverseOwner: EntityLayout

    init(_ slot: PropertySlot, in layout: EntityLayout, builder: SQLSchemaBuilder) {
        self.slot = slot
        owner = builder.owner(of: slot.index, in: layout)
        let destination = builder.layouts[slot.destination]
        inverse = destination.slots[slot.inverse]
        inverseOwner = builder.owner(of: slot.inverse, in: destination)
    }

    var place: PropertyPlace { PropertyPlace(entity: owner.number, slot: slot.index) }
    var inversePlace: PropertyPlace { PropertyPlace(entity: inverseOwner.number, slot: inverse.index) }
    /// Whether the relationship is its own inverse.
    var isReflexive: Bool { place == inversePlace }
}

/// A join table for a pair: the columns with the keys of the naming side's sources and of its targets.
private struct JoinColumns {
    let table: String
    let source: String
    let target: String
    /// How well the names fit.
    var rank = 0
    /// Whether a number in the names is not the one of the entity.
    var isStale = false
}

/// A name with an entity's number in it, as a join table or a column of one has.
struct NumberedName {
    let prefix: String
    let number: Int64
    let name: String

    /// How well a real name fits: 0 not at all, 4 exactly; less for a number that is stale or a digit at the end.
    func rank(of real: String) -> Int {
        guard real.hasPrefix(prefix) else { return 0 }
        let rest = real.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let upper = name.uppercased()
        guard !digits.isEmpty, rest.dropFirst(digits.count).hasPrefix(upper) else { return 0 }
        let end = rest.dropFirst(digits.count + upper.count)
        guard end.allSatisfy({ $0.isASCII && $0.isNumber }) else { return 0 }
        return 1 + (Int64(digits) == number ? 2 : 0) + (end.isEmpty ? 1 : 0)
    }

    /// The best-fitting column, the first of equals, or nil where none fits.
    func best(of columns: [SQLTableColumn]) -> (rank: Int, name: String)? {
        var found: (rank: Int, name: String)?
        for column in columns {
            let rank = rank(of: column.name)
            if rank > found?.rank ?? 0 { found = (rank, column.name) }
        }
        return found
    }
}
