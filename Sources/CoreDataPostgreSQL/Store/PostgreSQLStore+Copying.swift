import CoreData
import PostgreSQLClient

extension PostgreSQLStore: PagedStore {
    func insert(_ page: CopiedPage) throws {
        let session = session
        try committing(nil) { connection, _ in
            for (number, rows) in Dictionary(grouping: page.rows, by: \.layout.number) {
                try insert(rows, page, try session.writer(for: layouts[number]), connection)
            }
        }
    }

    /// Rows of one entity go to the server as one `COPY`.
    private func insert(
        _ rows: [RowSnapshot], _ page: CopiedPage, _ writer: PostgreSQLEntityWriter, _ connection: PostgreSQLConnection
    ) throws {
        let hasExternal = writer.layout.slots.contains(where: \.isExternal)
        try connection.copyIn(writer.copy) { table in
            var parameters = PostgreSQLParameters()
            for row in rows {
                parameters.removeAll()
                if hasExternal {
                    try writer.append(row.key, page.change(row).values, to: &parameters)
                } else {
                    try writer.append(row, to: &parameters)
                }
                try table.write(parameters)
            }
        }
    }

    func addMembers(_ changes: [RowChange]) throws {
        let session = session
        try committing(nil) { connection, _ in
            try PostgreSQLMemberWriter(session, connection).writeFirst(changes)
        }
    }

    func reserveKeys(upTo key: Int64, rootedAt root: EntityLayout) throws {
        let session = session
        // The first key of the block that has the key: the next block is the next that is given.
        let block = (key - 1) / Int64(PostgreSQLKeys.blockSize) * Int64(PostgreSQLKeys.blockSize) + 1
        var parameters = PostgreSQLParameters()
        try parameters.append(
            text: PostgreSQLDialect().identifier(PostgreSQLCreation.sequence(of: session.schema.table(of: root))))
        parameters.append(int64: block)
        try session.connected {
            _ = try $0.execute("SELECT setval($1::text::regclass, $2)", parameters)
        }
    }

    func makeLookupIndexes() throws {
        let session = session
        try committing(nil) { connection, _ in
            for part in try PostgreSQLParts(session.schema).all where part.kind == .index {
                try connection.execute(part.text)
            }
        }
    }

    /// Triggers come last: in a copy, derived attributes keep the values that they have in the source. A migration
    /// computes them.
    ///
    /// The planner gets to know the tables, which were empty a moment ago.
    func finishLoading() throws {
        let session = session
        do {
            try committing(nil) { connection, _ in
                if isMigrated { try deriveValues(connection) }
                for part in try PostgreSQLParts(session.schema).all where part.kind != .index {
                    try connection.execute(part.text)
                }
                let dialect = PostgreSQLDialect()
                for name in session.schema.tables.map(\.name) + session.schema.joinTables.map(\.name) {
                    try connection.execute("ANALYZE \(dialect.identifier(name))")
                }
            }
        } catch let error as NSError {
            throw violation(error)
        }
    }

    /// Whether a migration fills the store.
    private var isMigrated: Bool { (options?[StoreLoadingOption] as? NSNumber)?.boolValue ?? false }

    private func deriveValues(_ connection: PostgreSQLConnection) throws {
        let schema = session.schema
        let typing = PostgreSQLTyping(schema)
        for filling in try schema.derivations().compactMap({ $0.filling(in: schema) }) {
            let query = PostgreSQLQuery(try typing.typed(filling))
            try connection.execute(query.text, query.values)
        }
    }

    private func violation(_ error: NSError) -> NSError {
        guard let cause = error.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError else { return error }
        let info: [String: Any] = [NSUnderlyingErrorKey: error]
        if cause.isForeignKeyViolation {
            return .cocoa(
                NSManagedObjectReferentialIntegrityError, "Objects of the source lead to objects that are missing.",
                reason: cause.detail, userInfo: info)
        }
        guard cause.isUniqueViolation else { return error }
        return .cocoa(
            NSMigrationConstraintViolationError,
            "Objects of the source violate a uniqueness constraint of its model.", reason: cause.detail, userInfo: info)
    }
}
