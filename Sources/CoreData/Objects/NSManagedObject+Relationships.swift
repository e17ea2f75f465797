import FoundationGaps

/// Relationships by slot: both sides in step, nothing loaded that need not be.
extension NSManagedObject {
    /// Whether the object's deletion was processed and ended a relationship: it reads as nil or empty.
    ///
    /// What the object led to stays in its record until the save: undoing, conflicts and merges go by it.
    @inline(__always)
    func isTornDown(_ slot: PropertySlot) -> Bool {
        state.isSuperset(of: [.deleted, .propagated])
            && (slot.deleteRule == .nullifyDeleteRule || slot.deleteRule == .cascadeDeleteRule)
    }

    // MARK: To-one

    func destination(_ slot: PropertySlot) -> NSManagedObject? {
        fireIfNeeded(slot.index)
        guard case .reference(let reference) = current(slot) else { return nil }
        return heldDestination(slot, reference) ?? contextStorage?.destination(for: reference)
    }

    /// The destination for the app: it is kept alive from now on.
    func readDestination(_ slot: PropertySlot) -> NSManagedObject? {
        fireIfNeeded(slot.index)
        guard case .reference(let reference) = current(slot) else { return nil }
        if let held = heldDestination(slot, reference) { return held }
        guard let destination = contextStorage?.destination(for: reference) else { return nil }
        hold(destination, slot)
        return destination
    }

    /// The destination of a to-one relationship as it was read before, if the relationship leads to it still.
    @inline(__always)
    func heldDestination(_ slot: PropertySlot, _ reference: ObjectReference) -> NSManagedObject? {
        guard let held = heldDestinations[slot.ordinal] else { return nil }
        // Objects that left their context, or got another reference, don't stand for the one that is meant.
        let isMeant = held._withUnsafeGuaranteedRef { object in
            object.key == reference.key && object.store == reference.store
                && object.table.pointee.number == reference.entity
                && object.contextReference?.toOpaque() == contextReference?.toOpaque()
        }
        return isMeant ? held.takeUnretainedValue() : nil
    }

    /// Keeps the destination of a to-one relationship alive, for as long as the relationship leads to it and this
    /// object is no fault.
    func hold(_ destination: NSManagedObject?, _ slot: PropertySlot) {
        if destination == nil, heldDestinations.isEmpty { return }
        // An object that holds itself would never go.
        let old = heldDestinations.set(slot.ordinal, destination === self ? nil : destination)
        withExtendedLifetime(old) {}
    }

    /// Holds the destination of a relationship that has come to lead there, if it is one that was read, or there is no
    /// context to find it by.
    func holdNew(_ destination: NSManagedObject?, _ slot: PropertySlot) {
        if contextReference == nil || heldDestinations[slot.ordinal] != nil { hold(destination, slot) }
    }

    /// - Parameter isTold: Whether the caller tells the observers of this side.
    func setDestination(_ destination: NSManagedObject?, _ slot: PropertySlot, isTold: Bool = false) {
        if let destination { check(destination, slot) }
        fireIfNeeded()
        _ = record?.restoreBeforePrimitive(slot.index)
        if slot.isPair { freshenPair(with: destination, slot) }
        let old: ObjectReference? = if case .reference(let reference) = current(slot) { reference } else { nil }
        let former = contextReference == nil ? old.flatMap { heldDestination(slot, $0) } : nil
        let new = destination?.reference
        write(slot, new.map { .reference($0) } ?? .null, isTold: isTold)
        hold(destination, slot)
        guard slot.inverse >= 0, old != new else { return }
        if let old {
            (former ?? contextStorage?.object(for: old))?.loseInverse(of: self, slot, isFresh: true)
        }
        if let destination { destination.gainInverse(of: self, slot, isFresh: true) }
    }

    /// Has the objects that a one-to-one relationship is about to lose or to gain take a newer row, where its ends
    /// don't agree.
    ///
    /// All changes are made again then: none may be half made.
    private func freshenPair(with new: NSManagedObject?, _ slot: PropertySlot) {
        guard contextReference != nil, let inverse = inverse(of: slot) else { return }
        var isNewer = true
        while isNewer {
            isNewer = false
            let former = destination(slot)
            if former === new { return }
            former?.fireIfNeeded()
            if let former, !former.leads(to: self, inverse) { isNewer = former.isOutdated(inverse) }
            new?.fireIfNeeded()
            if let new, new.returnIfBack(slot) { isNewer = true }
            guard let new, let third = new.destination(inverse) else { continue }
            third.fireIfNeeded()
            if third === self ? new.isOutdated(inverse) : !third.leads(to: new, slot) && third.isOutdated(slot) {
                isNewer = true
            }
        }
    }

    // MARK: To-many

    /// The state of a to-many relationship, made when it is first looked at.
    func toManyState(_ slot: PropertySlot) -> ToManyState {
        let record = mutableRecord
        if let state = record.cache(slot.index, as: ToManyState.self) { return state }
        let isNew =
            state.contains(.inserted) || slot.isTransient || contextReference == nil
        let new = ToManyState(stored: isNew ? [] : nil, isOrdered: slot.kind == .orderedToMany)
        // Without a context there is nothing to find the members by.
        if contextReference == nil { new.hold([], departures: 0) }
        record.setCache(slot.index, new)
        return new
    }

    /// The state with the store's members known.
    func loadedToMany(_ slot: PropertySlot) -> ToManyState {
        fireIfNeeded()
        let state = toManyState(slot)
        if !state.isLoaded { state.load(contextStorage?.storedMembers(of: self, slot) ?? []) }
        return state
    }

    /// The members of a to-many relationship now, in order where it is ordered.
    func members(_ slot: PropertySlot) -> [ObjectReference] { loadedToMany(slot).members }

    /// How many objects have left the context: then what is held may have to be looked at again.
    var departures: UInt { contextReference?._withUnsafeGuaranteedRef { $0.departures } ?? 0 }

    /// The members as objects, in order where the relationship is ordered.
    func memberObjects(_ slot: PropertySlot) -> [NSManagedObject] {
        fireIfNeeded()
        let state = toManyState(slot)
        if let held = state.heldObjects(departures, in: contextReference) { return held }
        guard contextReference != nil else { return [] }
        let objects = findMembers(slot, state)
        if state.isHolding { state.hold(objects, departures: departures) }
        return objects
    }

    /// The members for the app: they are kept alive from now on.
    func readMembers(_ slot: PropertySlot) -> [NSManagedObject] {
        let objects = memberObjects(slot)
        let state = toManyState(slot)
        if !state.isHolding { state.hold(objects, departures: departures) }
        return objects
    }

    private func findMembers(_ slot: PropertySlot, _ state: ToManyState) -> [NSManagedObject] {
        guard let context = contextStorage else { return [] }
        // The rows come with the members. Code that has just got an object of each holds it meanwhile.
        let loaded =
            state.hasRows ? context.prefetchedMembers(state) : context.loadMembers(of: self, slot, state)
        if !state.isChanged, loaded.count == state.stored?.count { return loaded }
        // A deleted object may still name members that were never saved, and are gone.
        return withExtendedLifetime(loaded) {
            let members = members(slot)
            return members.contains(where: \.isTemporary)
                ? members.compactMap { context.destination(for: $0) } : context.objects(for: members)
        }
    }

    func insertMember(_ member: NSManagedObject, _ slot: PropertySlot) {
        checkToMany(slot)
        check(member, slot)
        if isObserved { return tellingObservers(of: slot, .insertion, member) { addMember(member, slot) } }
        addMember(member, slot)
    }

    func removeMember(_ member: NSManagedObject, _ slot: PropertySlot) {
        checkToMany(slot)
        if isObserved { return tellingObservers(of: slot, .removal, member) { takeMember(member, slot) } }
        takeMember(member, slot)
    }

    /// Like ``insertMember(_:_:)``, for callers that have told observers already.
    func addMember(_ member: NSManagedObject, _ slot: PropertySlot) {
        fireIfNeeded()
        member.returnIfBack(slot)
        if change(slot, member, isMember: true) || isOutOfStep(member, slot, isMember: true) {
            member.gainInverse(of: self, slot)
        }
    }

    /// Like ``removeMember(_:_:)``, for callers that have told observers already.
    func takeMember(_ member: NSManagedObject, _ slot: PropertySlot) {
        fireIfNeeded()
        member.returnIfBack(slot)
        if change(slot, member, isMember: false) || isOutOfStep(member, slot, isMember: false) {
            member.loseInverse(of: self, slot)
        }
    }

    /// Traps where a property has no members: the class and the model don't agree.
    @inline(__always)
    private func checkToMany(_ slot: PropertySlot) {
        if !slot.kind.isToMany { trapOtherKind("a to-many relationship", slot) }
    }

    // MARK: Ordered members

    /// Makes an object the member at an index; one that is a member stays where it is.
    func insertMember(_ member: NSManagedObject, at index: Int, _ slot: PropertySlot) {
        checkOrdered(slot)
        check(member, slot)
        changeOrder(of: slot) {
            member.returnIfBack(slot)
            let state = orderedState(slot)
            checkIndex(index, in: 0...state.count, slot)
            if state.insert(member.reference, at: index) {
                noteOrderChange(slot)
                followChange(state, member, isMember: true, at: index)
                member.gainInverse(of: self, slot)
            } else if isOutOfStep(member, slot, isMember: true) {
                member.gainInverse(of: self, slot)
            }
        }
    }

    /// Takes the member at an index out.
    func removeMember(at index: Int, _ slot: PropertySlot) {
        checkOrdered(slot)
        changeOrder(of: slot) {
            checkIndex(index, in: 0...orderedState(slot).count - 1, slot)
            let member = memberObject(at: index, slot)
            member.returnIfBack(slot)
            let state = orderedState(slot)
            guard let place = state.remove(member.reference, near: index) else { return }
            noteOrderChange(slot)
            followChange(state, member, isMember: false, at: place)
            member.loseInverse(of: self, slot)
        }
    }

    /// Puts an object in the place of the member at an index. One that is a member already stays where it is, and the
    /// other goes.
    func replaceMember(at index: Int, with member: NSManagedObject, _ slot: PropertySlot) {
        checkOrdered(slot)
        checkIndex(index, in: 0...members(slot).count - 1, slot)
        if memberObject(at: index, slot) === member { return }
        removeMember(at: index, slot)
        if contains(member, slot) { return }
        insertMember(member, at: index, slot)
    }

    /// Moves a member to another index.
    func moveMember(from index: Int, to target: Int, _ slot: PropertySlot) {
        checkOrdered(slot)
        changeOrder(of: slot) {
            let state = orderedState(slot)
            checkIndex(index, in: 0...state.count - 1, slot)
            checkIndex(target, in: 0...state.count - 1, slot)
            if index == target { return }
            state.move(from: index, to: target)
            noteOrderChange(slot)
            state.followMove(from: index, to: target)
            state.draft = nil
            (state.view as? RelationshipMutableOrderedSet)?.follow(moveFrom: index, to: target)
        }
    }

    private func changeOrder(of slot: PropertySlot, _ change: () -> Void) {
        fireIfNeeded()
        if isObserved { tellingObservers(of: slot.name, KeyMutation(), change) } else { change() }
    }

    /// The state of an ordered relationship with members that are known, and were noted for undo.
    private func orderedState(_ slot: PropertySlot) -> ToManyState {
        recorder?.willChangeMembers(self, slot)
        return loadedToMany(slot)
    }

    private func noteOrderChange(_ slot: PropertySlot) { noteChange(slot.index) }

    private func checkOrdered(_ slot: PropertySlot) {
        if slot.kind != .orderedToMany { trapOtherKind("an ordered to-many relationship", slot) }
    }

    private func checkIndex(_ index: Int, in range: ClosedRange<Int>, _ slot: PropertySlot) {
        require(
            range.contains(index),
            "Index \(index) is beyond the \(members(slot).count) members of \"\(slot.name)\" of \(layout.name); check the index against count first."
        )
    }

    // MARK: All members

    /// Replaces all members; the order counts where the relationship is ordered.
    func setMembers(_ members: [NSManagedObject], _ slot: PropertySlot) {
        checkToMany(slot)
        members.forEach { check($0, slot) }
        if isObserved { return tellingObservers(of: slot.name) { replaceMembers(members, slot) } }
        replaceMembers(members, slot)
    }

    /// Like ``setMembers(_:_:)``, for callers that have told observers already.
    func replaceMembers(_ members: [NSManagedObject], _ slot: PropertySlot) {
        contextStorage?.followPromotions()
        let known = toManyState(slot)
        if let before = known.beforePrimitive { restoreBeforePrimitive(slot, known, before) }
        let references = members.map(\.reference)
        let after = Set(references)
        var old = self.members(slot)
        var isAnyBack = false
        for member in members where member.returnIfBack(slot) { isAnyBack = true }
        for leaving in old where !after.contains(leaving) {
            if contextStorage?.registeredObject(for: leaving)?.returnIfBack(slot) ?? false { isAnyBack = true }
        }
        if isAnyBack { old = self.members(slot) }
        let state = loadedToMany(slot)
        noteReplacement(ofMembers: slot)
        noteChange(slot.index)
        mutableRecord.keep(old, of: slot.index)
        let before = Set(old)
        // Without a context, the objects that go are known by being held.
        let held = contextReference == nil ? state.heldObjects(0, in: nil) ?? [] : []
        if slot.kind == .orderedToMany {
            if references != old { state.setOrder(references) }
        } else {
            before.subtracting(after).forEach { state.remove($0) }
            references.forEach { state.add($0) }
        }
        if state.isHolding { state.hold(members, departures: departures) }
        updateView(slot, state)
        for member in held where !after.contains(member.reference) { member.loseInverse(of: self, slot) }
        for reference in old where !after.contains(reference) {
            contextStorage?.object(for: reference).loseInverse(of: self, slot)
        }
        for member in members
        where !before.contains(member.reference) || isOutOfStep(member, slot, isMember: true) {
            member.gainInverse(of: self, slot)
        }
    }

    /// Whether a member's own row, which decides, says otherwise than the members as they are known here: these may be
    /// older.
    private func isOutOfStep(_ member: NSManagedObject, _ slot: PropertySlot, isMember: Bool) -> Bool {
        guard slot.inverse >= 0, member.state.contains(.realized) else { return false }
        let inverse = member.layout.slots[slot.inverse]
        guard !inverse.kind.isToMany else { return false }
        let isDestination = if case .reference(reference) = member.current(inverse) { true } else { false }
        return isDestination != isMember
    }

    // MARK: The other side

    /// The inverse of a relationship, as its destination's entity lays it out.
    func inverse(of slot: PropertySlot) -> PropertySlot? {
        slot.inverse < 0 ? nil : layout.model[slot.destination].slots[slot.inverse]
    }

    /// This object is now found from `other` by the relationship `slot`: the inverse here follows.
    ///
    /// - Parameter isFresh: Whether those at its ends have newer rows already, where there are some.
    func gainInverse(of other: NSManagedObject, _ slot: PropertySlot, isFresh: Bool = false) {
        if state.contains(.propagated) || other.state.contains(.propagated) {
            state.insert(.relatedLate)
            other.state.insert(.relatedLate)
        }
        inverseSlot(of: slot)?._withUnsafeGuaranteedRef { gain(other, $0, inverse: slot, isFresh) }
    }

    /// This object is no longer found from `other` by the relationship `slot`: the inverse here follows.
    ///
    /// - Parameter isFresh: Whether it has a newer row already, where there is one.
    func loseInverse(of other: NSManagedObject, _ slot: PropertySlot, isFresh: Bool = false) {
        inverseSlot(of: slot)?._withUnsafeGuaranteedRef { lose(other, $0, isFresh) }
    }

    /// Makes `mine` point to `other`. The other's `inverse` already points here. The object that was there before loses
    /// this one.
    private func gain(_ other: NSManagedObject, _ mine: PropertySlot, inverse: PropertySlot, _ isFresh: Bool) {
        if mine.kind.isToMany {
            if isObserved { return tellingObservers(of: mine, .insertion, other) { addInverse(other, mine) } }
            return addInverse(other, mine)
        }
        fireIfNeeded()
        // An object that points back already, though nothing pointed here, may do so by an older row.
        if !isFresh, leads(to: other, mine) { isOutdated(mine) }
        if case .reference(let previous) = current(mine), previous != other.reference {
            // The one that pointed here until now points nowhere, or has one member less.
            (contextStorage?.object(for: previous) ?? heldDestination(mine, previous))?.lose(self, inverse, isFresh)
        }
        write(mine, .reference(other.reference))
        holdNew(other, mine)
    }

    /// Makes `mine` forget `other`.
    private func lose(_ other: NSManagedObject, _ mine: PropertySlot, _ isFresh: Bool) {
        if mine.kind.isToMany {
            if isObserved { return tellingObservers(of: mine, .removal, other) { takeInverse(other, mine) } }
            return takeInverse(other, mine)
        }
        fireIfNeeded()
        if leads(to: other, mine) || !isFresh && isOutdated(mine) && leads(to: other, mine) {
            write(mine, .null)
            hold(nil, mine)
        }
    }

    private func leads(to other: NSManagedObject, _ slot: PropertySlot) -> Bool {
        if case .reference(other.reference) = current(slot) { true } else { false }
    }

    /// Whether the store has a newer row than this object. If so, the object takes the newer row.
    ///
    /// An object that points here by an older row may point elsewhere by its newer one, unless this context made the
    /// change. An object that had no row may have one again.
    @discardableResult
    private func isOutdated(_ slot: PropertySlot) -> Bool {
        guard let context = contextStorage, context.parentContext == nil, !reference.isTemporary,
            !state.contains(.inserted), !state.contains(.deleted) || state.contains(.inaccessible),
            record.map({ $0.isUnset(slot.index) || isUnchanged(slot, $0[slot.index]) }) ?? true,
            // A store that can't be read just now is no reason to end the program in the middle of a change, which
            // can't throw: the object goes by the row that it has, and if that is an older one, the save finds it and
            // says so.
            let row = try? context.source.freshRow(for: reference)
        else { return false }
        return takeNewer(row)
    }

    /// Has an object that was found gone be back where others have brought it back. That is to be asked before `slot`,
    /// which leads to it, is changed: all changes are made again then, and none may be half made.
    ///
    /// - Returns: Whether it is back.
    @discardableResult
    func returnIfBack(_ slot: PropertySlot) -> Bool {
        guard state.contains(.inaccessible), slot.inverse >= 0 else { return false }
        let mine = layout.slots[slot.inverse]
        return !mine.kind.isToMany && isOutdated(mine)
    }

    /// Takes a row under what was changed here, if it is not the one that the object has.
    ///
    /// - Returns: Whether it did.
    @discardableResult
    func takeNewer(_ row: RowSnapshot) -> Bool {
        guard let context = contextStorage, row.version != snapshot?.version else { return false }
        var merge = RowMerge(context)
        merge.add(self, row, .mergeByPropertyObjectTrumpMergePolicyType)
        merge.run()
        context.merging.objects.refreshed.insert(self)
        return true
    }

    private func addInverse(_ other: NSManagedObject, _ mine: PropertySlot) {
        // With an undo manager all members are known by now, and whether there is one more is to be noted.
        guard recorder == nil, let state = unretainedToManyState(mine) else {
            change(mine, other, isMember: true)
            return
        }
        state._withUnsafeGuaranteedRef { state in
            guard state.addInverse(other.reference) else { return }
            noteChange(mine.index)
            recordReference?._withUnsafeGuaranteedRef {
                $0.keep(other.reference, wasMember: false, of: mine.index)
            }
            followChange(state, other, isMember: true)
        }
    }

    private func takeInverse(_ other: NSManagedObject, _ mine: PropertySlot) { change(mine, other, isMember: false) }

    // MARK: One side

    /// Makes an object a member here, or none; the other side does not follow.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    private func change(_ slot: PropertySlot, _ member: NSManagedObject, isMember: Bool) -> Bool {
        let recorder = recorder
        recorder?.willChangeMembers(self, slot)
        guard recorder == nil, let known = unretainedToManyState(slot) else {
            return change(slot, toManyState(slot), member, isMember: isMember, recorder)
        }
        // No recorder is told: the record keeps the state meanwhile.
        return known._withUnsafeGuaranteedRef { change(slot, $0, member, isMember: isMember, nil) }
    }

    /// The record keeps it, until the members are forgotten or set anew.
    private func unretainedToManyState(_ slot: PropertySlot) -> Unmanaged<ToManyState>? {
        recordReference?._withUnsafeGuaranteedRef { $0.unretainedCache(slot.index) }
    }

    private func change(
        _ slot: PropertySlot, _ state: ToManyState, _ member: NSManagedObject, isMember: Bool, _ recorder: UndoRecorder?
    ) -> Bool {
        // Taking a member out of the middle can't be told from its place: that takes all members, as the removal does
        // itself.
        let before = !isMember && slot.kind == .orderedToMany && state.isChanged && state.isLoaded ? state.members : nil
        guard isMember ? state.add(member.reference) : state.remove(member.reference) else { return false }
        noteChange(slot.index)
        if let before {
            mutableRecord.keep(before, of: slot.index)
        } else {
            mutableRecord.keep(member.reference, wasMember: !isMember, of: slot.index)
        }
        recorder?.didChangeMember(self, slot, member.reference, isMember: isMember)
        followChange(state, member, isMember: isMember)
        return true
    }

    /// All members may be about to change.
    func noteReplacement(ofMembers slot: PropertySlot) {
        if slot.kind.isToMany { recorder?.willReplaceMembers(self, slot) }
    }

    /// Records what was before a change; nil: there is no undo manager, and the members need not be known.
    private var recorder: UndoRecorder? { contextReference?._withUnsafeGuaranteedRef { $0.undoing.recorder } }

    /// The inverse of another object's relationship, as this object lays it out. The layout keeps it.
    private func inverseSlot(of slot: PropertySlot) -> Unmanaged<PropertySlot>? {
        guard slot.inverse >= 0, slot.inverse < table.pointee.count else { return nil }
        return table.pointee.entries[slot.inverse].slot
    }

    /// Brings both objects into one context, and traps where the destination can't be one.
    func check(_ destination: NSManagedObject, _ slot: PropertySlot) {
        let isUsual =
            contextReference?.toOpaque() == destination.contextReference?.toOpaque() && contextReference != nil
            && destination.table.pointee.number == slot.destination
        if !isUsual { checkUnusual(destination, slot) }
    }

    private func checkUnusual(_ destination: NSManagedObject, _ slot: PropertySlot) {
        guard slot.kind.isRelationship else { refuse(destination, slot) }
        switch (contextStorage, destination.contextStorage) {
        case (let mine?, let theirs?):
            require(
                mine === theirs,
                "Illegal attempt to establish a relationship '\(slot.name)' between objects in different contexts (\(layout.name) and \(destination.layout.name)); get the object with object(with:) in this context first."
            )
        case (let mine?, nil): mine.insert(destination)
        case (nil, let theirs?): theirs.insert(self)
        case (nil, nil):
            require(
                layout.model === destination.layout.model,
                "Illegal attempt to establish a relationship '\(slot.name)' between objects of different models (\(layout.name) and \(destination.layout.name)); make both with entities of one NSManagedObjectModel."
            )
            becomeLoose()
            destination.becomeLoose()
        }
        if destination.table.pointee.number == slot.destination { return }
        let wanted = layout.model[slot.destination]
        guard destination.layout.isKind(of: wanted) else {
            programmerError(
                "Unacceptable type of value for \(slot.kindName): property = \"\(slot.name)\"; desired entity = \(wanted.name); given entity = \(destination.layout.name); value = \(destination). The entity is \(layout.name). Set an object of \(wanted.name)."
            )
        }
    }
}
