import Foundation

/// A pgbouncer in front of a server, from the installed program.
///
/// ```swift
/// let pooler = try PostgreSQLPooler(to: server, sessions: 2)
/// let url = pooler.url(database: "league")
/// ```
///
/// It has a folder of its own, and ends with this process, as a server does.
public final class PostgreSQLPooler: Sendable {
    public enum Mode: String, Sendable {
        /// Each transaction gets another session of the server.
        case transaction
        /// Each connection keeps a session until it is closed.
        case session
    }

    private let folder: String
    private let keeper: ServerKeeper

    /// - Parameter sessions: The most sessions of the server for each database. More connections wait for their turn.
    public init(to server: PostgreSQLServer, sessions: Int, mode: Mode = .transaction) throws {
        let programs = try ServerPrograms()
        folder = try programs.makeFolder()
        do {
            try Data(Self.configuration(folder, server, sessions, mode).utf8)
                .write(to: URL(fileURLWithPath: folder + "/pgbouncer.ini"))
            keeper = try ServerKeeper(command: programs.poolerCommand(folder), folder: folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try keeper.start()
        let limit = Date(timeIntervalSinceNow: 30)
        while !programs.accepts(folder) {
            if Date() > limit { throw PostgreSQLServerError("pgbouncer does not start:\n\(log.suffix(2_000))") }
            usleep(20_000)
        }
    }

    private static func configuration(
        _ folder: String, _ server: PostgreSQLServer, _ sessions: Int, _ mode: Mode
    ) -> String {
        """
        [databases]
        * = host=\(server.folder) user=postgres
        [pgbouncer]
        listen_port = 5432
        unix_socket_dir = \(folder)
        auth_type = any
        pool_mode = \(mode.rawValue)
        default_pool_size = \(sessions)
        max_client_conn = 200

        """
    }

    public func url(database: String) -> String { PostgreSQLServer.url(folder: folder, database: database) }

    /// What pgbouncer wrote.
    public var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }
}
