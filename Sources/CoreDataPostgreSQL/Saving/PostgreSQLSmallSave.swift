import CoreData
import PostgreSQLClient

/// A save of few rows that goes to the server together with its COMMIT.
///
/// ``PostgreSQLSaveOperation`` reads what its statements found before it commits. This one can't wait for that: so each
/// statement fails that does not find its row, and the look at the constraints fails before the COMMIT.
struct PostgreSQLSmallSave {
    private let session: PostgreSQLSession
    private let changes: StoreChanges
    private let deletes: [RowChange]
    private let updates: [(change: RowChange, old: RowSnapshot)]
    private let inserts: [RowChange]

    /// The most rows of a small save. If one of them is refused, all are sent again.
    private static let mostRows = 200

    /// Nil where a save has to ask the database something before it commits:
    ///
    /// - it is large, or has rows to check;
    /// - it updates a row that the context has not seen;
    /// - it changes members that have an order, or stand in a table of their own;
    /// - triggers change rows, or the tables are another program's.
    init?(_ session: PostgreSQLSession, _ changes: StoreChanges) throws {
        let count = changes.inserts.count + changes.updates.count + changes.deletes.count
        guard 1...Self.mostRows ~= count, changes.checks.count == 0, session.mapping == nil, !session.hasTriggers
        else { return nil }
        func all(_ rows: RowChanges) throws -> [RowChange]? {
            let all = try (0..<rows.count).map { try rows($0) }
            return try all.contains { try session.writer(for: $0.layout).writesMembers($0) } ? nil : all
        }
        guard let inserts = try all(changes.inserts), let updates = try all(changes.updates) else { return nil }
        let seen = updates.compactMap { change in change.snapshot.map { (change, $0) } }
        guard seen.count == updates.count else { return nil }
        (self.session, self.changes, self.inserts, self.updates) = (session, changes, inserts, seen)
        deletes = try (0..<changes.deletes.count).map { try changes.deletes($0) }
    }

    /// Adds all statements.
    ///
    /// - Returns: The new snapshots of insertions, then those of updates.
    func send(_ pipeline: PostgreSQLPipeline, _ recorder: PostgreSQLHistoryRecorder?) throws -> [RowSnapshot] {
        try pipeline.sendAhead()
        let sender = PostgreSQLRowSender(session, requiresRows: true)
        try recorder?.sending(to: pipeline) { try recorder?.noteDeletions(of: changes) }
        var rows = [RowSnapshot?](repeating: nil, count: inserts.count + updates.count)
        for step in try PostgreSQLWriteOrder(changes, isMapped: false).steps {
            switch step {
            case .delete(let index): try sender.delete(deletes[index], pipeline)
            case .insert(let index): rows[index] = try sender.insert(inserts[index], pipeline)
            case .update(let index):
                let (change, old) = updates[index]
                rows[inserts.count + index] = try sender.update(change, old, pipeline)
            }
        }
        try recorder?.sending(to: pipeline) { try recorder?.note(changes) }
        // The look at the constraints may wait for another transaction. It must not wait when the history is locked, as
        // all other saves would wait with it, nor in the COMMIT.
        try pipeline.add("SET CONSTRAINTS ALL IMMEDIATE")
        return rows.compactMap(\.self)
    }
}
