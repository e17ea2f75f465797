import CPostgreSQL
import Foundation

/// What another session sent by NOTIFY.
package struct PostgreSQLNotification: Sendable, Hashable {
    package var channel: String
    package var payload: String
    /// The server's process for the session that sent it.
    package var processID: Int32

    package init(channel: String, payload: String, processID: Int32) {
        self.channel = channel
        self.payload = payload
        self.processID = processID
    }
}

extension PostgreSQLConnection {
    /// Has the server send the notifications of a channel. Outside of a transaction; in one, from its commit on.
    package func listen(to channel: String) throws {
        try execute("LISTEN \(Self.quoted(identifier: channel))")
    }

    /// The notifications that have arrived since the last call. Does not wait.
    package func notifications() throws -> [PostgreSQLNotification] {
        guard isOpen() else { throw PostgreSQLError(.connectionLost, "The connection to the server is lost.") }
        return takeNotifications()
    }

    /// Waits for notifications.
    ///
    /// - Parameter timeout: Nil to wait for as long as it takes.
    /// - Returns: Those that have arrived since the last call; none at the timeout, and after ``wake()``.
    package func waitForNotifications(timeout: Duration? = nil) throws -> [PostgreSQLNotification] {
        let limit = timeout.map { ContinuousClock.now + $0 }
        while true {
            let found = try notifications()
            if !found.isEmpty || canceller.takeWake() { return found }
            switch canceller.wakeUp.wait(for: PQsocket(handle), POLLIN, until: limit) {
            case .ready: break
            case .woken: canceller.wakeUp.clear()
            case .timedOut: return try notifications()
            case .failed(let code): throw PostgreSQLError(.connectionLost, String(cString: strerror(code)))
            }
        }
    }

    /// Ends the wait of another thread for notifications, or the next one.
    package func wake() { canceller.wake() }

    private func takeNotifications() -> [PostgreSQLNotification] {
        var found: [PostgreSQLNotification] = []
        while let notification = PQnotifies(handle) {
            let values = notification.pointee
            found.append(
                PostgreSQLNotification(
                    channel: values.relname.map { String(cString: $0) } ?? "",
                    payload: values.extra.map { String(cString: $0) } ?? "", processID: values.be_pid))
            PQfreemem(notification)
        }
        return found
    }
}
