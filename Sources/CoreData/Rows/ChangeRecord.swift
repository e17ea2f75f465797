import FoundationGaps

/// What stands before a record's values.
package struct ChangeHeader {
    fileprivate let count: Int32
    /// The version of a row that is gone and that this object will bring back; 0 for one that never had a row. A
    /// negative one is the version to give, of a row that comes from another store.
    var lostVersion: Int32 = 0
    /// The slots that changed in the event of this number.
    fileprivate(set) var changedInEvent = SlotSet()
    /// The slots that changed in events before it.
    fileprivate(set) var changedBefore = SlotSet()
    fileprivate(set) var event: UInt64 = 0
    /// What was changed before the event, and changed again in it, as it was when the event began.
    fileprivate var before: ContiguousArray<(index: Int, value: ValueBefore)> = []
    /// Derived from the row and kept for the next read: ``ToManyState``, ``ValueBox`` of a transformable or a fetched
    /// property, by slot index. Empty until the first.
    fileprivate var caches: ContiguousArray<AnyObject?> = []
    /// The ID that was handed out, so that asking again gives the same one.
    var objectID: NSManagedObjectID?
    /// The store that the object was assigned to before its first save.
    fileprivate var assignedStore: StoreToken?
    /// What the record had for a to-one relationship before its primitive value was set, by slot index. The inverse
    /// still goes by it.
    fileprivate var beforePrimitive: [Int: Slot] = [:]
}

/// What a property was when an event began.
private enum ValueBefore {
    case value(Slot)
    case members([ObjectReference])
    case member(ObjectReference, wasMember: Bool)
}

/// What one context knows of an object beyond its row: changed values, transient ones, and what was derived from the
/// row.
///
/// A clean object that is merely read has none. The record of an inserted object is all that there is of it. One
/// allocation: the header, then the changed and the transient values by slot index, `.unset` where the row's value
/// holds.
package final class ChangeRecord: ManagedBuffer<ChangeHeader, Slot> {
    static func make(slotCount: Int) -> ChangeRecord {
        let buffer = create(minimumCapacity: slotCount) { _ in ChangeHeader(count: Int32(slotCount)) }
        buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: .unset, count: slotCount) }
        return unsafeDowncast(buffer, to: ChangeRecord.self)
    }

    /// A record of these values.
    package static func make(_ values: some Collection<Slot>) -> ChangeRecord {
        let record = make(slotCount: values.count)
        for (index, value) in values.enumerated() { record[index] = value }
        return record
    }

    deinit {
        withUnsafeMutablePointers { header, values in
            // One by one: a call of the runtime for all of them goes through a witness for each.
            for index in 0..<Int(header.pointee.count) { _ = (values + index).move() }
        }
    }

    // MARK: Values

    @inline(__always)
    package subscript(index: Int) -> Slot {
        get { withUnsafeMutablePointerToElements { $0[index] } }
        set { withUnsafeMutablePointerToElements { $0[index] = newValue } }
    }

    /// Where a value is, for code that writes there and does not keep the value. The record has to outlive the address.
    @inline(__always)
    func address(of index: Int) -> UnsafeMutablePointer<Slot> { withUnsafeMutablePointerToElements { $0 + index } }

    /// Calls `body` with all values, which stay where they are meanwhile.
    @inline(__always)
    package func withValues<R>(_ body: (UnsafeMutableBufferPointer<Slot>) throws -> R) rethrows -> R {
        try withUnsafeMutablePointers { try body(UnsafeMutableBufferPointer(start: $1, count: Int($0.pointee.count))) }
    }

    /// A record of the same values, and of what their row has to follow.
    func copyOfValues() -> ChangeRecord {
        let copy = withValues { ChangeRecord.make($0) }
        copy.header.lostVersion = header.lostVersion
        return copy
    }

    /// Whether the row's value holds.
    @inline(__always)
    package func isUnset(_ index: Int) -> Bool { withUnsafeMutablePointerToElements { $0[index].isUnset } }

    var hasObjectID: Bool { withUnsafeMutablePointerToHeader { $0.pointee.objectID != nil } }

    var objectID: NSManagedObjectID? {
        get { header.objectID }
        set { header.objectID = newValue }
    }

    /// The token of the store that the object was assigned to: the store itself may be removed, or moved, before the
    /// save.
    var assignedStore: StoreToken? {
        get { withUnsafeMutablePointerToHeader { $0.pointee.assignedStore } }
        set { header.assignedStore = newValue }
    }

    /// The version of the row that an insertion makes.
    ///
    /// A row that comes back gets a version that hardly any context can have seen: others may have changed it some
    /// times before it went, or brought it back by another one.
    package var firstVersion: Int64 {
        let lost = withUnsafeMutablePointerToHeader { $0.pointee.lostVersion }
        if lost < 0 { return -Int64(lost) }
        return lost == 0 ? 1 : Int64(lost) + .random(in: Self.versionLeap)
    }

    /// Whether an insertion makes a row that was there before.
    var bringsBackRow: Bool { withUnsafeMutablePointerToHeader { $0.pointee.lostVersion } != 0 }

    /// Has an insertion make a row of this version, as the row of another store has it.
    func keepVersion(_ version: Int64) { header.lostVersion = -Int32(clamping: version) }

    /// How far a row that comes back is from the version that is known of the one that went.
    static let versionLeap: Range<Int64> = 1_000..<1_000_000

    // MARK: What changed when

    /// Notes that a slot changes in the current event. What it was is kept where it was changed before, too; else the
    /// row, or the model's default, tells.
    @inline(__always)
    func noteChange(_ index: Int) {
        withUnsafeMutablePointers { header, values in
            if !header.pointee.changedBefore.isEmptyWord { keepValue(of: index) }
            header.pointee.changedInEvent.insert(index)
        }
    }

    @inline(never)
    private func keepValue(of index: Int) {
        guard header.changedBefore.contains(index), !header.changedInEvent.contains(index), !isUnset(index) else {
            return
        }
        header.before.append((index, .value(self[index])))
    }

    /// Notes that a member came or went, where the relationship was changed before the event, too.
    @inline(__always)
    func keep(_ member: ObjectReference, wasMember: Bool, of index: Int) {
        withUnsafeMutablePointerToHeader { header in
            guard !header.pointee.changedBefore.isEmptyWord, header.pointee.changedBefore.contains(index) else {
                return
            }
            header.pointee.before.append((index, .member(member, wasMember: wasMember)))
        }
    }

    /// Notes what the members were before all of them may have changed, where the relationship was changed before the
    /// event, too.
    func keep(_ members: [ObjectReference], of index: Int) {
        guard header.changedBefore.contains(index) else { return }
        let isKnown = header.before.contains { entry in
            if entry.index == index, case .members = entry.value { true } else { false }
        }
        if !isKnown { header.before.append((index, .members(members))) }
    }

    /// The value when the event began, of a slot that was changed before it.
    func valueBefore(_ index: Int) -> Slot? {
        for (place, value) in header.before where place == index { if case .value(let slot) = value { return slot } }
        return nil
    }

    /// The members when the event began; nil for a relationship that was not changed before it.
    ///
    /// - Parameter now: The members now.
    func membersBefore(_ index: Int, now: [ObjectReference]) -> [ObjectReference]? {
        guard header.changedBefore.contains(index) else { return nil }
        var members = now
        var (known, gone) = (Set(now), Set<ObjectReference>())
        for (place, value) in header.before.reversed() where place == index {
            switch value {
            case .value: continue
            case .members(let all): (members, known, gone) = (all, Set(all), [])
            case .member(let member, wasMember: true):
                gone.remove(member)
                if known.insert(member).inserted { members.append(member) }
            case .member(let member, wasMember: false): gone.insert(member)
            }
        }
        return gone.isEmpty ? members : members.filter { !gone.contains($0) }
    }

    /// The first change in the event of this number.
    func begin(event: UInt64) {
        withUnsafeMutablePointerToHeader { header in
            guard header.pointee.event != event else { return }
            let isFirst = header.pointee.event == 0
            header.pointee.event = event
            if isFirst { return }
            header.pointee.changedBefore.formUnion(header.pointee.changedInEvent)
            header.pointee.changedInEvent.removeAll()
            header.pointee.before = []
        }
    }

    /// Whether a value was set in the slot since the object was inserted, loaded or saved. A default does not count.
    func wasSet(_ index: Int) -> Bool {
        header.changedInEvent.contains(index) || header.changedBefore.contains(index)
    }

    // MARK: Primitive values

    /// Notes what the record has for a to-one relationship, before its primitive value is set.
    func noteBeforePrimitive(_ index: Int) {
        if header.beforePrimitive[index] == nil { header.beforePrimitive[index] = self[index] }
    }

    /// Takes back what primitive values were set for a to-one relationship.
    ///
    /// - Returns: Whether there were any.
    @inline(__always)
    func restoreBeforePrimitive(_ index: Int) -> Bool {
        withUnsafeMutablePointerToHeader { $0.pointee.beforePrimitive.isEmpty } ? false : restoreNoted(index)
    }

    private func restoreNoted(_ index: Int) -> Bool {
        guard let before = header.beforePrimitive.removeValue(forKey: index) else { return false }
        self[index] = before
        return true
    }

    // MARK: Caches

    func cache<T: AnyObject>(_ index: Int, as type: T.Type = T.self) -> T? {
        withUnsafeMutablePointerToHeader { header in
            guard index < header.pointee.caches.count, let cached = header.pointee.caches[index] else { return nil }
            return unsafeDowncast(cached, to: T.self)  // a slot's kind decides what its cache holds
        }
    }

    /// Like ``cache(_:as:)``, not retained: for code that uses it while the record keeps it.
    @inline(__always)
    func unretainedCache<T: AnyObject>(_ index: Int, as type: T.Type = T.self) -> Unmanaged<T>? {
        withUnsafeMutablePointerToHeader { header in
            guard index < header.pointee.caches.count else { return nil }
            return header.pointee.caches.withUnsafeBytes { bytes in
                bytes.load(fromByteOffset: index * MemoryLayout<UnsafeRawPointer?>.stride, as: UnsafeRawPointer?.self)
                    .map { Unmanaged<T>.fromOpaque($0) }
            }
        }
    }

    func setCache(_ index: Int, _ value: AnyObject?) {
        if header.caches.isEmpty {
            if value == nil { return }
            header.caches = ContiguousArray(repeating: nil, count: Int(header.count))
        }
        header.caches[index] = value
    }

    // MARK: Forgetting

    /// Forgets the changes, and what was derived from the values that they replace; transient values stay.
    func forgetChanges(in layout: EntityLayout) {
        for slot in layout.slots where !slot.isTransient && !isUnset(slot.index) { self[slot.index] = .unset }
        header.changedInEvent.removeAll()
        header.changedBefore.removeAll()
        header.beforePrimitive = [:]
        header.before = []
    }

    /// Forgets everything but the object's identity.
    func forgetAll() {
        withValues { $0.update(repeating: .unset) }
        header.caches = []
        header.changedInEvent.removeAll()
        header.changedBefore.removeAll()
        header.beforePrimitive = [:]
        header.before = []
    }

    /// Whether nothing was derived from the row, and nothing promised that a new record would not keep.
    var hasNoCaches: Bool {
        withUnsafeMutablePointerToHeader { $0.pointee.caches.isEmpty && $0.pointee.objectID == nil }
    }

    /// Whether anything is worth keeping.
    var isEmpty: Bool {
        header.caches.allSatisfy { $0 == nil } && withValues { $0.allSatisfy(\.isUnset) } && header.assignedStore == nil
    }
}
