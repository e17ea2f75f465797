import FoundationGaps

/// The members of a to-many relationship of many objects.
package final class StoreMembers {
    // Exclusive access is not checked at run time: no method calls foreign code while it changes a property.

    /// All members, by the object that they are members of, and each one's in their order.
    @exclusivity(unchecked) package private(set) var references: [ObjectReference] = []
    /// The rows of ``references``, where the query that found the members could read them too; else empty.
    package let rows: RowBatch
    /// Which of ``references`` are members of which owner.
    @exclusivity(unchecked) package private(set) var runs: [(source: Int64, members: Range<Int>)] = []

    package init() { rows = RowBatch() }

    /// The members of one object, by their rows.
    package init(_ rows: RowBatch, store: Int32, of source: Int64) {
        self.rows = rows
        references.reserveCapacity(rows.count)
        rows.forEach {
            references.append(ObjectReference(key: $0.key, entity: $0.table.pointee.number, store: store))
        }
        if rows.count > 0 { runs = [(source, 0..<rows.count)] }
    }

    /// Appends a member; all members of a source come one after the other.
    package func append(_ member: ObjectReference, of source: Int64) {
        references.append(member)
        if let last = runs.last, last.source == source {
            runs[runs.count - 1].members = last.members.lowerBound..<references.count
        } else {
            runs.append((source, references.count - 1..<references.count))
        }
    }

    /// Appends a member by its row, which is retained: the caller's reference becomes the list's.
    package func append(_ row: Unmanaged<RowSnapshot>, store: Int32, of source: Int64) {
        let (table, key) = row._withUnsafeGuaranteedRef { ($0.table, $0.key) }
        append(ObjectReference(key: key, entity: table.pointee.number, store: store), of: source)
        rows.append(row)
    }
}
