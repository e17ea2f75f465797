import CoreData
import PostgreSQLClient

/// Adds the statements that write rows to a pipeline.
final class PostgreSQLRowSender {
    private let session: PostgreSQLSession
    private let requiresRows: Bool
    /// For each statement the row that it must find; nil for one that may find any number.
    private(set) var expected: [ObjectReference?] = []

    /// - Parameter requiresRows: Whether a statement fails that does not find its row.
    init(_ session: PostgreSQLSession, requiresRows: Bool = false) {
        (self.session, self.requiresRows) = (session, requiresRows)
    }

    func delete(_ change: RowChange, _ pipeline: PostgreSQLPipeline) throws {
        let writer = try session.writer(for: change.layout)
        var key = PostgreSQLParameters()
        key.append(int64: change.reference.key)
        for removal in writer.linkRemovals {
            expected.append(nil)
            try pipeline.add(preparing: removal, key)
        }
        expected.append(change.reference)
        if let old = change.snapshot {
            try add(writer.deletion, try writer.delete(old), pipeline)
        } else {
            try add(writer.uncheckedDeletion, key, pipeline)
        }
    }

    /// - Returns: The new snapshot; the old one where the change writes nothing into the row.
    func update(_ change: RowChange, _ old: RowSnapshot, _ pipeline: PostgreSQLPipeline) throws -> RowSnapshot {
        let writer = try session.writer(for: change.layout)
        let hasVersion = session.mapping?.tables[change.layout.number].map { $0.version != nil } ?? true
        guard writer.writesColumns(change.values) || hasVersion && !change.members.isEmpty else { return old }
        var parameters = PostgreSQLParameters()
        let (text, new) = try writer.update(old, change.values, &parameters)
        expected.append(change.reference)
        try add(text, parameters, pipeline)
        return new
    }

    func insert(_ change: RowChange, _ pipeline: PostgreSQLPipeline) throws -> RowSnapshot {
        let writer = try session.writer(for: change.layout)
        var parameters = PostgreSQLParameters()
        let new = try writer.insert(change.reference.key, change.values, &parameters)
        expected.append(change.reference)
        try add(writer.insertion, parameters, pipeline)
        return new
    }

    private func add(
        _ text: PostgreSQLRowText, _ parameters: PostgreSQLParameters, _ pipeline: PostgreSQLPipeline
    ) throws {
        try pipeline.add(preparing: requiresRows ? text.requiringRow : text.plain, parameters)
    }
}

/// A statement that inserts, changes or removes one row.
struct PostgreSQLRowText {
    /// Affects no row where none fits. A trigger of a database's owner can drop an insertion, too.
    let plain: String
    /// Fails where no row is affected, by a division by zero: no other error can be raised by any statement.
    let requiringRow: String

    init(_ text: String) {
        plain = text
        requiringRow = "WITH \"written\" AS (\(text) RETURNING 1) SELECT 1 / count(*) FROM \"written\""
    }
}
