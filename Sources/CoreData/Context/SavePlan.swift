import FoundationGaps

/// What a save asks of each store, by the store's number, and whose rows they are.
struct SavePlan {
    struct Part {
        var changes = StoreChanges()
        var inserted: [NSManagedObject] = []
        var updated: [NSManagedObject] = []
    }

    var parts: [Int32: Part] = [:]
}

extension NSManagedObjectContext {
    /// Sorts the changes of all objects by store and kind.
    ///
    /// - Throws: `NSManagedObjectExternalRelationshipError` (133010) for a relationship between two stores; a
    ///   transformable's value that gives no data.
    func plan(_ objects: [NSManagedObject]) throws -> SavePlan {
        var plan = SavePlan()
        for object in objects where object.hasChanges {
            try plan.parts[object.store, default: SavePlan.Part()].add(object)
        }
        return plan
    }
}

extension SavePlan.Part {
    fileprivate mutating func add(_ object: NSManagedObject) throws {
        if object.state.contains(.deleted) {
            if !object.state.contains(.inaccessible) { changes.deletes.append(try object.rowDeletion()) }
        } else if object.state.contains(.inserted) {
            changes.inserts.append(try object.rowChange())
            inserted.append(object)
        } else if object.hasPersistentChangedValues {
            changes.updates.append(try object.rowChange())
            updated.append(object)
        }
    }
}

extension NSManagedObject {
    fileprivate func rowDeletion() throws -> RowChange {
        if snapshot == nil { snapshot = contextStorage?.row(of: self) }
        return RowChange(reference: reference, layout: layout, snapshot: snapshot, values: [], members: [])
    }

    fileprivate func rowChange() throws -> RowChange {
        let isUpdate = !state.contains(.inserted)
        if isUpdate, snapshot == nil { snapshot = contextStorage?.row(of: self) }
        let record = mutableRecord
        let layout = layout
        var values = record.values
        if isUpdate || layout.hasTransientSlots || !layout.transformableSlots.isEmpty {
            for slot in layout.slots where !values[slot.index].isUnset && !slot.kind.isToMany {
                values[slot.index] = try storable(values[slot.index], slot, isUpdate: isUpdate)
            }
        } else {
            // A new object's plain values go out as they are; only what they point to has to be looked at.
            for slot in layout.toOneSlots {
                guard case .reference(let destination) = values[slot.index] else { continue }
                if destination.store != store {
                    values[slot.index] = try storable(values[slot.index], slot, isUpdate: false)
                }
            }
        }
        for slot in layout.derivedSlots { values[slot.index] = isUpdate ? .unset : .null }
        return RowChange(
            reference: reference, layout: layout, snapshot: isUpdate ? snapshot : nil, values: values,
            members: try layout.toManySlots.compactMap { try memberChange($0) })
    }

    /// A value as a store takes it; `.unset` for one that is not stored, or not changed.
    private func storable(_ value: Slot, _ slot: PropertySlot, isUpdate: Bool) throws -> Slot {
        if slot.isTransient || slot.cell < 0 || isUpdate && isUnchanged(slot, value) { return .unset }
        return try storable(value, slot)
    }

    private func storable(_ value: Slot, _ slot: PropertySlot) throws -> Slot {
        switch (value, slot.kind) {
        case (.object(let box as ValueBox), .transformable): return .data(try slot.data(from: box.value))
        case (.object(let box as ValueBox), .objectID):
            guard let id = box.value as? NSManagedObjectID else { return .null }
            return .data(Data(id.uriRepresentation().absoluteString.utf8))
        case (.reference(let destination), _):
            if destination.isTemporary { return .null }
            try checkStore(of: destination, slot)
            return value
        default: return value
        }
    }

    private func memberChange(_ slot: PropertySlot) throws -> MemberChange? {
        guard !slot.isTransient, let state = record?.cache(slot.index, as: ToManyState.self), state.isChanged else {
            return nil
        }
        try state.added.forEach { try checkStore(of: $0, slot) }
        let order = slot.kind == .orderedToMany ? members(slot) : nil
        // What was taken out and put back only changed its place.
        let moved = state.removed.intersection(state.added)
        return MemberChange(
            slot: slot, added: state.added.filter { !moved.contains($0) },
            removed: Array(state.removed.subtracting(moved)), order: order)
    }

    private func checkStore(of destination: ObjectReference, _ slot: PropertySlot) throws {
        guard destination.store != store else { return }
        throw NSError.cocoa(
            NSManagedObjectExternalRelationshipError,
            "\"\(slot.name)\" of \(layout.name) points to an object of another store; use a fetched property to reach across stores.",
            userInfo: [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: slot.name])
    }
}
