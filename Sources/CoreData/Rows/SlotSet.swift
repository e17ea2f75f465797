import FoundationGaps

/// A set of slot indices: one word for the usual entity, more for the wide one.
struct SlotSet {
    private var first: UInt64 = 0
    private var rest: [UInt64] = []

    var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }

    /// Whether there is surely nothing in it; false for an entity with more than 64 slots where there may be.
    @inline(__always)
    var isEmptyWord: Bool { first == 0 && rest.isEmpty }

    @inline(__always)
    mutating func insert(_ index: Int) {
        if index < 64 { first |= 1 << UInt64(index) } else { insertBeyond(index) }
    }

    func contains(_ index: Int) -> Bool {
        if index < 64 { return first & (1 << UInt64(index)) != 0 }
        let word = index / 64 - 1
        return word < rest.count && rest[word] & (1 << UInt64(index % 64)) != 0
    }

    mutating func formUnion(_ other: SlotSet) {
        first |= other.first
        if other.rest.isEmpty { return }
        if rest.count < other.rest.count {
            rest.append(contentsOf: repeatElement(0, count: other.rest.count - rest.count))
        }
        for (word, bits) in other.rest.enumerated() { rest[word] |= bits }
    }

    mutating func removeAll() {
        first = 0
        rest.removeAll()
    }

    private mutating func insertBeyond(_ index: Int) {
        let word = index / 64 - 1
        if word >= rest.count { rest.append(contentsOf: repeatElement(0, count: word + 1 - rest.count)) }
        rest[word] |= 1 << UInt64(index % 64)
    }
}
