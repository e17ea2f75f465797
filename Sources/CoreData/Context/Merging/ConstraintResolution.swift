import FoundationGaps

/// Resolves one conflict over a uniqueness constraint as a standard policy does.
///
/// No value that was set is lost unless the other object's value counts more. The object that goes gives its members to
/// the object that stays. Relationships that led to it lead to the object that stays.
struct ConstraintResolution {
    private let conflict: NSConstraintConflict
    private let type: NSMergePolicyType
    /// Those that are still there: an earlier conflict may have been about them, too.
    private let objects: [NSManagedObject]

    init(_ conflict: NSConstraintConflict, _ type: NSMergePolicyType) {
        self.conflict = conflict
        self.type = type
        objects = conflict.conflictingObjects.filter { $0.contextStorage != nil && !$0.isGoing }
    }

    /// - Throws: The conflict as an error where two stored objects were given the same values, and neither may go.
    func run() throws {
        guard let context = objects.first?.contextStorage else { return }
        let new = objects.filter(\.isNew)
        let changed = objects.filter { !$0.isNew }
        if let stored = conflict.databaseObject, stored.contextStorage === context, !stored.isGoing {
            deleteOrRevert(changed, for: stored, in: context)
            if let survivor = reduced(new) { replaceOrGiveUp(survivor, for: stored, in: context) }
        } else {
            try resolve(new, changed)
        }
    }

    // MARK: With a stored object

    /// New objects that want the place of a stored one.
    private func replaceOrGiveUp(
        _ new: NSManagedObject, for stored: NSManagedObject, in context: NSManagedObjectContext
    ) {
        guard type.favoursObject else { return context.giveUp(new, for: stored) }
        guard new.table == stored.table, !stored.isGoing else { return context.delete(stored) }
        context.fold(new, into: stored, overriding: true, takesDefaults: type == .overwriteMergePolicyType)
        context.replace(stored, by: new, tells: conflict.databaseObjectWasRegistered)
    }

    /// Stored objects whose new values another one has.
    private func deleteOrRevert(
        _ changed: [NSManagedObject], for stored: NSManagedObject, in context: NSManagedObjectContext
    ) {
        guard !changed.isEmpty else { return }
        if type.favoursObject { context.delete(stored) } else { changed.forEach(takeBack) }
    }

    // MARK: Among the context's own

    private func resolve(_ new: [NSManagedObject], _ changed: [NSManagedObject]) throws {
        guard let survivor = reduced(new), let stored = changed.first else {
            guard changed.count > 1 else { return }
            if type.favoursObject { throw SaveConflicts(constraints: [conflict]).error }
            return changed.forEach(takeBack)
        }
        guard let context = survivor.contextStorage else { return }
        context.fold(
            survivor, into: stored, overriding: type.favoursObject, takesDefaults: type == .overwriteMergePolicyType)
        context.delete(survivor)
    }

    /// Makes one of several new objects.
    private func reduced(_ new: [NSManagedObject]) -> NSManagedObject? {
        guard let survivor = type.favoursObject ? new.last : new.first, let context = survivor.contextStorage else {
            return nil
        }
        for other in new.reversed() where other !== survivor {
            context.fold(
                other, into: survivor, overriding: false, takesDefaults: false,
                takesValues: type != .overwriteMergePolicyType)
            context.delete(other)
        }
        return survivor
    }

    /// Gives up what this context made of the constraint's properties; all its changes where the policy rolls back.
    private func takeBack(_ object: NSManagedObject) {
        if type == .rollbackMergePolicyType { return object.revertAll() }
        for name in conflict.constraint { object.layout.slot(named: name).map { object.revert($0) } }
    }
}

extension NSManagedObjectContext {
    /// Lets a stored object stand for a new one: the new one's values go, and the relationships of others to it stay.
    fileprivate func giveUp(_ new: NSManagedObject, for stored: NSManagedObject) {
        fold(new, into: stored, overriding: false, takesDefaults: false, takesValues: false)
        delete(new)
    }

    /// Hands what a new object has on to another: the values that were set, its members, and the objects that lead to
    /// it.
    ///
    /// - Parameters:
    ///   - overriding: Whether its values count more than those that were set on the other.
    ///   - takesDefaults: Whether values count that were not set.
    ///   - takesValues: False: only relationships are handed on.
    fileprivate func fold(
        _ new: NSManagedObject, into other: NSManagedObject, overriding: Bool, takesDefaults: Bool,
        takesValues: Bool = true
    ) {
        other.fireIfNeeded()
        for slot in new.layout.slots where other.layout.slot(named: slot.name)?.index == slot.index {
            if slot.kind.isToMany {
                new.handMembers(slot, to: other)
            } else if slot.isStoredInRow || slot.isTransient && slot.kind.isAttribute {
                guard takesValues, takesDefaults || new.mutableRecord.wasSet(slot.index),
                    overriding || !other.mutableRecord.wasSet(slot.index)
                else { continue }
                new.handValue(slot, to: other)
            }
        }
        for slot in new.layout.slots where slot.kind == .toOne { new.setDestination(nil, slot) }
        let assignment = KeyAssignment()
        assignment.add(new.key, other.reference)
        replaceReferences(assignment)
        undoing.recorder?.replaceReferences(assignment)
    }

    /// Lets `new` be the object of a stored one's row.
    ///
    /// - Parameter tells: Whether observers may know the former object, and are to be told that it is gone.
    fileprivate func replace(_ stored: NSManagedObject, by new: NSManagedObject, tells: Bool) {
        stored.keepObjectID()
        uniquing.remove(new)
        uniquing.remove(stored)
        unsaved.objects.removeAll { $0 === new }
        events.objects.removeAll { $0 === new }
        if let place = unsaved.objects.firstIndex(where: { $0 === stored }) { unsaved.objects[place] = new }
        if let place = events.objects.firstIndex(where: { $0 === stored }) { events.objects[place] = new }
        unsaved.count -= 1  // the insertion
        new.assume(stored)
        uniquing.register(new)
        held.registered.remove(stored)
        stored.leaveContext()
        if tells { merging.objects.deleted.insert(stored) }
    }
}

extension NSManagedObject {
    fileprivate func handMembers(_ slot: PropertySlot, to other: NSManagedObject) {
        let members = memberObjects(slot)
        members.forEach { removeMember($0, slot) }
        members.forEach { other.insertMember($0, slot) }
    }

    fileprivate func handValue(_ slot: PropertySlot, to other: NSManagedObject) {
        if slot.kind == .toOne {
            let destination = destination(slot)
            setDestination(nil, slot)
            other.setDestination(destination, slot)
        } else {
            other.write(slot, current(slot))
        }
    }

    /// Becomes what another object of the entity is, which is not to be used any longer.
    fileprivate func assume(_ other: NSManagedObject) {
        let own: ObjectState = [.observed, .ownsModel]
        for slot in layout.toManySlots { other.record?.cache(slot.index, as: ToManyState.self)?.view = nil }
        state = state.intersection(own).union(other.state.subtracting(own))
        (key, store) = (other.key, other.store)
        let record = other.record.map { record -> ChangeRecord in
            let copy = record.copyOfValues()
            for slot in layout.toManySlots { copy.setCache(slot.index, record.cache(slot.index, as: ToManyState.self)) }
            return copy
        }
        self.record = record
        snapshot = other.snapshot
    }
}

/// Giving up what a context changed.
extension NSManagedObject {
    /// Gives up what this context made of a property; the other sides of relationships follow.
    ///
    /// Members whose own row says where they belong keep what this context made of them.
    fileprivate func revert(_ slot: PropertySlot) {
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
    fileprivate func revertAll() {
        for slot in layout.slots where !slot.isTransient { revert(slot) }
    }

    private func storedDestination(_ slot: PropertySlot) -> NSManagedObject? {
        guard case .reference(let reference) = snapshotValue(slot) else { return nil }
        return contextStorage?.object(for: reference)
    }
}
