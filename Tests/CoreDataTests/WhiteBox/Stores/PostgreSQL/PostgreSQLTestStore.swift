import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer

/// Stores in a database of the tests' server, for tests that have files elsewhere: each file is a schema.
final class PostgreSQLTestStore: TestedStore {
    static func register() -> String { NSPostgreSQLStoreType }
    static var roundsDates: Bool { true }

    static func place(of file: URL) -> URL { place(of: file, at: try? PostgreSQLServer.shared.url) }

    fileprivate static func place(of file: URL, at url: String?) -> URL {
        guard let url, var parts = URLComponents(string: url) else {
            fatalError("The tests' server does not start: see PostgreSQLServer.")
        }
        // A test's folder has a name of its own.
        let schema = file.deletingLastPathComponent().lastPathComponent + "/" + file.lastPathComponent
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "schema", value: schema)]
        guard let url = parts.url else { fatalError("\(schema) is no name of a schema.") }
        return url
    }
}

/// The same stores behind a pooler, which gives each transaction another of few sessions.
final class PooledPostgreSQLTestStore: TestedStore {
    private static let pooler = Result { try PostgreSQLPooler(to: .shared, sessions: 6) }

    static func register() -> String { NSPostgreSQLStoreType }
    static var roundsDates: Bool { true }

    static func place(of file: URL) -> URL {
        PostgreSQLTestStore.place(of: file, at: try? pooler.get().url(database: "postgres"))
    }
}
