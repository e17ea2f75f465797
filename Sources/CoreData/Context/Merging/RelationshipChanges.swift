import FoundationGaps

/// What a context made of the relationships of some objects: taken back, and made again once these have the rows that
/// the store has now.
///
/// A change that is made again is like any other: the inverse follows, and the former partner loses the object, by the
/// rows of that time. Whether a change stands is decided for both ends together. A change is given up
///
/// - where an object that is rolled back is at either end;
/// - where the store's value of either end counts more;
/// - where it leads to an object that is gone or deleted;
/// - where a delete rule made it, and the deleted object is back.
struct RelationshipChanges {
    private let context: NSManagedObjectContext
    private let cases: [ObjectReference: RowMerge.Case]
    private var changes: [RelationshipChange] = []
    /// What was not changed here, and is to be written all the same.
    private var assertions: [RelationshipChange] = []
    /// What an object that is inserted again had, and gets where no other object has it.
    private var claims: [RelationshipChange] = []
    private var orders: [MemberOrder] = []
    /// To-one relationships that have the store's value.
    private var trumped: Set<RelationshipEnd> = []
    /// One-to-one relationships that this context gave a partner.
    private var paired: Set<RelationshipEnd> = []
    /// Whether objects that others have to do with are there, and are as the store has them.
    private var fresh: [ObjectReference: Bool] = [:]
    /// Objects with changes for a save to write: it compares their rows.
    private var compared: Set<ObjectReference> = []

    // MARK: Taking down

    /// Takes all changes down that the objects have to do with, and takes them back. The objects have their old rows
    /// still.
    init(_ context: NSManagedObjectContext, _ cases: [RowMerge.Case]) {
        self.context = context
        self.cases = Dictionary(cases.map { ($0.object.reference, $0) }, uniquingKeysWith: { first, _ in first })
        let all = context.unsaved.objects.flatMap { takeDown($0) }
        let affected = reach(of: all)
        changes = all.filter { $0.ends.contains(where: affected.contains) }
        for place in changes.indices { changes[place].isByRule = isByRule(changes[place]) }
        paired = Set(changes.compactMap(\.pairedEnd))
        cases.forEach { takeDownUnchanged($0) }
        compared = Set(changes.flatMap(\.ends).filter { context.registeredObject(for: $0)?.isCompared ?? false })
        changes.forEach(takeBack)
        let returned = Set(cases.lazy.filter { $0.fate == .returned }.map(\.object.reference))
        if !returned.isEmpty { rejoin(returned) }
    }

    private mutating func takeDown(_ object: NSManagedObject) -> [RelationshipChange] {
        guard object.isChanged, !object.state.contains(.inaccessible), let record = object.record else { return [] }
        var found: [RelationshipChange] = []
        for slot in object.layout.slots where slot.kind.isRelationship && !slot.isTransient {
            if slot.kind.isToMany {
                if !object.isGoing { found += takeDownMembers(of: object, slot) }
            } else if !record.isUnset(slot.index) {
                let (old, new) = (object.snapshotValue(slot).destination, record[slot.index].destination)
                let change = RelationshipChange(object, slot, .destination(old: old, new: new))
                // A deleted object is to know the objects to which its row still relates it.
                let isTold = !object.isGoing || change.slot.isPair || cases[object.reference]?.fate == .returned
                if old != new, isTold { found.append(change) }
            }
        }
        return found
    }

    private mutating func takeDownMembers(of object: NSManagedObject, _ slot: PropertySlot) -> [RelationshipChange] {
        guard let state = object.record?.cache(slot.index, as: ToManyState.self), state.isChanged else { return [] }
        if slot.kind == .orderedToMany {
            let members = object.members(slot)
            orders.append(MemberOrder(object: object, slot: slot, members: members, stored: state.stored ?? []))
        }
        // The members' own rows say where they belong.
        if let inverse = object.inverse(of: slot), !inverse.kind.isToMany { return [] }
        // What was taken out and put back only changed its place.
        let added = Set(state.added)
        return state.added.filter { !state.removed.contains($0) }.map {
            RelationshipChange(object, slot, .addition($0))
        }
            + state.removed.members.filter { !added.contains($0) && !staysDeleted($0) }
            .map { RelationshipChange(object, slot, .removal($0)) }
    }

    private func staysDeleted(_ reference: ObjectReference) -> Bool {
        guard let object = context.registeredObject(for: reference), object.isGoing else { return false }
        return cases[reference]?.fate != .returned
    }

    /// Whether a deletion made the object forget the other end, which still knows it and comes back now.
    private func isByRule(_ change: RelationshipChange) -> Bool {
        if cases[change.object.reference]?.fate == .returned { return true }
        let end: ObjectReference? =
            switch change.edit {
            case .destination(let old, nil): old
            case .removal(let member): member
            default: nil
            }
        guard let end, let returned = cases[end], returned.fate == .returned,
            let inverse = change.object.inverse(of: change.slot)
        else { return false }
        let reference = change.object.reference
        if !inverse.kind.isToMany { return returned.object.current(inverse).destination == reference }
        return returned.object.record?.cache(inverse.index, as: ToManyState.self)?.contains(reference) ?? true
    }

    /// The objects that the changes of one-to-one relationships lead to from objects with changed rows: what becomes of
    /// one decides for its former and its new partner, too.
    private func reach(of changes: [RelationshipChange]) -> Set<ObjectReference> {
        var neighbours: [ObjectReference: [ObjectReference]] = [:]
        for pair in changes where pair.slot.isPair {
            for end in pair.ends { neighbours[end, default: []] += pair.ends }
        }
        var reached = Set(cases.keys)
        var open = neighbours.isEmpty ? [] : Array(reached)
        while let end = open.popLast() {
            for other in neighbours[end] ?? [] where reached.insert(other).inserted { open.append(other) }
        }
        return reached
    }

    /// Relationships that were not changed here, and are written anyway: those of objects that are overwritten or
    /// inserted again.
    private mutating func takeDownUnchanged(_ merged: RowMerge.Case) {
        let object = merged.object
        let isOverwritten = merged.type == .overwriteMergePolicyType
        for slot in object.layout.slots where slot.kind == .toOne && slot.isStoredInRow {
            if merged.type == .mergeByPropertyStoreTrumpMergePolicyType, let row = merged.row,
                object.isConflicting(slot, row)
            {
                trumped.insert(RelationshipEnd(object: object.reference, slot: slot.index))
            }
            let value = object.snapshotValue(slot)
            if let record = object.record, !record.isUnset(slot.index) {
                if !object.isUnchanged(slot, record[slot.index]) { continue }
                // What was set to what it was is no change.
                record[slot.index] = .unset
            }
            let assertion = RelationshipChange(object, slot, .destination(old: nil, new: value.destination))
            switch merged.fate {
            case .changed where isOverwritten:
                if let row = merged.row, !object.isUnchanged(slot, value, in: row) { assertions.append(assertion) }
            case .inserted:
                if isOverwritten { assertions.append(assertion) } else { claims.append(assertion) }
            default: break
            }
        }
        if merged.fate == .inserted { takeDownMembers(of: object) }
    }

    /// The members of an object that is inserted again, as far as they are known.
    private mutating func takeDownMembers(of object: NSManagedObject) {
        for slot in object.layout.toManySlots where !slot.isTransient {
            guard let state = object.record?.cache(slot.index, as: ToManyState.self) else { continue }
            let kept = (state.stored ?? []).filter { !state.removed.contains($0) }
            if let inverse = object.inverse(of: slot), !inverse.kind.isToMany {
                for member in context.objects(for: kept) {
                    claims.append(
                        RelationshipChange(member, inverse, .destination(old: nil, new: object.reference)))
                }
            } else {
                changes += kept.map { RelationshipChange(object, slot, .addition($0)) }
            }
        }
    }

    // MARK: Taking back

    private func takeBack(_ change: RelationshipChange) {
        let (object, slot) = (change.object, change.slot)
        let inverse = object.inverse(of: slot)
        switch change.edit {
        case .destination(let old, let new):
            // Made again or not, that is how it was before.
            context.undoing.recorder?.willForget(object, slot)
            object.mutableRecord[slot.index] = object.state.contains(.inserted) ? .null : .unset
            guard let inverse, inverse.kind.isToMany else { return }
            for owner in [old, new].compactMap(\.self) { forget(object.reference, inverse, of: owner) }
        case .addition(let member), .removal(let member):
            forget(member, slot, of: object.reference)
            if let inverse { forget(object.reference, inverse, of: member) }
        }
    }

    /// Forgets what the deletion of objects that are back made of others' members, and what was made of these before.
    private func rejoin(_ returned: Set<ObjectReference>) {
        for other in context.unsaved.objects {
            for slot in other.layout.toManySlots where !slot.isTransient {
                guard other.isGoing || other.inverse(of: slot)?.kind == .toOne,
                    let state = other.record?.cache(slot.index, as: ToManyState.self)
                else { continue }
                for member in state.added + state.removed.members where returned.contains(member) {
                    state.forgetChange(of: member)
                }
            }
        }
    }

    private func forget(_ member: ObjectReference, _ slot: PropertySlot, of owner: ObjectReference) {
        guard let object = context.registeredObject(for: owner),
            let state = object.record?.cache(slot.index, as: ToManyState.self)
        else { return }
        context.undoing.recorder?.willForget(member, object, slot)
        state.forgetChange(of: member)
    }

    // MARK: Making again

    /// Makes again what stands. The objects have their new rows.
    mutating func makeAgain() {
        for change in assertions + changes where !change.isByRule { make(change) }
        for claim in claims { self.claim(claim) }
        for order in orders { restore(order) }
    }

    private mutating func make(_ change: RelationshipChange) {
        let object = change.object
        guard !isFixed(object.reference), !object.isGoing, object.contextStorage === context else { return }
        switch change.edit {
        case .destination(_, let new):
            if change.slot.isPair { pair(object, change.slot, new) } else { relate(object, change.slot, new) }
        case .addition(let member): setMember(member, true, object, change.slot)
        case .removal(let member): setMember(member, false, object, change.slot)
        }
    }

    private mutating func relate(_ object: NSManagedObject, _ slot: PropertySlot, _ new: ObjectReference?) {
        if isTrumped(object.reference, slot) || object.current(slot).destination == new { return }
        guard slot.inverse >= 0 else { return object.write(slot, new.map { .reference($0) } ?? .null) }
        var destination: NSManagedObject?
        if let new {
            guard let found = usable(new) else { return }
            destination = found
        }
        freshenDestination(of: object, slot)
        object.setDestination(destination, slot)
    }

    private mutating func pair(_ object: NSManagedObject, _ slot: PropertySlot, _ new: ObjectReference?) {
        let former = object.current(slot).destination
        guard let inverse = object.inverse(of: slot), former != new, !isTrumped(object.reference, slot) else { return }
        if let former, isFixed(former) { return }
        guard let new else {
            // A former partner that has another partner now leaves when that change is made, unless it has left by a
            // newer row.
            if let former, !staysDeleted(former),
                paired.contains(RelationshipEnd(object: former, slot: inverse.index)),
                context.registeredObject(for: former)?.current(inverse).destination == object.reference
            {
                return
            }
            freshenDestination(of: object, slot)
            return object.setDestination(nil, slot)
        }
        guard !isFixed(new), !isTrumped(new, inverse), let partner = usable(new) else { return }
        partner.fireIfNeeded()
        if let third = partner.current(inverse).destination, isFixed(third) { return }
        freshenDestination(of: object, slot)
        freshenDestination(of: partner, inverse)
        object.setDestination(partner, slot)
    }

    private mutating func setMember(
        _ member: ObjectReference, _ isMember: Bool, _ object: NSManagedObject, _ slot: PropertySlot
    ) {
        if slot.inverse >= 0, isFixed(member) { return }
        guard object.members(slot).contains(member) != isMember else { return }
        if isMember {
            if let member = usable(member) { object.insertMember(member, slot) }
        } else if let member = context.destination(for: member) {
            _ = freshen(member)
            object.removeMember(member, slot)
        }
    }

    /// Gives an object that is inserted again what it had, unless others have it.
    private mutating func claim(_ change: RelationshipChange) {
        guard case .destination(_, let new?) = change.edit, let destination = usable(new) else { return }
        let (object, slot) = (change.object, change.slot)
        guard !object.isGoing, freshen(object) else { return }
        object.fireIfNeeded()
        guard object.current(slot).destination == nil else { return }
        if change.slot.isPair, let inverse = object.inverse(of: slot) {
            destination.fireIfNeeded()
            if destination.current(inverse).destination != nil { return }
        }
        object.setDestination(destination, slot)
    }

    /// Puts members where they were put here; those that only came meanwhile follow.
    private func restore(_ order: MemberOrder) {
        let (object, slot) = (order.object, order.slot)
        guard !isFixed(object.reference), !object.isGoing, object.contextStorage === context else { return }
        let state = object.loadedToMany(slot)
        let current = state.members
        if cases[object.reference]?.type == .mergeByPropertyStoreTrumpMergePolicyType,
            order.isOtherwise(state.stored ?? [])
        {
            return
        }
        let (here, known) = (Set(current), Set(order.members))
        let wanted = order.members.filter(here.contains) + current.filter { !known.contains($0) }
        guard wanted != current else { return }
        object.noteReplacement(ofMembers: slot)
        state.setOrder(wanted)
        object.noteChange(slot.index)
        object.updateView(slot, state)
    }

    // MARK: What stands

    private func isFixed(_ reference: ObjectReference) -> Bool {
        guard let merged = cases[reference] else { return false }
        return merged.fate == .changed && merged.type == .rollbackMergePolicyType
    }

    private func isTrumped(_ object: ObjectReference, _ slot: PropertySlot) -> Bool {
        trumped.contains(RelationshipEnd(object: object, slot: slot.index))
    }

    // MARK: Others

    /// The object of a reference, if it is there still, as the store has it.
    private mutating func usable(_ reference: ObjectReference) -> NSManagedObject? {
        guard let object = context.destination(for: reference), !object.isGoing else { return nil }
        return freshen(object) ? object : nil
    }

    private mutating func freshenDestination(of object: NSManagedObject, _ slot: PropertySlot) {
        guard let reference = object.current(slot).destination, let other = context.destination(for: reference) else {
            return
        }
        _ = freshen(other)
    }

    /// Has an object take its row as it is now, unless the save compares it anyway.
    ///
    /// - Returns: False if there is none.
    private mutating func freshen(_ object: NSManagedObject) -> Bool {
        let reference = object.reference
        if object.state.contains(.inserted) || cases[reference] != nil || compared.contains(reference) { return true }
        if let known = fresh[reference] { return known }
        if object.isCompared { return true }
        let row: RowSnapshot?
        do { row = try context.source.freshRow(for: reference) } catch {
            // It stays as it is known: the save compares its row like any other, and tells what there is to tell.
            return true
        }
        fresh[reference] = row != nil
        guard let row else { return false }
        // A parent makes both ends agree itself when it is handed the changes.
        if context.parentContext == nil { object.takeNewer(row) }
        return true
    }
}

/// One change of one end of a relationship.
private struct RelationshipChange {
    enum Edit {
        case destination(old: ObjectReference?, new: ObjectReference?)
        case addition(ObjectReference)
        case removal(ObjectReference)
    }

    let object: NSManagedObject
    let slot: PropertySlot
    let edit: Edit
    /// Whether it is a delete rule's, of a deletion that does not stand.
    var isByRule = false

    init(_ object: NSManagedObject, _ slot: PropertySlot, _ edit: Edit) {
        self.object = object
        self.slot = slot
        self.edit = edit
    }

    /// The objects that it is about.
    var ends: [ObjectReference] {
        switch edit {
        case .destination(let old, let new): [object.reference] + [old, new].compactMap(\.self)
        case .addition(let member), .removal(let member): [object.reference, member]
        }
    }

    /// The end that was given a partner.
    var pairedEnd: RelationshipEnd? {
        guard case .destination(_, _?) = edit, slot.isPair else { return nil }
        return RelationshipEnd(object: object.reference, slot: slot.index)
    }
}

/// An end of a relationship.
private struct RelationshipEnd: Hashable {
    let object: ObjectReference
    let slot: Int
}

/// The order that a context gave the members of a relationship.
private struct MemberOrder {
    let object: NSManagedObject
    let slot: PropertySlot
    let members: [ObjectReference]
    /// The order that it had been.
    let stored: [ObjectReference]

    /// Whether others have put the members that all know in another order.
    func isOtherwise(_ theirs: [ObjectReference]) -> Bool {
        let (mine, others) = (Set(stored), Set(theirs))
        return stored.filter(others.contains) != theirs.filter(mine.contains)
    }
}

extension NSManagedObject {
    /// Whether the next save compares the object's row with the store's.
    var isCompared: Bool { isChanged && (isGoing || hasValuesToStore) }
}
