import FoundationGaps

/// A set of references for code that adds many: a hash is one multiplication, an element sixteen bytes.
struct ReferenceSet {
    /// Open addressing with linear probing, at most two thirds full; a power of two, or empty.
    private var places: ContiguousArray<ObjectReference> = []
    private var shift = 64
    private(set) var count = 0
    /// How many places are taken, removed elements' marks among them.
    private var used = 0

    // Keys of references are positive or negative, never these.
    private static let free = ObjectReference(key: 0, entity: 0, store: 0)
    private static let removed = ObjectReference(key: .min, entity: 0, store: 0)

    init() {}

    init(_ members: some Collection<ObjectReference>) {
        layOut(capacity: members.count)
        for member in members { insert(member) }
    }

    var isEmpty: Bool { count == 0 }

    /// The members, in no order.
    var members: [ObjectReference] {
        count == 0 ? [] : places.filter { $0.key != Self.free.key && $0.key != Self.removed.key }
    }

    func contains(_ member: ObjectReference) -> Bool { place(of: member) != nil }

    /// - Returns: Whether it was not in the set.
    @discardableResult
    mutating func insert(_ member: ObjectReference) -> Bool {
        if (used + 1) * 3 > places.count * 2 { grow() }
        var index = start(member)
        while places[index].key != Self.free.key {
            if places[index] == member { return false }
            index = (index + 1) & (places.count - 1)
        }
        put(member, at: index)
        return true
    }

    @inline(__always)
    private mutating func put(_ member: ObjectReference, at index: Int) {
        places[index] = member
        count += 1
        used += 1
    }

    /// - Returns: Whether it was in the set.
    @discardableResult
    mutating func remove(_ member: ObjectReference) -> Bool {
        guard let place = place(of: member) else { return false }
        places[place] = Self.removed
        count -= 1
        return true
    }

    private func place(of member: ObjectReference) -> Int? {
        if count == 0 { return nil }
        var index = start(member)
        while places[index].key != Self.free.key {
            if places[index] == member { return index }
            index = (index + 1) & (places.count - 1)
        }
        return nil
    }

    @inline(__always)
    private func start(_ member: ObjectReference) -> Int {
        // Fibonacci hashing: the product's upper bits depend on all of the key's.
        Int(truncatingIfNeeded: (UInt64(bitPattern: member.key) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(shift))
    }

    private mutating func grow() {
        let old = places
        layOut(capacity: 2 * count + 1)
        for member in old where member.key != Self.free.key && member.key != Self.removed.key {
            var index = start(member)
            while places[index].key != Self.free.key { index = (index + 1) & (places.count - 1) }
            put(member, at: index)
        }
    }

    private mutating func layOut(capacity: Int) {
        var size = 8
        while size * 2 < capacity * 3 { size *= 2 }
        places = ContiguousArray(repeating: Self.free, count: size)
        shift = 64 - size.trailingZeroBitCount
        (count, used) = (0, 0)
    }
}
