import Foundation

/// A PostgreSQL server of a test's own, from the installed programs.
///
/// ```swift
/// let url = try PostgreSQLServer.shared.newDatabase()
/// ```
///
/// It has a folder of its own for its data and its socket, and listens on no network. Any number of processes can have
/// theirs at the same time. When the process ends, however it does, the server ends and its folder is removed.
public final class PostgreSQLServer: Sendable {
    /// What a server does with its data when the machine fails.
    public enum Durability: Sendable {
        /// Nothing is forced to the disk. That is several times as fast.
        case none
        /// As a server of an app.
        case full
    }

    public enum StopMode: String, Sendable {
        /// Waits until the clients have left.
        case smart
        /// Ends the clients' sessions.
        case fast
        /// Ends as in a crash: the next start has to recover.
        case immediate

        var signal: Int32 {
            switch self {
            case .smart: SIGTERM
            case .fast: SIGINT
            case .immediate: SIGQUIT
            }
        }
    }

    /// The server of this process, which is started when it is used first. Tests do not stop it.
    public static var shared: PostgreSQLServer {
        get throws { try started.get() }
    }

    private static let started = Result { try PostgreSQLServer() }

    let programs: ServerPrograms
    /// The folder of the data and the socket.
    public let folder: String
    private let keeper: ServerKeeper
    private let databases = Counter()

    /// Makes a server and starts it.
    ///
    /// - Parameter settings: Lines of its configuration, such as `["max_connections": "20"]`.
    /// - Throws: ``PostgreSQLServerError``, which names the Debian package if the programs are missing.
    public convenience init(durability: Durability = .none, settings: [String: String] = [:]) throws {
        try self.init(durability, settings) { programs, folder in
            try programs.copy(ServerTemplate.shared.get().folder, to: folder)
        }
    }

    /// - Parameter makeData: Makes the data in a folder.
    init(
        _ durability: Durability, _ settings: [String: String],
        makeData: (_ programs: ServerPrograms, _ folder: String) throws -> Void
    ) throws {
        programs = try ServerPrograms()
        folder = try programs.makeFolder()
        do {
            try makeData(programs, folder)
            try programs.configure(folder, durability, settings)
            keeper = try ServerKeeper(command: programs.serverCommand(folder), folder: folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try start()
    }

    /// Starts a server that was stopped, and waits until it accepts connections.
    public func start() throws {
        let limit = Date(timeIntervalSinceNow: 30)
        while true {
            // After a crash, processes of the old server may hold its memory for a moment.
            if !keeper.isRunning { try keeper.start() }
            if programs.accepts(folder) { return }
            if Date() > limit { throw PostgreSQLServerError("The server does not start:\n\(log.suffix(2_000))") }
            usleep(20_000)
        }
    }

    /// Stops the server, and waits until it has ended.
    public func stop(_ mode: StopMode = .fast) throws { try keeper.end(signal: mode.signal) }

    /// Ends the server as `kill -9` does.
    public func kill() throws { try keeper.end(signal: SIGKILL) }

    public var isRunning: Bool { keeper.isRunning }

    /// Ends the session that a process of the server serves, as `pg_terminate_backend` does.
    public func terminateBackend(_ processID: Int32) { _ = Foundation.kill(processID, SIGTERM) }

    /// Ends a process of the server as `kill -9` does. The server ends all other sessions then, and recovers.
    public func killBackend(_ processID: Int32) { _ = Foundation.kill(processID, SIGKILL) }

    /// The connection string of the database `postgres`.
    public var url: String { url(database: "postgres") }

    public func url(database: String) -> String { Self.url(folder: folder, database: database) }

    static func url(folder: String, database: String) -> String {
        let host = folder.replacingOccurrences(of: "/", with: "%2F")
        return "postgresql://postgres@/\(database)?host=\(host)"
    }

    /// Makes an empty database, and gives its connection string.
    public func newDatabase() throws -> String {
        let name = "test\(databases.next())"
        try run("CREATE DATABASE \(name)")
        return url(database: name)
    }

    /// Runs a statement in the database `postgres`.
    public func run(_ statement: String) throws {
        try ChildProcess.run([programs.path("psql")] + programs.client(folder) + ["-c", statement])
    }

    /// The path of one of the installed programs, such as `psql`.
    public func program(_ name: String) -> String { programs.path(name) }

    /// What the server wrote.
    public var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }
}

public struct PostgreSQLServerError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
