import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Synchronization
import Testing

/// A connection to the server that the tests share. Tests use temporary tables, which no other connection sees.
func connect(
    _ url: String? = nil, _ change: (inout PostgreSQLConnection.Options) -> Void = { _ in }
) throws -> PostgreSQLConnection {
    var options = PostgreSQLConnection.Options()
    change(&options)
    return try PostgreSQLConnection(url ?? PostgreSQLServer.shared.url, options: options)
}

func values(_ fill: (inout PostgreSQLParameters) throws -> Void) rethrows -> PostgreSQLParameters {
    var values = PostgreSQLParameters()
    try fill(&values)
    return values
}

/// The error that some code throws.
func error<T>(_ body: () throws -> T) -> PostgreSQLError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? PostgreSQLError
    }
}

/// Waits until something is so; false after some seconds.
func eventually(_ seconds: Double = 10, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
        if try condition() { return true }
        usleep(5_000)
    }
    return false
}

/// A thread whose result can be waited for.
final class Background<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread {
            let result = Result { try body() }
            self.result.withLock { $0 = result }
            self.done.signal()
        }
    }

    var value: Value {
        get throws {
            done.wait()
            defer { done.signal() }
            return try result.withLock { try $0!.get() }
        }
    }

    var error: PostgreSQLError? { PostgreSQLClientTests.error { _ = try value } }
}

extension PostgreSQLConnection {
    /// The first value of the first row.
    func number(_ text: String, _ values: PostgreSQLParameters = PostgreSQLParameters()) throws -> Int64? {
        try execute(text, values).int64(0, 0)
    }

    /// Whether the session of a process waits for something in a statement, such as `PgSleep`.
    func isWaiting(_ processID: Int32, for event: String = "PgSleep") throws -> Bool {
        let found = try values {
            $0.append(int32: processID)
            try $0.append(text: event)
        }
        let text = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND wait_event = $2"
        return try number(text, found) == 1
    }
}
