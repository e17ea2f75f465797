/// The concrete entity of every row of a table, by primary key: a small number each.
struct RowKinds {
    /// By key, where keys are close together; 0 where no row is.
    private var dense: [UInt16] = []
    private var sparse: [Int64: UInt16] = [:]

    /// - Parameters:
    ///   - keys: The rows' keys.
    ///   - kinds: The number of each row's entity, from 1; 0 where it is no entity's.
    init(keys: [Int64], kinds: [UInt16]) {
        guard let range = KeyRange(keys) else { return }
        if range.isDense {
            dense = [UInt16](repeating: 0, count: range.most + 1)
            for (key, kind) in zip(keys, kinds) { dense[Int(key)] = kind }
        } else {
            for (key, kind) in zip(keys, kinds) { sparse[key] = kind }
        }
    }

    /// The number of the entity of a row; 0 where there is no such row.
    subscript(key: Int64) -> UInt16 {
        if dense.isEmpty { return sparse[key] ?? 0 }
        return key >= 0 && key < dense.count ? dense[Int(key)] : 0
    }
}

/// The target keys of every source key of a to-many relationship, in order.
struct RowMembers {
    /// By source key, where keys are close together: where its targets begin.
    private var starts: [Int32] = []
    private var targets: [Int64] = []
    private var sparse: [Int64: [Int64]] = [:]

    /// - Parameters:
    ///   - sources: The source of each pair.
    ///   - targets: The target of each pair, in the order that the members of one source have.
    init(sources: [Int64], targets: [Int64]) {
        guard let range = KeyRange(sources) else { return }
        guard range.isDense, sources.count < Int32.max else {
            for (source, target) in zip(sources, targets) { sparse[source, default: []].append(target) }
            return
        }
        starts = [Int32](repeating: 0, count: range.most + 2)
        for source in sources { starts[Int(source) + 1] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        var next = starts
        self.targets = [Int64](repeating: 0, count: targets.count)
        for (source, target) in zip(sources, targets) {
            self.targets[Int(next[Int(source)])] = target
            next[Int(source)] += 1
        }
    }

    subscript(source: Int64) -> ArraySlice<Int64> {
        if starts.isEmpty { return sparse[source].map { $0[...] } ?? [] }
        guard source >= 0, source < starts.count - 1 else { return [] }
        return targets[Int(starts[Int(source)])..<Int(starts[Int(source) + 1])]
    }
}

/// What keys there are.
private struct KeyRange {
    let most: Int
    /// Whether a list with a place for each key is not much larger than the keys.
    let isDense: Bool

    init?(_ keys: [Int64]) {
        guard let least = keys.min(), let most = keys.max() else { return nil }
        isDense = least >= 0 && most <= Int64(keys.count) * 8 + 4096
        self.most = isDense ? Int(most) : 0
    }
}
