import FoundationGaps

extension SQLiteStore: HistoryStore {
    var tracksHistory: Bool { history != nil }

    /// What records the changes of a transaction that begins; nil where changes are not recorded.
    func beginHistory(_ origin: @autoclosure () -> ChangeOrigin?) -> HistoryRecorder? {
        history.map { HistoryRecorder($0, origin()) }
    }

    func takeOwnTransactions(upTo last: Int64) -> Set<Int64> { history?.takeOwn(upTo: last) ?? [] }

    func lastTransaction() throws -> Int64 {
        guard hasHistory else { return 0 }
        return try reading { try Self.lastTransaction($0.connection) }
    }

    private static func lastTransaction(_ connection: SQLiteConnection) throws -> Int64 {
        if let last = try SQLiteHistory.highestKey(.transaction, connection) { return last }
        return try bounds(connection)?.upperBound ?? 0
    }

    /// The numbers of the transactions that there are.
    private static func bounds(_ connection: SQLiteConnection) throws -> ClosedRange<Int64>? {
        let select = try connection.statement(SQLHistoryTables.bounds)
        defer { select.reset() }
        guard try select.step(), !select.isNull(0) else { return nil }
        return select.int(0)...max(select.int(0), select.int(1))
    }

    // MARK: Reading

    func transactions(_ range: HistoryRange, withChanges: Bool) throws -> [StoreTransaction] {
        guard hasHistory else { return [] }
        return try reading { session in
            try session.connection.read {
                if case .afterNumber(let number) = range {
                    try requireTransactions(
                        after: number, first: try Self.bounds(session.connection)?.lowerBound,
                        last: try Self.lastTransaction(session.connection), of: "“\(url?.lastPathComponent ?? type)”")
                }
                var found = try transactions(range, session.connection)
                if withChanges { try addChanges(to: &found, session) }
                return found
            }
        }
    }

    private func transactions(_ range: HistoryRange, _ connection: SQLiteConnection) throws -> [StoreTransaction] {
        let known = historyTables[SQLHistoryTables.transactions] ?? []
        let row = try connection.bound(SQLHistoryTables.transactions(range, known: known))
        defer { row.reset() }
        var found: [StoreTransaction] = []
        while try row.step() {
            found.append(
                StoreTransaction(
                    number: row.int(0), time: row.double(1), author: row.text(2), bundleID: row.text(3),
                    contextName: row.text(4), processID: row.text(5)))
        }
        return range.isFromTheEnd ? found.reversed() : found
    }

    private func addChanges(to transactions: inout [StoreTransaction], _ session: SQLiteSession) throws {
        guard let first = transactions.first, let last = transactions.last else { return }
        let reader = HistoryChangeReader(self, session)
        var place = 0
        try reader.read(from: first.number, to: last.number) { number, change in
            while place < transactions.count, transactions[place].number < number { place += 1 }
            if place < transactions.count, transactions[place].number == number {
                transactions[place].changes.append(change)
            }
        }
    }

    // MARK: Purging

    func deleteHistory(before limit: HistoryLimit) throws -> Int {
        try checkWritable()
        guard hasHistory else { return 0 }
        return try cocoa {
            try connection.write {
                guard let number = try number(of: limit) else { return 0 }
                var count = 0
                for statement in SQLHistoryTables.purge {
                    let statement = try connection.statement(statement)
                    statement.bind(1, int: number)
                    try statement.run()
                    count = connection.changes
                }
                return count
            }
        }
    }

    /// The number of the first transaction that stays.
    private func number(of limit: HistoryLimit) throws -> Int64? {
        switch limit {
        case .number(let number): return number
        case .time(let time):
            let select = try connection.statement(SQLHistoryTables.firstFromTime)
            select.bind(1, double: time)
            defer { select.reset() }
            if try select.step(), !select.isNull(0) { return select.int(0) }
            return try Self.bounds(connection).map { $0.upperBound + 1 }
        }
    }
}

/// Reads the changes of transactions.
private struct HistoryChangeReader {
    private let store: SQLiteStore
    private let session: SQLiteSession
    private let tombstones: Int

    init(_ store: SQLiteStore, _ session: SQLiteSession) {
        (self.store, self.session) = (store, session)
        tombstones = SQLHistoryTables.tombstones(among: store.historyTables[SQLHistoryTables.changes])
    }

    /// Calls `body` with the changes from one transaction to another, and their transactions' numbers.
    func read(from first: Int64, to last: Int64, _ body: (Int64, StoreTransactionChange) -> Void) throws {
        let row = try session.connection.statement(SQLHistoryTables.changes(tombstones: tombstones))
        row.bind(1, int: first)
        row.bind(2, int: last)
        defer { row.reset() }
        var known: [Int64: EntityReader] = [:]
        while try row.step() {
            guard let layout = session.schema.layout(numbered: row.int(3)),
                let kind = StoreTransactionChange.Kind(rawValue: row.int(2))
            else { continue }
            let entity = known[row.int(3)] ?? EntityReader(layout, session, tombstones)
            known[row.int(3)] = entity
            body(row.int(1), try entity.change(row, kind))
        }
    }

    /// Reads the changes of one entity's objects.
    private struct EntityReader {
        let layout: EntityLayout
        let store: Int32
        let columns: HistoryColumns
        let tombstone: DictionaryReader

        init(_ layout: EntityLayout, _ session: SQLiteSession, _ tombstones: Int) {
            self.layout = layout
            store = session.token.number
            columns = HistoryColumns(layout)
            tombstone = session.dictionaryReader(
                columns.preserved.prefix(tombstones).enumerated().filter { !$1.isExternal }.map { place, slot in
                    SQLResultColumn(name: slot.name, index: 6 + place, kind: .value(SQLType(slot, of: layout)))
                })
        }

        func change(_ row: SQLiteStatement, _ kind: StoreTransactionChange.Kind) throws -> StoreTransactionChange {
            let kept = kind == .deletion ? try tombstone.read(row) : nil
            return StoreTransactionChange(
                key: row.int(0), kind: kind,
                object: ObjectReference(key: row.int(4), entity: layout.number, store: store),
                properties: kind == .update ? row.blob(5).map { columns.properties(of: $0) } ?? [] : nil,
                tombstone: kept?.count == 0 ? nil : kept)
        }
    }
}
