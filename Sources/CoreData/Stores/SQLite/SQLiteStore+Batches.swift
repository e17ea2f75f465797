import Foundation

extension SQLiteStore: BatchStore {
    func run(_ batch: StoreBatch, from origin: ChangeOrigin) throws -> StoreBatchResult {
        try checkWritable()
        triggerNotes.isMuted = true
        defer { triggerNotes.isMuted = false }
        do {
            return try committing { files in
                let history = beginHistory(origin)
                let result =
                    switch batch {
                    case .insert(let insertion): try BatchInserter(self, insertion, files, history).run()
                    case .update(let update): try BatchUpdater(self, files, history).run(update)
                    case .delete(let deletion): try BatchDeleter(self, files, history).run(deletion)
                    }
                try history?.finish()
                return result
            }
        } catch let error as NSError where error.sqliteCode == SQLiteError.constraintUnique {
            throw ConstraintFailure.of(error, store: self)
        }
    }

    /// Runs a statement that changes rows.
    ///
    /// - Returns: How many it changed, and their references where it gives them back.
    func change(_ query: SQLQuery, _ entity: EntityLayout, wantsReferences: Bool) throws -> StoreBatchResult {
        let statement = try connection.statement(query.text)
        for (index, value) in query.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
        defer { statement.reset() }
        guard wantsReferences else {
            try statement.run()
            return StoreBatchResult(count: connection.changes, references: [])
        }
        var references: [ObjectReference] = []
        while try statement.step() { references.append(reference(statement, entity)) }
        return StoreBatchResult(count: references.count, references: references)
    }

    /// The reference in a row that begins with `Z_PK` and `Z_ENT`.
    func reference(_ row: SQLiteStatement, _ entity: EntityLayout) -> ObjectReference {
        ObjectReference(
            key: row.int(0), entity: schema.layoutNumber(of: row.int(1)) ?? entity.number, store: token.number)
    }
}

/// Values that a batch would give to two rows, against a uniqueness constraint.
enum ConstraintFailure {
    fileprivate static func of(_ error: NSError, store: SQLiteStore) -> NSError {
        .cocoa(
            NSManagedObjectConstraintMergeError,
            "The batch would give values of a uniqueness constraint to two rows; nothing was changed.",
            reason: error.localizedFailureReason,
            userInfo: [NSAffectedStoresErrorKey: [store], NSUnderlyingErrorKey: error])
    }

    /// A row that can't be inserted: other rows have its values.
    static func of(_ layout: EntityLayout, _ constraint: [String]) -> NSError {
        .cocoa(
            NSManagedObjectConstraintMergeError,
            "A row for \(layout.name) has the same \(constraint.joined(separator: ", ")) as another; nothing was inserted.",
            reason: "The model asks for unique values. A merge policy of the context decides otherwise.",
            userInfo: ["entity": layout.name, "constraint": constraint])
    }
}

extension NSError {
    /// The code that SQLite gave for it; nil where it is no failure of SQLite's.
    fileprivate var sqliteCode: Int32? { (userInfo[NSSQLiteErrorDomain] as? NSNumber)?.int32Value }
}
