import FoundationGaps

/// What one event changed: each object as it was before.
final class UndoJournal {
    private(set) var entries: [UndoEntry] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// How many saves the context had seen.
    let saves: Int

    init(saves: Int) { self.saves = saves }

    var isEmpty: Bool { entries.isEmpty }

    /// What is known of an object, from its first change on.
    func entry(of object: NSManagedObject) -> UndoEntry {
        let id = ObjectIdentifier(object)
        if let place = places[id] { return entries[place] }
        places[id] = entries.count
        let entry = UndoEntry(object)
        entries.append(entry)
        return entry
    }

    /// The event is over: what came to nothing is forgotten.
    func close() {
        for entry in entries { entry.close() }
        entries.removeAll(where: \.isEmpty)
        places = [:]
    }

    func replaceReferences(_ assignment: KeyAssignment) {
        for entry in entries { entry.replaceReferences(assignment) }
    }
}

/// One object as it was before an event.
final class UndoEntry {
    /// The members of an ordered relationship before the event and after it.
    struct Orders {
        let before: [ObjectReference]
        var after: [ObjectReference]
    }

    /// What the event did to the object itself.
    enum Fate {
        case stayed, came, went
    }

    let object: NSManagedObject
    /// Whether the object was in the context, deleted or not: then what it said of others can be taken back.
    let wasRegistered: Bool
    /// Whether the object was in the context, and not deleted.
    let wasPresent: Bool
    var fate = Fate.stayed
    let wasUpdated: Bool
    /// The row that unset values were read from.
    private(set) var row: RowSnapshot?
    /// The changed slots as the record had them; `.unset`: the row's value held.
    private(set) var values: [Int: Slot] = [:]
    /// The objects that came to an unordered relationship, or went, by whether they were members before.
    private(set) var members: [Int: [ObjectReference: Bool]] = [:]
    private(set) var orders: [Int: Orders] = [:]
    /// Values that the store keeps in files of its own, which go with their row.
    private(set) var externals: [Int: Slot] = [:]
    /// All members before, where all may have been replaced.
    private var sets: [Int: [ObjectReference]] = [:]

    /// What is known of an object, for another one under the same reference.
    init(_ entry: UndoEntry, for object: NSManagedObject) {
        self.object = object
        (wasRegistered, wasPresent, wasUpdated) = (entry.wasRegistered, entry.wasPresent, entry.wasUpdated)
        (fate, row, values, members) = (entry.fate, entry.row, entry.values, entry.members)
        (orders, externals, sets) = (entry.orders, entry.externals, entry.sets)
    }

    init(_ object: NSManagedObject) {
        self.object = object
        wasRegistered = object.contextReference != nil
        wasPresent = object.isPresent
        wasUpdated = object.state.contains(.updated)
        row = object.snapshot
    }

    /// Whether nothing is left to take back.
    var isEmpty: Bool {
        if fate != .stayed { return false }
        return object.contextReference == nil || values.isEmpty && members.isEmpty && orders.isEmpty
    }

    // MARK: Noting

    func recordValue(_ index: Int) {
        guard values[index] == nil else { return }
        let slot = object.layout.slots[index]
        guard !slot.kind.isToMany, slot.kind != .fetched, slot.kind != .composite else { return }
        // A fault that the event deleted, say, has fired since.
        if row == nil { row = object.snapshot }
        let value = object.changedValue(index)
        if value.isUnset { keepExternal(slot) }
        // It may have taken a newer row since the event began.
        values[index] = value.isUnset && row !== object.snapshot ? object.snapshotValue(slot) : value
    }

    func noteMember(_ index: Int, _ member: ObjectReference, wasMember: Bool) {
        guard sets[index] == nil, members[index]?[member] == nil else { return }
        members[index, default: [:]][member] = wasMember
    }

    func noteMembers(_ index: Int, _ now: [ObjectReference]) {
        guard sets[index] == nil else { return }
        var before = Set(now)
        for (member, wasMember) in members[index] ?? [:] {
            if wasMember { before.insert(member) } else { before.remove(member) }
        }
        members[index] = nil
        sets[index] = Array(before)
    }

    func noteOrder(_ index: Int, _ before: [ObjectReference], after: [ObjectReference] = []) {
        if orders[index] == nil { orders[index] = Orders(before: before, after: after) }
    }

    /// Keeps what is only found through the row: it may be gone when the object comes back.
    func keepStoredValues() {
        object.fireIfNeeded()
        for slot in object.layout.toManySlots where !slot.isTransient { _ = object.loadedToMany(slot) }
        for slot in object.layout.slots where slot.isExternal && object.changedValue(slot.index).isUnset {
            keepExternal(slot)
        }
    }

    private func keepExternal(_ slot: PropertySlot) {
        if slot.isExternal, externals[slot.index] == nil { externals[slot.index] = object.snapshotValue(slot) }
    }

    /// The event is over.
    func close() {
        let isPresent = object.isPresent
        // An object that was found gone, with a row that this context has not read, has no values to come back with.
        let wasNeverThere = object.state.contains(.inaccessible) && row == nil
        fate = wasPresent == isPresent || wasNeverThere ? .stayed : isPresent ? .came : .went
        for (index, before) in sets {
            let was = Set(before)
            let now = Set(object.toManyState(object.layout.slots[index]).members)
            var changes: [ObjectReference: Bool] = [:]
            for member in was.symmetricDifference(now) { changes[member] = was.contains(member) }
            members[index] = changes.isEmpty ? nil : changes
        }
        sets = [:]
        for index in orders.keys {
            let now = object.toManyState(object.layout.slots[index]).members
            orders[index]?.after = now
            if orders[index]?.before == now { orders[index] = nil }
        }
    }

    // MARK: References

    func replaceReferences(_ assignment: KeyAssignment) {
        func new(_ old: ObjectReference) -> ObjectReference { assignment.replacement(of: old) ?? old }
        for (index, value) in values {
            if case .reference(let old) = value { values[index] = .reference(new(old)) }
        }
        members = members.mapValues { changes in
            Dictionary(changes.map { (new($0), $1) }, uniquingKeysWith: { first, _ in first })
        }
        orders = orders.mapValues { Orders(before: $0.before.map(new), after: $0.after.map(new)) }
        sets = sets.mapValues { $0.map(new) }
        row = row.map { $0.following(assignment, store: object.store) ?? $0 }
        // A save does not follow references of an object that is out of the context at present.
        if object.contextReference == nil { object.follow(assignment) }
    }
}

extension NSManagedObject {
    /// Whether the object is in a context, and not deleted.
    var isPresent: Bool { contextReference != nil && !state.contains(.deleted) }
}
