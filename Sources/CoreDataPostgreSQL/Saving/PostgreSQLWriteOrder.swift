import CoreData

/// The order in which a save writes its rows.
///
/// In tables of the framework all constraints wait for the end of the transaction. There rows that others may write,
/// too, are written in the order of their keys: two saves of the same rows don't wait for each other.
///
/// In tables of another program the database may look at each row at once. There a row comes before the rows that lead
/// to it, and goes after them.
struct PostgreSQLWriteOrder {
    enum Step {
        case delete(Int)
        case insert(Int)
        case update(Int)
    }

    let steps: [Step]

    init(_ changes: StoreChanges, isMapped: Bool) throws {
        if isMapped {
            let inserts = try Self.behindDestinations(changes.inserts) { change in
                change.layout.toOneSlots.compactMap { change.values.reference($0) }
            }
            let deletes = try Self.behindDestinations(changes.deletes) { change in
                change.layout.toOneSlots.compactMap { slot in
                    change.snapshot.flatMap {
                        $0.isNull(slot.cell) ? nil : $0.reference(slot.cell, store: change.reference.store)
                    }
                }
            }.reversed()
            steps =
                inserts.map(Step.insert) + (0..<changes.updates.count).map(Step.update) + deletes.map(Step.delete)
        } else {
            var shared: [(root: Int32, key: Int64, step: Step)] = []
            for index in 0..<changes.deletes.count {
                let row = try changes.deletes.identity(index)
                shared.append((row.layout.rootNumber, row.key, .delete(index)))
            }
            for index in 0..<changes.updates.count {
                let row = try changes.updates.identity(index)
                shared.append((row.layout.rootNumber, row.key, .update(index)))
            }
            shared.sort { ($0.root, $0.key) < ($1.root, $1.key) }
            steps = shared.map(\.step) + (0..<changes.inserts.count).map(Step.insert)
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
