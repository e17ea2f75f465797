/// A change of a table that is there, as an ALTER makes it.
package enum SQLTableChange: Equatable, Sendable {
    case renamed(to: String)
    case columnAdded(SQLTableDefinition.Column)
    case columnRenamed(String, to: String)
    case columnDropped(String)
}

/// What a DROP takes away.
package enum SQLRemoval: Equatable, Sendable {
    case table(String)
    case index(String)
    case trigger(String, on: String)
    case view(String)
}

/// An UPDATE that gives rows their places among those with the same owner: 2048, 3072, 4096… Rows without an owner get
/// none.
package struct SQLNumbering: Equatable, Sendable {
    package let table: String
    /// The column with the place.
    package let column: String
    /// The column with the owner's key.
    package let owner: String
}

extension SQLNumbering {
    /// The sort key for a place from 1 on.
    static func sortKey(_ place: SQLExpression) -> SQLExpression {
        .arithmetic(.multiply, .arithmetic(.add, place, .integer(1)), .integer(1024))
    }
}
