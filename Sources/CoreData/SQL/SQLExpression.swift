/// A SQL expression, the same for every database; a ``SQLDialect`` writes it out.
///
/// Values stand in ``value(_:)`` and ``isMember(_:of:)`` alone and always become parameters.
package indirect enum SQLExpression: Equatable, Sendable {
    /// A column of a table in scope.
    case column(String, of: SQLAlias)
    /// A column of the row that a statement is about, by the name of its table, inside of a select of the statement's.
    case outerColumn(String, table: String)
    /// A parameter with its value.
    case value(SQLValue)
    /// A parameter whose value is bound later, by its number from 1 on; several places may have the same.
    case parameter(Int)
    /// A constant of the model, which stands in the text: an index or a trigger has no parameters.
    case constant(SQLValue)
    /// A number that belongs to the statement's shape, not to its values: the 0 in `count > 0`.
    case integer(Int)
    case truth(Bool)
    case null

    case compare(SQLComparison, SQLExpression, SQLExpression)
    /// Whether two values are equal, or both null.
    case isSame(SQLExpression, SQLExpression)
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
    /// Membership in a list of expressions.
    case isOne(SQLExpression, of: [SQLExpression])
    /// Membership in keys that are bound later.
    case isKey(SQLExpression, in: SQLKeyList)
    /// Membership in what a select of one column finds.
    case isFound(SQLExpression, in: SQLSelect)
    /// What a full-text search knows of a row.
    case search(SQLSearchValue, SQLSearch)
    /// How a text relates to a part, byte for byte.
    case text(SQLExpression, SQLTextRelation, SQLExpression)

    case exists(SQLSelect)
    case scalar(SQLSelect)
    case call(SQLRoutine, [SQLExpression])
    /// An aggregate over the rows of the select or group; no operand counts rows.
    case aggregate(SQLAggregate, SQLExpression?, distinct: Bool)
    case firstNonNull([SQLExpression])
    /// The first value, or the second where the first is null.
    case ifNull(SQLExpression, SQLExpression)
    /// The greater of two values.
    case greater(SQLExpression, SQLExpression)
    case choice([SQLBranch], otherwise: SQLExpression)
    case cast(SQLExpression, SQLStorage)
    /// The same value, which no index answers.
    case unindexed(SQLExpression)
    /// The same value, which is what an index of the model is over: its constants are ``constant(_:)``, as a database
    /// knows its indexes' expressions by their text.
    case indexed(SQLExpression)
    /// The same value between parentheses, as Apple's framework writes it in a file.
    case grouped(SQLExpression)
    /// The place of a row, from 1 on, among the select's rows with the same values of the first expressions, in the
    /// order of the others.
    case rowNumber(among: [SQLExpression], by: [SQLExpression])

    // What databases with types need. No translation makes it: a pass over a finished tree does.

    /// A parameter of a type of the database.
    case typed(SQLTypedValue)
    /// Text of one kind of database, with an expression in the place of each `@`: `@::bigint`.
    case form(String, [SQLExpression])
}

/// The value of a parameter, and what the database calls its type.
package struct SQLTypedValue: Hashable, Sendable {
    /// One value; of an array all elements.
    package let values: [SQLValue]
    /// The name of the type, or of the elements' type.
    package let type: String
    package let isArray: Bool

    package init(_ value: SQLValue, as type: String) { (values, self.type, isArray) = ([value], type, false) }

    package init(array values: [SQLValue], of type: String) { (self.values, self.type, isArray) = (values, type, true) }
}

/// How a statement names a table, or a row of it.
package struct SQLAlias: Hashable, Sendable {
    package let number: Int
    private let kind: Kind

    private enum Kind { case fetched, stored, only, newRow, oldRow }

    private init(_ kind: Kind, _ number: Int = 0) { (self.kind, self.number) = (kind, number) }

    /// A table of a fetch.
    package init(number: Int) { self.init(.fetched, number) }

    /// A table in a statement that the file keeps, as Apple's framework numbers it.
    static func stored(_ number: Int) -> SQLAlias { SQLAlias(.stored, number) }

    /// The only table of a statement or a select. It has no name of its own, and its columns stand alone.
    package static let only = SQLAlias(.only)
    /// The row that a trigger's event makes.
    package static let newRow = SQLAlias(.newRow)
    /// The row that was there before a trigger's event.
    package static let oldRow = SQLAlias(.oldRow)

    package var isNamed: Bool { kind != .only }

    package var name: String {
        switch kind {
        case .fetched: "t\(number)"
        case .stored: "T\(number)"
        case .only: ""
        case .newRow: "NEW"
        case .oldRow: "OLD"
        }
    }
}

package struct SQLBranch: Equatable, Sendable {
    package let condition: SQLExpression
    package let result: SQLExpression

    package init(condition: SQLExpression, result: SQLExpression) {
        (self.condition, self.result) = (condition, result)
    }
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
