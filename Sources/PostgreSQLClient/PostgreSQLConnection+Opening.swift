import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    private static let oldestServer = 140_000

    /// Opens a connection to the host, or to the first of several that answers as it should. A standby may lack a
    /// database that was made just now.
    static func open(_ connectionString: String, _ options: Options, _ wakeUp: WakeUp) throws -> OpaquePointer {
        var hosts = try PostgreSQLHost.several(in: connectionString)[...]
        let end = ContinuousClock.now + options.connectTimeout
        var reports: [PostgreSQLError] = []
        while let host = hosts.first {
            do {
                // One that does not answer leaves time for the others.
                let share = max((end - .now) / hosts.count, .milliseconds(1))
                return try open(connectionString, host, share, options, wakeUp)
            } catch let error as PostgreSQLError where error.mayConnectLater || error.lacksDatabase && hosts.count > 1 {
                reports.append(error)
                hosts = hosts.dropFirst()
            }
        }
        guard var error = reports.first else {
            return try open(connectionString, nil, options.connectTimeout, options, wakeUp)
        }
        error.message = reports.map(\.message).joined(separator: "\n")
        throw error
    }

    /// Opens a connection with libpq's functions that do not wait, and waits between them until the timeout.
    private static func open(
        _ connectionString: String, _ host: PostgreSQLHost?, _ timeout: Duration, _ options: Options, _ wakeUp: WakeUp
    ) throws -> OpaquePointer {
        let handle = try start(connectionString, host, options)
        do {
            try finish(handle, timeout, wakeUp)
            return handle
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    private static func start(
        _ connectionString: String, _ host: PostgreSQLHost?, _ options: Options
    ) throws -> OpaquePointer {
        // The later ones count; `dbname` is the connection string, which libpq expands.
        let pairs =
            keepalives + [
                ("fallback_application_name", options.applicationName), ("dbname", connectionString),
                ("client_encoding", "UTF8"),
            ] + (host?.parameters ?? [])
        let keys = pairs.map { strdup($0.0) }
        let values = pairs.map { strdup($0.1) }
        defer { (keys + values).forEach { free($0) } }
        let handle = PQconnectStartParams(
            keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let handle else { throw PostgreSQLError(.connectionFailed, "There is no memory for a connection.") }
        // Notices are dropped; without this they would be printed. No object is passed: a result may call it later
        // than the connection lives.
        _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
        // In this form the report of a failure has the SQLSTATE.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        return handle
    }

    /// A machine that is gone is noticed within a minute by a request that waits for its answer, unless the connection
    /// string says otherwise. The system's own times are hours.
    private static let keepalives: [(String, String)] = [
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
    ]

    private static func finish(_ handle: OpaquePointer, _ timeout: Duration, _ wakeUp: WakeUp) throws {
        guard PQstatus(handle) != CONNECTION_BAD else { throw failure(handle) }
        let deadline = ContinuousClock.now + timeout
        var polling = PGRES_POLLING_WRITING
        while polling != PGRES_POLLING_OK {
            guard polling == PGRES_POLLING_READING || polling == PGRES_POLLING_WRITING else { throw failure(handle) }
            let isInTime = try wait(
                handle, polling == PGRES_POLLING_READING ? POLLIN : Int32(POLLOUT), deadline, wakeUp)
            guard isInTime else {
                throw PostgreSQLError(.connectionFailed, "The server did not answer within \(timeout.text).")
            }
            polling = PQconnectPoll(handle)
        }
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw failure(handle) }
    }

    /// Waits for the socket, which is another one for each address of a host.
    ///
    /// - Returns: False at the deadline.
    private static func wait(
        _ handle: OpaquePointer, _ events: Int32, _ deadline: ContinuousClock.Instant, _ wakeUp: WakeUp
    ) throws -> Bool {
        let socket = PQsocket(handle)
        guard socket >= 0 else { throw failure(handle) }
        while true {
            switch wakeUp.wait(for: socket, events, until: deadline) {
            case .ready: return true
            case .woken: wakeUp.clear()
            case .failed(let code): throw PostgreSQLError(.connectionFailed, String(cString: strerror(code)))
            case .timedOut: return false
            }
        }
    }

    private static func failure(_ handle: OpaquePointer) -> PostgreSQLError {
        var error = PostgreSQLError(connectionReport: PQerrorMessage(handle).map { String(cString: $0) } ?? "")
        // The client itself finds that there is none: the server gives no SQLSTATE then.
        if error.sqlState == nil, PQconnectionNeedsPassword(handle) == 1 { error.sqlState = "28000" }
        return error
    }

    /// Checks the server, and makes the session what the client needs.
    func prepareSession() throws {
        guard serverVersion >= Self.oldestServer else {
            throw PostgreSQLError(
                .unsupported, "The server has version \(versionText). The oldest that is supported is PostgreSQL 14.")
        }
        guard parameter("integer_datetimes") == "on" else {
            throw PostgreSQLError(.unsupported, "The server is built with floating-point timestamps.")
        }
        var settings = options.settings
        if parameter("client_encoding") != "UTF8" { settings["client_encoding"] = "UTF8" }
        if parameter("standard_conforming_strings") != "on" { settings["standard_conforming_strings"] = "on" }
        if parameter("DateStyle")?.hasPrefix("ISO") != true { settings["DateStyle"] = "ISO" }
        try apply(settings)
    }

    /// Sets the session's settings, and finds out whether they last.
    ///
    /// A pooler gives its clients other process numbers than those of the server. Behind one, a setting ends with this
    /// request: another client gets the session next.
    private func apply(_ settings: [String: String]) throws {
        try withTimeout(options.connectTimeout) {
            try request {
                for (name, value) in settings.sorted(by: { $0.key < $1.key }) { try queueSetting(name, value) }
                if options.sessions == .detected { try queueDetection() }
            } deliver: { _, result in
                keepsSession = try result.bool(0, 0) ?? false
            }
        }
        if options.sessions == .perTransaction { keepsSession = false }
        if !keepsSession { self.settings = try PostgreSQLPreamble(transactionSettings: settings) }
    }

    private func queueSetting(_ name: String, _ value: String) throws {
        var values = PostgreSQLParameters()
        try values.append(text: name)
        try values.append(text: value)
        if options.sessions == .detected {
            values.append(int32: processID)
            try queue(text: "SELECT set_config($1, $2, pg_backend_pid() <> $3)", values, as: .internalCommand)
        } else {
            values.append(bool: options.sessions == .perTransaction)
            try queue(text: "SELECT set_config($1, $2, $3)", values, as: .internalCommand)
        }
    }

    private func queueDetection() throws {
        var values = PostgreSQLParameters()
        values.append(int32: processID)
        try queue(text: "SELECT pg_backend_pid() = $1", values, as: .execution(0, nil))
    }

    /// What the server reports about the session, such as `server_version`.
    package func parameter(_ name: String) -> String? {
        if state == .closed { return nil }
        return PQparameterStatus(handle, name).map { String(cString: $0) }
    }

    private var versionText: String {
        parameter("server_version") ?? "\(serverVersion / 10_000).\(serverVersion % 10_000)"
    }
}
