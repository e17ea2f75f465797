import CoreData
import PostgreSQLClient

/// Writes what rows do not hold themselves: pairs of many-to-manys, members of to-manys without inverse, sort keys.
struct PostgreSQLMemberWriter {
    private let session: PostgreSQLSession
    private let connection: PostgreSQLConnection

    init(_ session: PostgreSQLSession, _ connection: PostgreSQLConnection) {
        (self.session, self.connection) = (session, connection)
    }

    /// Writes the changed members of inserted and updated rows, the rows themselves being written already.
    ///
    /// All removals come before all additions: with a to-many without inverse, a member may change owners.
    func write(_ rows: [RowChange]) throws {
        if rows.isEmpty { return }
        try connection.pipeline { pipeline in
            for row in rows {
                for change in row.members { try run(\.removal, change.removed, change, of: row, pipeline) }
            }
            for row in rows {
                for change in row.members { try run(\.addition, change.added, change, of: row, pipeline) }
            }
        }
        for row in rows {
            for change in row.members {
                if let order = change.order { try write(order, of: row, slot: change.slot) }
            }
        }
    }

    /// Writes the members of relationships that have none, with their order.
    func writeFirst(_ rows: [RowChange]) throws {
        try connection.pipeline { pipeline in
            for row in rows {
                for change in row.members { try run(\.addition, change.added, change, of: row, pipeline) }
            }
            for row in rows {
                for change in row.members where change.order != nil { try order(change, of: row, pipeline) }
            }
        }
    }

    /// Gives the members of a relationship that has no order yet sort keys.
    private func order(
        _ change: MemberChange, of row: RowChange, _ pipeline: borrowing PostgreSQLPipeline
    ) throws {
        guard let update = try texts(change.slot, of: row).sortKeyUpdate else { return }
        let keys = SortKeys.arranged([Int64?](repeating: nil, count: change.added.count))
        for (member, key) in zip(change.added, keys) {
            var parameters = PostgreSQLParameters()
            parameters.append(int64: key)
            parameters.append(int64: row.reference.key)
            parameters.append(int64: member.key)
            try pipeline.add(preparing: update, parameters)
        }
    }

    /// Runs a statement for each pair; for both directions of it where the relationship is its own inverse.
    ///
    /// - Parameter text: Nil where the members' own rows say it.
    private func run(
        _ text: KeyPath<PostgreSQLMemberTexts, String?>, _ members: [ObjectReference], _ change: MemberChange,
        of row: RowChange, _ pipeline: borrowing PostgreSQLPipeline
    ) throws {
        if members.isEmpty { return }
        let texts = try texts(change.slot, of: row)
        guard let text = texts[keyPath: text] else { return }
        for member in members {
            try pipeline.add(preparing: text, keys(row.reference.key, member.key))
            if texts.isReflexive { try pipeline.add(preparing: text, keys(member.key, row.reference.key)) }
        }
    }

    private func keys(_ first: Int64, _ second: Int64) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(int64: first)
        parameters.append(int64: second)
        return parameters
    }

    /// Gives the members of an ordered relationship sort keys in this order, changing as few rows as possible.
    private func write(_ order: [ObjectReference], of row: RowChange, slot: PropertySlot) throws {
        let texts = try texts(slot, of: row)
        guard let sortKeys = texts.sortKeys, let sortKeyUpdate = texts.sortKeyUpdate else { return }
        var source = PostgreSQLParameters()
        source.append(int64: row.reference.key)
        let result = try connection.execute(preparing: sortKeys, source)
        var old: [Int64: Int64] = [:]
        for index in 0..<result.rowCount where !result.isNull(index, 1) {
            old[try result.int(index, 0)] = try result.int(index, 1)
        }
        let keys = SortKeys.arranged(order.map { old[$0.key] })
        try connection.pipeline { pipeline in
            for (member, key) in zip(order, keys) where old[member.key] != key {
                var parameters = PostgreSQLParameters()
                parameters.append(int64: key)
                parameters.append(int64: row.reference.key)
                parameters.append(int64: member.key)
                try pipeline.add(preparing: sortKeyUpdate, parameters)
            }
        }
    }

    private func texts(_ slot: PropertySlot, of row: RowChange) throws -> PostgreSQLMemberTexts {
        let texts = try session.writer(for: row.layout).memberTexts(slot, session.schema)
        guard let texts else {
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "The store has no table or column for “\(row.layout.name).\(slot.name)”.",
                reason: "Its tables were made for another model.")
        }
        return texts
    }
}
