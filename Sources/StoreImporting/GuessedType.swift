import Foundation

/// What the texts of a column seem to be: the narrowest type that all of them have.
package struct GuessedType: Sendable {
    private static let order: [(name: String, type: AttributeText)] = [
        ("boolean", .boolean), ("integer", .integer(.min ... .max)), ("number", .decimal), ("date", .date),
        ("UUID", .uuid),
    ]

    private var possible = Set(order.indices)
    private var hasValues = false

    package init() {}

    /// Takes another text of the column; nil for none.
    package mutating func take(_ text: String?) {
        guard let text, !text.isEmpty else { return }
        hasValues = true
        possible = possible.filter { Self.order[$0].type.object(text) != nil }
    }

    /// The name of the type, for people.
    package var name: String {
        guard hasValues else { return "empty" }
        return possible.min().map { Self.order[$0].name } ?? "text"
    }
}
