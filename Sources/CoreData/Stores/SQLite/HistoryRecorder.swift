import Foundation

/// Records what one transaction changes, inside of it. Without a change nothing is recorded.
final class HistoryRecorder {
    private let history: SQLiteHistory
    private let origin: ChangeOrigin?
    /// The transaction's number, or 0 before the first change.
    private var number: Int64 = 0
    /// The key of the last change.
    private var key: Int64 = 0

    init(_ history: SQLiteHistory, _ origin: ChangeOrigin?) { (self.history, self.origin) = (history, origin) }

    // MARK: Changes

    func noteInsertion(_ key: Int64, _ layout: EntityLayout) throws { try note(.insertion, key, layout, nil) }

    /// - Parameter changed: The indexes of the changed slots. Without any, nothing is recorded.
    func noteUpdate(_ key: Int64, _ layout: EntityLayout, _ changed: [Int]) throws {
        if !changed.isEmpty { try note(.update, key, layout, history.columns(of: layout).mask(changed)) }
    }

    /// Records the deletion of a row that is still there.
    func noteDeletion(_ key: Int64, _ layout: EntityLayout) throws {
        guard let statement = try history.deletion(of: layout) else { return try note(.deletion, key, layout, nil) }
        guard let entity = history.schema.number(of: layout) else { return }
        try begin()
        self.key = try history.number(after: self.key)
        statement.bind(1, int: self.key)
        statement.bind(2, int: StoreTransactionChange.Kind.deletion.rawValue)
        statement.bind(3, int: entity)
        statement.bind(4, int: key)
        statement.bind(5, int: number)
        try statement.run()
    }

    /// Records what a save inserts and updates.
    func note(_ changes: StoreChanges) throws {
        for index in 0..<changes.inserts.count {
            let row = try changes.inserts.identity(index)
            try noteInsertion(row.key, row.layout)
        }
        for index in 0..<changes.updates.count { try noteUpdate(index, of: changes.updates) }
        guard let unwritten = changes.history?.unwritten else { return }
        for index in 0..<unwritten.count { try noteUpdate(index, of: unwritten) }
    }

    private func noteUpdate(_ index: Int, of updates: RowChanges) throws {
        // One that has caches may have changed members, which the change itself tells.
        if let row = updates.plain(index), let values = row.values?.takeUnretainedValue(), values.hasNoCaches {
            return try noteUpdate(row.key, row.layout.takeUnretainedValue(), values.setSlots)
        }
        let change = try updates(index)
        try noteUpdate(
            change.reference.key, change.layout, change.values.setSlots + change.members.map(\.slot.index))
    }

    // MARK: Rows of history

    private func note(
        _ kind: StoreTransactionChange.Kind, _ row: Int64, _ layout: EntityLayout, _ mask: Data?
    ) throws {
        guard let entity = history.schema.number(of: layout) else { return }
        try begin()
        key = try history.number(after: key)
        let insertion = try history.statement(.enterChange)
        insertion.bind(1, int: key)
        insertion.bind(2, int: kind.rawValue)
        insertion.bind(3, int: entity)
        insertion.bind(4, int: row)
        insertion.bind(5, int: number)
        if let mask { insertion.bind(6, blob: mask) } else { insertion.bindNull(6) }
        try insertion.run()
    }

    /// Enters the transaction with its first change.
    private func begin() throws {
        if number != 0 { return }
        number = try history.number(after: history.highestKey(.transaction))
        key = try history.highestKey(.change)
        let insertion = try history.statement(.enterTransaction)
        insertion.bind(1, int: number)
        insertion.bind(2, double: Date().timeIntervalSinceReferenceDate)
        try history.bindLabels(origin, to: insertion)
        try insertion.run()
    }

    /// Notes the highest keys. Nothing may be recorded afterwards.
    func finish() throws {
        if number == 0 { return }
        try history.note(number, of: .transaction)
        try history.note(key, of: .change)
        history.recorded = number
    }
}
