/// Connections to one database that threads share.
///
/// ```swift
/// let pool = PostgreSQLPool("postgresql://app@db/league")
/// let count = try pool.withConnection { connection in
///     try connection.execute("SELECT count(*) FROM player").int64(0, 0)
/// }
/// ```
///
/// Connections are opened when they are needed, up to a limit. Then callers wait, and get connections in the order in
/// which they came. A connection that broke is replaced.
package final class PostgreSQLPool: Sendable {
    package struct Options: Sendable {
        /// The most connections.
        package var limit = 8
        /// How long a caller waits for a connection: for one to become free, or for the server to accept a new one.
        package var timeout: Duration = .seconds(30)
        /// A connection that was idle for longer is tested before it is used.
        package var idleLimit: Duration = .seconds(5)
        /// How long a test may take.
        package var testTimeout: Duration = .seconds(2)
        /// The first pause between attempts to connect. Each further one is twice as long, up to ``longestPause``.
        package var firstPause: Duration = .milliseconds(50)
        package var longestPause: Duration = .seconds(2)
        /// How long to go on with attempts to connect. Zero for a single one.
        package var reconnectLimit: Duration = .seconds(10)
        package var connection = PostgreSQLConnection.Options()

        package init() {}
    }

    /// How many connections there are at a moment.
    package struct Statistics: Sendable, Hashable {
        package var inUse = 0
        package var idle = 0
        /// Callers that wait.
        package var waiting = 0

        package init(inUse: Int = 0, idle: Int = 0, waiting: Int = 0) {
            self.inUse = inUse
            self.idle = idle
            self.waiting = waiting
        }
    }

    struct IdleConnection {
        var connection: PostgreSQLConnection
        var since: ContinuousClock.Instant
    }

    struct Contents {
        var idle: [IdleConnection] = []
        /// Connections that callers have, or that are being opened.
        var inUse = 0
        /// The callers that wait, in the order in which they came.
        var waiting: [UInt64] = []
        var lastTicket: UInt64 = 0
        var isClosed = false
    }

    let connectionString: String
    package let options: Options
    let contents = Monitor(Contents())
    let prepare: @Sendable (PostgreSQLConnection) throws -> Void

    /// - Parameters:
    ///   - connectionString: As for ``PostgreSQLConnection``.
    ///   - prepare: Makes each new connection ready.
    package init(
        _ connectionString: String, options: Options = Options(),
        prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in }
    ) {
        self.connectionString = connectionString
        self.options = options
        self.prepare = prepare
    }

    deinit { contents.withLock { contents in contents.idle.forEach { $0.connection.close() } } }

    /// Runs `body` with a connection that no other caller has meanwhile.
    ///
    /// - Parameter timeout: How long to wait for a connection; nil for that of the options.
    /// - Throws: ``PostgreSQLError`` of the kinds `poolExhausted` and `poolClosed`, and those of a new connection.
    @discardableResult
    package func withConnection<T>(
        timeout: Duration? = nil, _ body: (PostgreSQLConnection) throws -> T
    ) throws -> T {
        let connection = try take(timeout ?? options.timeout)
        defer { giveBack(connection) }
        return try body(connection)
    }

    package var statistics: Statistics {
        contents.withLock { Statistics(inUse: $0.inUse, idle: $0.idle.count, waiting: $0.waiting.count) }
    }

    /// Closes the pool: later callers get an error. Waits until all connections were given back.
    ///
    /// - Parameter timeout: Nil to wait for as long as it takes.
    /// - Returns: False if connections were still in use at the timeout. Each is closed when it is given back.
    @discardableResult
    package func close(timeout: Duration? = nil) -> Bool {
        let idle = contents.change { contents in
            contents.isClosed = true
            defer { contents.idle = [] }
            return contents.idle
        }
        idle.forEach { $0.connection.close() }
        let limit = timeout.map { ContinuousClock.now + $0 }
        return contents.wait(until: limit) { $0.inUse == 0 ? true : nil } ?? false
    }
}
