/// A fetch as a statement: its text, the values of its parameters, and what its rows are.
///
/// The text depends on the request's shape alone, so a statement prepared once serves all requests of that shape.
package struct SQLQuery: Sendable {
    package let text: String
    package let bindings: [SQLValue]
    package let result: SQLResult
}

/// What the rows of a query are.
package enum SQLResult: Sendable {
    /// Whole rows, with the columns that the translator was told.
    case rows
    /// `Z_PK`, and `Z_ENT` unless they are sorted and the table has rows of one entity.
    case references
    /// One row, one integer.
    case count
    case dictionaries([SQLResultColumn])
}

/// A column of a dictionary result, which is one or two columns of the statement.
package struct SQLResultColumn: Sendable {
    package let name: String
    /// The index of the (first) column in the statement.
    package let index: Int
    package let kind: Kind

    package init(name: String, index: Int, kind: Kind) { (self.name, self.index, self.kind) = (name, index, kind) }

    package enum Kind: Sendable, Equatable {
        /// A value of this type.
        case value(SQLType)
        /// The key of an object. Its exact entity has this number in the model.
        case reference(entity: Int32)
        /// The key of an object, and in the next column its `Z_ENT`.
        case referenceWithEntity
    }
}
