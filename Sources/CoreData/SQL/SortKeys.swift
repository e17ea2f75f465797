/// The arithmetic of sort keys, by which members of ordered relationships are in their order.
package enum SortKeys {
    private static let first: Int64 = 2048
    private static let step: Int64 = 1024

    /// Keys in growing order for members some of which have one, keeping as many as possible.
    ///
    /// Where there is no room between two keys, all are given anew.
    package static func arranged(_ old: [Int64?]) -> [Int64] {
        let kept = longestGrowing(old)
        var keys: [Int64] = []
        keys.reserveCapacity(old.count)
        var index = 0
        while index < old.count {
            if kept.contains(index), let key = old[index] {
                keys.append(key)
                index += 1
                continue
            }
            let end = (index..<old.count).first { kept.contains($0) } ?? old.count
            let next = end < old.count ? old[end] : nil
            guard let run = keysBetween(keys.last, next, count: end - index) else { return fresh(old.count) }
            keys.append(contentsOf: run)
            index = end
        }
        return keys
    }

    private static func fresh(_ count: Int) -> [Int64] { (0..<Int64(count)).map { first + $0 * step } }

    private static func keysBetween(_ low: Int64?, _ high: Int64?, count: Int) -> [Int64]? {
        guard let high else {
            if let low, low > Int64.max / 4 { return nil }
            let start = low.map { $0 + step } ?? first
            return (0..<Int64(count)).map { start + $0 * step }
        }
        let low = low ?? 0
        let gap = (high - low) / Int64(count + 1)
        guard high > low, gap > 0 else { return nil }
        return (1...Int64(count)).map { low + $0 * gap }
    }

    /// The places of a longest growing selection of the keys that there are.
    private static func longestGrowing(_ keys: [Int64?]) -> Set<Int> {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: keys.count)
        for index in keys.indices {
            guard let key = keys[index], key >= 0 else { continue }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[tails[middle]]! < key { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? tails[low - 1] : -1
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var kept: Set<Int> = []
        var index = tails.last ?? -1
        while index >= 0 {
            kept.insert(index)
            index = previous[index]
        }
        return kept
    }
}
