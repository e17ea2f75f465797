/// Sends many executions without waiting for each one's result.
package struct PostgreSQLPipeline: ~Copyable {
    fileprivate let connection: PostgreSQLConnection
    fileprivate let deliver: (Int, PostgreSQLResult) throws -> Void

    /// How many executions were added.
    package var count: Int { connection.exchange.executions }

    /// Adds an execution.
    ///
    /// - Throws: ``PostgreSQLError`` of an earlier execution, if its result is there already.
    package func add(
        _ statement: PostgreSQLStatement, _ values: PostgreSQLParameters = PostgreSQLParameters()
    ) throws {
        try check()
        let index = connection.exchange.executions
        try connection.queue(statement, values, as: .execution(index, statement))
        connection.exchange.executions = index + 1
        try connection.flushIfNeeded(deliver)
    }

    /// Adds an execution of a text, which the server prepares in the same round trip if it does not have it.
    package func add(
        preparing text: String, _ values: PostgreSQLParameters = PostgreSQLParameters()
    ) throws {
        try add(connection.statementToPrepare(text), values)
    }

    /// Adds a text that the server does not keep.
    package func add(_ text: String, _ values: PostgreSQLParameters = PostgreSQLParameters()) throws {
        try check()
        let index = connection.exchange.executions
        try connection.queue(text: text, values, as: .execution(index, nil))
        connection.exchange.executions = index + 1
        try connection.flushIfNeeded(deliver)
    }

    private func check() throws {
        if let error = connection.exchange.error { throw error }
        if !connection.exchange.isActive { throw PostgreSQLError(.connectionLost, "The connection was lost.") }
    }
}

extension PostgreSQLConnection {
    /// Executes many statements in few round trips.
    ///
    /// ```swift
    /// try connection.pipeline { pipeline in
    ///     for player in players { try pipeline.add(insert, player.values) }
    /// }
    /// ```
    ///
    /// After the first error the server skips the rest. Outside of a transaction, the pipeline is one itself: an error
    /// undoes all of it.
    ///
    /// - Parameters:
    ///   - committing: Whether to commit the transaction in the same round trip. Only in
    ///     ``transaction(isolation:readOnly:_:)``, as the last of its requests.
    ///   - body: Adds the executions. If it throws, those that it added are undone, as far as this is no transaction.
    ///   - deliver: Gets the results in the order of the executions, with their numbers from 0 on. It may be called
    ///     while `body` runs, and makes no requests. If it throws after COMMIT was sent, that has its effect.
    /// - Throws: ``PostgreSQLError`` with its ``PostgreSQLError/executionIndex``; what `body` or `deliver` throws.
    package func pipeline(
        committing: Bool = false, _ body: (borrowing PostgreSQLPipeline) throws -> Void,
        deliver: (Int, PostgreSQLResult) throws -> Void = { _, _ in }
    ) throws {
        if committing, !isInTransaction {
            throw PostgreSQLError(.misuse, "A pipeline outside of a transaction has nothing to commit.")
        }
        do {
            try withoutActuallyEscaping(deliver) { deliver in
                try request({ try fill(body, deliver, committing) }, deliver: deliver)
            }
        } catch let error as PostgreSQLError {
            if case .committed = transactionState, error.isConnectionLost { return }
            throw error
        }
    }

    private func fill(
        _ body: (borrowing PostgreSQLPipeline) throws -> Void,
        _ deliver: @escaping (Int, PostgreSQLResult) throws -> Void, _ committing: Bool
    ) throws {
        exchange.isPipeline = true
        try body(PostgreSQLPipeline(connection: self, deliver: deliver))
        guard committing else { return }
        // A transaction without commands has no BEGIN yet, and needs no COMMIT.
        if case .running = transactionState { try queue(text: "COMMIT", as: .commit) }
    }
}
