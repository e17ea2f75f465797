/// A table as it is made.
package struct SQLTableDefinition: Equatable, Sendable {
    package let name: String
    package let columns: [Column]
    /// The columns of a primary key of several columns; empty where one column is the key, or there is none.
    package var primaryKey: [String] = []
    /// Whether the tables of entities have it; the store's own tables are written without spaces inside their
    /// parentheses, as Apple's framework does.
    package var isOfEntities = true

    package struct Column: Equatable, Sendable {
        package let name: String
        package let type: SQLColumnType

        package init(name: String, type: SQLColumnType) { (self.name, self.type) = (name, type) }
    }

    /// The same table with other columns and another primary key.
    package func replacing(columns: [Column], primaryKey: [String]) -> SQLTableDefinition {
        var table = SQLTableDefinition(name: name, columns: columns, primaryKey: primaryKey)
        table.isOfEntities = isOfEntities
        return table
    }
}

/// What a column holds.
package enum SQLColumnType: Equatable, Sendable {
    case key
    case integer
    case float
    case decimal
    case text
    /// The text of a UUID.
    case shortText
    /// Seconds since the reference date.
    case date
    case bytes
    /// A type of one database alone, as it is written there, with what belongs to it.
    case declared(String)
}

/// The table of a spatial index: for each row's key, the bounds of a box.
package struct SQLSpatialTable: Equatable, Sendable {
    package let name: String
    /// The lower and the upper bound of each axis.
    package let bounds: [String]
}

/// An index as it is made.
package struct SQLIndexDefinition: Equatable, Sendable {
    package let name: String
    package let table: String
    package var isUnique = false
    package let columns: [SQLIndexColumn]
    /// Which rows the index has; nil: all.
    package var condition: SQLExpression?

    /// The same index with other expressions in it.
    package func replacing(columns: [SQLIndexColumn], condition: SQLExpression?) -> SQLIndexDefinition {
        SQLIndexDefinition(name: name, table: table, isUnique: isUnique, columns: columns, condition: condition)
    }
}

/// What an index is over.
package enum SQLIndexColumn: Equatable, Sendable {
    /// A column, in the order that the database has for it.
    case plain(String)
    /// A column, compared byte by byte.
    case binary(String, isAscending: Bool)
    case expression(SQLExpression, isAscending: Bool)
}
