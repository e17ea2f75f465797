// A URI in its parts. A `URL` of Foundation needs some of them in other characters.
extension PostgreSQLURL {
    /// The same URI in characters that a `URL` takes. Percent codes stay as they are.
    ///
    /// A `URL` has one host. Several hosts become the parameters `host` and `port`.
    ///
    /// - Throws: ``PostgreSQLError`` of the kind `invalidURL` for a text that is no URI of PostgreSQL, or has an `@` or
    ///   a `/` in its password. The message has no part of the text.
    package static func urlText(_ text: String) throws -> String {
        if let parts = try Parts(text) { return parts.urlText }
        throw PostgreSQLError(
            .invalidURL, "The connection string does not begin with postgresql:// or postgres://, with two slashes.")
    }

    /// The parts of a URI, where libpq finds them.
    struct Parts {
        /// In small letters, as libpq needs it.
        private let scheme: String
        /// User and password. They end at the first `@`, if no slash comes before it; nil without one.
        private let credentials: Substring?
        /// Hosts with their ports.
        private let hosts: Substring
        /// The database and the parameters, from their `/` or `?` on.
        private let tail: Substring

        /// Nil for a text that is no URI of PostgreSQL.
        ///
        /// - Throws: `invalidURL` where a second `@` would make the end of a password part of the host, or a slash
        ///   would make its beginning the port.
        init?(_ text: String) throws {
            guard let mark = text.firstRange(of: "://") else { return nil }
            scheme = text[..<mark.lowerBound].lowercased()
            guard ["postgresql", "postgres"].contains(scheme) else { return nil }
            var rest = text[mark.upperBound...]
            if let end = rest.unicodeScalars.firstIndex(where: { $0 == "@" || $0 == "/" }),
                rest.unicodeScalars[end] == "@"
            {
                credentials = rest[..<end]
                rest = rest[rest.unicodeScalars.index(after: end)...]
            } else {
                credentials = nil
            }
            let end = rest.unicodeScalars.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            (hosts, tail) = (rest[..<end], rest[end...])
            guard !hosts.unicodeScalars.contains("@") else {
                throw PostgreSQLError(
                    .invalidURL,
                    "The connection string has more than one @ before the database. An @ in a password is written %40.")
            }
            guard credentials != nil || !hasSlashInPassword else {
                throw PostgreSQLError(
                    .invalidURL,
                    """
                    The connection string has a / before its first @. A / in a password is written %2F. An @ in the \
                    name of a database is written %40.
                    """)
            }
        }

        /// Whether an `@` behind the first slash may be the end of a password, as there is a colon before the slash.
        ///
        /// An `@` in a parameter is a part of its value.
        private var hasSlashInPassword: Bool {
            let path = tail.unicodeScalars.prefix { $0 != "?" }
            return path.contains("@") && hosts.replacing(/\[[^\]]*\]/, with: "").unicodeScalars.contains(":")
        }

        /// The URI for libpq.
        var text: String { "\(scheme)://\(credentials.map { "\($0)@" } ?? "")\(hosts)\(tail)" }

        var urlText: String {
            let user = credentials.map { "\(encoded($0, keeping: ":&=%!$'()*+,;-._~"))@" } ?? ""
            let entries = hosts.split(separator: ",", omittingEmptySubsequences: false).map(HostEntry.init)
            if entries.count > 1 { return "\(scheme)://\(user)\(tail(naming: entries))" }
            let host = encoded(hosts, keeping: ":[]&=%!$'()*+,;-._~")
            return "\(scheme)://\(user)\(host)\(encodedTail(tail))"
        }

        /// Database and parameters with the hosts, of which later parameters of the same names have the last word, as
        /// in libpq.
        private func tail(naming entries: [HostEntry]) -> String {
            let mark = tail.unicodeScalars.firstIndex(of: "?") ?? tail.endIndex
            let path = mark == tail.startIndex ? "/" : encodedTail(tail[..<mark])
            let query = tail[mark...].isEmpty ? "" : "&" + encodedTail(tail[mark...].dropFirst())
            func list(_ part: (HostEntry) -> Substring) -> String {
                entries.map { encoded(part($0), keeping: ":%!$'()*+;-._~") }.joined(separator: ",")
            }
            return "\(path)?host=\(list(\.host))&port=\(list(\.port))\(query)"
        }

        private func encodedTail(_ text: Substring) -> String { encoded(text, keeping: "/?:@&=%!$'()*+,;-._~") }
    }

    /// One of several hosts.
    private struct HostEntry {
        let host: Substring
        let port: Substring

        init(_ text: Substring) {
            // An IPv6 address has colons of its own, and stands in brackets.
            let isAddress = text.first == "["
            let end = text.firstIndex(of: isAddress ? "]" : ":") ?? text.endIndex
            host = isAddress ? text[..<end].dropFirst() : text[..<end]
            port = text[end...].drop { $0 == "]" || $0 == ":" }
        }
    }
}
