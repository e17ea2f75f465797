import FoundationGaps

// What custom accessors of to-many relationships announce, carried out.

extension KeyMutation {
    /// A change that an accessor announces.
    static var byAccessor: KeyMutation { KeyMutation(isAutomatic: false) }

    /// A change of members that an accessor announces.
    init(_ kind: NSKeyValueSetMutationKind, _ objects: Set<AnyHashable>) {
        let change: NSKeyValueChange =
            switch kind {
            case .union: .insertion
            case .minus: .removal
            case .intersect, .set: .setting
            }
        self.init(kind: change, members: NSSet(set: objects), isAutomatic: false)
    }
}

extension NSManagedObject {
    /// Carries out what an accessor announced. It has changed the primitive value, a copy of the members, itself.
    func mutateMembers(_ slot: PropertySlot, _ kind: NSKeyValueSetMutationKind, _ objects: Set<AnyHashable>) {
        let given = objects.map { managedObject($0.base, slot) }
        switch kind {
        case .union: given.forEach { addMember($0, slot) }
        case .minus: given.forEach { takeMember($0, slot) }
        case .intersect:
            for member in memberObjects(slot) where !objects.contains(member) { takeMember(member, slot) }
        case .set: replaceMembers(given, slot)
        }
    }

    /// Keeps the members that an accessor is about to change.
    func beginEditingMembers(_ slot: PropertySlot) {
        let state = loadedToMany(slot)
        guard let view = memberView(slot) as? NSMutableOrderedSet else { return }
        state.edited = (view, view.array)
    }

    /// Takes over what an accessor made of the members.
    func endEditingMembers(_ slot: PropertySlot) {
        let state = toManyState(slot)
        guard let (view, before) = state.edited else { return }
        state.edited = nil
        let after = view.array.map { managedObject($0, slot) }
        if after.map(\.reference) != before.map({ managedObject($0, slot).reference }) { replaceMembers(after, slot) }
    }
}
