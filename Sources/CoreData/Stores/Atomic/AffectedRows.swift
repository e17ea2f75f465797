/// The rows whose derived attributes a save may change: those that it writes, and those whose derivations lead to them.
///
/// It looks at keys alone. To compute an attribute costs much more than that.
struct AffectedRows {
    private let old: AtomicContent
    private let new: AtomicContent
    private let layouts: ModelLayout
    /// The keys of rows that the save writes or deletes, by the root of their tree.
    private let changed: [Int32: Set<Int64>]

    /// - Parameter changed: The objects that the save writes or deletes.
    init(_ changed: [ObjectReference], from old: AtomicContent, to new: AtomicContent, _ layouts: ModelLayout) {
        (self.old, self.new, self.layouts) = (old, new, layouts)
        self.changed = Dictionary(grouping: changed) { layouts.rootNumber(of: $0.entity) }.mapValues {
            Set($0.map(\.key))
        }
    }

    /// The keys of the rows of an entity whose attribute may change; nil: all.
    func keys(of layout: EntityLayout, _ source: SQLDerivation.Source) -> Set<Int64>? {
        let own = changed[layout.rootNumber] ?? []
        switch source {
        case .now: return own
        case .value(let path, let attribute, _):
            // What is derived from a derived attribute changes with it.
            return attribute.isDerived ? nil : own.union(leading(path, from: layout))
        case .members(let relationship, let summed):
            if summed?.isDerived ?? false { return nil }
            return own.union(owners(ToManyKey(relationship, in: layout), isSum: summed != nil))
        }
    }

    // MARK: Over to-ones

    /// The rows from which a path leads to a row that the save changes, or over one.
    private func leading(_ path: [PropertySlot], from layout: EntityLayout) -> Set<Int64> {
        var keys: Set<Int64> = []
        for (place, hop) in path.enumerated().reversed() {
            keys.formUnion(changed[layouts[hop.destination].rootNumber] ?? [])
            if keys.isEmpty { continue }
            let root = place == 0 ? layout.rootNumber : layouts[path[place - 1].destination].rootNumber
            keys = Set(
                (new.trees[root]?.rows ?? []).filter { target($0, hop).map(keys.contains) ?? false }.map(\.key))
        }
        return keys
    }

    /// The key that a to-one of a row has; nil where it is nil, or the row has no such relationship.
    private func target(_ row: RowSnapshot, _ slot: PropertySlot) -> Int64? {
        let layout = row.layout
        guard slot.index < layout.slots.count, layout.slots[slot.index] === slot, !row.isNull(slot.cell) else {
            return nil
        }
        return row.int(slot.cell)
    }

    // MARK: Over to-manys

    /// The rows that have other members than before, or members that the save changes.
    private func owners(_ relationship: ToManyKey, isSum: Bool) -> Set<Int64> {
        let members = changed[relationship.destinationRoot] ?? []
        guard let foreignKey = relationship.foreignKey else { return owners(relationship, members, isSum: isSum) }
        return Set(
            [old, new].flatMap { content in
                members.compactMap { key in
                    content[root: relationship.destinationRoot, key: key].flatMap { target($0, foreignKey) }
                }
            })
    }

    private func owners(_ relationship: ToManyKey, _ members: Set<Int64>, isSum: Bool) -> Set<Int64> {
        let (before, after) = (old.lists[relationship] ?? [:], new.lists[relationship] ?? [:])
        return Set(before.keys).union(after.keys).filter { owner in
            before[owner] != after[owner] || isSum && after[owner]?.contains { members.contains($0.key) } ?? false
        }
    }
}
