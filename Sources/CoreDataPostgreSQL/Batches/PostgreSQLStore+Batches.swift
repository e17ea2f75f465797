import CoreData
import PostgreSQLClient

extension PostgreSQLStore: BatchStore {
    func run(_ batch: StoreBatch, from origin: ChangeOrigin) throws -> StoreBatchResult {
        let session = session
        return try committing(origin, isRepeatable: batch.isRepeatable) { connection, recorder in
            let work = PostgreSQLBatch(self, session, connection, recorder)
            let result = try work.run(batch)
            try work.checkConstraints()
            _ = try PostgreSQLTriggerNotes(session, connection).take()
            return result
        }
    }
}

extension StoreBatch {
    /// Whether a transaction with the batch can begin anew. The rows of an insertion come once.
    fileprivate var isRepeatable: Bool { if case .insert = self { false } else { true } }
}

/// A batch, inside of its transaction.
struct PostgreSQLBatch {
    let owner: PostgreSQLStore
    let session: PostgreSQLSession
    let connection: PostgreSQLConnection
    let recorder: PostgreSQLHistoryRecorder?

    init(
        _ owner: PostgreSQLStore, _ session: PostgreSQLSession, _ connection: PostgreSQLConnection,
        _ recorder: PostgreSQLHistoryRecorder?
    ) {
        (self.owner, self.session, self.connection, self.recorder) = (owner, session, connection, recorder)
    }

    func run(_ batch: StoreBatch) throws -> StoreBatchResult {
        switch batch {
        case .insert(let insertion): try PostgreSQLBatchInserter(self, insertion).run()
        case .update(let update): try self.update(update)
        case .delete(let deletion): try delete(deletion)
        }
    }

    var reader: PostgreSQLReader { PostgreSQLReader(session, owner.token, connection) }

    private var translator: PostgreSQLTranslator {
        PostgreSQLTranslator(schema: session.schema, store: owner.token.number)
    }

    private func update(_ update: StoreBatchUpdate) throws -> StoreBatchResult {
        if let slot = update.fetch.entity.spreadingSlot(session.distribution),
            update.settings.contains(where: { $0.slot.index == slot.index })
        {
            throw PostgreSQLDistribution.refusal(slot, of: update.fetch.entity)
        }
        let told = StoreBatchUpdate(
            fetch: update.fetch, settings: update.settings,
            wantsReferences: update.wantsReferences || recorder != nil)
        let result = try change(
            translator.translate(told), update.fetch.entity, wantsReferences: told.wantsReferences)
        if let recorder {
            let slots = update.settings.map(\.slot.index)
            for (entity, rows) in Dictionary(grouping: result.references, by: \.entity).sorted(by: { $0.key < $1.key })
            {
                try recorder.noteUpdates(rows.map(\.key), session.schema.layouts[entity], slots)
            }
        }
        return update.wantsReferences ? result : StoreBatchResult(count: result.count, references: [])
    }

    private func delete(_ deletion: StoreBatchDeletion) throws -> StoreBatchResult {
        let entity = deletion.fetch.entity
        if recorder != nil || entity.selfAndDescendants.contains(where: \.needsCareInDeletions) {
            return try BatchDeletion(self).run(deletion)
        }
        let query = try translator.translate(deletion)
        return try change(query, entity, wantsReferences: deletion.wantsReferences)
    }

    /// Runs a statement that changes rows.
    private func change(
        _ query: PostgreSQLQuery, _ entity: EntityLayout, wantsReferences: Bool
    ) throws -> StoreBatchResult {
        let result = try connection.execute(preparing: query.text, query.values)
        let references = wantsReferences ? try self.references(result, of: entity) : []
        return StoreBatchResult(count: result.affectedRows ?? 0, references: references)
    }

    private func references(_ result: PostgreSQLResult, of entity: EntityLayout) throws -> [ObjectReference] {
        try (0..<result.rowCount).map { row in
            let number = session.schema.layoutNumber(of: try result.int(row, 1)) ?? entity.number
            return ObjectReference(key: try result.int(row, 0), entity: number, store: owner.token.number)
        }
    }

    /// Has the database look at its constraints before the commit.
    ///
    /// - Throws: 133021 for values that two rows would have; 133000 where a to-one would lead nowhere.
    fileprivate func checkConstraints() throws {
        do { try connection.execute("SET CONSTRAINTS ALL IMMEDIATE") } catch let error as PostgreSQLError {
            if error.isUniqueViolation { throw violation(error) }
            guard error.isForeignKeyViolation else { throw error }
            throw NSError.cocoa(
                NSManagedObjectReferentialIntegrityError,
                "The batch would leave objects that lead to deleted ones; nothing was changed.",
                reason: error.detail, userInfo: [NSAffectedStoresErrorKey: [owner], NSUnderlyingErrorKey: error])
        }
    }
}

extension PostgreSQLBatch {
    /// Two rows would have the same values of a uniqueness constraint.
    private func violation(_ error: PostgreSQLError) -> NSError {
        let constraint = session.schema.uniqueness().first {
            PostgreSQLDialect.shortened($0.index.name) == error.constraint
        }
        let values = constraint.map { "the same \($0.names.joined(separator: ", "))" } ?? "values that must be unique"
        let entity = constraint?.layout.name ?? error.table ?? ""
        var info: [String: Any] = [NSAffectedStoresErrorKey: [owner], NSUnderlyingErrorKey: error]
        if let constraint { info["constraint"] = constraint.names }
        return .cocoa(
            NSManagedObjectConstraintMergeError,
            "The batch would give \(values) to two objects of \(entity); nothing was changed.",
            reason: error.detail, userInfo: info)
    }
}

extension PostgreSQLBatch: BatchDeletionTarget {
    package var store: NSPersistentStore { owner }
    package var schema: SQLSchema { session.schema }

    package func references(foundBy fetch: StoreFetch) throws -> [ObjectReference] {
        var fetch = fetch
        fetch.output = .references
        guard case .references(let found) = try reader.fetch(fetch) else { return [] }
        return found
    }

    package func run(
        about keys: [Int64], _ tree: (SQLKeyList) -> SQLStatement?, forEachRow body: (any SQLResultRow) throws -> Void
    ) throws {
        guard let statement = tree(.array(parameter: 1)) else { return }
        var parameters = PostgreSQLParameters()
        try parameters.append(int64s: keys)
        let text = session.text(of: statement)
        let result = try connection.execute(preparing: text, parameters)
        for row in 0..<result.rowCount { try body(PostgreSQLResultRow(result, row: row)) }
    }

    package func willDelete(_ keys: [Int64], of layout: EntityLayout) throws {
        try recorder?.noteDeletions(keys, layout)
    }
}
