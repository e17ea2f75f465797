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
    /// The row with promoted references in the place of those of unsaved objects, its own among them; nil where it has
    /// none.
    ///
    /// - Parameter store: The store of the row's object.
    func following(_ promotion: KeyAssignment, store: Int32) -> RowSnapshot? {
        following(store: store) { promotion.replacement(of: $0) }
    }

    /// The row with other references in the place of those of unsaved objects, its own among them; nil where all stay.
    ///
    /// Grandchildren know the object by the key that its row has.
    ///
    /// - Parameters:
    ///   - store: The store of the row's object.
    ///   - replacement: What stands for an unsaved object's reference now; nil: itself.
    func following(store: Int32, _ replacement: (ObjectReference) -> ObjectReference?) -> RowSnapshot? {
        guard namesUnsaved else { return nil }
        let own = ObjectReference(key: key, entity: layout.number, store: ObjectReference.unassignedStore)
        let newKey = key < 0 ? replacement(own)?.key : nil
        var new: [Int: ObjectReference] = [:]
        for slot in layout.toOneSlots where isUnsaved(slot) {
            new[slot.cell] = replacement(reference(slot.cell, store: store))
        }
        if newKey == nil, new.isEmpty { return nil }
        return .make(layout: layout, key: newKey ?? key, version: version, byteCount: header.byteCount) { writer in
            for slot in layout.slots where slot.isStoredInRow && !isNull(slot.cell) {
                if slot.kind == .toOne {
                    writer.set(slot.cell, new[slot.cell] ?? reference(slot.cell, store: store))
                } else if slot.kind.isVariable {
                    withBytes(slot.cell) { writer.set(slot.cell, bytes: $0) }
                } else {
                    writer.set(slot.cell, int: int(slot.cell))
                }
            }
        }
    }

    /// Whether the row is an unsaved object's, or points to one.
    private var namesUnsaved: Bool { key < 0 || layout.toOneSlots.contains(where: isUnsaved) }

    private func isUnsaved(_ slot: PropertySlot) -> Bool {
        !slot.isTransient && !isNull(slot.cell) && int(slot.cell) < 0
    }
}
