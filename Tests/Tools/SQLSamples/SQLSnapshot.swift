/// A predicate and what a statement for it has after its first table.
package struct SQLSnapshot: Sendable {
    package let entity: String
    package let format: String
    package let sql: String

    package init(_ entity: String, _ format: String, _ sql: String) {
        self.entity = entity
        self.format = format
        self.sql = sql
    }

    package var testDescription: String { "\(entity): \(format)" }

    package static let all = comparisons + strings + paths + collections + functions
}
