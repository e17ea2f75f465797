import FoundationGaps

/// The rows that were read or written, shared by all contexts of a coordinator. Used under the coordinator's lock.
///
/// The cache holds rows strongly. Now and then it sweeps: rows that nobody else holds go, but for a bounded number that stays warm.
/// A sweep costs as much as the rows entered since the last, so entering stays cheap, and the cache never holds more than
/// twice what objects use, plus what it keeps warm; when many objects go away, their rows follow soon.
final class RowCache: @unchecked Sendable {
    // Unchecked: under the coordinator's lock.

    /// How many rows stay warm without an object that uses them.
    private static let warm = 4096

    private var tables: [KeyGroup: KeyTable<RowSnapshot>] = [:]
    private var count = 0
    private var nextSweep = 2 * RowCache.warm

    func row(_ group: KeyGroup, _ key: Int64, _ age: RowAge = .any) -> RowSnapshot? {
        guard let row = tables[group]?[key], age.allows(row) else { return nil }
        return row
    }

    /// Enters the rows of a fetch in one entity tree. One that the cache has in the same or a later version takes the place
    /// of the new one.
    func enter(_ rows: RowBatch, _ group: KeyGroup) {
        change(group, capacity: rows.count) { table in
            let now = ReadTime.now
            guard table.count > 0 else {
                return rows.forEach { row in
                    row.readTime = now
                    table.set(row.key, row)
                }
            }
            rows.replace { row in
                if let known = table[row.key], known.version >= row.version {
                    known.readTime = now
                    return known
                }
                row.readTime = now
                table.set(row.key, row)
                return nil
            }
        }
    }

    /// Enters rows of one entity tree that were just read, and returns what the cache has now: a row that it had in the same
    /// or a later version stays.
    func enter(_ rows: [RowSnapshot], _ group: KeyGroup) -> [RowSnapshot] {
        change(group, capacity: rows.count) { table in
            let now = ReadTime.now
            return rows.map { row in
                if let known = table[row.key], known.version >= row.version {
                    known.readTime = now
                    return known
                }
                row.readTime = now
                table.set(row.key, row)
                return row
            }
        }
    }

    /// Enters rows that replace what the cache has.
    func replace(_ rows: ArraySlice<RowSnapshot>, _ group: KeyGroup) {
        change(group, capacity: rows.count) { table in
            let now = ReadTime.now
            rows.forEachUnretained { row in
                row.readTime = now
                table.set(row.key, row)
            }
        }
    }

    func remove(_ key: Int64, _ group: KeyGroup) {
        change(group, capacity: 8) { $0.remove(key) }
    }

    func removeAll(store: Int32) {
        for (group, table) in tables where group.store == store {
            count -= table.count
            tables[group] = nil
        }
    }

    private func change<R>(_ group: KeyGroup, capacity: Int, _ body: (KeyTable<RowSnapshot>) -> R) -> R {
        let table = tables[group] ?? KeyTable(minimumCapacity: capacity)
        tables[group] = table
        let before = table.count
        let result = body(table)
        count += table.count - before
        if count > nextSweep {
            // Rows that come in great numbers are on their way to objects: looking for unused ones can wait.
            if table.count - before > count / 2 { nextSweep = 2 * count } else { sweep() }
        }
        return result
    }

    /// Lets go of rows that nobody uses, but for a bounded number.
    func sweep() {
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
