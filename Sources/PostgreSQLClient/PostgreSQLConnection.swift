import CPostgreSQL
import Synchronization

/// A connection to a PostgreSQL server.
///
/// ```swift
/// let connection = try PostgreSQLConnection("postgresql://app@db/league")
/// let statement = try connection.statement("SELECT name FROM player WHERE team = $1")
/// var values = PostgreSQLParameters()
/// values.append(int64: 7)
/// let result = try connection.execute(statement, values)
/// for row in 0..<result.rowCount { print(try result.string(row, 0) ?? "NULL") }
/// ```
///
/// One thread at a time uses a connection. Only ``cancel()`` and ``wake()`` are for other threads.
///
/// Calls wait for the server, but not beyond ``deadline``. At the deadline the request is cancelled at the server. The
/// connection stays usable if the server confirms that; otherwise ``isUsable`` is false from then on.
package final class PostgreSQLConnection: @unchecked Sendable {
    // Unchecked: one thread at a time uses a connection, and the canceller, which threads share, guards itself.

    package struct Options: Sendable {
        /// What the server shows in its list of sessions, unless the connection string says it.
        package var applicationName = "coredata"
        /// The longest time for opening a connection. Several hosts share it.
        package var connectTimeout: Duration = .seconds(10)
        /// The longest time for each request; nil for none. See also ``PostgreSQLConnection/deadline``.
        package var requestTimeout: Duration?
        /// How long the server may take to confirm a cancellation, until the connection counts as broken.
        package var cancelPatience: Duration = .seconds(5)
        /// False to keep nothing at the server. Values must have the exact types of their parameters then. Nothing is
        /// prepared either where the connection does not keep its session.
        package var preparesStatements = true
        /// Whether the server is told the types of all values. Else it infers them from the columns that they meet,
        /// which must have the same types then.
        package var tellsTypes = false
        package var sessions = Sessions.detected
        /// How many statements the server keeps for the connection.
        package var statementLimit = 1_000
        /// Settings of the session, such as `search_path`.
        package var settings: [String: String] = [:]

        package init() {}
    }

    /// Whether all requests of a connection have the same session of the server.
    ///
    /// A pooler such as pgbouncer may give each transaction another one.
    package enum Sessions: String, Sendable {
        /// A pooler is detected, and taken for one that gives each transaction another session.
        case detected
        /// Also with a pooler, the connection keeps its session.
        case kept = "session"
        case perTransaction = "transaction"
    }

    package enum State: Sendable {
        case ready, broken, closed
    }

    private static let lastNumber = Atomic<Int>(0)

    let handle: OpaquePointer
    /// No other connection of the process has it.
    let number = PostgreSQLConnection.lastNumber.add(1, ordering: .relaxed).newValue
    let canceller: RequestCanceller
    package let options: Options
    /// 150004 is version 15.4.
    package let serverVersion: Int
    /// The process that serves the connection.
    package let processID: Int32
    package internal(set) var state = State.ready
    /// Whether the server keeps what the connection sets, prepares and listens to, from one transaction to the next.
    package internal(set) var keepsSession = true
    /// When requests are to end, until it is set to another time. Nil to wait for as long as it takes.
    package var deadline: ContinuousClock.Instant?

    /// The settings that each transaction needs anew, where the connection does not keep its session.
    var settings: PostgreSQLPreamble?
    /// The caller's; see ``withPreamble(_:_:)``.
    var preamble: PostgreSQLPreamble?
    var statements: StatementCache
    var exchange = Exchange()
    var transactionState = TransactionState.none
    /// What the caller has not finished reading.
    weak var openRows: PostgreSQLRows?
    var scratch = ValuePointers()

    /// Opens a connection, and waits until it is there.
    ///
    /// - Parameter connectionString: A URI or a list of keys and values, with all options of libpq.
    /// - Throws: ``PostgreSQLError`` of the kinds `connectionFailed`, `invalidURL` and `unsupported`.
    package init(_ connectionString: String, options: Options = Options()) throws {
        let wakeUp = try WakeUp()
        let handle = try Self.open(connectionString, options, wakeUp)
        do {
            canceller = try RequestCanceller(connection: handle, wakeUp: wakeUp)
        } catch {
            PQfinish(handle)
            throw error
        }
        self.handle = handle
        self.options = options
        serverVersion = Int(PQserverVersion(handle))
        processID = PQbackendPID(handle)
        statements = StatementCache(limit: options.statementLimit)
        try prepareSession()
    }

    deinit { close() }

    /// Whether requests can be made.
    package var isUsable: Bool { state == .ready }

    var preparesStatements: Bool { options.preparesStatements && keepsSession }

    /// How many statements are prepared.
    package var preparedStatementCount: Int { statements.count }

    /// Ends the connection. Later requests throw.
    package func close() {
        if state == .closed { return }
        state = .closed
        PQfinish(handle)
    }

    /// Cancels the request that another thread makes on this connection. Returns at once.
    ///
    /// The request throws an error that ``PostgreSQLError/isCancelled``, unless the server finished it before.
    ///
    /// - Returns: False if there is no request. The next one is not cancelled.
    @discardableResult
    package func cancel() -> Bool { canceller.cancel() }

    /// Runs `body` with a deadline for its requests.
    package func withTimeout<T>(_ timeout: Duration, _ body: () throws -> T) rethrows -> T {
        let before = deadline
        defer { deadline = before }
        let own = ContinuousClock.now + timeout
        deadline = before.map { min($0, own) } ?? own
        return try body()
    }
}
