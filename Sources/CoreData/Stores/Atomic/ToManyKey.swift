/// A to-many relationship, by the entity that declares it.
struct ToManyKey: Hashable {
    let declaring: Int32
    let slot: PropertySlot
    let layout: EntityLayout

    /// - Parameter layout: The entity of an object that has the relationship, which may inherit it.
    init(_ slot: PropertySlot, in layout: EntityLayout) {
        var owner = layout
        while let parent = owner.parent, slot.index < parent.slots.count { owner = parent }
        (self.slot, self.layout, declaring) = (slot, owner, owner.number)
    }

    /// The to-one at the other end, whose rows say which objects are members.
    var foreignKey: PropertySlot? {
        guard slot.inverse >= 0 else { return nil }
        let inverse = layout.model[slot.destination].slots[slot.inverse]
        return inverse.kind == .toOne && inverse.isStoredInRow ? inverse : nil
    }

    /// Whether the rows of members do not say all.
    var needsList: Bool { slot.kind == .orderedToMany || foreignKey == nil }

    var destinationRoot: Int32 { layout.model[slot.destination].rootNumber }

    static func == (a: Self, b: Self) -> Bool { a.declaring == b.declaring && a.slot.index == b.slot.index }

    func hash(into hasher: inout Hasher) {
        hasher.combine(declaring)
        hasher.combine(slot.index)
    }
}
