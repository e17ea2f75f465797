import FoundationGaps

/// What a standard merge policy does with an object whose row changed.
extension NSManagedObject {
    /// Settles a conflict with the object's row.
    ///
    /// - Throws: What reading the row ran into.
    func settle(_ conflict: NSMergeConflict, by type: NSMergePolicyType) throws {
        guard let context = contextStorage else { return }
        let current = try conflict.foundRow ?? context.requiredCoordinator.freshRow(for: reference)
        if !hasChanges {
            settleUntouched(current, in: context)
        } else if state.contains(.deleted) {
            settleDeletion(current, by: type, in: context)
        } else if let current {
            settleChanges(current, by: type)
        } else {
            settleLoss(by: type, in: context)
        }
        if contextStorage != nil { awake(fromSnapshotEvents: .mergePolicy) }
    }

    /// After a policy has settled a conflict: what is still changed is changed against the row as it is now.
    func rebase(_ conflict: NSMergeConflict) throws {
        guard let context = contextStorage, !state.contains(.inserted), let current = conflict.foundRow,
            current?.version != snapshot?.version
        else { return }
        guard hasChanges else { return settleUntouched(current, in: context) }
        if let current { return take(current) }
        if !state.contains(.inaccessible) {
            try settle(conflict, by: .mergeByPropertyObjectTrumpMergePolicyType)
        }
        context.forgetUnchanged()
    }

    /// The context only relied on the object.
    private func settleUntouched(_ current: RowSnapshot?, in context: NSManagedObjectContext) {
        if let current { take(current) } else { context.dismiss([self]) }
    }

    private func settleChanges(_ current: RowSnapshot, by type: NSMergePolicyType) {
        if type != .overwriteMergePolicyType { forgetEqualValues() }
        switch type {
        case .errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType: break
        case .mergeByPropertyStoreTrumpMergePolicyType:
            for slot in layout.slots where slot.isStoredInRow && isConflicting(slot, current) { revert(slot) }
        case .overwriteMergePolicyType: adoptRowAsChanges()
        case .rollbackMergePolicyType: revertAll()
        }
        take(current)
    }

    /// The object is deleted here, and changed or deleted in the store.
    private func settleDeletion(
        _ current: RowSnapshot?, by type: NSMergePolicyType, in context: NSManagedObjectContext
    ) {
        guard let current else {
            // There is nothing left to delete.
            state.insert(.inaccessible)
            return
        }
        if !type.favoursObject {
            restoreInverses()
            context.refresh(self, mergeChanges: false)
        }
        take(current)
    }

    /// Lets those find this object again whom its deletion made forget it.
    private func restoreInverses() {
        for slot in layout.slots where slot.inverse >= 0 {
            let others = slot.kind.isToMany ? memberObjects(slot) : destination(slot).map { [$0] } ?? []
            for other in others {
                let inverse = other.layout.slots[slot.inverse]
                if inverse.kind.isToMany {
                    other.record?.cache(inverse.index, as: ToManyState.self)?.forgetChange(of: reference)
                } else if case .reference(reference) = other.snapshotValue(inverse) {
                    other.revert(inverse)
                }
            }
        }
    }

    /// The object is changed here, and deleted in the store.
    private func settleLoss(by type: NSMergePolicyType, in context: NSManagedObjectContext) {
        guard type.favoursObject else {
            revertAll()
            state.formUnion([.realized, .inaccessible])
            return context.delete(self)
        }
        // It is inserted again, under the key that it had.
        adoptRowAsChanges()
        for slot in layout.toManySlots { record?.cache(slot.index, as: ToManyState.self)?.forgetStored() }
        mutableRecord.header.lostVersion = Int32(clamping: snapshot?.version ?? 0)
        snapshot = nil
        state.remove(.updated)
        state.insert(.inserted)
    }

    /// Whether both this context and the store changed a property, and not to the same value.
    private func isConflicting(_ slot: PropertySlot, _ current: RowSnapshot) -> Bool {
        guard let record, !record.isUnset(slot.index), !isUnchanged(slot, record[slot.index]) else { return false }
        let own = snapshot
        let mine = snapshotValue(slot)
        defer { snapshot = own }
        snapshot = current
        return !isUnchanged(slot, mine)
    }

    /// Makes every stored value one that this context changed, so that a save writes all of them.
    private func adoptRowAsChanges() {
        for slot in layout.slots where slot.isStoredInRow && mutableRecord.isUnset(slot.index) {
            mutableRecord[slot.index] = snapshotValue(slot)
        }
    }

    // MARK: Giving up changes

    /// Gives up what this context made of a property; the other sides of relationships follow.
    ///
    /// Members whose own row says where they belong keep what this context made of them.
    func revert(_ slot: PropertySlot) {
        guard let record else { return }
        if slot.kind.isToMany {
            if isObserved { tellingObservers(of: slot.name) { revertMembers(slot) } } else { revertMembers(slot) }
        } else if !record.isUnset(slot.index) {
            if slot.kind == .toOne { setDestination(storedDestination(slot), slot) }
            if isObserved { tellingObservers(of: slot.name) { forget(slot) } } else { forget(slot) }
        }
    }

    private func revertMembers(_ slot: PropertySlot) {
        guard let state = record?.cache(slot.index, as: ToManyState.self), state.isChanged else { return }
        if slot.inverse >= 0 {
            let inverse = layout.model[slot.destination].slots[slot.inverse]
            guard inverse.kind.isToMany else { return }
            for member in contextStorage?.objects(for: state.added + state.removed.members) ?? [] {
                member.record?.cache(inverse.index, as: ToManyState.self)?.forgetChange(of: reference)
            }
        }
        state.forgetChanges()
    }

    /// Gives up all that this context changed.
    func revertAll() {
        for slot in layout.slots where !slot.isTransient { revert(slot) }
    }

    private func forget(_ slot: PropertySlot) {
        mutableRecord[slot.index] = .unset
        mutableRecord.setCache(slot.index, nil)
    }

    private func storedDestination(_ slot: PropertySlot) -> NSManagedObject? {
        guard case .reference(let reference) = snapshotValue(slot) else { return nil }
        return contextStorage?.object(for: reference)
    }
}
