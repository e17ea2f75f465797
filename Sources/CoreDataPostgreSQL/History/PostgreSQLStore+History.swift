import CoreData
import Foundation
import PostgreSQLClient

extension PostgreSQLStore: HistoryStore {
    var tracksHistory: Bool { history != nil }

    func takeOwnTransactions(upTo last: Int64) -> Set<Int64> { history?.takeOwn(upTo: last) ?? [] }

    func lastTransaction() throws -> Int64 {
        guard hasHistory else { return 0 }
        return try session.readingPrimary { try Self.lastTransaction($0) }
    }

    private static func lastTransaction(_ connection: PostgreSQLConnection) throws -> Int64 {
        try connection.execute(PostgreSQLHistoryTables.last).int64(0, 0) ?? 0
    }

    // MARK: Reading

    func transactions(_ range: HistoryRange, withChanges: Bool) throws -> [StoreTransaction] {
        guard hasHistory else { return [] }
        let session = session
        // Rows that are read next are those of the transactions, or newer.
        defer { session.replicas?.freshness.noteCommit() }
        return try session.connected { connection in
            // All statements see the same transactions.
            try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                if case .afterNumber(let number) = range {
                    try requireTransactions(
                        after: number, first: try connection.execute(PostgreSQLHistoryTables.first).int64(0, 0),
                        last: try Self.lastTransaction(connection), of: session.place.name)
                }
                var found = try transactions(range, connection)
                if withChanges {
                    var reader = PostgreSQLChangeReader(session, token)
                    try reader.add(to: &found, connection)
                }
                return found
            }
        }
    }

    private func transactions(
        _ range: HistoryRange, _ connection: PostgreSQLConnection
    ) throws -> [StoreTransaction] {
        var parameters = PostgreSQLParameters()
        switch range {
        case .all: break
        case .afterNumber(let number): parameters.append(int64: number)
        case .afterTime(let time): parameters.append(timestamp: PostgreSQLTime.bound(time))
        case .last(let count, let limit):
            parameters.append(int64: limit ?? .max)
            parameters.append(int64: Int64(count))
        }
        let rows = try connection.execute(PostgreSQLHistoryTables.transactions(range), parameters)
        let found = try (0..<rows.rowCount).map { row in
            StoreTransaction(
                number: try rows.int(row, 0), time: PostgreSQLTime.seconds(try rows.timestamp(row, 1) ?? 0),
                author: try rows.string(row, 2), bundleID: try rows.string(row, 3),
                contextName: try rows.string(row, 4), processID: try rows.string(row, 5))
        }
        return range.isFromTheEnd ? found.reversed() : found
    }

    // MARK: Purging

    func deleteHistory(before limit: HistoryLimit) throws -> Int {
        try requireWritable()
        guard hasHistory else { return 0 }
        let session = session
        return try session.place.cocoa(isWriting: true) {
            try PostgreSQLContest.run {
                try session.pool.withConnection { connection in
                    try connection.transaction { try deleteHistory(before: limit, connection) }
                }
            }
        }
    }

    private func deleteHistory(before limit: HistoryLimit, _ connection: PostgreSQLConnection) throws -> Int {
        guard let number = try number(of: limit, connection) else { return 0 }
        var parameters = PostgreSQLParameters()
        parameters.append(int64: number)
        var count = 0
        for statement in PostgreSQLHistoryTables.purge {
            count = try connection.execute(statement, parameters).affectedRows ?? 0
        }
        return count
    }

    /// The number of the first transaction that stays; nil without any transaction.
    private func number(of limit: HistoryLimit, _ connection: PostgreSQLConnection) throws -> Int64? {
        switch limit {
        case .number(let number): return number
        case .time(let time):
            var parameters = PostgreSQLParameters()
            parameters.append(timestamp: PostgreSQLTime.bound(time))
            return try connection.execute(PostgreSQLHistoryTables.firstFromTime, parameters).int64(0, 0)
        }
    }
}

/// Reads the changes of transactions.
private struct PostgreSQLChangeReader {
    private let session: PostgreSQLSession
    private let token: StoreToken
    private var entities: [Int32: EntityReader] = [:]

    /// What is worked out once for an entity.
    private struct EntityReader {
        let names: Set<String>
        let preserved: [String]
        let tombstone: DictionaryReader
    }

    init(_ session: PostgreSQLSession, _ token: StoreToken) { (self.session, self.token) = (session, token) }

    /// Adds the changes to transactions that follow each other.
    mutating func add(to transactions: inout [StoreTransaction], _ connection: PostgreSQLConnection) throws {
        guard let first = transactions.first?.number, let last = transactions.last?.number else { return }
        var parameters = PostgreSQLParameters()
        parameters.append(int64: first)
        parameters.append(int64: last)
        let rows = try connection.execute(PostgreSQLHistoryTables.changesOfTransactions, parameters)
        var place = 0
        for row in 0..<rows.rowCount {
            guard let change = try change(rows, row) else { continue }
            let number = try rows.int(row, 0)
            while place < transactions.count, transactions[place].number < number { place += 1 }
            if place < transactions.count, transactions[place].number == number {
                transactions[place].changes.append(change)
            }
        }
    }

    /// - Returns: Nil for a change of an entity that the model lacks.
    private mutating func change(_ rows: PostgreSQLResult, _ row: Int) throws -> StoreTransactionChange? {
        guard let layout = session.schema.layout(numbered: try rows.int(row, 3)),
            let kind = StoreTransactionChange.Kind(rawValue: try rows.int(row, 2))
        else { return nil }
        let entity = reader(of: layout)
        let names = try rows.string(row, 5).flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) }
        let tombstone = try rows.string(row, 6).map {
            try entity.tombstone.read(PostgreSQLTombstone($0, names: entity.preserved))
        }
        return StoreTransactionChange(
            key: try rows.int(row, 1), kind: kind,
            object: ObjectReference(key: try rows.int(row, 4), entity: layout.number, store: token.number),
            properties: kind == .update ? names?.filter { entity.names.contains($0) } ?? [] : nil,
            tombstone: tombstone?.count == 0 ? nil : tombstone)
    }

    private mutating func reader(of layout: EntityLayout) -> EntityReader {
        if let known = entities[layout.number] { return known }
        let history = HistoryColumns(layout)
        let columns = history.preserved.enumerated().map { place, slot in
            SQLResultColumn(name: slot.name, index: place, kind: .value(SQLType(slot, of: layout)))
        }
        let tombstone = DictionaryReader(
            columns, layouts: session.schema.layouts, objectIDAt: { _ in nil },
            objectID: { _, _ in defect("No relationship is kept of a deleted object.") },
            entity: { _ in nil }, externalData: { $0 })
        let reader = EntityReader(
            names: Set(history.properties(of: history.mask(layout.slots.indices))),
            preserved: history.preserved.map(\.name), tombstone: tombstone)
        entities[layout.number] = reader
        return reader
    }
}
