import Foundation

/// A scalar function that the translation's statements call and that a connection registers
/// (`sqlite3_create_function`).
///
/// The list of all is ``SQLFunction/all``. Functions are deterministic unless they say otherwise, so the database may
/// use them in indexes and call them once for equal arguments.
package struct SQLFunction: Sendable {
    package let name: String
    package let argumentCount: Int
    package let isDeterministic: Bool
    package let body: @Sendable (_ arguments: [SQLValue]) throws -> SQLValue

    package init(
        _ name: String, _ argumentCount: Int, isDeterministic: Bool = true,
        body: @escaping @Sendable (_ arguments: [SQLValue]) throws -> SQLValue
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.isDeterministic = isDeterministic
        self.body = body
    }
}

/// An order of strings that the translation's statements name and that a connection registers
/// (`sqlite3_create_collation`).
///
/// The list of all is ``SQLCollation/all``.
package struct SQLCollation: Sendable {
    package let name: String
    package let compare: @Sendable (_ left: String, _ right: String) -> ComparisonResult

    package init(_ name: String, compare: @escaping @Sendable (_ left: String, _ right: String) -> ComparisonResult) {
        self.name = name
        self.compare = compare
    }
}
