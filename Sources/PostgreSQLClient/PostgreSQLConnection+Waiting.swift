import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    /// Waits until the socket is readable or writable, as is asked for.
    ///
    /// At the deadline, or when another thread cancels the request, the server is told to give up. It answers then, so
    /// that the wait goes on for a while.
    ///
    /// - Returns: Whether there is something to be read.
    func waitForSocket(_ events: Int32) throws -> Bool {
        while true {
            try checkLimit()
            let socket = PQsocket(handle)
            guard socket >= 0 else { throw lost(.lost(handle)) }
            switch canceller.wakeUp.wait(for: socket, events, until: exchange.limit) {
            case .ready(let isReadable): return isReadable
            case .woken:
                canceller.wakeUp.clear()
                if canceller.isRequested { shortenLimit() }
            case .timedOut: try limitPassed()
            case .failed(let code): throw lost(PostgreSQLError(.connectionLost, String(cString: strerror(code))))
            }
        }
    }

    /// Notices the deadline, also where nothing has to be waited for.
    func checkLimit() throws { if let limit = exchange.limit, limit <= .now { try limitPassed() } }

    /// The first time, the request is cancelled. The second time, the server does not react.
    private func limitPassed() throws {
        if exchange.isCancelling {
            var error = Self.deadlineExceeded
            error.message = "The server did not react to the cancellation of a request. The connection is given up."
            error.kind = exchange.isTimedOut ? .deadlineExceeded : .connectionLost
            throw lost(error)
        }
        exchange.isTimedOut = true
        _ = canceller.cancel()
        shortenLimit()
    }

    private func shortenLimit() {
        if exchange.isCancelling { return }
        exchange.isCancelling = true
        exchange.limit = .now + options.cancelPatience
    }
}
