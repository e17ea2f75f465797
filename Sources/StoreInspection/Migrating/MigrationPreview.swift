import CoreData
import Foundation

/// What a migration in its file would do to a store: what changes, what is lost, what rows stand against, and the
/// statements.
///
/// ```swift
/// let preview = try MigrationPreview(of: inspection, by: mapping, to: model)
/// for line in preview.lines { print(line) }
/// ```
package struct MigrationPreview {
    /// What happens to an entity or a property, or why nothing can.
    package struct Line: Sendable, Hashable, CustomStringConvertible {
        package enum Kind: String, Sendable {
            /// Nothing is lost.
            case change
            /// Values or objects of the store go away.
            case loss
            /// The migration ends here, and the store stays as it is.
            case refusal
        }

        package let kind: Kind
        package let entity: String
        package let property: String?
        package let message: String
        /// How many rows it is about; nil where they were not counted.
        package var rows: Int64?
        /// Of how many.
        package var total: Int64?

        package init(
            kind: Kind, entity: String, property: String?, message: String, rows: Int64? = nil, total: Int64? = nil
        ) {
            (self.kind, self.entity, self.property) = (kind, entity, property)
            (self.message, self.rows, self.total) = (message, rows, total)
        }

        /// One line: `Book.pages: gone; 812 of 1,000 rows have a value`.
        package var description: String {
            "\([entity, property].compactMap { $0 }.joined(separator: ".")): \(message)"
        }
    }

    package let lines: [Line]
    /// The statements that the migration would run; none where it is refused whatever the rows are.
    package let statements: [String]

    package var isRefused: Bool { lines.contains { $0.kind == .refusal } }

    /// - Parameters:
    ///   - inspection: The store.
    ///   - mapping: From the model that made the store.
    ///   - model: The model that it would have.
    /// - Throws: 259 where the store is damaged; what SQLite reports.
    package init(
        of inspection: StoreInspection, by mapping: InferredMapping, to model: StoreModel
    ) throws {
        let lines = try SQLiteFile.cocoa(inspection.url) {
            try Self.differences(TableRows(inspection, mapping), mapping)
        }
        try self.init(lines, mapping) {
            try SQLiteMigrationPlan(inspection.connection, at: inspection.url, mapping: mapping, model: model).forecast
        }
    }

    /// What a migration by SQL would do.
    ///
    /// - Parameters:
    ///   - mapping: From the model that made the store.
    ///   - forecast: What the store says of the migration. It is not asked where the models alone stand against it.
    /// - Throws: What the store reports.
    package init(
        of rows: any StoredRows, by mapping: InferredMapping, _ forecast: () throws -> SQLMigrationForecast
    ) throws {
        try self.init(Self.differences(rows, mapping), mapping, forecast)
    }

    private init(
        _ differences: [Line], _ mapping: InferredMapping, _ forecast: () throws -> SQLMigrationForecast
    ) throws {
        let certain = mapping.obstacles.filter { $0.rows == nil }
        guard certain.isEmpty else {
            lines = differences + certain.map { Line($0, rows: nil) }
            statements = []
            return
        }
        let forecast = try forecast()
        lines =
            differences + forecast.losses.map { Line(kind: .loss, entity: "Store", property: nil, message: $0) }
            + forecast.refusals.map { Line($0.obstacle, rows: $0.rows) } + forecast.duplicates.map { Line($0) }
        statements = forecast.statements
    }

    /// Why the migration can't be done; nil where nothing is in the way.
    package var refusal: NSError? {
        let refusals = lines.filter { $0.kind == .refusal }.map {
            InferenceObstacle($0.entity, $0.property, $0.message)
        }
        return refusals.isEmpty ? nil : InferenceObstacle.error(refusals)
    }

    /// What a migration object by object would do. Rows that stand against it are not looked for.
    ///
    /// - Parameter mapping: From the model that made the store. What may stand against it is a refusal.
    /// - Throws: What the store reports.
    package init(of rows: any StoredRows, by mapping: InferredMapping) throws {
        lines = try Self.differences(rows, mapping) + mapping.obstacles.map { Line($0, rows: nil) }
        statements = []
    }

    private static func differences(_ rows: any StoredRows, _ mapping: InferredMapping) throws -> [Line] {
        let counter = RowCounter(rows, mapping)
        return try ModelDifference(mapping).items.map { try counter.line($0) }
    }
}

extension MigrationPreview.Line {
    fileprivate init(_ obstacle: InferenceObstacle, rows: Int64?) {
        let note = rows.map { "; \(RowCounter.text($0)) \($0 == 1 ? "row stands" : "rows stand") against it" } ?? ""
        self.init(
            kind: .refusal, entity: obstacle.entity, property: obstacle.property, message: obstacle.reason + note,
            rows: rows)
    }

    fileprivate init(_ duplicates: SQLMigrationForecast.Duplicates) {
        let values = duplicates.values == 1 ? "1 value is" : "\(RowCounter.text(duplicates.values)) values are"
        self.init(
            kind: .refusal, entity: duplicates.entity, property: nil,
            message: "\(values) in several rows, where (\(duplicates.properties.joined(separator: ", "))) is unique")
    }
}
