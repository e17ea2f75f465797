import FoundationGaps

/// Takes one event back: both sides of every relationship were noted, so all is set as it was, and inverses need not
/// follow.
struct UndoReversal {
    private let journal: UndoJournal
    private let context: NSManagedObjectContext
    private let inverse: UndoJournal
    private let wasSaved: Bool

    /// - Parameter saves: How many saves the context has seen now.
    init(_ journal: UndoJournal, _ context: NSManagedObjectContext, saves: Int) {
        self.journal = journal
        self.context = context
        inverse = UndoJournal(saves: saves)
        wasSaved = journal.saves != saves
    }

    /// - Returns: How to do it again.
    func run() -> UndoJournal {
        // What is held may be gone, and come back as another object.
        context.departures &+= 1
        let own = journal.entries.filter { $0.object.contextStorage.map { $0 === context } ?? true }
        let entries = own.map(ofRegistered)
        // All that has to be asked for is asked for first: from here on every reference means what it meant.
        for entry in entries { prepare(entry) }
        context.followPromotions()
        for entry in entries { noteInverse(of: entry) }
        // An object comes back before a relationship leads to it. An object goes after all relationships to it are
        // gone. An object that others have deleted since stays gone.
        let gone = entries.filter { $0.fate == .went && !$0.object.isPresent }
        // First those that left the context: the deleted that are still here look their members up as they come back.
        for entry in gone where entry.object.contextReference == nil { revive(entry) }
        for entry in gone where !entry.object.isPresent { revive(entry) }
        for entry in entries { restore(entry) }
        for entry in entries where entry.fate == .came && entry.object.isPresent { withdraw(entry.object) }
        for entry in entries where entry.object.isPresent { updateState(of: entry) }
        for entry in entries where entry.object.isPresent { awake(entry) }
        return inverse
    }

    // MARK: What is now

    /// The entry for the object that is registered now. An object that went may be back as another one: as the parent
    /// has it, if its deletion was not saved. A fault without a row leaves the context first.
    private func ofRegistered(_ entry: UndoEntry) -> UndoEntry {
        guard entry.object.contextReference == nil, let other = context.registeredObject(for: entry.object.reference)
        else { return entry }
        if !context.isMissing(other) { return UndoEntry(entry, for: other) }
        context.letGo(of: other)
        context.forgetUnchanged()
        return entry
    }

    private func prepare(_ entry: UndoEntry) {
        entry.object.fireIfNeeded()
        for index in Array(entry.members.keys) + entry.orders.keys { _ = loaded(entry.object, index) }
    }

    private func noteInverse(of entry: UndoEntry) {
        let object = entry.object
        let now = inverse.entry(of: object)
        if object.isPresent, entry.fate == .came { now.keepStoredValues() }
        for index in entry.values.keys { now.recordValue(index) }
        for (index, changes) in entry.members {
            let state = loaded(object, index)
            for member in changes.keys {
                now.noteMember(index, member, wasMember: state.contains(member) ?? false)
            }
        }
        for (index, orders) in entry.orders {
            let members = loaded(object, index).members
            now.noteOrder(index, members, after: orders.target(from: members))
        }
    }

    private func loaded(_ object: NSManagedObject, _ index: Int) -> ToManyState {
        object.loadedToMany(object.layout.slots[index])
    }

    // MARK: What was

    private func revive(_ entry: UndoEntry) {
        context.revive(entry)
        inverse.entry(of: entry.object).fate = .came
    }

    private func withdraw(_ object: NSManagedObject) {
        context.withdraw(object)
        inverse.entry(of: object).fate = .went
    }

    private func restore(_ entry: UndoEntry) {
        let object = entry.object
        func telling(_ slot: PropertySlot, _ change: () -> Void) {
            if object.isObserved { object.tellingObservers(of: slot.name, KeyMutation(), change) } else { change() }
            object.mutableRecord.noteChange(slot.index)
        }
        object.mutableRecord.begin(event: context.events.number)
        let slots = object.layout.slots
        for (index, value) in entry.values {
            telling(slots[index]) { object.restore(value, slots[index], entry) }
        }
        for (index, changes) in entry.members {
            telling(slots[index]) { object.restoreMembers(changes, slots[index]) }
        }
        for (index, orders) in entry.orders {
            telling(slots[index]) { object.restoreOrder(orders, slots[index]) }
        }
    }

    /// Counts the object among the changed ones if it differs from what is saved.
    private func updateState(of entry: UndoEntry) {
        let object = entry.object
        let had = object.isChanged
        if object.state.isDisjoint(with: [.inserted, .deleted]) {
            let isTransientChange = entry.values.keys.contains { object.layout.slots[$0].isTransient }
            let isUpdated = wasSaved ? isTransientChange : entry.wasUpdated
            object.state.remove(.updated)
            if isUpdated || object.hasValuesToStore { object.state.insert(.updated) }
        }
        context.unsaved.count += (object.isChanged ? 1 : 0) - (had ? 1 : 0)
        context.track(object)
        if !context.undoing.revived.contains(object) { context.undoing.restored.insert(object) }
    }

    private func awake(_ entry: UndoEntry) {
        let isBack = context.undoing.revived.contains(entry.object)
        var flags: NSSnapshotEventType = isBack ? .undoDeletion : []
        if !isBack || !(entry.values.isEmpty && entry.members.isEmpty && entry.orders.isEmpty) {
            flags.insert(.undoUpdate)
        }
        entry.object.awake(fromSnapshotEvents: flags)
    }
}

extension UndoEntry.Orders {
    /// The members before, or those of now with the event's changes taken out, where something else changed them since.
    func target(from now: [ObjectReference]) -> [ObjectReference] {
        if now == after { return before }
        let (old, new) = (Set(before), Set(after))
        var target = now.filter { old.contains($0) || !new.contains($0) }
        let known = Set(target)
        // Members that the event has moved go back, as long as they have the order that it gave them.
        let moved = known.intersection(old).intersection(new)
        if target.filter(moved.contains) == after.filter(moved.contains) {
            let places = target.indices.filter { moved.contains(target[$0]) }
            for (place, member) in zip(places, before.filter(moved.contains)) { target[place] = member }
        }
        // Members that the event has removed come back, each behind the one before it that is still there.
        var removed: [ObjectReference?: [ObjectReference]] = [:]
        var last: ObjectReference?
        for member in before {
            if known.contains(member) {
                last = member
            } else if !new.contains(member) {
                removed[last, default: []].append(member)
            }
        }
        return (removed[nil] ?? []) + target.flatMap { [$0] + (removed[$0] ?? []) }
    }
}

extension NSManagedObject {
    /// Sets a slot to what it was, without a word to the other side.
    fileprivate func restore(_ value: Slot, _ slot: PropertySlot, _ entry: UndoEntry) {
        let record = mutableRecord
        if slot.kind == .transformable { record.setCache(slot.index, nil) }
        if value.isUnset, snapshot === entry.row {
            record[slot.index] = .unset
            return
        }
        let old = value.isUnset ? entry.externals[slot.index] ?? self.value(of: slot, in: entry.row) : value
        record[slot.index] = isUnchanged(slot, old) ? .unset : old
    }

    /// The value that a row has.
    private func value(of slot: PropertySlot, in row: RowSnapshot?) -> Slot {
        let own = snapshot
        snapshot = row
        defer { snapshot = own }
        return snapshotValue(slot)
    }

    fileprivate func restoreMembers(_ changes: [ObjectReference: Bool], _ slot: PropertySlot) {
        let state = loadedToMany(slot)
        for (member, wasMember) in changes {
            if wasMember { state.add(member) } else { state.remove(member) }
        }
        updateView(slot, state)
        // Members may be on their way still.
        state.isViewStale = true
    }

    fileprivate func restoreOrder(_ orders: UndoEntry.Orders, _ slot: PropertySlot) {
        let state = loadedToMany(slot)
        state.restoreOrder(orders.target(from: state.members))
        updateView(slot, state)
        state.isViewStale = true
    }
}

extension NSManagedObjectContext {
    /// Brings a deleted object back: as it was if that is not saved yet, else as a new one with its old ID.
    fileprivate func revive(_ entry: UndoEntry) {
        let object = entry.object
        if object.contextReference != nil {
            undelete(object)
        } else {
            assert(registeredObject(for: object.reference) == nil, "Two objects for \(object.reference).")
            object.joinContext(self)
            object.becomeNew(entry.externals)
            uniquing.register(object)
            unsaved.count += 1
            track(object)
        }
        undoing.revived.insert(object)
    }

    /// Undoes the insertion of an object: it is forgotten, or deleted if it was saved.
    fileprivate func withdraw(_ object: NSManagedObject) {
        object.awake(fromSnapshotEvents: .undoInsertion)
        // What points to it all the same was changed without the undo manager's knowledge.
        for slot in object.layout.slots where slot.kind.isRelationship && object.letsGo(slot) {
            // Only registered objects can lead to an object that was never saved. For another object that went just
            // before, with a permanent ID obtained in advance, a fault without a row would be made, which counts as
            // deleted.
            object.disconnect(slot, fromRegisteredOnly: object.state.contains(.inserted))
        }
        track(object)
        guard object.state.contains(.inserted) else {
            if object.state.isDisjoint(with: .changed) { unsaved.count += 1 }
            object.state.formUnion([.deleted, .propagated])
            object.showTornDownRelationships()
            requireDeletionChecks(of: object)
            return
        }
        object.keepObjectID()
        // It stays in the lists of this event until its notification is posted.
        let marks = object.state.intersection([.tracked, .inEvent])
        unsaved.count -= 1
        uniquing.remove(object)
        held.registered.remove(object)
        object.leaveContext()
        object.state.formUnion(marks)
    }
}

extension NSManagedObject {
    /// Whether objects that lead to this object forget it when it goes. With the rules Deny and No Action they do so
    /// only if it was never saved.
    fileprivate func letsGo(_ slot: PropertySlot) -> Bool {
        switch slot.relationship?.deleteRule ?? .noActionDeleteRule {
        case .nullifyDeleteRule, .cascadeDeleteRule: true
        case .denyDeleteRule, .noActionDeleteRule: state.contains(.inserted)
        }
    }

    /// An object that lost its row has all its values by itself, as an object that was never saved.
    fileprivate func becomeNew(_ externals: [Int: Slot]) {
        state.remove([.deleted, .propagated, .inaccessible, .updated])
        state.formUnion([.inserted, .realized])
        guard snapshot != nil else { return }
        let record = mutableRecord
        for slot in layout.slots where slot.isStoredInRow && record.isUnset(slot.index) {
            record[slot.index] = externals[slot.index] ?? snapshotValue(slot)
        }
        for slot in layout.toManySlots where !slot.isTransient {
            let members = record.cache(slot.index, as: ToManyState.self)?.members ?? []
            let new = ToManyState(stored: [], isOrdered: slot.kind == .orderedToMany)
            for member in members { new.add(member) }
            record.setCache(slot.index, new)
        }
        loseRow()
    }
}

extension ToManyState {
    /// Sets all members as they were. The store's must have been loaded.
    func restoreOrder(_ members: [ObjectReference]) {
        if members == stored { forgetChanges() } else { setOrder(members) }
    }
}
