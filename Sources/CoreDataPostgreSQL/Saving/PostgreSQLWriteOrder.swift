import CoreData

/// The order in which a save writes its rows.
///
/// In tables of the framework all constraints wait for the end of the transaction. In those of another program the
/// database may look at each row at once. There a row comes before the rows that lead to it, and goes after them.
struct PostgreSQLWriteOrder {
    /// Indexes of deletions before the updates.
    let firstDeletes: [Int]
    /// Indexes of insertions before the updates.
    let firstInserts: [Int]
    /// Indexes of insertions behind the updates.
    let lastInserts: [Int]
    /// Indexes of deletions behind the updates.
    let lastDeletes: [Int]

    init(_ changes: StoreChanges, isMapped: Bool) throws {
        if isMapped {
            (firstDeletes, lastInserts) = ([], [])
            firstInserts = try Self.behindDestinations(changes.inserts) { change in
                change.layout.toOneSlots.compactMap { change.values.reference($0) }
            }
            lastDeletes = try Self.behindDestinations(changes.deletes) { change in
                change.layout.toOneSlots.compactMap { slot in
                    change.snapshot.flatMap {
                        $0.isNull(slot.cell) ? nil : $0.reference(slot.cell, store: change.reference.store)
                    }
                }
            }.reversed()
        } else {
            (firstDeletes, lastInserts) = (Array(0..<changes.deletes.count), Array(0..<changes.inserts.count))
            (firstInserts, lastDeletes) = ([], [])
        }
    }

    /// The indexes, each behind those of the rows that its row leads to. Rows that lead to each other have any order.
    private static func behindDestinations(
        _ changes: RowChanges, _ destinations: (RowChange) -> [ObjectReference]
    ) throws -> [Int] {
        var indexes: [ObjectReference: Int] = [:]
        var targets: [[ObjectReference]] = []
        for index in 0..<changes.count {
            let change = try changes(index)
            indexes[change.reference] = index
            targets.append(destinations(change))
        }
        var order: [Int] = []
        var seen = [Bool](repeating: false, count: targets.count)
        for start in targets.indices where !seen[start] {
            seen[start] = true
            // Rows that wait for their destinations, each with the next one to look at. A chain may be long.
            var path = [(index: start, next: 0)]
            while let (index, next) = path.last {
                guard next < targets[index].count else {
                    order.append(index)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                if let target = indexes[targets[index][next]], !seen[target] {
                    seen[target] = true
                    path.append((target, 0))
                }
            }
        }
        return order
    }
}

extension ChangeRecord {
    /// The destination of a to-one that was set.
    fileprivate func reference(_ slot: PropertySlot) -> ObjectReference? {
        withValues { values in
            if case .reference(let reference) = values[slot.index] { reference } else { nil }
        }
    }
}
