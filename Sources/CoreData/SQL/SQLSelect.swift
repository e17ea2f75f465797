import FoundationGaps

/// A SELECT, the same for every database.
package struct SQLSelect: Equatable, Sendable {
    package var isDistinct = false
    package var columns: [SQLExpression] = []
    package var source: SQLSource
    package var joins: [SQLJoin] = []
    /// All of them must hold.
    package var conditions: [SQLExpression] = []
    package var groups: [SQLExpression] = []
    package var having: SQLExpression?
    package var order: [SQLOrder] = []
    package var limit: Int?
    package var offset: Int?

    package init(from source: SQLSource) { self.source = source }
}

/// What a SELECT reads from.
package indirect enum SQLSource: Equatable, Sendable {
    case table(String, SQLAlias)
    case select(SQLSelect)
}

package struct SQLJoin: Equatable, Sendable {
    package let kind: Kind
    package let table: String
    package let alias: SQLAlias
    package let condition: SQLExpression

    package init(kind: Kind, table: String, alias: SQLAlias, condition: SQLExpression) {
        (self.kind, self.table, self.alias, self.condition) = (kind, table, alias, condition)
    }

    package enum Kind: String, Sendable {
        case inner = "JOIN"
        /// Rows without a match stay, with NULL for the joined table's columns.
        case left = "LEFT JOIN"
    }
}

package struct SQLOrder: Equatable, Sendable {
    package let expression: SQLExpression
    package let ascending: Bool
    /// How strings are compared; `compare:` is the database's own order, by code points.
    package let comparison: SortComparison

    package init(_ expression: SQLExpression, ascending: Bool, comparison: SortComparison = .standard) {
        self.expression = expression
        self.ascending = ascending
        self.comparison = comparison
    }
}
