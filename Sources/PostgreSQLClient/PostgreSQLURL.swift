import CPostgreSQL
import Foundation

/// What an app gives to name a database: a URI, or libpq's list of keys and values.
///
///     postgresql://app:secret@db.example.org:5432/league?sslmode=require&schema=public
///     host=/run/postgresql dbname=league schema=public
///
/// Options of the client's own may stand among those of libpq. They are split off.
package struct PostgreSQLURL: Sendable {
    /// For libpq: without the client's own options.
    package let connectionString: String
    /// The client's own options, decoded.
    package let options: [String: String]
    /// What libpq understood, by its keywords: `host`, `port`, `dbname`, `user` and so on. Without the passwords.
    package let parameters: [String: String]
    /// The names of the parameters that are left out of ``parameters``.
    let secrets: Set<String>

    /// - Parameter names: The names of the client's own options.
    /// - Throws: ``PostgreSQLError`` of the kind `invalidURL`. Its message has no part of a password.
    package init(_ text: String, options names: Set<String> = []) throws {
        let text = try Parts(text)?.text ?? text
        let split = Self.isURI(text) ? try Self.splitURI(text, names) : try Self.splitList(text, names)
        connectionString = split.rest
        options = split.options
        var parameters = try Self.parse(split.rest)
        secrets = Set(parameters.keys).intersection(Self.secretNames)
        for name in secrets { parameters[name] = nil }
        self.parameters = parameters
    }

    package var host: String? { parameters["host"] ?? parameters["hostaddr"] }
    package var port: String? { parameters["port"] }
    package var user: String? { parameters["user"] }
    package var database: String? { parameters["dbname"] }

    /// A connection string of the same server for another database.
    package func connectionString(database: String) -> String {
        // Of a URI libpq takes the later ones, too.
        if Self.isURI(connectionString) {
            let mark = Self.query(of: connectionString) == nil ? "?" : "&"
            return connectionString + mark + "dbname=" + Self.encoded(database)
        }
        return connectionString + " dbname=" + Self.quoted(database)
    }

    private static let secretNames: Set<String> = ["password", "sslpassword"]

    static func isURI(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// What libpq understands.
    static func parse(_ text: String) throws -> [String: String] {
        if text.utf8.contains(0) {
            throw PostgreSQLError(.invalidURL, "A connection string has a NUL character.")
        }
        var message: UnsafeMutablePointer<CChar>?
        let list = PQconninfoParse(text, &message)
        defer {
            PQconninfoFree(list)
            PQfreemem(message)
        }
        guard let list else { throw invalid(message.map { String(cString: $0) } ?? "") }
        var found: [String: String] = [:]
        var option = list
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return found
    }

    /// An error from libpq's message, which may quote parts of the string. Names of options are no secrets.
    private static func invalid(_ message: String) -> PostgreSQLError {
        var text = PostgreSQLError.trimmed(message)
        if !text.hasPrefix("invalid connection option"), !text.hasPrefix("invalid URI query parameter") {
            text = text.replacing(/"[^\n]*"/, with: "\"…\"")
        }
        return PostgreSQLError(.invalidURL, "The connection string can't be used: \(text)")
    }
}
