/// What a server reported, or why a request could not be made.
///
/// Its description never has a password or a connection string.
package struct PostgreSQLError: Error, Sendable {
    package enum Kind: Sendable, Hashable {
        /// The server refused a statement. ``sqlState`` says why.
        case server
        /// No connection could be opened.
        case connectionFailed
        /// The connection broke. A transaction that was not committed has no effect. A request outside of a transaction
        /// may have had its effect, if it was under way.
        case connectionLost
        /// The connection broke while the server committed: the transaction may have an effect, or none.
        case commitIsUnknown
        /// The request took longer than it was allowed to. It was cancelled at the server.
        case deadlineExceeded
        /// A value can't be sent: ``message`` names its parameter.
        case invalidParameter
        /// A value of a result is not of the type that it was read as.
        case malformedValue
        /// A connection string can't be used.
        case invalidURL
        /// The server, or the library, lacks what the client needs.
        case unsupported
        /// All connections of a pool were in use for too long.
        case poolExhausted
        case poolClosed
        /// The caller used a connection in a way that it does not support.
        case misuse
    }

    package var kind: Kind
    /// One sentence, as the server wrote it in its own language, or the client's.
    package var message: String
    /// Five characters; nil for errors that no server reported.
    package var sqlState: String?
    /// `ERROR`, `FATAL` or `PANIC`.
    package var severity: String?
    package var detail: String?
    package var hint: String?
    package var schema: String?
    package var table: String?
    package var column: String?
    package var constraint: String?
    /// The place in the statement's text, in characters from 1 on.
    package var position: Int?
    /// The execution of a pipeline that failed, from 0 on.
    package var executionIndex: Int?

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension PostgreSQLError {
    /// Whether the same transaction may succeed if it is run again: it was in conflict with another one.
    package var isRetryable: Bool { sqlState == "40001" || sqlState == "40P01" }

    package var isUniqueViolation: Bool { sqlState == "23505" }

    /// Whether a request was cancelled: by ``PostgreSQLConnection/cancel()``, or by the server's own time limits.
    package var isCancelled: Bool { sqlState == "57014" }

    /// Whether the connection is gone.
    package var isConnectionLost: Bool {
        if kind == .connectionLost || kind == .commitIsUnknown { return true }
        return sqlState.map(Self.endsConnections) ?? false
    }

    /// Whether another attempt to connect may succeed. A wrong password or a missing database stays as it is.
    package var mayConnectLater: Bool {
        guard kind == .connectionFailed else { return false }
        guard let sqlState else { return true }
        return Self.endsConnections(sqlState) || sqlState.hasPrefix("53")
    }

    /// Whether the server does not have the database.
    var lacksDatabase: Bool { kind == .connectionFailed && sqlState == "3D000" }

    static func endsConnections(_ sqlState: String) -> Bool {
        sqlState.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(sqlState)
    }
}

extension PostgreSQLError: CustomStringConvertible {
    package var description: String {
        var text = [severity, sqlState].compactMap(\.self).joined(separator: " ")
        text += (text.isEmpty ? "" : ": ") + message
        if let executionIndex { text += " (execution \(executionIndex) of a pipeline)" }
        if let position { text += " (at character \(position))" }
        let place = [schema, table, column].compactMap(\.self).joined(separator: ".")
        if !place.isEmpty { text += "\nplace: \(place)" }
        if let constraint { text += "\nconstraint: \(constraint)" }
        if let detail { text += "\ndetail: \(detail)" }
        if let hint { text += "\nhint: \(hint)" }
        return text
    }
}
