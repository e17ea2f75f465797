/// The order of what two sides made of one list.
///
/// Elements keep the order of the side that changed it. What a side added stays behind its neighbour; where both added
/// something in one place, it is sorted, which keeps a list sorted that is so on both sides. The sides can be
/// exchanged.
struct MergedOrder<Key: Hashable & Comparable> {
    private let base: [Key]
    private let ours: [Key]
    private let theirs: [Key]

    init(base: [Key], ours: [Key], theirs: [Key]) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
    }

    /// The keys that fulfil a condition, in the merged order.
    func keys(where isIncluded: (Key) -> Bool) -> [Key] {
        let (first, second) = leading(ours.filter(isIncluded), theirs.filter(isIncluded))
        let common = Set(first).intersection(second)
        let additions = Self.runs(in: second, after: common)
        let own = Self.runs(in: first, after: common)
        var result = Self.merged(own[nil] ?? [], additions[nil] ?? [])
        for key in first where common.contains(key) {
            result.append(key)
            result += Self.merged(own[key] ?? [], additions[key] ?? [])
        }
        // What neither side has any more, but is kept for a conflict's sake.
        let known = Set(result)
        return result + base.filter { isIncluded($0) && !known.contains($0) }
    }

    /// The side with the order that counts, and the other one.
    private func leading(_ ours: [Key], _ theirs: [Key]) -> ([Key], [Key]) {
        let (mine, their) = (isReordered(ours), isReordered(theirs))
        if mine != their { return mine ? (ours, theirs) : (theirs, ours) }
        return ours.lexicographicallyPrecedes(theirs) ? (ours, theirs) : (theirs, ours)
    }

    /// Whether what is left of the base is in another order.
    private func isReordered(_ side: [Key]) -> Bool {
        let (old, now) = (Set(base), Set(side))
        return side.filter(old.contains) != base.filter(now.contains)
    }

    /// The runs of keys that are not common, by the common key before them.
    private static func runs(in keys: [Key], after common: Set<Key>) -> [Key?: [Key]] {
        var result: [Key?: [Key]] = [:]
        var anchor: Key?
        for key in keys {
            if common.contains(key) { anchor = key } else { result[anchor, default: []].append(key) }
        }
        return result
    }

    private static func merged(_ left: [Key], _ right: [Key]) -> [Key] {
        var (left, right, result) = (left[...], right[...], [Key]())
        while let one = left.first, let other = right.first {
            result.append(one < other ? left.removeFirst() : right.removeFirst())
        }
        return result + left + right
    }
}

extension MergedOrder {
    /// All keys of some lists, each once.
    static func union(_ lists: [[Key]]) -> [Key] {
        var seen: Set<Key> = []
        return lists.joined().filter { seen.insert($0).inserted }
    }
}
