/// A statement, the same for every database; a ``SQLDialect`` writes it out.
///
/// Values that are bound later are numbered parameters (``SQLExpression/parameter(_:)``): such a statement is prepared
/// once and run with the values of many rows.
package enum SQLStatement: Equatable, Sendable {
    case select(SQLSelect)
    case lookUp(SQLRowLookup)
    case insert(SQLInsert)
    case update(SQLUpdate)
    case delete(SQLDelete)
    case createTable(SQLTableDefinition)
    case createSpatialTable(SQLSpatialTable)
    case createIndex(SQLIndexDefinition)
    case createTrigger(SQLTrigger)
    case alterTable(String, SQLTableChange)
    case drop(SQLRemoval)
    case number(SQLNumbering)
    case search(SQLSearchStatement)
}

/// An INSERT of one row, or of all rows that a select finds.
package struct SQLInsert: Equatable, Sendable {
    package let table: String
    /// In the order of the values.
    package let columns: [String]
    package let source: Source
    package var conflict: Conflict = .isAnError

    package init(table: String, columns: [String], values: [SQLExpression], conflict: Conflict = .isAnError) {
        self.init(table: table, columns: columns, .values(values), conflict: conflict)
    }

    package init(table: String, columns: [String], _ source: Source, conflict: Conflict = .isAnError) {
        (self.table, self.columns, self.source, self.conflict) = (table, columns, source, conflict)
    }

    /// The insertion of other values into the same columns.
    package func replacing(_ source: Source) -> SQLInsert {
        SQLInsert(table: table, columns: columns, source, conflict: conflict)
    }

    /// What is inserted.
    package enum Source: Equatable, Sendable {
        case values([SQLExpression])
        case rows(SQLSelect)
    }

    /// What becomes of a row whose key the table has already.
    package enum Conflict: Equatable, Sendable {
        case isAnError
        /// The row that is there stays.
        case keepsTheOldRow
        /// The new row takes the place of the row with the same value in this column.
        case replacesTheOldRow(key: String)
    }
}

/// An UPDATE of the rows for which all conditions hold.
package struct SQLUpdate: Equatable, Sendable {
    package let table: String
    /// What the conditions and the values call a row of the table.
    package var alias = SQLAlias.only
    package let settings: [SQLSetting]
    package let conditions: [SQLExpression]
    /// The columns of each changed row that the statement gives back.
    package var returning: [String] = []

    /// The update of the same rows with other expressions in it.
    package func replacing(settings: [SQLSetting], conditions: [SQLExpression]) -> SQLUpdate {
        SQLUpdate(table: table, alias: alias, settings: settings, conditions: conditions, returning: returning)
    }
}

/// What an UPDATE sets a column to.
package struct SQLSetting: Equatable, Sendable {
    package let column: String
    package let value: SQLExpression

    package init(column: String, value: SQLExpression) { (self.column, self.value) = (column, value) }
}

/// A DELETE of the rows for which all conditions hold.
package struct SQLDelete: Equatable, Sendable {
    package let table: String
    /// What the conditions call a row of the table.
    package var alias = SQLAlias.only
    package let conditions: [SQLExpression]
    /// The columns of each deleted row that the statement gives back.
    package var returning: [String] = []

    /// The deletion of the same rows with other conditions in it.
    package func replacing(conditions: [SQLExpression]) -> SQLDelete {
        SQLDelete(table: table, alias: alias, conditions: conditions, returning: returning)
    }
}

/// A read of the rows with some keys, which are bound later. Databases differ in the fastest form of it.
package struct SQLRowLookup: Equatable, Sendable {
    package let table: String
    package let columns: [String]
    /// How many keys there are. A key may be null; no row has it.
    package let count: Int

    package init(table: String, columns: [String], count: Int) {
        (self.table, self.columns, self.count) = (table, columns, count)
    }
}

/// Keys that are bound later.
package enum SQLKeyList: Equatable, Sendable {
    /// One parameter, with any number of keys.
    case array(parameter: Int)
    /// The parameters from 1 on, a key each.
    case parameters(count: Int)
}

extension SQLExpression {
    /// A column of the statement's only table.
    package static func own(_ column: String) -> SQLExpression { .column(column, of: .only) }

    package static func equal(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
        .compare(.equal, left, right)
    }

    /// That the row of the statement's only table has the key that is bound to a parameter.
    package static func hasKey(parameter: Int) -> SQLExpression { .equal(.own("Z_PK"), .parameter(parameter)) }
}
