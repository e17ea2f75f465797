import Foundation

extension StoreKind {
    /// Refuses a URL of something else than a file, where the kind's stores are files.
    ///
    /// Their paths alone are used. A file would come to the path that a database's URL happens to have.
    ///
    /// - Parameter type: The type of the store, as the caller gave it.
    /// - Throws: `NSPersistentStoreOpenError` (134080). The message has no password.
    func check(_ url: URL, type: String) throws {
        guard let kind = self as? any FileStoreKind, !kind.takesAnyURL, !url.mayBeFile else { return }
        var sentence =
            "A store of the type \(type) is a file, and \(StoreKinds.shown(url).absoluteString) is not the URL of a file."
        var info: [String: Any] = [:]
        if ["postgresql", "postgres"].contains(url.scheme?.lowercased() ?? "") {
            sentence += " Set the type to NSPostgreSQLStoreType."
            info[NSLocalizedRecoverySuggestionErrorKey] =
                "Import CoreDataPostgreSQL, and give NSPostgreSQLStoreType as the type of the store."
        }
        throw NSError.cocoa(NSPersistentStoreOpenError, sentence, userInfo: info)
    }
}

extension StoreKinds {
    /// - Throws: As ``placedKind(of:)``; 134080 for a URL of something else than a file, where the stores are files.
    static func placedKind(of type: String, at url: URL) throws -> any PlacedStoreKind {
        let kind = try placedKind(of: type)
        try kind.check(url, type: type)
        return kind
    }

    /// - Throws: As ``fileKind(of:)``; 134080 for a URL of something else than a file.
    static func fileKind(of type: String, at url: URL) throws -> any FileStoreKind {
        let kind = try fileKind(of: type)
        try kind.check(url, type: type)
        return kind
    }

    /// As ``StoreKind/check(_:type:)``. A type that there is not is refused later.
    static func check(_ url: URL, type: String) throws { try (try? kind(of: type))?.check(url, type: type) }

    /// A URL as it may be shown, whatever store there is or could be: without a password.
    static func shown(_ url: URL) -> URL {
        // A kind shows a file in the place of a URL that it does not understand.
        if let shown = kind(at: url)?.shown(url), !shown.isFileURL { return shown }
        return url.withoutPasswords
    }
}

extension URL {
    /// Whether the URL is one of a file, or has no scheme and is taken for a path.
    var mayBeFile: Bool { isFileURL || scheme == nil }

    /// The parameters of a database's URL whose values are secrets.
    private static let secretNames: Set = [
        "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
    ]

    /// The URL with `***` for the password of its user, and for the values of parameters such as `password`.
    ///
    /// A file's URL stays as it is.
    var withoutPasswords: URL {
        if mayBeFile { return self }
        return URL(string: Self.withoutParameters(Self.withoutUserPassword(absoluteString)))
            ?? URL(fileURLWithPath: "/")
    }

    /// All up to the last `@` before the next slash is user and password, with one slash behind the scheme, too. If a
    /// colon stands before that slash, and no `@`, the password may have the slash in it.
    private static func withoutUserPassword(_ text: String) -> String {
        guard let scheme = text.firstIndex(of: ":") else { return text }
        let rest = text[scheme...].dropFirst().drop { $0 == "/" }
        let authority = rest.prefix { $0 != "/" }
        let place = authority.contains("@") ? authority : rest.prefix { $0 != "?" }
        guard let end = place.lastIndex(of: "@"),
            let colon = authority.firstIndex(of: ":"), colon < end
        else { return text }
        return "\(text[...colon])***\(text[end...])"
    }

    private static func withoutParameters(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        let parameters = text[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).map { part in
            let name = part.prefix { $0 != "=" }
            let isSecret = secretNames.contains(name.removingPercentEncoding?.lowercased() ?? "")
            return isSecret ? "\(name)=***" : String(part)
        }
        return "\(text[...mark])\(parameters.joined(separator: "&"))"
    }
}
