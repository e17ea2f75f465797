import FoundationGaps

/// Objects in no context, and related to each other all the same.
///
/// Such an object is *loose*: it has a temporary key, which it keeps when it is inserted, and holds the objects that
/// its relationships lead to. Inserting one inserts all of them.
extension NSManagedObject {
    /// Gives an object in no context a reference of its own, by which others can be related to it.
    func becomeLoose() {
        guard contextReference == nil, !state.contains(.loose) else { return }
        fireIfNeeded()
        if key != 0 { forgetRelated() }
        key = TemporaryKeys.next()
        store = ObjectReference.unassignedStore
        state.insert(.loose)
    }

    /// Lets go of the objects that relationships lead to. Sets that the app has stay as they are.
    func letRelatedGo() {
        if let held = heldDestinations.takeAll() { releaseDeep(held) }
        guard let record, !record.hasNoCaches else { return }
        for slot in layout.toManySlots { record.cache(slot.index, as: ToManyState.self)?.letMembersGo() }
    }

    /// An object that has left its context leads nowhere: what it was related to is known to that context only.
    private func forgetRelated() {
        letRelatedGo()
        guard let record else { return }
        record.objectID = nil
        for index in table.pointee.toOnes {
            if case .reference = record[index] { record[index] = .null }
        }
        for slot in layout.toManySlots { record.setCache(slot.index, nil) }
    }

    /// This object and all loose ones that relationships lead to from it.
    var looseGraph: [NSManagedObject] {
        var found = [self]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        var next = 0
        while next < found.count {
            for other in found[next].heldRelated
            where other.state.contains(.loose) && seen.insert(ObjectIdentifier(other)).inserted {
                found.append(other)
            }
            next += 1
        }
        return found
    }

    private var heldRelated: [NSManagedObject] {
        let members = layout.toManySlots.flatMap { slot in
            record?.cache(slot.index, as: ToManyState.self)?.heldObjects(0, in: nil) ?? []
        }
        return heldDestinations.objects + members
    }

    /// Whether the object was made without a context, and nothing of it was asked for as yet: its values are the
    /// defaults.
    var isUntouched: Bool { contextReference == nil && key == 0 && row == nil && !state.contains(.realized) }
}
