import FoundationGaps

/// What one context knows of an object beyond its row: changed values, transient ones, and what was derived from the row.
///
/// A clean object that is merely read has none. The record of an inserted object is all that there is of it.
final class ChangeRecord {
    /// The changed and the transient values by slot index; `.unset` where the row's value holds.
    private(set) var values: [Slot]
    /// Derived from the row and kept for the next read: ``ToManyState``, ``ValueBox`` of a transformable or a fetched
    /// property, by slot index. Empty until the first.
    private var caches: ContiguousArray<AnyObject?> = []
    /// The slots that changed since pending changes were last processed.
    var changedInEvent = SlotSet()
    /// The ID that was handed out, so that asking again gives the same one.
    var objectID: NSManagedObjectID?
    /// The store that the object was assigned to before its first save.
    unowned(unsafe) var assignedStore: NSPersistentStore?

    init(slotCount: Int) { values = [Slot](repeating: .unset, count: slotCount) }

    @inline(__always)
    subscript(index: Int) -> Slot {
        get { values[index] }
        set { values[index] = newValue }
    }

    func cache<T: AnyObject>(_ index: Int, as type: T.Type = T.self) -> T? {
        guard index < caches.count, let cached = caches[index] else { return nil }
        return unsafeDowncast(cached, to: T.self)  // a slot's kind decides what its cache holds
    }

    func setCache(_ index: Int, _ value: AnyObject?) {
        if caches.isEmpty {
            if value == nil { return }
            caches = ContiguousArray(repeating: nil, count: values.count)
        }
        caches[index] = value
    }

    /// Forgets the changes, and what was derived from the values that they replace; transient values stay.
    func forgetChanges(in layout: EntityLayout) {
        for slot in layout.slots where !slot.isTransient {
            if !values[slot.index].isUnset { values[slot.index] = .unset }
        }
        changedInEvent.removeAll()
    }

    /// Forgets everything but the object's identity.
    func forgetAll() {
        for index in values.indices { values[index] = .unset }
        caches = []
        changedInEvent.removeAll()
    }

    /// Whether nothing was derived from the row, and nothing promised that a new record would not keep.
    var hasNoCaches: Bool { caches.isEmpty && objectID == nil }

    /// Whether anything is worth keeping.
    var isEmpty: Bool { caches.allSatisfy { $0 == nil } && values.allSatisfy(\.isUnset) && assignedStore == nil }
}
