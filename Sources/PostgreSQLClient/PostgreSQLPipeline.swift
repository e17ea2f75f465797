/// Sends many executions without waiting for each one's result.
///
/// It is of use only in the closure that gets it.
package final class PostgreSQLPipeline {
    private let connection: PostgreSQLConnection
    /// Nil behind the end.
    fileprivate var deliver: ((Int, PostgreSQLResult) throws -> Void)?

    fileprivate init(connection: PostgreSQLConnection, deliver: @escaping (Int, PostgreSQLResult) throws -> Void) {
        self.connection = connection
        self.deliver = deliver
    }

    /// How many executions were added.
    package var count: Int { connection.exchange.executions }

    /// Adds an execution.
    ///
    /// - Throws: ``PostgreSQLError`` of an earlier execution, if its result is there already.
    package func add(
        _ statement: PostgreSQLStatement, _ values: PostgreSQLParameters = PostgreSQLParameters()
    ) throws {
        try add { try connection.queue(statement, values, as: .execution($0, statement)) }
    }

    /// Adds an execution of a text, which the server prepares in the same round trip if it does not have it.
    package func add(
        preparing text: String, _ values: PostgreSQLParameters = PostgreSQLParameters()
    ) throws {
        try add(connection.statementToPrepare(text, values), values)
    }

    /// Adds a text that the server does not keep.
    package func add(_ text: String, _ values: PostgreSQLParameters = PostgreSQLParameters()) throws {
        try add { try connection.queue(text: text, values, as: .execution($0, nil)) }
    }

    /// Sends what was added so far, and before anything else the BEGIN of a transaction. The server wakes up and works
    /// on that while the rest is put together.
    ///
    /// - Throws: ``PostgreSQLError`` of a connection that is lost.
    package func sendAhead() throws {
        let deliver = try requireRunning()
        try connection.queueBegin()
        try connection.flush(deliver)
    }

    private func requireRunning() throws -> (Int, PostgreSQLResult) throws -> Void {
        guard let deliver else { throw PostgreSQLError(.misuse, "The pipeline has ended.") }
        if let error = connection.exchange.error { throw error }
        if !connection.exchange.isActive { throw PostgreSQLError(.connectionLost, "The connection was lost.") }
        return deliver
    }

    private func add(_ queue: (Int) throws -> Void) throws {
        let deliver = try requireRunning()
        let index = connection.exchange.executions
        try queue(index)
        connection.exchange.executions = index + 1
        try connection.flushIfNeeded(deliver)
    }
}

extension PostgreSQLConnection {
    /// A statement behind a COMMIT. Its result comes only if the transaction is committed.
    package typealias AfterCommit = (text: String, deliver: (PostgreSQLResult) -> Void)

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
    ///   - query: A statement that runs behind the COMMIT, in the same round trip. If it fails, that changes nothing.
    ///   - body: Adds the executions. If it throws, those that it added are undone, as far as this is no transaction.
    ///   - deliver: Gets the results in the order of the executions, with their numbers from 0 on. It may be called
    ///     while `body` runs, and makes no requests. If it throws after COMMIT was sent, that has its effect.
    /// - Throws: ``PostgreSQLError`` with its ``PostgreSQLError/executionIndex``; what `body` or `deliver` throws.
    package func pipeline(
        committing: Bool = false, then query: AfterCommit? = nil, _ body: (PostgreSQLPipeline) throws -> Void,
        deliver: (Int, PostgreSQLResult) throws -> Void = { _, _ in }
    ) throws {
        if committing, !isInTransaction {
            throw PostgreSQLError(.misuse, "A pipeline outside of a transaction has nothing to commit.")
        }
        do {
            try withoutActuallyEscaping(deliver) { deliver in
                try request({ try fill(body, deliver, committing, query) }, deliver: deliver)
            }
        } catch let error as PostgreSQLError {
            if case .committed = transactionState, error.isConnectionLost { return }
            throw error
        }
    }

    private func fill(
        _ body: (PostgreSQLPipeline) throws -> Void,
        _ deliver: @escaping (Int, PostgreSQLResult) throws -> Void, _ committing: Bool, _ query: AfterCommit?
    ) throws {
        exchange.isPipeline = true
        let pipeline = PostgreSQLPipeline(connection: self, deliver: deliver)
        defer { pipeline.deliver = nil }
        try body(pipeline)
        guard committing else { return }
        // A transaction without commands has no BEGIN yet, and needs no COMMIT.
        guard case .running = transactionState else { return }
        try queue(text: "COMMIT", as: .commit)
        if let query { try queue(text: query.text, as: .afterCommit(query.deliver)) }
    }
}
