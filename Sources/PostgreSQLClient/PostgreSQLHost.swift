/// One of several servers that a connection string names.
struct PostgreSQLHost {
    /// What libpq gets beside the connection string.
    let parameters: [(name: String, value: String)]

    /// The hosts of a connection string that names several, in their order. Empty if libpq is to choose.
    ///
    /// libpq gives one host after the other its turn, but waits for a host that does not answer without an end when it
    /// connects without blocking.
    static func several(in connectionString: String) throws -> [PostgreSQLHost] {
        let parameters = try PostgreSQLURL.parse(connectionString)
        func list(_ name: String) -> [Substring] {
            parameters[name]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        }
        // These look at the hosts more than once, or in another order.
        if parameters["target_session_attrs"] == "prefer-standby" || parameters["load_balance_hosts"] == "random" {
            return []
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(names.count, addresses.count)
        // A list of another length is an error, which libpq reports. One port is that of all hosts.
        guard count > 1, !names.contains(""), [0, count].contains(names.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count)
        else { return [] }
        return (0..<count).map { index in
            var own: [(name: String, value: String)] = []
            if !names.isEmpty { own.append(("host", String(names[index]))) }
            if !addresses.isEmpty { own.append(("hostaddr", String(addresses[index]))) }
            // One that is empty would not count, and the list would stay.
            if ports.count == count { own.append(("port", ports[index].isEmpty ? "5432" : String(ports[index]))) }
            return PostgreSQLHost(parameters: own)
        }
    }
}
