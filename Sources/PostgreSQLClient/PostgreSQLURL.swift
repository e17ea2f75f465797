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
        let understood = try Self.understood(split.rest)
        secrets = Set(understood.filter(\.isSecret).map(\.name))
        parameters = Dictionary(
            understood.filter { !$0.isSecret }.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
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

    /// One parameter, as libpq understood it.
    private struct Parameter {
        let name: String
        let value: String
        let isSecret: Bool
    }

    /// Secrets of which not every version of libpq says that they are hidden.
    private static let secretNames: Set<String> = [
        "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
    ]

    static func isURI(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// What libpq understands.
    static func parse(_ text: String) throws -> [String: String] {
        Dictionary(try understood(text).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    private static func understood(_ text: String) throws -> [Parameter] {
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
        return parameters(list)
    }

    /// The parameters of a list of libpq's that have values.
    private static func parameters(_ list: UnsafeMutablePointer<PQconninfoOption>) -> [Parameter] {
        var found: [Parameter] = []
        var option = list
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                let name = String(cString: keyword)
                let isHidden = option.pointee.dispchar.map { String(cString: $0) } == "*"
                found.append(
                    Parameter(
                        name: name, value: String(cString: value), isSecret: isHidden || secretNames.contains(name)))
            }
            option += 1
        }
        return found
    }

    /// What libpq takes where a connection string says nothing, of the environment among it. Without secrets.
    static func defaults() -> [String: String] {
        guard let list = PQconndefaults() else { return [:] }
        defer { PQconninfoFree(list) }
        return Dictionary(
            parameters(list).filter { !$0.isSecret }.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
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
