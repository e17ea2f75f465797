import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient

/// What a STORE argument names: a file, or a database by its URL.
package enum StorePlace {
    case file(URL)
    /// The URL may have a password in it; the name has none.
    case database(URL, name: String)

    /// - Parameter argument: A path, or a URL that begins with `postgresql://` or `postgres://`. It may have several
    ///   hosts, and letters outside ASCII.
    /// - Throws: ``ToolFailure`` for a URL that libpq does not understand. The sentence has no password.
    package init(_ argument: String) throws {
        guard Self.isDatabase(argument) else {
            self = .file(URL(fileURLWithPath: argument).resolvingSymlinksInPath())
            return
        }
        do {
            let text = try PostgreSQLURL.urlText(argument)
            let name = try PostgreSQLURL(text, options: ["schema", "pooler"]).redacted
            // What is a percent code stays one.
            guard let url = URL(string: text, encodingInvalidCharacters: false) else {
                // A port of letters may be the beginning of a password: no message has the text.
                throw ToolFailure(
                    .other,
                    "The host or the port in the URL of the store can't be read. A / in a password is written %2F.")
            }
            self = .database(url, name: name)
        } catch let error as PostgreSQLError {
            throw ToolFailure(
                .other, "The URL of the store is none of a PostgreSQL database: \(whole: error.message)")
        }
    }

    /// Whether an argument is meant as the URL of a database. What begins so is never taken for a path, as the message
    /// about a missing file would have the password.
    package static func isDatabase(_ argument: String) -> Bool {
        guard let colon = argument.firstIndex(of: ":") else { return false }
        return ["postgresql", "postgres"].contains(argument[..<colon].lowercased())
    }

    package var url: URL {
        switch self {
        case .file(let url), .database(let url, _): url
        }
    }

    /// The place in messages: a path, or the URL without a password.
    package var name: String {
        switch self {
        case .file(let url): url.path
        case .database(_, let name): name
        }
    }

    /// The name of the file, or the URL without a password.
    package var title: String {
        if case .file(let url) = self { return url.lastPathComponent }
        return name
    }

    /// The argument that named the place, without a password.
    package func shownName(of argument: String) -> String {
        if case .file = self { return argument }
        return name
    }

    /// The type of the store that is there, by a file's first bytes.
    package var type: NSPersistentStore.StoreType {
        switch self {
        case .file(let url): NSPersistentStore.StoreType(ofFileAt: url) ?? .sqlite
        case .database: .postgreSQL
        }
    }

    /// Whether the store is in an SQLite file, whose tables can be looked at.
    package var isSQLite: Bool { type == .sqlite }

    /// What the store is, in messages.
    package var kindTitle: String {
        switch type {
        case .sqlite: "an SQLite file"
        case .xml: "an XML store"
        case .binary: "a binary store"
        default: "a database"
        }
    }

    /// The store's file, for what only files have.
    ///
    /// - Parameter purpose: What asks for the file, as a sentence begins: "--verify takes the digests of files".
    /// - Throws: ``ToolFailure`` for a database.
    package func file(for purpose: String) throws -> URL {
        if case .file(let url) = self { return url }
        throw ToolFailure(.other, "\(purpose), and \(name) is a database.")
    }
}
