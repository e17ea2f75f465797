import CoreData

/// The keys of all objects of some queries, each in its order: with them a window anywhere is a look-up.
///
/// A key takes 16 bytes, so a million objects take 16 MB. The lists that were used last are kept.
struct RowLists {
    private static let most = 4

    struct Entry {
        let query: RowQuery
        let task: Task<[ObjectReference], any Error>
        let monitor: ReadMonitor
        /// Known when all were found.
        var found: [ObjectReference]?
    }

    private var entries: [Entry] = []
    /// How many objects a query has, whatever their order; only of queries that were asked last.
    private var totals: [RowQuery: Int] = [:]

    /// The list of a query, if it was begun.
    mutating func entry(_ query: RowQuery) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.query == query }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry
    }

    /// Keeps a list that was begun, and gives up the one that was not used for longest.
    mutating func add(_ entry: Entry) {
        entries.append(entry)
        guard entries.count > Self.most else { return }
        let old = entries.removeFirst()
        if old.found == nil { old.monitor.progress.giveUp() }
    }

    /// Takes what was found.
    mutating func finish(_ query: RowQuery, _ found: [ObjectReference]) {
        if totals.count > 200 { totals.removeAll() }
        totals[query.unsorted] = found.count
        guard let index = entries.firstIndex(where: { $0.query == query }) else { return }
        entries[index].found = found
    }

    /// Forgets a list that could not be found.
    mutating func remove(_ query: RowQuery) { entries.removeAll { $0.query == query } }

    func total(_ query: RowQuery) -> Int? { totals[query.unsorted] }
}

extension RowQuery {
    /// The same objects in no order.
    var unsorted: RowQuery {
        var query = self
        query.sort = nil
        return query
    }
}
