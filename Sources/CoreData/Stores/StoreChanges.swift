import FoundationGaps

/// What one save asks of one store.
package struct StoreChanges {
    /// New rows; their references carry the permanent keys.
    package var inserts: [RowChange] = []
    package var updates: [RowChange] = []
    package var deletes: [RowChange] = []

    package init() {}

    package var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty }
}

/// The change of one row.
package struct RowChange {
    package let reference: ObjectReference
    package let layout: EntityLayout
    /// The row as this context last saw it; nil for an insert. Its version is what the lock checks.
    package let snapshot: RowSnapshot?
    /// The changed values by slot index, all references permanent; `.unset` where the old value stays.
    ///
    /// A transformable's value is already `.data`, and so is an external attribute's (without a leading byte).
    package let values: [Slot]
    /// To-many relationships of this object that changed.
    package let members: [MemberChange]

    package init(
        reference: ObjectReference, layout: EntityLayout, snapshot: RowSnapshot?, values: [Slot],
        members: [MemberChange]
    ) {
        self.reference = reference
        self.layout = layout
        self.snapshot = snapshot
        self.values = values
        self.members = members
    }
}

/// How the members of one to-many relationship of one object changed.
///
/// Where the relationship has an inverse, the other side's change is in the same save: a to-one's row carries the key, a
/// many-to-many stands on both sides (the store writes the pair once, and each ordered side's sort keys).
package struct MemberChange {
    package let slot: PropertySlot
    package let added: [ObjectReference]
    package let removed: [ObjectReference]
    /// All members in their new order, for an ordered relationship.
    package let order: [ObjectReference]?

    package init(slot: PropertySlot, added: [ObjectReference], removed: [ObjectReference], order: [ObjectReference]?) {
        self.slot = slot
        self.added = added
        self.removed = removed
        self.order = order
    }
}

/// Thrown by a store whose rows are not as the save expected them.
package struct StoreConflicts: Error, @unchecked Sendable {
    // Unchecked: the snapshots in it are immutable.

    package enum Kind {
        /// The row has another version now; nil: it is gone.
        case row(current: RowSnapshot?)
        /// Another row has the same values in a uniqueness constraint.
        case constraint(properties: [String], other: ObjectReference?)
    }

    package let conflicts: [(reference: ObjectReference, kind: Kind)]

    package init(_ conflicts: [(reference: ObjectReference, kind: Kind)]) { self.conflicts = conflicts }
}
