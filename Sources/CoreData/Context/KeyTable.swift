import FoundationGaps

/// A hash table from keys to unmanaged words, for keys that are mostly dense: the key is its own hash.
///
/// Linear probing, at most two thirds full; a removed entry's followers move up, so there are no tombstones.
struct KeyTable<Value> {
    // Buffers, whose base is optional: of a struct of plain pointers Swift 6.3 builds an `Optional` that a dictionary and its
    // caller take for nil by different words, so that a missing table is found (seen at -Onone).
    private var keys: UnsafeMutableBufferPointer<Int64>
    private var values: UnsafeMutableBufferPointer<Value?>
    private var mask: Int
    private(set) var count = 0

    /// Never a key: keys are positive, or negative and counted down from -1.
    private static var free: Int64 { .min }

    init(minimumCapacity: Int = 8) {
        let capacity = KeyTable.capacity(for: minimumCapacity)
        (keys, values) = KeyTable.allocate(capacity)
        mask = capacity - 1
    }

    /// The table does not free itself: it lives in a class that calls this once.
    func deallocate() {
        values.deinitialize()
        values.deallocate()
        keys.deallocate()
    }

    subscript(key: Int64) -> Value? {
        @inline(__always) get {
            var index = Int(truncatingIfNeeded: key) & mask
            while keys[index] != KeyTable.free {
                if keys[index] == key { return values[index] }
                index = (index + 1) & mask
            }
            return nil
        }
    }

    mutating func set(_ key: Int64, _ value: Value) {
        if (count + 1) * 3 > (mask + 1) * 2 { grow() }
        let index = place(of: key)
        if keys[index] == KeyTable.free {
            keys[index] = key
            count += 1
        }
        values[index] = value
    }

    mutating func remove(_ key: Int64) {
        var hole = place(of: key)
        guard keys[hole] == key else { return }
        count -= 1
        var index = hole
        while true {
            index = (index + 1) & mask
            if keys[index] == KeyTable.free { break }
            // An entry may move up only if its home does not lie behind the hole.
            let home = Int(truncatingIfNeeded: keys[index]) & mask
            if (index &- home) & mask >= (index &- hole) & mask {
                keys[hole] = keys[index]
                values[hole] = values[index]
                hole = index
            }
        }
        keys[hole] = KeyTable.free
        values[hole] = nil
    }

    func forEach(_ body: (Int64, Value) -> Void) {
        for index in 0...mask where keys[index] != KeyTable.free {
            if let value = values[index] { body(keys[index], value) }
        }
    }

    /// Keeps the entries that `isKept` wants. It may look at a value in place (`isKnownUniquelyReferenced`).
    mutating func filter(_ isKept: (inout Value) -> Bool) {
        var kept = KeyTable(minimumCapacity: 8)
        for index in 0...mask where keys[index] != KeyTable.free {
            guard var value = values[index].take() else { continue }
            if isKept(&value) { kept.set(keys[index], value) }
        }
        deallocate()
        self = kept
    }

    private func place(of key: Int64) -> Int {
        var index = Int(truncatingIfNeeded: key) & mask
        while keys[index] != KeyTable.free, keys[index] != key { index = (index + 1) & mask }
        return index
    }

    private mutating func grow() {
        let (oldKeys, oldValues, oldCapacity) = (keys, values, mask + 1)
        let capacity = oldCapacity * 2
        (keys, values) = KeyTable.allocate(capacity)
        mask = capacity - 1
        for index in 0..<oldCapacity where oldKeys[index] != KeyTable.free {
            let new = place(of: oldKeys[index])
            keys[new] = oldKeys[index]
            values[new] = oldValues[index].take()
        }
        oldValues.deinitialize()
        oldValues.deallocate()
        oldKeys.deallocate()
    }

    private static func allocate(
        _ capacity: Int
    ) -> (UnsafeMutableBufferPointer<Int64>, UnsafeMutableBufferPointer<Value?>) {
        let keys = UnsafeMutableBufferPointer<Int64>.allocate(capacity: capacity)
        keys.initialize(repeating: free)
        let values = UnsafeMutableBufferPointer<Value?>.allocate(capacity: capacity)
        values.initialize(repeating: nil)
        return (keys, values)
    }

    private static func capacity(for count: Int) -> Int {
        var capacity = 8
        while capacity * 2 < count * 3 { capacity *= 2 }
        return capacity
    }
}
