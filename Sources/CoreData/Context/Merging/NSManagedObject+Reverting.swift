import FoundationGaps

/// Giving up what a context changed.
extension NSManagedObject {
    /// Gives up what this context made of a property; the other sides of relationships follow.
    ///
    /// Where the members' own rows say where they belong, the members keep what this context made of them.
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

    /// Forgets what this context made of a value; nothing follows.
    func forget(_ slot: PropertySlot) {
        mutableRecord[slot.index] = .unset
        mutableRecord.setCache(slot.index, nil)
    }

    private func storedDestination(_ slot: PropertySlot) -> NSManagedObject? {
        guard case .reference(let reference) = snapshotValue(slot) else { return nil }
        return contextStorage?.object(for: reference)
    }
}
