import FoundationGaps

/// A hash table from keys to values, for keys that are mostly dense: the key is its own hash, so successive keys lie side
/// by side in memory.
///
/// Linear probing, at most two thirds full. A removed entry leaves a mark until the table is laid out anew: with dense keys
/// everything is one long run, in which moving the followers up would cost the whole run.
final class KeyTable<Value> {
    private var keys: UnsafeMutablePointer<Int64>
    private var values: UnsafeMutablePointer<Value?>
    private var mask: Int
    private(set) var count = 0
    /// How many places are taken, removed entries' marks among them.
    private var used = 0

    /// Never keys: keys are positive, or negative and counted down from -1.
    private static var free: Int64 { .min }
    private static var removed: Int64 { .min + 1 }

    init(minimumCapacity: Int = 8) {
        var capacity = 8
        while capacity * 2 < minimumCapacity * 3 { capacity *= 2 }
        (keys, values) = KeyTable.allocate(capacity)
        mask = capacity - 1
    }

    deinit { KeyTable.deallocate(keys, values, mask + 1) }

    subscript(key: Int64) -> Value? {
        @inline(__always) get {
            let index = place(of: key)
            return index < 0 ? nil : values[index]
        }
    }

    func set(_ key: Int64, _ value: Value) {
        let known = place(of: key)
        if known >= 0 {
            values[known] = value
            return
        }
        if (used + 1) * 3 > (mask + 1) * 2 { layOutAnew() }
        let index = vacancy(for: key)
        if keys[index] == KeyTable.free { used += 1 }
        keys[index] = key
        values[index] = value
        count += 1
    }

    func remove(_ key: Int64) {
        let index = place(of: key)
        guard index >= 0 else { return }
        keys[index] = KeyTable.removed
        values[index] = nil
        count -= 1
    }

    /// Gives memory back where the table was large and is nearly empty.
    func shrink() { if mask > 4096, count * 16 < mask { layOutAnew() } }

    func forEach(_ body: (Int64, Value) -> Void) {
        for index in 0...mask where keys[index] > KeyTable.removed {
            if let value = values[index] { body(keys[index], value) }
        }
    }

    /// Keeps the entries that `isKept` wants, among those at `count` places from one on. It may look at a value in place
    /// (`isKnownUniquelyReferenced`).
    ///
    /// - Returns: The place to go on from; nil at the table's end. A table that was laid out anew meanwhile has its entries at
    ///   other places: some are seen twice then, and some not at all.
    func filter(from start: Int, count places: Int, _ isKept: (inout Value) -> Bool) -> Int? {
        let end = Swift.min(start + places, mask + 1)
        var index = start
        while index < end {
            if keys[index] > KeyTable.removed, var value = values[index].take() {
                if isKept(&value) {
                    values[index] = value
                } else {
                    keys[index] = KeyTable.removed
                    count -= 1
                }
            }
            index += 1
        }
        return end > mask ? nil : end
    }

    /// Lays the table out anew if many entries have gone, or it is nearly empty. Where most stayed, the marks of the others can
    /// stay, too.
    func settle() { if (used - count) * 4 > mask { layOutAnew() } else { shrink() } }

    /// Where a key is; -1: nowhere.
    @inline(__always)
    private func place(of key: Int64) -> Int {
        var index = Int(truncatingIfNeeded: key) & mask
        while true {
            let found = keys[index]
            if found == key { return index }
            if found == KeyTable.free { return -1 }
            index = (index + 1) & mask
        }
    }

    /// Where a key that is not in the table goes.
    @inline(__always)
    private func vacancy(for key: Int64) -> Int {
        var index = Int(truncatingIfNeeded: key) & mask
        while keys[index] > KeyTable.removed { index = (index + 1) & mask }
        return index
    }

    /// Forgets the marks of removed entries, with room for half as many entries again.
    private func layOutAnew() {
        let (oldKeys, oldValues, oldCapacity) = (keys, values, mask + 1)
        var capacity = 8
        while capacity < (count + 1) * 3 { capacity *= 2 }
        (keys, values) = KeyTable.allocate(capacity)
        mask = capacity - 1
        used = count
        for index in 0..<oldCapacity where oldKeys[index] > KeyTable.removed {
            let new = vacancy(for: oldKeys[index])
            keys[new] = oldKeys[index]
            values[new] = oldValues[index].take()
        }
        KeyTable.deallocate(oldKeys, oldValues, oldCapacity)
    }

    private static func allocate(_ capacity: Int) -> (UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Value?>) {
        let keys = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
        keys.initialize(repeating: free, count: capacity)
        let values = UnsafeMutablePointer<Value?>.allocate(capacity: capacity)
        values.initialize(repeating: nil, count: capacity)
        return (keys, values)
    }

    private static func deallocate(
        _ keys: UnsafeMutablePointer<Int64>, _ values: UnsafeMutablePointer<Value?>, _ capacity: Int
    ) {
        values.deinitialize(count: capacity)
        values.deallocate()
        keys.deallocate()
    }
}
