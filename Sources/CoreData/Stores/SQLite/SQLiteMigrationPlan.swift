import Foundation

/// What a migration would do to a store in its file, found out without changing it.
package struct SQLiteMigrationPlan {
    /// Rows of the store that the migration ends at.
    package struct Refusal: Sendable {
        package let obstacle: InferenceObstacle
        /// How many rows; nil where it is no rows, but what the app made by itself.
        package let rows: Int64?
    }

    /// Values that several rows would have, where the new model wants them unique.
    package struct Duplicates: Sendable {
        package let entity: String
        package let properties: [String]
        /// How many values there are that several rows have.
        package let values: Int64
    }

    /// The statements in their order, with their values in them.
    package let statements: [String]
    package let refusals: [Refusal]
    package let duplicates: [Duplicates]
    /// What the app made by itself and would go, in a sentence each.
    package let losses: [String]

    /// - Parameters:
    ///   - connection: A connection to the store, which may be one for reading.
    ///   - url: The store.
    ///   - mapping: From the model that made the store, without obstacles but those that rows decide.
    ///   - model: The model that the store would have.
    /// - Throws: What SQLite reports; 134020 for a derived attribute that no store can keep.
    package init(
        _ connection: SQLiteConnection, at url: URL, mapping: InferredMapping, model: StoreModel
    ) throws {
        let migration = SQLiteMigration(url: url, mapping: mapping, model: model, options: nil)
        (refusals, duplicates, losses, statements) = try SQLiteFile.cocoa(url) {
            try migration.register(on: connection)
            let basis = try migration.basis(connection)
            let preview = SQLMigrationPreview(basis: basis)
            let added = SQLMigrationPlanner(basis).migration().added
            let others = added.obstacles.map { Refusal(obstacle: $0, rows: nil) }
            return (
                try Self.refusals(preview, connection) + others, try Self.duplicates(preview, connection),
                added.losses, others.isEmpty ? try Self.statements(of: connection, mapping, model) : []
            )
        }
    }

    // MARK: Rows

    private static func refusals(
        _ preview: SQLMigrationPreview, _ connection: SQLiteConnection
    ) throws -> [Refusal] {
        try preview.obstacles().compactMap { obstacle, count in
            let rows = try connection.count(count)
            return rows > 0 ? Refusal(obstacle: obstacle, rows: rows) : nil
        }
    }

    private static func duplicates(
        _ preview: SQLMigrationPreview, _ connection: SQLiteConnection
    ) throws -> [Duplicates] {
        try preview.duplicates().compactMap { entity, properties, count in
            let values = try connection.count(count)
            return values > 0 ? Duplicates(entity: entity, properties: properties, values: values) : nil
        }
    }

    // MARK: Statements

    /// Runs the migration on a database that has all of the store but its rows.
    private static func statements(
        of connection: SQLiteConnection, _ mapping: InferredMapping, _ model: StoreModel
    ) throws -> [String] {
        let copy = try SQLiteConnection(path: "/dev/null", access: .create)
        defer { copy.close() }
        try copy.takeTables(of: connection)
        for table in ["Z_METADATA", "Z_PRIMARYKEY"] { try copy.takeRows(of: table, from: connection) }
        var statements: [String] = []
        let rehearsal = SQLiteMigration(
            url: URL(fileURLWithPath: "/dev/null"), mapping: mapping, model: model, options: nil
        ) { statement, _, _ in
            if let text = statement() { statements.append(text) }
        }
        try rehearsal.register(on: copy)
        _ = try copy.write { try rehearsal.migrate(copy) }
        return statements
    }
}

extension SQLiteConnection {
    /// What a select of one number says.
    fileprivate func count(_ select: SQLSelect) throws -> Int64 {
        let statement = try bound(.select(select))
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }
}
