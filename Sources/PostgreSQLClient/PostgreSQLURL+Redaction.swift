extension PostgreSQLURL: CustomStringConvertible, CustomDebugStringConvertible {
    /// The database as a URI for messages, without passwords. It is made of what libpq understood, so that no password
    /// is taken for something else.
    package var redacted: String {
        var text = "postgresql://"
        if let user { text += Self.encoded(user) }
        if secrets.contains("password") { text += ":***" }
        if user != nil || secrets.contains("password") { text += "@" }
        let (authority, leftHosts) = hosts
        text += authority
        if let database { text += "/" + Self.encoded(database) }
        var query = leftHosts
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) where !Self.placed.contains(name) {
            query.append("\(name)=\(Self.encoded(value))")
        }
        for name in secrets.sorted() where name != "password" { query.append("\(name)=***") }
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            query.append("\(Self.encoded(name))=\(Self.encoded(value))")
        }
        return query.isEmpty ? text : text + "?" + query.joined(separator: "&")
    }

    package var description: String { redacted }
    package var debugDescription: String { redacted }

    private static let placed: Set<String> = ["user", "dbname", "host", "port"]

    /// Hosts with their ports, and what can't stand in front: folders of sockets, and lists that do not match.
    private var hosts: (authority: String, query: [String]) {
        let hosts = (parameters["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let ports = (port ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let isPlain = !hosts.contains { $0.hasPrefix("/") || $0.hasPrefix("@") }
        if isPlain, ports.count == hosts.count {
            let pairs = zip(hosts, ports).map { host, port in
                Self.bracketed(host) + (port.isEmpty ? "" : ":" + Self.encoded(String(port)))
            }
            return (pairs.joined(separator: ","), [])
        }
        var query: [String] = []
        if let host = parameters["host"] { query.append("host=" + Self.encoded(host)) }
        if let port { query.append("port=" + Self.encoded(port)) }
        return ("", query)
    }

    private static func bracketed(_ host: Substring) -> String {
        host.contains(":") ? "[\(host)]" : encoded(String(host))
    }

    /// The text with percent codes for all but letters, digits and some marks.
    static func encoded(_ text: some StringProtocol, keeping marks: String = "-._~") -> String {
        var encoded = ""
        for byte in text.utf8 {
            let character = Character(Unicode.Scalar(byte))
            if byte < 128, character.isLetter || character.isNumber || marks.contains(character) {
                encoded.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return encoded
    }

    /// A value of a list of keys and values.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
