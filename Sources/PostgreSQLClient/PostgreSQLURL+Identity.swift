extension PostgreSQLURL {
    /// What tells a database from others: its servers with their ports, and its name. What the string does not say is
    /// what libpq takes in its place.
    package var identity: [String] {
        let defaults = Self.defaults()
        func value(_ name: String) -> String? { parameters[name] ?? defaults[name] }
        func list(_ text: String?) -> [String] {
            (text ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let hosts = list(value("host") ?? value("hostaddr"))
        let ports = list(value("port"))
        let servers = hosts.indices.map { index in
            // One port is that of all hosts.
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return "\(Self.normalized(host: hosts[index])):\(port.isEmpty ? Self.ownPort : port)"
        }
        return servers + ["/" + (value("dbname") ?? value("user") ?? "")]
    }

    private static let ownPort = "5432"

    /// Names of machines are the same in large letters. Folders of sockets are not.
    private static func normalized(host: String) -> String {
        host.hasPrefix("/") || host.hasPrefix("@") ? host : host.lowercased()
    }
}
