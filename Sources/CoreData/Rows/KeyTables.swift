/// Tables from keys to values, one for each entity tree of each store.
///
/// ```
/// var rows = KeyTables<RowSnapshot>()
/// rows.ensureTable(group, capacity: 8)._withUnsafeGuaranteedRef { $0.set(row.key, row) }
/// rows.table(group)?._withUnsafeGuaranteedRef { $0[row.key] }
/// ```
///
/// Most look-ups ask for a table that was asked for just before. So the last two are remembered: a save of few objects
/// goes back and forth between unsaved and saved ones.
///
/// Tables are handed out unretained, as `all` keeps them. One is good until its group is removed.
struct KeyTables<Value> {
    typealias Table = KeyTable<Value>

    private var all: [KeyGroup: Table] = [:]
    private var last = Recent()
    private var lastButOne = Recent()

    private struct Recent {
        var group = KeyGroup(store: .min, root: .min)
        /// Kept by `all`. A removal of tables forgets it.
        var table: Unmanaged<Table>?
    }

    /// The groups that have a table.
    var groups: [KeyGroup] { Array(all.keys) }

    /// How many values the tables have.
    var count: Int { all.values.reduce(0) { $0 + $1.count } }

    /// The table of a group, kept by `all`; nil where there is none.
    @inline(__always)
    mutating func table(_ group: KeyGroup) -> Unmanaged<Table>? {
        if last.group.root == group.root, last.group.store == group.store, let table = last.table { return table }
        return otherTable(group)
    }

    /// The table of a group, kept by `all`. It is made if there is none.
    ///
    /// - Parameter capacity: How many values a new table has room for.
    @inline(__always)
    mutating func ensureTable(_ group: KeyGroup, capacity: Int = 8) -> Unmanaged<Table> {
        table(group) ?? newTable(group, capacity: capacity)
    }

    mutating func removeAll() { self = KeyTables() }

    /// Removes the tables of one store.
    mutating func removeAll(store: Int32) {
        all = all.filter { $0.key.store != store }
        (last, lastButOne) = (Recent(), Recent())
    }

    func forEach(_ body: (Table) -> Void) { all.values.forEach(body) }

    /// The table of a group that was not the last one, kept by `all`.
    private mutating func otherTable(_ group: KeyGroup) -> Unmanaged<Table>? {
        if lastButOne.group != group || lastButOne.table == nil {
            guard let table = all[group] else { return nil }
            lastButOne = Recent(group: group, table: .passUnretained(table))
        }
        swap(&last, &lastButOne)
        return last.table
    }

    /// A new table, kept by `all`.
    private mutating func newTable(_ group: KeyGroup, capacity: Int) -> Unmanaged<Table> {
        let table = Table(minimumCapacity: capacity)
        all[group] = table
        (last, lastButOne) = (Recent(group: group, table: .passUnretained(table)), last)
        return .passUnretained(table)
    }
}
