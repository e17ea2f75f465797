import FoundationGaps

/// What one save asks of one store.
package struct StoreChanges {
    /// New rows; their references carry the permanent keys.
    package var inserts = RowChanges()
    package var updates = RowChanges()
    package var deletes = RowChanges()
    /// Rows that are not to be written, but have to have the version of their snapshot.
    package var checks = RowChanges()
    /// What persistent history is told beyond that; nil where the store does not track it.
    package var history: SaveHistory?

    package init() {}

    package var isEmpty: Bool { inserts.count + updates.count + deletes.count + checks.count == 0 }

    /// The rows that are to go.
    var deletedRows: [DeletedRow] {
        get throws {
            if deletes.count == 0 { return [] }
            return try (0..<deletes.count).map { try deletes.deletedRow($0) }
        }
    }
}

/// What one save asks of one of a coordinator's stores.
struct StorePart {
    /// The store's number.
    let store: Int32
    let changes: StoreChanges
}

/// A row that a save deletes.
struct DeletedRow {
    let key: Int64
    /// The number of the entity tree's root.
    let root: Int32
}

/// Changes of rows. Each is put together when the store comes to it, so that a great save goes through its objects once
/// and never holds all their rows.
package struct RowChanges {
    package let count: Int
    private let plainRow: ((Int) -> PlainRow?)?
    private let change: (Int) throws -> RowChange

    /// - Parameters:
    ///   - plainRow: Gives the change at an index where it is a plain one; `change` can give that, too.
    ///   - change: Makes the change at an index; it may be asked again for the same one.
    package init(
        count: Int, plainRow: ((Int) -> PlainRow?)? = nil, _ change: @escaping (Int) throws -> RowChange
    ) {
        self.count = count
        self.plainRow = plainRow
        self.change = change
    }

    package init(_ changes: [RowChange] = []) { self.init(count: changes.count) { changes[$0] } }

    package func callAsFunction(_ index: Int) throws -> RowChange { try change(index) }

    /// The change at an index if it is a plain one.
    package func plain(_ index: Int) -> PlainRow? { plainRow?(index) }

    /// The key and the entity of the row at an index.
    package func identity(_ index: Int) throws -> (key: Int64, layout: EntityLayout) {
        if let row = plain(index) { return (row.key, row.layout.takeUnretainedValue()) }
        let change = try change(index)
        return (change.reference.key, change.layout)
    }

    /// Which row goes with the deletion at an index.
    fileprivate func deletedRow(_ index: Int) throws -> DeletedRow {
        if let row = plain(index) {
            return DeletedRow(key: row.key, root: row.layout._withUnsafeGuaranteedRef { $0.rootNumber })
        }
        let change = try change(index)
        return DeletedRow(key: change.reference.key, root: change.layout.rootNumber)
    }
}

/// The change of a row that has its values written as they are. Where members changed, their own rows tell it.
package struct PlainRow {
    // No references are counted: the object keeps its row and its record, the save keeps the object, and the store's
    // model keeps the layout.

    package let key: Int64
    package let layout: Unmanaged<EntityLayout>
    /// The row as this context last saw it; nil for an insert.
    package let snapshot: Unmanaged<RowSnapshot>?
    /// The changed values, as ``RowChange/values``; nil for a deletion.
    package let values: Unmanaged<ChangeRecord>?
}

/// The change of one row.
package struct RowChange {
    package let reference: ObjectReference
    // Layouts outlive every save: the store holds its model.
    package unowned(unsafe) let layout: EntityLayout
    /// The row as this context last saw it; nil for an insert. Its version is what the lock checks.
    package let snapshot: RowSnapshot?
    /// The changed values by slot index, all references permanent; `.unset` where the old value stays.
    ///
    /// A transformable's value is already `.data`, and so is an external attribute's (without a leading byte).
    package let values: ChangeRecord
    /// To-many relationships of this object that changed.
    package let members: [MemberChange]

    package init(
        reference: ObjectReference, layout: EntityLayout, snapshot: RowSnapshot?, values: ChangeRecord,
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
/// Where the relationship has an inverse, the other side's change is in the same save: a to-one's row carries the key,
/// and members in no order are not told then; a many-to-many stands on both sides (the store writes the pair once, and
/// each ordered side's sort keys).
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

/// Thrown by a store that has other rows than the save expected.
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
