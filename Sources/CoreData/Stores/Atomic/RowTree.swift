/// The rows of one entity tree, in the order of their keys.
struct RowTree {
    private(set) var rows: [RowSnapshot] = []

    init() {}

    /// - Parameter rows: Rows with different keys, in any order.
    init(_ rows: [RowSnapshot]) { self.rows = rows.sorted { $0.key < $1.key } }

    /// Whether no two rows have the same key.
    var isSound: Bool { zip(rows, rows.dropFirst()).allSatisfy { $0.key < $1.key } }

    subscript(key: Int64) -> RowSnapshot? {
        let place = place(of: key)
        return place < rows.count && rows[place].key == key ? rows[place] : nil
    }

    /// The rows with the least keys behind one.
    func rows(after key: Int64, most: Int) -> ArraySlice<RowSnapshot> {
        key == .max ? [] : rows[place(of: key + 1)...].prefix(most)
    }

    var lastKey: Int64 { rows.last?.key ?? 0 }

    /// Puts a row in, in the place of one with the same key.
    mutating func put(_ row: RowSnapshot) {
        if row.key > lastKey { return rows.append(row) }
        let place = place(of: row.key)
        if rows[place].key == row.key { rows[place] = row } else { rows.insert(row, at: place) }
    }

    mutating func remove(_ keys: Set<Int64>) { rows.removeAll { keys.contains($0.key) } }

    /// The first place with a key that is not smaller.
    private func place(of key: Int64) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
