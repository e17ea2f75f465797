import CoreData
import PostgreSQLClient

/// Has the database look at its constraints when all rows of a save are written, and tells which rows they refuse.
///
/// The look comes before the commit, behind a savepoint: where a row is refused, all rows of the save are in their
/// tables again, and their twins can be looked for.
struct PostgreSQLConstraintCheck {
    private let session: PostgreSQLSession
    private let token: StoreToken
    private let connection: PostgreSQLConnection

    init(_ session: PostgreSQLSession, _ token: StoreToken, _ connection: PostgreSQLConnection) {
        (self.session, self.token, self.connection) = (session, token, connection)
    }

    /// - Parameter rows: The new snapshots, insertions first.
    /// - Throws: ``StoreConflicts`` for rows with values that other rows have; 133000 where a to-one leads to a row
    ///   that is gone.
    func run(_ changes: StoreChanges, _ rows: [RowSnapshot]) throws {
        if changes.inserts.count + changes.updates.count + changes.deletes.count == 0 { return }
        do {
            try connection.pipeline { pipeline in
                try pipeline.add("SAVEPOINT \"_rows\"")
                try pipeline.add("SET CONSTRAINTS ALL IMMEDIATE")
            }
        } catch let error as PostgreSQLError {
            guard error.isUniqueViolation || error.isForeignKeyViolation else { throw error }
            try connection.execute("ROLLBACK TO SAVEPOINT \"_rows\"")
            if error.isForeignKeyViolation { throw Self.lostDestination(error) }
            throw StoreConflicts(try conflicts(rows, isInsert: { $0 < changes.inserts.count }))
        }
    }

    /// Another context has deleted an object that a saved one leads to.
    static func lostDestination(_ error: PostgreSQLError) -> NSError {
        .cocoa(
            NSManagedObjectReferentialIntegrityError, "An object leads to one that was deleted meanwhile.",
            reason: error.detail, userInfo: [NSUnderlyingErrorKey: error])
    }

    // MARK: Uniqueness

    /// A constraint of another program's table, which the database looks at with each row.
    static func refusal(_ error: PostgreSQLError) -> NSError {
        .cocoa(
            NSManagedObjectConstraintMergeError, "A row of another object has the same unique values.",
            reason: error.detail, userInfo: [NSUnderlyingErrorKey: error])
    }

    private func conflicts(
        _ rows: [RowSnapshot], isInsert: (Int) -> Bool
    ) throws -> [(reference: ObjectReference, kind: StoreConflicts.Kind)] {
        // In the order in which they were written: a row is refused for the sake of one before it.
        let places = rows.indices.filter { !isInsert($0) } + rows.indices.filter { isInsert($0) }
        var written = Set<ObjectReference>()
        let all = Set(rows.map { reference(of: $0) })
        let reader = PostgreSQLReader(session, token, connection)
        var found: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
        for row in places.map({ rows[$0] }) {
            let own = reference(of: row)
            for constraint in row.layout.allUniquenessConstraints {
                guard let other = try reader.twin(of: row, constraint),
                    written.contains(other) || !all.contains(other)
                else { continue }
                found.append((own, .constraint(properties: constraint, other: other)))
            }
            written.insert(own)
        }
        if found.isEmpty {
            // A constraint that the model does not know, of another program, or another transaction that has ended
            // since.
            return rows.prefix(1).map { (reference(of: $0), .constraint(properties: [], other: nil)) }
        }
        return found
    }

    private func reference(of row: RowSnapshot) -> ObjectReference {
        ObjectReference(key: row.key, entity: row.layout.number, store: token.number)
    }
}
