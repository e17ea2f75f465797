import Foundation

extension PostgreSQLServer {
    /// Makes a server that follows this one by streaming replication, and starts it.
    ///
    /// - Parameter settings: Lines of its configuration, beside those of this server.
    public func makeReplica(settings: [String: String] = [:]) throws -> PostgreSQLServer {
        try PostgreSQLServer(.full, settings) { programs, folder in
            try programs.copy(serverIn: self.folder, to: folder)
        }
    }

    /// Has a replica follow that one of some servers which takes writes.
    public func follow(_ servers: [PostgreSQLServer]) throws {
        let hosts = servers.map(\.folder).joined(separator: ",")
        try configure(["primary_conninfo": "user=postgres host=\(hosts) target_session_attrs=read-write"])
    }

    /// Changes the configuration of a server that runs.
    public func configure(_ settings: [String: String]) throws {
        try programs.add(settings, to: folder)
        try run("SELECT pg_reload_conf()")
    }

    /// Makes a replica a server that takes writes.
    public func promote() throws { try run("SELECT pg_promote(true, 30)") }

    /// The connection string that finds, among some servers, the one that takes writes.
    public static func url(ofAll servers: [PostgreSQLServer], database: String) -> String {
        let hosts = servers.map { $0.folder.replacingOccurrences(of: "/", with: "%2F") }.joined(separator: ",")
        return "postgresql://postgres@/\(database)?host=\(hosts)&target_session_attrs=read-write"
    }
}
