import CoreData
import PostgreSQLClient

extension PostgreSQLStore: DeferringStore {
    /// Makes the indexes that a migration has left.
    ///
    /// They are made without a lock on the tables, so that other clients go on saving.
    func finishDeferredMigration(isWhole: Bool) throws {
        guard let pending = metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? NSNumber,
            pending.boolValue
        else { return }
        try requireWritable()
        let session = session
        try session.place.cocoa(isWriting: true) {
            // An index that is made beside other clients needs a transaction of its own, and the session's settings.
            try session.withLastingSession { connection in
                var missing = try missingIndexes(session, connection)[...]
                while let index = missing.popFirst() {
                    try make(index, connection)
                    if !isWhole { break }
                }
                if missing.isEmpty { try noteFinished(connection) }
            }
        }
    }

    /// The indexes that are not there, or that a server broke off.
    private func missingIndexes(
        _ session: PostgreSQLSession, _ connection: PostgreSQLConnection
    ) throws -> [PostgreSQLParts.Part] {
        let rows = try connection.execute(
            """
            SELECT relname::text FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid \
            WHERE indisvalid AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            """)
        let known = Set(try (0..<rows.rowCount).map { try rows.text($0, 0) })
        return try PostgreSQLParts(session.schema).all.filter {
            $0.kind == .index && !known.contains(PostgreSQLDialect.shortened($0.name))
        }
    }

    private func make(_ index: PostgreSQLParts.Part, _ connection: PostgreSQLConnection) throws {
        try connection.execute(index.removal)
        try connection.execute(
            index.text.replacing("CREATE INDEX ", with: "CREATE INDEX CONCURRENTLY ", maxReplacements: 1))
    }

    /// Has the store say that nothing is left to do.
    private func noteFinished(_ connection: PostgreSQLConnection) throws {
        try connection.transaction {
            try connection.execute(PostgreSQLMetadata.lock)
            guard let stored = try PostgreSQLMetadata.read(connection) else { throw session.place.missing }
            var values = stored.values
            values[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
            try PostgreSQLMetadata(identifier: stored.identifier, values: values).write(connection)
        }
        metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
    }
}
