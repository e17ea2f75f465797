/// A SQL expression, the same for every database; a ``SQLDialect`` writes it out.
///
/// Values stand in ``value(_:)`` and ``isMember(_:of:)`` alone and always become parameters.
package indirect enum SQLExpression: Equatable, Sendable {
    /// A column of a table in scope.
    case column(String, of: SQLAlias)
    /// A parameter.
    case value(SQLValue)
    /// A number that belongs to the statement's shape, not to its values: the 0 in `count > 0`.
    case integer(Int)
    case truth(Bool)
    case null

    case compare(SQLComparison, SQLExpression, SQLExpression)
    case arithmetic(SQLArithmetic, SQLExpression, SQLExpression)
    case bitwiseNot(SQLExpression)

    case all([SQLExpression])
    case any([SQLExpression])
    case not(SQLExpression)
    case isNull(SQLExpression)
    case isNotNull(SQLExpression)
    /// False for unknown, where `NOT` would give unknown.
    case isTrue(SQLExpression)
    case isNotTrue(SQLExpression)

    case between(SQLExpression, SQLExpression, SQLExpression)
    /// Membership in a list of values of one storage class, none of them null.
    case isMember(SQLExpression, of: [SQLValue])
    /// Membership in what a select of one column finds.
    case isFound(SQLExpression, in: SQLSelect)
    /// How a text relates to a part, byte for byte.
    case text(SQLExpression, SQLTextRelation, SQLExpression)

    case exists(SQLSelect)
    case scalar(SQLSelect)
    case call(SQLRoutine, [SQLExpression])
    /// An aggregate over the rows of the select or group; no operand counts rows.
    case aggregate(SQLAggregate, SQLExpression?, distinct: Bool)
    case firstNonNull([SQLExpression])
    case choice([SQLBranch], otherwise: SQLExpression)
    case cast(SQLExpression, SQLStorage)
    /// The same value, which no index answers.
    case unindexed(SQLExpression)
    /// The same value, which is what an index of the model is over: its constants are the model's, and stand in the
    /// text, as a database knows its indexes' expressions by their text.
    case indexed(SQLExpression)
}

/// A table in a statement, by the number of its alias.
package struct SQLAlias: Hashable, Sendable {
    package let number: Int
    package var name: String { "t\(number)" }
}

package struct SQLBranch: Equatable, Sendable {
    package let condition: SQLExpression
    package let result: SQLExpression
}

package enum SQLComparison: String, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The comparison with its sides swapped.
    package var mirrored: SQLComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

package enum SQLArithmetic: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case bitwiseAnd = "&"
    case bitwiseOr = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"
}

package enum SQLTextRelation: Sendable {
    case beginsWith, endsWith, contains
}

package enum SQLAggregate: String, Sendable {
    case count = "COUNT"
    case sum = "SUM"
    case average = "AVG"
    case minimum = "MIN"
    case maximum = "MAX"
}

/// What `CAST` converts to.
package enum SQLStorage: Sendable {
    case integer, real, numeric, text
}
