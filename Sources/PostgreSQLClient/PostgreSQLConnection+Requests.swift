import CPostgreSQL
import Foundation

// A request is one exchange with the server, in libpq's pipeline mode: commands are queued and sent, the last one is a
// sync. Then their results are read, in their order, until the one of the sync. After an error the server skips all
// commands up to the sync.
extension PostgreSQLConnection {
    /// Makes a request.
    ///
    /// - Parameters:
    ///   - queue: Queues commands. If it throws, nothing of them has an effect.
    ///   - deliver: Gets the results of executions with their numbers.
    func request(
        _ queue: () throws -> Void, deliver: (Int, PostgreSQLResult) throws -> Void = { _, _ in }
    ) throws {
        try begin()
        do {
            try queue()
        } catch {
            try undo(error)
        }
        try complete(deliver)
    }

    /// Starts a request.
    func begin() throws {
        try checkUsable()
        guard canceller.begin() else {
            throw PostgreSQLError(.misuse, "The connection has another request, or rows that are still to be read.")
        }
        exchange.reset(limit: limit())
        if let limit = exchange.limit, limit <= .now {
            _ = canceller.end(patience: .zero)
            throw Self.deadlineExceeded
        }
        exchange.isActive = true
    }

    private func checkUsable() throws {
        switch state {
        case .ready: break
        case .broken: throw PostgreSQLError(.connectionLost, "The connection was lost in an earlier request.")
        case .closed: throw PostgreSQLError(.connectionLost, "The connection is closed.")
        }
        if case .committed = transactionState {
            throw PostgreSQLError(.misuse, "The transaction is already committed.")
        }
    }

    private func limit() -> ContinuousClock.Instant? {
        guard let timeout = options.requestTimeout else { return deadline }
        let own = ContinuousClock.now + timeout
        return deadline.map { min($0, own) } ?? own
    }

    /// The caller could not queue all of its commands: has the server undo those that it got.
    ///
    /// In a transaction of the caller's that is up to the caller. Otherwise the commands up to the sync are a
    /// transaction, which a ROLLBACK ends. The server only notices that it has not been begun.
    func undo(_ error: any Error) throws {
        // A connection that broke has no request any more.
        guard exchange.isActive else { throw error }
        exchange.error = exchange.error ?? error
        exchange.discardsResults = true
        if exchange.executions > 0, !isInTransaction { try queue(text: "ROLLBACK", as: .internalCommand) }
    }

    /// Sends what is queued, reads all results, and ends the request.
    func complete(_ deliver: (Int, PostgreSQLResult) throws -> Void) throws {
        // A connection that broke has ended the request, and its error was thrown.
        guard exchange.isActive else { return }
        try queueSync()
        try flush(deliver)
        try receive(waits: true, deliver)
        try finish()
    }

    func queueSync() throws {
        guard exchange.needsSync else { return }
        try sent(PQpipelineSync(handle), .sync)
    }

    /// Ends the request, and throws the first error of it.
    func finish() throws {
        let error = exchange.error
        exchange.isActive = false
        if !canceller.end(patience: options.cancelPatience) { state = .broken }
        if let error { throw error }
    }

    /// The connection is gone. What the caller gets depends on what was under way.
    func lost(_ error: PostgreSQLError) -> PostgreSQLError {
        var error = error
        if exchange.isCommitting { error.kind = .commitIsUnknown }
        state = .broken
        exchange.isActive = false
        _ = canceller.end(patience: .zero)
        return error
    }

    static var deadlineExceeded: PostgreSQLError {
        PostgreSQLError(.deadlineExceeded, "The request took longer than it was allowed to, and was cancelled.")
    }
}
