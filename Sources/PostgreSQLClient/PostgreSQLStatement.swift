/// A statement of one connection, which the server parses and plans once.
///
/// ``PostgreSQLConnection/statement(_:types:)`` gives the same one for the same text. The connection may forget the
/// least recently used ones at the server; the next execution prepares such a statement again.
package final class PostgreSQLStatement {
    package struct Column: Sendable, Hashable {
        package var name: String
        package var type: PostgreSQLType
    }

    package let text: String
    /// The number of its connection.
    let connection: Int
    /// The types that the caller gave; the server infers the other ones.
    let hints: [PostgreSQLType]
    /// The parameters' types. Empty on a connection that prepares no statements: the values' types are sent there.
    package internal(set) var parameterTypes: [PostgreSQLType] = []
    /// The columns of its rows. Empty for a statement without rows, and on a connection that prepares no statements.
    package internal(set) var columns: [Column] = []
    /// Whether the server has said what types the statement has.
    var isDescribed = false
    /// What the server calls it; nil while it does not know it.
    var name: String?
    /// When it was used last, in uses of all statements.
    var lastUse: UInt64 = 0

    init(text: String, hints: [PostgreSQLType], connection: Int) {
        self.text = text
        self.connection = connection
        self.hints = hints
    }

    /// Refuses values that are too few, too many or of the wrong types.
    func check(_ values: PostgreSQLParameters) throws {
        guard values.count == parameterTypes.count else { throw wrongCount(values.count) }
        for index in parameterTypes.indices where !values.fields[index].type.fits(parameterTypes[index]) {
            throw wrongType(index, values.fields[index].type)
        }
    }

    private func wrongCount(_ count: Int) -> PostgreSQLError {
        let message = "The statement has \(parameterTypes.count) parameters, and there are \(count) values: \(text)"
        return PostgreSQLError(.invalidParameter, message)
    }

    private func wrongType(_ index: Int, _ type: PostgreSQLType) -> PostgreSQLError {
        let wanted = parameterTypes[index].rawValue
        let message = "Parameter $\(index + 1) is of the type \(wanted), and the value of \(type.rawValue): \(text)"
        return PostgreSQLError(.invalidParameter, message)
    }
}
