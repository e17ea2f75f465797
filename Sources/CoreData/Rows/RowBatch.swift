/// Many rows on their way from a store to their objects.
///
/// The batch counts one reference to each row, and hands that over to the object that takes the row: a row that is
/// read, cached and given to a new object costs two counts rather than four.
package final class RowBatch {
    /// Each row is retained once, by hand. Exclusive access is not checked at run time: no method calls foreign code
    /// while it changes the list.
    @exclusivity(unchecked) private var rows: [Unmanaged<RowSnapshot>] = []

    package init() {}

    package init(_ rows: [RowSnapshot]) { self.rows = rows.map { .passRetained($0) } }

    deinit { rows.forEach { $0.release() } }

    package var count: Int { rows.count }

    package var first: RowSnapshot? { rows.first?.takeUnretainedValue() }

    /// Appends a row, which is retained: the caller's reference becomes the batch's.
    @inline(__always)
    package func append(_ row: Unmanaged<RowSnapshot>) { rows.append(row) }

    /// Calls `body` with each row; the batch keeps them alive meanwhile, so nothing is retained.
    @inline(__always)
    func forEach(_ body: (RowSnapshot) -> Void) {
        for row in rows { row._withUnsafeGuaranteedRef { body($0) } }
    }

    /// Whether `isWanted` says so of a row.
    @inline(__always)
    func contains(where isWanted: (RowSnapshot) -> Bool) -> Bool {
        rows.contains { $0._withUnsafeGuaranteedRef(isWanted) }
    }

    /// Puts other rows in the place of those for which `body` has one.
    func replace(_ body: (RowSnapshot) -> RowSnapshot?) {
        for index in rows.indices {
            guard let other = rows[index]._withUnsafeGuaranteedRef({ body($0) }) else { continue }
            rows[index].release()
            rows[index] = .passRetained(other)
        }
    }

    /// Empties the batch: `body` takes over each row, which is retained, in the rows' order.
    @inline(__always)
    func drain(_ body: (Unmanaged<RowSnapshot>) -> Void) {
        let all = rows
        rows = []
        for row in all { body(row) }
    }

    /// Empties the batch into an array.
    package func drained() -> [RowSnapshot] {
        var array: [RowSnapshot] = []
        array.reserveCapacity(count)
        drain { array.append($0.takeRetainedValue()) }
        return array
    }
}
