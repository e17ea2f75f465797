import CoreData
import PostgreSQLClient

extension PostgreSQLStore {
    func save(_ changes: StoreChanges) throws -> [RowSnapshot] {
        try saveAtOnce(changes) ?? save(changes, isAlone: true, willCommit: {})
    }

    func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot] {
        try save(changes, isAlone: false, willCommit: willCommit)
    }

    /// - Parameter isAlone: Whether no other store is saved with this one.
    private func save(
        _ changes: StoreChanges, isAlone: Bool, willCommit: () throws -> Void
    ) throws -> [RowSnapshot] {
        let session = session
        if changes.isEmpty, !hasUnsavedMetadata {
            try requireWritable()
            try willCommit()
            return []
        }
        do {
            return try committing(
                changes.history?.origin, isAlone: isAlone, willCommit: willCommit
            ) { connection, recorder in
                try PostgreSQLSaveOperation(session, token, changes, connection, recorder).run()
            }
        } catch let taken as PostgreSQLKeyIsTaken {
            let root = layouts[layouts[taken.reference.entity].rootNumber]
            let current = try rows(rootedAt: root, keys: [taken.reference.key]).first
            throw StoreConflicts([(taken.reference, .row(current: current))])
        }
    }
}

/// One save, inside its transaction.
///
/// The statements go to the server without waiting for each other's results. Each result tells how many rows were
/// there with the version that the save expects.
struct PostgreSQLSaveOperation {
    private let session: PostgreSQLSession
    private let token: StoreToken
    private let changes: StoreChanges
    private let connection: PostgreSQLConnection
    private let recorder: PostgreSQLHistoryRecorder?

    init(
        _ session: PostgreSQLSession, _ token: StoreToken, _ changes: StoreChanges,
        _ connection: PostgreSQLConnection, _ recorder: PostgreSQLHistoryRecorder?
    ) {
        (self.session, self.token, self.changes) = (session, token, changes)
        (self.connection, self.recorder) = (connection, recorder)
    }

    /// Writes everything.
    ///
    /// - Returns: The new snapshots of insertions and updates, then those of other rows that triggers changed.
    /// - Throws: ``StoreConflicts`` with all conflicts of the save.
    func run() throws -> [RowSnapshot] {
        try check()
        try recorder?.noteDeletions(of: changes)
        let (rows, missed) = try writeRows()
        guard missed.isEmpty else { throw StoreConflicts(try missed.map { try conflict($0) }) }
        try PostgreSQLMemberWriter(session, connection).write(try memberChanges())
        try recorder?.note(changes)
        try PostgreSQLConstraintCheck(session, token, connection).run(changes, rows)
        return try readBack(rows)
    }

    /// Brings in what triggers made of the rows, and of others.
    private func readBack(_ rows: [RowSnapshot]) throws -> [RowSnapshot] {
        let stale = try PostgreSQLTriggerNotes(session, connection).take()
        if stale.isEmpty { return rows }
        let reader = PostgreSQLReader(session, token, connection)
        var fresh: [Int32: [Int64: RowSnapshot]] = [:]
        for (root, keys) in stale {
            let found = try reader.rows(rootedAt: session.schema.layouts[root], keys: keys.sorted())
            fresh[root] = Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let own = rows.map { fresh[$0.layout.rootNumber]?.removeValue(forKey: $0.key) ?? $0 }
        return own + fresh.values.flatMap(\.values)
    }

    // MARK: Rows

    /// Sends all deletions, updates and insertions.
    ///
    /// - Returns: The new snapshots, and the rows that were not there as the save expects them.
    private func writeRows() throws -> (rows: [RowSnapshot], missed: [ObjectReference]) {
        let first = changes.inserts.count
        let unseen = try unseenRows()
        var rows = [RowSnapshot?](repeating: nil, count: first + changes.updates.count)
        let sender = PostgreSQLRowSender(session)
        var missed: [ObjectReference] = []
        do {
            try connection.pipeline { pipeline in
                for step in try PostgreSQLWriteOrder(changes, isMapped: session.mapping != nil).steps {
                    switch step {
                    case .delete(let index): try sender.delete(try changes.deletes(index), pipeline)
                    case .insert(let index): rows[index] = try sender.insert(try changes.inserts(index), pipeline)
                    case .update(let index):
                        let change = try changes.updates(index)
                        if let old = change.snapshot ?? unseen[change.reference] {
                            rows[first + index] = try sender.update(change, old, pipeline)
                        } else {
                            missed.append(change.reference)
                        }
                    }
                }
            } deliver: { index, result in
                if let reference = sender.expected[index], result.affectedRows != 1 { missed.append(reference) }
            }
        } catch let error as PostgreSQLError where error.isUniqueViolation {
            // Uniqueness of the model waits for the end of the transaction: this is a key. Another context has already
            // inserted a deleted object again that is to be inserted here.
            if session.mapping != nil { throw PostgreSQLConstraintCheck.refusal(error) }
            guard let index = error.executionIndex, let reference = sender.expected[index] else { throw error }
            throw PostgreSQLKeyIsTaken(reference: reference)
        } catch let error as PostgreSQLError where error.isForeignKeyViolation {
            throw PostgreSQLConstraintCheck.lostDestination(error)
        }
        return (rows.compactMap(\.self), missed)
    }

    /// The rows of updates that come without the row that the context has seen.
    private func unseenRows() throws -> [ObjectReference: RowSnapshot] {
        var rows: [ObjectReference: RowSnapshot] = [:]
        for index in 0..<changes.updates.count where changes.updates.plain(index)?.snapshot == nil {
            let change = try changes.updates(index)
            if change.snapshot == nil { rows[change.reference] = try current(change.reference) }
        }
        return rows
    }

    // MARK: Members

    /// The changes of members that rows do not say, updates before insertions.
    private func memberChanges() throws -> [RowChange] {
        var found: [RowChange] = []
        for index in 0..<changes.updates.count where changes.updates.plain(index) == nil {
            found.append(try changes.updates(index))
        }
        for index in 0..<changes.inserts.count where changes.inserts.plain(index) == nil {
            found.append(try changes.inserts(index))
        }
        return try found.filter { try session.writer(for: $0.layout).writesMembers($0) }
    }

    // MARK: Conflicts

    /// Looks at the rows that are not written, but have to have the version of their snapshot. They keep it until the
    /// save ends.
    private func check() throws {
        if changes.checks.count == 0 { return }
        var conflicts: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
        for index in 0..<changes.checks.count {
            let row = try changes.checks(index)
            let current = try current(row.reference, locks: true)
            if current == nil || current?.version != row.snapshot?.version {
                conflicts.append((row.reference, .row(current: current)))
            }
        }
        if !conflicts.isEmpty { throw StoreConflicts(conflicts) }
    }

    private func conflict(
        _ reference: ObjectReference
    ) throws -> (reference: ObjectReference, kind: StoreConflicts.Kind) {
        (reference, .row(current: try current(reference)))
    }

    private func current(_ reference: ObjectReference, locks: Bool = false) throws -> RowSnapshot? {
        let layouts = session.schema.layouts
        let root = layouts[layouts[reference.entity].rootNumber]
        if locks {
            var key = PostgreSQLParameters()
            key.append(int64: reference.key)
            _ = try connection.execute(preparing: lock(of: root), key)
        }
        return try PostgreSQLReader(session, token, connection).rows(rootedAt: root, keys: [reference.key]).first
    }
}

// MARK: Locks

extension PostgreSQLSaveOperation {
    /// A statement that locks a row. Its parameter is the row's key.
    private func lock(of root: EntityLayout) throws -> String {
        if let table = session.mapping?.tables[root.number], table.leadsElsewhere { return try lock(in: table) }
        let table = PostgreSQLDialect().identifier(session.schema.table(of: root).name)
        return "SELECT 1 FROM \(table) WHERE \"_key\" = $1 FOR SHARE"
    }

    /// The view of such an entity may have outer joins. PostgreSQL locks no row of it, but one of the table itself.
    private func lock(in table: PostgreSQLMappedTable) throws -> String {
        let dialect = PostgreSQLDialect()
        var name = PostgreSQLParameters()
        let book = PostgreSQLKeyBook.identifier(of: table.entity)
        try name.append(text: book)
        let hasBook = try connection.execute("SELECT to_regclass($1::text) IS NOT NULL", name).bool(0, 0) == true
        let key = hasBook ? "(SELECT \"key\" FROM \(book) WHERE \"row\" = $1::bigint)" : "$1::bigint"
        let column = dialect.identifier(table.key)
        return "SELECT 1 FROM \(table.identifier) AS \"t\" WHERE \"t\".\(column) = \(key) FOR SHARE"
    }
}

/// A new row has the key of a row that is there.
struct PostgreSQLKeyIsTaken: Error {
    let reference: ObjectReference
}
