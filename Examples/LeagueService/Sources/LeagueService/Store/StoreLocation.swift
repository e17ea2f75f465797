import CoreData
import CoreDataPostgreSQL

/// Where the service keeps its objects: a file, or a PostgreSQL database.
public struct StoreLocation: Sendable {
    let url: URL
    let type: String

    /// - Parameter text: The path of a file, or a URL such as `postgresql://league@db.example.com/league`.
    /// - Throws: ``ServiceError`` for a text that is neither. The sentence has no password.
    public init(_ text: String) throws {
        if Self.isDatabase(text) {
            (url, type) = (try Self.database(text), NSPostgreSQLStoreType)
            return
        }
        guard let colon = text.range(of: "://") else {
            guard !text.isEmpty else { throw ServiceError("Name a store: the path of a file, or postgresql://…") }
            (url, type) = (URL(fileURLWithPath: text), NSSQLiteStoreType)
            return
        }
        guard text[..<colon.lowerBound] == "file" else {
            throw ServiceError("A store is a file or a PostgreSQL database, not \(text[..<colon.lowerBound])://.")
        }
        guard let file = URL(string: text), !file.path.isEmpty else {
            throw ServiceError("\(text) is no URL of a file.")
        }
        (url, type) = (URL(fileURLWithPath: file.path), NSSQLiteStoreType)
    }

    private static func database(_ text: String) throws -> URL {
        guard text.drop(while: { $0 != ":" }).hasPrefix("://") else {
            throw ServiceError("The URL of a database begins with postgresql:// or postgres://, with two slashes.")
        }
        guard let place = URL(string: text) else { throw ServiceError("The URL of the store can't be read.") }
        return place
    }

    /// Whether a text is meant as the URL of a database. What begins so is never taken for a path, which would be shown
    /// with the password in it.
    private static func isDatabase(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        return ["postgresql", "postgres"].contains(text[..<colon].lowercased())
    }

    /// The location in messages: without a password.
    public var name: String {
        guard type == NSPostgreSQLStoreType else { return url.path }
        return "PostgreSQL, database \(url.path.dropFirst())"
    }
}

/// Why the service can't start, as a sentence for its operator.
public struct ServiceError: LocalizedError, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }

    public init(_ description: String) { self.description = description }
}
