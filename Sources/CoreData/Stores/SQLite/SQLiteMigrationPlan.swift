import Foundation

/// What a migration would do to a store in its file, found out without changing it.
package struct SQLiteMigrationPlan {
    package let forecast: SQLMigrationForecast

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
        forecast = try SQLiteFile.cocoa(url) {
            try migration.register(on: connection)
            let basis = try migration.basis(connection)
            let added = SQLMigrationPlanner(basis).migration().added
            var forecast = SQLMigrationForecast(
                statements: added.obstacles.isEmpty ? try Self.statements(of: connection, mapping, model) : [])
            try forecast.look(SQLMigrationPreview(basis: basis), count: connection.count)
            forecast.refusals += added.obstacles.map { SQLMigrationForecast.Refusal(obstacle: $0, rows: nil) }
            forecast.losses = added.losses
            return forecast
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
