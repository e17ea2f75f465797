import FoundationGaps

extension NSManagedObjectContext {
    /// Saves all changes to the parent, or finds out why they can't be.
    ///
    /// - Returns: The objects that are gone from the parent, changed ones and those that they are related to now, and
    ///   those that have to be as they were seen here and are not; nothing is handed over then. Nil: everything is.
    func save(_ objects: [NSManagedObject], toParent parent: NSManagedObjectContext) throws -> SaveConflicts? {
        let source = ParentSource(parent: parent, child: self)
        let relied = unsaved.conflictChecks.filter { !$0.isChanged && $0.contextStorage === self }
        let required = required(by: objects).filter { !relied.contains($0) }
        let conflicts = try source.ask { parent in
            let lost = try objects.filter { try parent.hasLost($0) }
            let changed = try relied.compactMap { object in
                try parent.conflict(object) { object.isUnchanged(in: $0) }
            }
            let missing = try required.compactMap { object in
                // One that was found gone is not what others have brought back meanwhile.
                try parent.conflict(object) { $0 != nil && !object.state.contains(.inaccessible) }
            }
            let areHarmless = try changed.isEmpty && missing.isEmpty && lost.allSatisfy { try parent.neverHad($0) }
            return SaveConflicts(
                rows: lost.map { NSMergeConflict($0, row: nil, isKnown: true) } + changed + missing,
                areHarmless: areHarmless)
        }
        if !conflicts.rows.isEmpty { return conflicts }
        let parentRows = try source.ask { try $0.applyChildChanges(of: objects) }
        let rows = zip(objects, parentRows).map { object, row in row.map { current($0, store: object.store) } }
        undoing.recorder?.didSave(KeyAssignment())
        let changes = SavedChanges(objects)
        finish(objects, rows)
        source.ask { $0.tellChildren(of: changes, except: self) }
        tellChildren(of: changes)
        return nil
    }

    /// The objects that nothing happened to here as far as they know, and to which others are related now.
    private func required(by objects: [NSManagedObject]) -> [NSManagedObject] {
        var related = RelatedRows()
        for object in objects where !object.isGoing { related.add(handed: object) }
        return related.required(in: self, unless: \.isChanged)
    }

    // MARK: The parent's side

    /// What a child is told of an object that is not here as it has to be.
    private func conflict(
        _ object: NSManagedObject, unless isAsItHasToBe: (RowSnapshot?) -> Bool
    ) throws -> NSMergeConflict? {
        let row = try rowToServe(object.reference)
        return isAsItHasToBe(row) ? nil : NSMergeConflict(object, row: row, isKnown: true)
    }

    /// Whether a child changed an object that is no longer here.
    private func hasLost(_ object: NSManagedObject) throws -> Bool {
        if !object.state.isDisjoint(with: [.inserted, .deleted]) { return false }
        return try rowToServe(object.reference) == nil
    }

    /// Whether a child's object, which is not here, only lost members that still lead to it here: this context did not
    /// delete it.
    private func neverHad(_ object: NSManagedObject) throws -> Bool {
        guard object.onlyForgotMembers else { return false }
        var forgotAny = false
        for slot in object.layout.toManySlots {
            guard let state = object.record?.cache(slot.index, as: ToManyState.self), !state.removed.isEmpty else {
                continue
            }
            guard let cell = object.inverse(of: slot)?.cell, cell >= 0 else { return false }
            for member in state.removed.members {
                guard let row = try rowToServe(member), !row.isNull(cell),
                    row.reference(cell, store: object.store) == object.reference
                else { return false }
            }
            forgotAny = true
        }
        return forgotAny
    }

    /// Applies a child's changes, as if they had been made here.
    ///
    /// - Returns: The rows of the objects as they are now, for the child; nil for those that are deleted.
    private func applyChildChanges(of objects: [NSManagedObject]) throws -> [RowSnapshot?] {
        processPendingChanges()
        let present = objects.filter { !$0.isGoing }
        let own = try present.map {
            $0.state.contains(.inserted) ? try takeNew($0) : self.object(for: current($0.reference))
        }
        for (object, own) in zip(present, own) { takeValues(of: object, into: own) }
        for (object, own) in zip(present, own) { try takeMembers(of: object, into: own) }
        // A fault that found no row here is none of the child's deletions: by now another object may have its
        // reference.
        for object in objects where object.isGoing && !object.state.contains(.inaccessible) {
            let reference = current(object.reference)
            if try rowToServe(reference) != nil { delete(self.object(for: reference)) }
        }
        processPendingChanges()
        return try objects.map { $0.isGoing ? nil : try rowToServe($0.reference) }
    }

    /// The object that stands here for a child's new one, under the same reference.
    private func takeNew(_ object: NSManagedObject) throws -> NSManagedObject {
        let reference = current(object.reference)
        let lostVersion = object.record?.header.lostVersion ?? 0
        if let known = registeredObject(for: reference) {
            // It was deleted here, or is gone, and its deletion was undone in the child.
            if try rowToServe(reference) == nil { bringBack(known, lostVersion: lostVersion) }
            return known
        }
        let new = object.layout.makeObject()
        if let store = object.record?.assignedStore { new.mutableRecord.assignedStore = store }
        if lostVersion > 0 { new.mutableRecord.header.lostVersion = lostVersion }
        insertNew(new, reference)
        return new
    }

    /// Sets what a child set. The inverses follow, whatever they are here.
    private func takeValues(of object: NSManagedObject, into own: NSManagedObject) {
        let isNew = object.state.contains(.inserted)
        for slot in object.layout.slots where isNew || object.hasChange(of: slot) {
            if slot.kind == .toOne {
                guard case .reference(let reference) = object.current(slot) else {
                    own.setDestination(nil, slot)
                    continue
                }
                own.setDestination(destination(for: current(reference)), slot)
            } else if slot.kind.isAttribute, slot.kind != .composite {
                own.write(slot, object.current(slot))
            }
        }
    }

    private func takeMembers(of object: NSManagedObject, into own: NSManagedObject) throws {
        for slot in object.layout.toManySlots {
            guard let state = object.record?.cache(slot.index, as: ToManyState.self), state.isChanged else { continue }
            if slot.kind == .orderedToMany {
                takeOrder(object.members(slot), stored: state.stored ?? [], slot, into: own)
            } else {
                for member in state.removed.members.map(current) where try isKnown(member) || own.has(member, slot) {
                    destination(for: member).map { own.removeMember($0, slot) }
                }
                for member in state.added { destination(for: current(member)).map { own.insertMember($0, slot) } }
            }
        }
    }

    /// Whether there is an object of a reference here: a child may have had one with a permanent ID that it never
    /// saved.
    private func isKnown(_ reference: ObjectReference) throws -> Bool {
        try registeredObject(for: reference) != nil || rowToServe(reference) != nil
    }

    /// Sets an ordered relationship. Members that only came here meanwhile stay, at the end; those that only went here
    /// don't come back.
    private func takeOrder(
        _ members: [ObjectReference], stored: [ObjectReference], _ slot: PropertySlot, into own: NSManagedObject
    ) {
        let (members, known) = (members.map(current), Set(stored.map(current)))
        let former = own.memberObjects(slot)
        // A member that was given to another owner here may still be a member by what the store says.
        let here = former.filter { !$0.wasGivenAway(by: own, slot) }.map(\.reference)
        let (given, present) = (Set(members), Set(here))
        let kept = members.filter { present.contains($0) || !known.contains($0) }
        let wanted = kept + here.filter { !given.contains($0) && !known.contains($0) }
        if wanted == former.map(\.reference) { return }
        own.setMembers(wanted.compactMap { destination(for: $0) }, slot)
    }

    // MARK: The child's side

    /// The parent has everything: what was changed is what the parent has.
    private func finish(_ objects: [NSManagedObject], _ rows: [RowSnapshot?]) {
        let payload = SavePayload(objects)
        let wasDeleted = Set(objects.lazy.filter(\.isGoing).map { ObjectIdentifier($0) })
        events.notified = NotifiedChanges()
        unsaved.objects = []
        events.objects = []
        unsaved.conflictChecks = []
        unsaved.count = 0
        uniquing.remove(objects.map { .passUnretained($0) }) { $0.isGoing }
        for (object, row) in zip(objects, rows) {
            if wasDeleted.contains(ObjectIdentifier(object)) { finish(object) } else { object.commit(row) }
        }
        finishSave(of: objects, payload)
    }
}

extension NSManagedObject {
    /// Whether a relationship is known to have a member, without asking the store.
    fileprivate func has(_ member: ObjectReference, _ slot: PropertySlot) -> Bool {
        record?.cache(slot.index, as: ToManyState.self)?.contains(member) ?? false
    }

    /// Whether a row has the values that the object was read with.
    fileprivate func isUnchanged(in row: RowSnapshot?) -> Bool {
        // A fault has seen nothing that could have changed since.
        guard let row, row !== snapshot, snapshot != nil else { return row != nil }
        let own = snapshot
        let slots = layout.slots.filter(\.isStoredInRow)
        let values = slots.map { snapshotValue($0) }
        snapshot = row
        defer { snapshot = own }
        return zip(slots, values).allSatisfy { isUnchanged($0, $1) }
    }

    /// Whether this context gave a property another value than the row has.
    fileprivate func hasChange(of slot: PropertySlot) -> Bool {
        guard let record, !record.isUnset(slot.index) else { return false }
        return slot.isTransient || !isUnchanged(slot, record[slot.index])
    }
}

extension SavedChanges {
    /// What a child handed to its parent.
    fileprivate init(_ objects: [NSManagedObject]) {
        inserted = objects.filter(\.isNew).map(\.reference)
        updated = objects.filter(\.isModified).map(\.reference)
        deleted = objects.filter(\.isGoing).map(\.reference)
    }
}
