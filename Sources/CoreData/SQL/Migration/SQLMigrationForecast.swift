/// What a migration by SQL would do to a store, found out without changing it.
package struct SQLMigrationForecast: Sendable {
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
    package var refusals: [Refusal] = []
    package var duplicates: [Duplicates] = []
    /// What the app made by itself and would go, in a sentence each.
    package var losses: [String] = []

    package init(statements: [String]) { self.statements = statements }

    /// Counts what stands against the migration.
    ///
    /// - Parameter count: Runs a select of one number.
    package mutating func look(_ preview: SQLMigrationPreview, count: (SQLSelect) throws -> Int64) rethrows {
        refusals += try preview.obstacles().compactMap { obstacle, rows in
            let rows = try count(rows)
            return rows > 0 ? Refusal(obstacle: obstacle, rows: rows) : nil
        }
        duplicates += try preview.duplicates().compactMap { entity, properties, values in
            let values = try count(values)
            return values > 0 ? Duplicates(entity: entity, properties: properties, values: values) : nil
        }
    }
}
