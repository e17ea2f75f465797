import CoreData
import CoreDataPostgreSQL

/// Where the service keeps its objects: a file, or a PostgreSQL database.
public struct StoreLocation: Sendable {
    let url: URL
    let type: String

    /// - Parameter text: The path of a file, or a URL such as `postgresql://league@db.example.com/league`.
    /// - Throws: ``ServiceError`` for a text that is neither.
    public init(_ text: String) throws {
        guard let colon = text.range(of: "://") else {
            guard !text.isEmpty else { throw ServiceError("Name a store: the path of a file, or postgresql://…") }
            (url, type) = (URL(fileURLWithPath: text), NSSQLiteStoreType)
            return
        }
        switch text[..<colon.lowerBound] {
        case "file":
            guard let file = URL(string: text), !file.path.isEmpty else {
                throw ServiceError("\(text) is no URL of a file.")
            }
            (url, type) = (URL(fileURLWithPath: file.path), NSSQLiteStoreType)
        case "postgresql", "postgres":
            guard let place = URL(string: text) else { throw ServiceError("The URL of the store can't be read.") }
            (url, type) = (place, NSPostgreSQLStoreType)
        default:
            throw ServiceError("A store is a file or a PostgreSQL database, not \(text[..<colon.lowerBound])://.")
        }
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
