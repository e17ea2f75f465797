import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    /// The statement with a text: the same one each time, prepared at the server once.
    ///
    /// - Parameters:
    ///   - text: One SQL statement, with `$1`, `$2` for its parameters.
    ///   - types: Types of the first parameters, where the server can't infer them.
    package func statement(_ text: String, types: [PostgreSQLType] = []) throws -> PostgreSQLStatement {
        if let known = statements.find(text, types) { return known }
        let statement = PostgreSQLStatement(text: text, hints: types, connection: number)
        guard preparesStatements else { return statement }
        try request { try queuePrepare(statement) }
        return statement
    }

    /// Executes the statement with a text, which is prepared at the server once.
    @discardableResult
    package func execute(
        preparing text: String, _ values: PostgreSQLParameters = PostgreSQLParameters()
    ) throws -> PostgreSQLResult {
        try execute(statement(text, types: hints(values)), values)
    }

    /// The types that the server is told before it infers others.
    private func hints(_ values: PostgreSQLParameters) -> [PostgreSQLType] {
        options.tellsTypes ? values.fields.map(\.type) : []
    }

    /// The statement with a text, for a pipeline: its first execution prepares it.
    func statementToPrepare(_ text: String, _ values: PostgreSQLParameters) -> PostgreSQLStatement {
        let types = hints(values)
        if let known = statements.find(text, types) ?? exchange.newStatements[text] { return known }
        let statement = PostgreSQLStatement(text: text, hints: types, connection: number)
        exchange.newStatements[text] = statement
        return statement
    }

    /// Prepares several statements in one round trip.
    package func prepare(_ texts: [String]) throws {
        guard preparesStatements else { return }
        try request {
            for text in texts where statements.find(text, []) == nil {
                try queuePrepare(PostgreSQLStatement(text: text, hints: [], connection: number))
            }
        }
    }

    /// Executes a statement, and gives all of its rows.
    @discardableResult
    package func execute(
        _ statement: PostgreSQLStatement, _ values: PostgreSQLParameters = PostgreSQLParameters()
    ) throws -> PostgreSQLResult {
        try execution { try queue(statement, values, as: .execution(0, statement)) }
    }

    /// Executes a text once: the server keeps no statement.
    ///
    /// - Parameter text: One SQL statement. Values have the exact types of their parameters.
    @discardableResult
    package func execute(
        _ text: String, _ values: PostgreSQLParameters = PostgreSQLParameters()
    ) throws -> PostgreSQLResult {
        try execution { try queue(text: text, values, as: .execution(0, nil)) }
    }

    private func execution(_ queue: () throws -> Void) throws -> PostgreSQLResult {
        var found: PostgreSQLResult?
        try request(queue) { found = $1 }
        guard let found else { throw PostgreSQLError(.connectionLost, "The server did not answer a command.") }
        return found
    }

    /// Asks the server for a sign of life.
    ///
    /// - Throws: ``PostgreSQLError``; the connection can't be used any more.
    package func ping(timeout: Duration) throws {
        do {
            try withTimeout(timeout) { try request { try queue(text: "SELECT 1", as: .internalCommand) } }
        } catch {
            if state == .ready { state = .broken }
            throw error
        }
    }

    /// Whether the server has not closed the connection, as far as is known here. It is not asked.
    package func isOpen() -> Bool {
        guard state == .ready else { return false }
        while isReadable() {
            if PQconsumeInput(handle) == 0 || PQstatus(handle) == CONNECTION_BAD {
                state = .broken
                return false
            }
        }
        return state == .ready
    }

    private func isReadable() -> Bool {
        while true {
            switch canceller.wakeUp.wait(for: PQsocket(handle), POLLIN, until: .now) {
            case .ready(let isReadable): return isReadable
            case .woken: canceller.wakeUp.clear()
            case .timedOut, .failed: return false
            }
        }
    }

    /// A name as SQL writes it: `"Größe"`. For names that can't be parameters, such as those of tables.
    ///
    /// - Throws: ``PostgreSQLError`` of the kind `invalidParameter` for a name with a NUL character.
    package static func quoted(identifier name: String) throws -> String {
        if name.isEmpty || name.utf8.contains(0) {
            throw PostgreSQLError(.invalidParameter, "A name is empty, or has a NUL character.")
        }
        var text: [UInt8] = [UInt8(ascii: "\"")]
        for byte in name.utf8 {
            if byte == UInt8(ascii: "\"") { text.append(byte) }
            text.append(byte)
        }
        text.append(UInt8(ascii: "\""))
        return String(decoding: text, as: UTF8.self)
    }
}
