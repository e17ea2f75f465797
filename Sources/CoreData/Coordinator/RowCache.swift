import FoundationGaps

/// The rows that were read or written, shared by all contexts of a coordinator. Used under the coordinator's lock.
///
/// The cache holds rows strongly. Now and then it sweeps: rows that nobody else holds go, but for the most recent ones.
/// A sweep costs as much as the rows entered since the last, so entering stays cheap, and the cache never holds more than
/// twice what objects use, plus what it keeps warm.
final class RowCache: @unchecked Sendable {
    // Unchecked: under the coordinator's lock.

    /// How many rows stay warm without an object that uses them.
    private static let warm = 4096

    private var tables: [KeyGroup: KeyTable<RowSnapshot>] = [:]
    private var count = 0
    private var nextSweep = 2 * RowCache.warm

    deinit { tables.values.forEach { $0.deallocate() } }

    func row(_ group: KeyGroup, _ key: Int64) -> RowSnapshot? { tables[group]?[key] }

    /// Enters rows of one entity tree that were just read or written, and returns what the cache has now: a row that it had in
    /// the same or a later version stays.
    func enter(_ rows: [RowSnapshot], _ group: KeyGroup) -> [RowSnapshot] {
        let before = tables[group]?.count ?? 0
        let entered = rows.map { row in
            if let known = tables[group]?[row.key], known.version >= row.version { return known }
            tables[group, default: KeyTable(minimumCapacity: rows.count)].set(row.key, row)
            return row
        }
        count += (tables[group]?.count ?? 0) - before
        if count > nextSweep { sweep() }
        return entered
    }

    func replace(_ rows: [RowSnapshot], _ group: KeyGroup) {
        let before = tables[group]?.count ?? 0
        for row in rows { tables[group, default: KeyTable(minimumCapacity: rows.count)].set(row.key, row) }
        count += (tables[group]?.count ?? 0) - before
        if count > nextSweep { sweep() }
    }

    func remove(_ key: Int64, _ group: KeyGroup) {
        guard tables[group]?[key] != nil else { return }
        tables[group]?.remove(key)
        count -= 1
    }

    func removeAll(store: Int32) {
        for (group, table) in tables where group.store == store {
            count -= table.count
            table.deallocate()
            tables[group] = nil
        }
    }

    private func sweep() {
        var spare = RowCache.warm
        for group in tables.keys {
            tables[group]?.filter { row in
                if !isKnownUniquelyReferenced(&row) { return true }
                spare -= 1
                return spare >= 0
            }
        }
        count = tables.values.reduce(0) { $0 + $1.count }
        nextSweep = 2 * (count + RowCache.warm)
    }
}
