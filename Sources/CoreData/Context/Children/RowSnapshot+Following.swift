import FoundationGaps

// References of unsaved objects in rows that a context made for its children.

extension RowWriter {
    /// Writes a destination that may be of another store than the row, or of none yet.
    mutating func set(_ cell: Int, _ reference: ObjectReference) {
        set(cell, int: reference.key)
        set(cell + 1, int: Int64(reference.entity) | Int64(reference.store + 2) << 32)
    }
}

extension RowSnapshot {
    /// The row with promoted references in the place of those of unsaved objects, its own among them; nil where it has none.
    ///
    /// Grandchildren know the object by the key that its row has.
    ///
    /// - Parameter store: The store of the row's object.
    func following(_ promotion: KeyAssignment, store: Int32) -> RowSnapshot? {
        let destinations = layout.toOneSlots.filter { !$0.isTransient && !isNull($0.cell) && int($0.cell) < 0 }
        let own = ObjectReference(key: key, entity: layout.number, store: ObjectReference.unassignedStore)
        let newKey = promotion.replacement(of: own)?.key
        guard
            newKey != nil
                || destinations.contains(where: { promotion.replacement(of: reference($0.cell, store: store)) != nil })
        else { return nil }
        return .make(layout: layout, key: newKey ?? key, version: version, byteCount: header.byteCount) { writer in
            for slot in layout.slots where slot.isStoredInRow && !isNull(slot.cell) {
                if slot.kind == .toOne {
                    let old = reference(slot.cell, store: store)
                    writer.set(slot.cell, promotion.replacement(of: old) ?? old)
                } else if slot.kind.isVariable {
                    withBytes(slot.cell) { writer.set(slot.cell, bytes: $0) }
                } else {
                    writer.set(slot.cell, int: int(slot.cell))
                }
            }
        }
    }
}
