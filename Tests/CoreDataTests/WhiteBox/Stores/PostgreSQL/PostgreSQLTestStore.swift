import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer

/// Stores in a database of the tests' server, for tests that have files elsewhere: each file is a schema.
final class PostgreSQLTestStore: TestedStore {
    static func register() -> String { NSPostgreSQLStoreType }

    static func place(of file: URL) -> URL {
        guard let server = try? PostgreSQLServer.shared, var parts = URLComponents(string: server.url) else {
            fatalError("The tests' server does not start: see PostgreSQLServer.")
        }
        // A test's folder has a name of its own.
        let schema = file.deletingLastPathComponent().lastPathComponent + "/" + file.lastPathComponent
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "schema", value: schema)]
        guard let url = parts.url else { fatalError("\(schema) is no name of a schema.") }
        return url
    }
}
