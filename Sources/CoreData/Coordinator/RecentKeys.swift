/// The keys of the rows that came last, in the order of their coming, and no more of them than a bound.
struct RecentKeys {
    struct Entry {
        let group: KeyGroup
        let key: Int64
    }

    private let most: Int
    private var entries: [Entry] = []
    /// Where the oldest is, when there are as many as there may be.
    private var oldest = 0

    init(most: Int) { self.most = most }

    var count: Int { entries.count }

    /// - Returns: The oldest entry, where it has to make place for the new one.
    mutating func append(_ entry: Entry) -> Entry? {
        guard entries.count == most else {
            entries.append(entry)
            return nil
        }
        let gone = entries[oldest]
        entries[oldest] = entry
        oldest = oldest + 1 == most ? 0 : oldest + 1
        return gone
    }
}
