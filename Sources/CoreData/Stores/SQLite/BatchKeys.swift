/// The keys of the rows that a batch inserts, inside of its transaction.
///
/// It is not known how many rows will come. Keys are reserved in ranges that grow, and what is left of the last one
/// is given back.
struct BatchKeys {
    private static let largestRange = 16_384

    private let store: SQLiteStore
    private let root: EntityLayout
    private var size = 64
    private var next: Int64 = 1
    private var last: Int64 = 0

    init(_ store: SQLiteStore, for layout: EntityLayout) {
        (self.store, root) = (store, store.layouts[layout.rootNumber])
    }

    mutating func take() throws -> Int64 {
        if next > last {
            next = try store.reserveKeys(size, root: root)
            last = next + Int64(size) - 1
            size = min(2 * size, Self.largestRange)
        }
        defer { next += 1 }
        return next
    }

    /// Gives back what was not taken.
    func giveBack() throws {
        guard next <= last, let number = store.schema.number(of: root) else { return }
        let update = try store.connection.statement(SQLStoreTables.keyReturn)
        update.bind(1, int: next - 1)
        update.bind(2, int: number)
        update.bind(3, int: last)
        try update.run()
    }
}
