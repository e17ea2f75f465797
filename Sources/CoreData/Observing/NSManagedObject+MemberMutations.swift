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
        applyPrimitive(slot, adoptsDraft: false)
        defer { dropDraftOutOfStep(slot) }
        switch kind {
        case .union: given.forEach { addMember($0, slot) }
        case .minus: given.forEach { takeMember($0, slot) }
        case .intersect:
            for member in memberObjects(slot) where !objects.contains(member) { takeMember(member, slot) }
        case .set: replaceMembers(given, slot)
        }
    }

    // MARK: Primitive values

    /// The members of a to-many relationship for an accessor to change; ``applyPrimitive(_:adoptsDraft:)`` takes them
    /// over.
    func memberDraft(_ slot: PropertySlot) -> NSObject {
        noteRead(slot.index)
        if isTornDown(slot) { return slot.kind == .toMany ? NSMutableSet() : NSMutableOrderedSet() }
        let state = loadedToMany(slot)
        if let draft = state.draft { return draft }
        let objects = memberObjects(slot)
        let draft: any MemberView =
            slot.kind == .toMany ? NSMutableSet.of(objects) : NSMutableOrderedSet(array: objects)
        state.draft = draft
        return draft
    }

    /// After an accessor has announced a change: what it made of the primitive value holds, and the inverse follows.
    ///
    /// - Parameter adoptsDraft: Whether the members become those that ``memberDraft(_:)`` gave out.
    func applyPrimitive(_ slot: PropertySlot, adoptsDraft: Bool = true) {
        guard slot.kind.isRelationship, let record else { return }
        guard slot.kind.isToMany else { return applyPrimitiveDestination(slot, record) }
        guard let state = record.cache(slot.index, as: ToManyState.self) else { return }
        if let before = state.beforePrimitive {
            let members = memberObjects(slot)
            restoreBeforePrimitive(slot, state, before)
            replaceMembers(members, slot)
        }
        guard adoptsDraft, let draft = state.draft else { return }
        let wanted = draft.shown.map { managedObject($0, slot) }
        let references = wanted.map(\.reference)
        let now = members(slot)
        let isSame = slot.kind == .orderedToMany ? references == now : Set(references) == Set(now)
        if isSame { return }
        wanted.forEach { check($0, slot) }
        replaceMembers(wanted, slot)
    }

    private func applyPrimitiveDestination(_ slot: PropertySlot, _ record: ChangeRecord) {
        let (destination, now) = (destination(slot), record[slot.index])
        guard record.restoreBeforePrimitive(slot.index) else { return }
        let before = current(slot)
        if now.isUnset || before.isEqual(to: now) { return record[slot.index] = now }
        setDestination(destination, slot, isTold: true)
    }

    /// Takes back what primitive values were set for a to-many relationship.
    func restoreBeforePrimitive(_ slot: PropertySlot, _ state: ToManyState, _ before: [ObjectReference]) {
        state.beforePrimitive = nil
        _ = loadedToMany(slot)
        state.assign(before)
    }

    /// An accessor may have changed its draft otherwise than it announced.
    private func dropDraftOutOfStep(_ slot: PropertySlot) {
        let state = loadedToMany(slot)
        if let draft = state.draft, draft.count != state.count { state.draft = nil }
    }
}
