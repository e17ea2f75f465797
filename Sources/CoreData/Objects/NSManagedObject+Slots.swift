import FoundationGaps

/// Reading and writing by slot: what every accessor and key-value coding come down to.
extension NSManagedObject {
    /// The value of an attribute or of a to-one relationship as it is now.
    ///
    /// - Precondition: The fault has fired, or is a partial one that has the value.
    func current(_ slot: PropertySlot) -> Slot {
        let changed = changedValue(slot.index)
        return changed.isUnset ? snapshotValue(slot) : changed
    }

    /// The value in the object's row; null where there is none. A transient attribute has its default, which no row
    /// holds.
    func snapshotValue(_ slot: PropertySlot) -> Slot {
        if slot.isTransient { return slot.transientDefault }
        guard let snapshot = rowAtHand else { return .null }
        if slot.isExternal, slot.cell >= 0, !snapshot.isNull(slot.cell) { return externalValue(slot, snapshot) }
        return snapshot.value(of: slot, store: store)
    }

    /// Sets an attribute or a to-one relationship's own side, and tells the context.
    ///
    /// - Parameter isTold: Whether the caller tells the observers.
    func write(_ slot: PropertySlot, _ value: Slot, isTold: Bool = false) {
        if isTold { writeUnobserved(slot.index, slot.kind, value) } else { write(slot.index, slot.kind, value) }
    }

    /// Sets the value of a slot, and tells the context.
    @inline(__always)
    func write(_ index: Int, _ kind: SlotKind, _ value: consuming Slot) {
        if isObserved { return writeObserved(index, kind, value) }
        writeUnobserved(index, kind, value)
    }

    @inline(never)
    private func writeObserved(_ index: Int, _ kind: SlotKind, _ value: Slot) {
        tellingObservers(of: layout.slots[index].name) { writeUnobserved(index, kind, value) }
    }

    @inline(__always)
    private func writeUnobserved(_ index: Int, _ kind: SlotKind, _ value: consuming Slot) {
        fireIfNeeded()
        noteChange(index)
        recordReference.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.address(of: index) }.pointee = value
        if kind == .transformable { mutableRecord.setCache(index, nil) }
    }

    /// The record of changes, made at the first.
    var mutableRecord: ChangeRecord {
        if recordReference == nil { makeRecord() }
        return recordReference.unsafelyUnwrapped.takeUnretainedValue()
    }

    /// Marks a property as changed, and the object with it; the object has a record then.
    @inline(__always)
    func noteChange(_ index: Int) {
        if recordReference == nil { makeRecord() }
        if state.contains(.awaking) { return }
        if !state.isSuperset(of: .fullyTracked) || state.isDisjoint(with: .changed) {
            contextReference?._withUnsafeGuaranteedRef { $0.noteChange(of: self, index) }
        }
        recordReference.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.noteChange(index) }
    }

    /// The slot of a key that the caller knows to exist; traps with the entity and the key otherwise.
    func declaredSlot(_ key: String) -> PropertySlot {
        guard let slot = layout.slot(named: key) else {
            programmerError(
                "The entity \(layout.name) has no property \"\(key)\"; it has \(propertyList). Correct the key.")
        }
        return slot
    }

    var propertyList: String { layout.slots.map(\.name).sorted().joined(separator: ", ") }

    /// Whether a changed value equals the row's: then there is nothing to write.
    func isUnchanged(_ slot: PropertySlot, _ value: Slot) -> Bool { isUnchanged(slot.index, value) }

    /// Whether the changed value of a slot equals the row's. The common kinds are compared where the row has them.
    func isUnchanged(_ index: Int, _ value: Slot) -> Bool {
        guard row != nil else { return false }
        let entry = table.pointee.entries[index]
        if entry.cell < 0 { return entry.slot._withUnsafeGuaranteedRef { value.isEqual(to: snapshotValue($0)) } }
        switch value {
        case .null: return storedWord(index) == nil
        case .int(let value): return storedWord(index) == UInt64(bitPattern: value)
        case .double(let value): return storedWord(index).map { Double(bitPattern: $0) == value } ?? false
        case .string(let value): return storedText(index)?.utf8.elementsEqual(value.utf8) ?? false
        case .unset, .data, .uuid, .reference, .object:
            return table.pointee.entries[index].slot._withUnsafeGuaranteedRef { isUnchanged($0, reading: value) }
        }
    }

    /// Large data stay in the database if their size alone shows that they are others.
    private func isUnchanged(_ slot: PropertySlot, reading value: Slot) -> Bool {
        if slot.isExternal, case .data(let data) = value, let row = rowAtHand, !row.isNull(slot.cell),
            let count = DistantData.count(in: row.data(slot.cell)), count != data.count
        {
            return false
        }
        return value.isEqual(to: snapshotValue(slot))
    }

    private func externalValue(_ slot: PropertySlot, _ snapshot: RowSnapshot) -> Slot {
        guard let context = contextStorage else { return .null }
        return context.externalData(snapshot.data(slot.cell), of: self, slot).map { .data($0) } ?? .null
    }
}
