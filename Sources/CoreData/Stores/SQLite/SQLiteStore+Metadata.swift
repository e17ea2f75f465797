import Foundation

/// What can be learned and changed of a store without adding it to a coordinator.
extension SQLiteStore {
    /// The metadata of the store at a URL, its UUID and type among it.
    ///
    /// - Throws: 260 without a file, 259 for a file that is no store, 257 without permission.
    static func metadata(at url: URL, options: [AnyHashable: Any]? = nil) throws -> [String: Any] {
        try look(at: url, options) { try SQLiteMetadata.read($0).published }
    }

    /// Replaces the metadata of the store at a URL. It keeps its UUID unless they have one.
    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]? = nil) throws {
        try UnfinishedCopy.check(self.metadata(at: url, options: options), "“\(url.path)”", nil)
        try SQLiteFile.cocoa(url, isOpening: false) {
            let connection = try SQLiteConnection(
                path: url.path, access: .readWrite, timeout: SQLiteOpening.timeout(options))
            try connection.write {
                // Another process may have migrated the store meanwhile.
                let old = try SQLiteMetadata.read(connection).published
                var identifier = old[NSStoreUUIDKey] as? String ?? ""
                if let given = metadata[NSStoreUUIDKey] as? String, !given.isEmpty { identifier = given }
                try SQLiteMetadata.write(
                    StoreMetadata.completed(metadata, from: old), identifier: identifier, to: connection)
            }
        }
    }

    /// The keyed archive of the model that made the store at a URL; nil where the store has none.
    static func modelArchive(at url: URL, options: [AnyHashable: Any]? = nil) throws -> Data? {
        try look(at: url, options) { connection in
            _ = try SQLiteMetadata.read(connection)
            return try SQLiteMetadata.modelCache(connection)
        }
    }

    private static func look<R>(
        at url: URL, _ options: [AnyHashable: Any]?, _ body: (SQLiteConnection) throws -> R
    ) throws -> R {
        try SQLiteFile.cocoa(url) {
            if (options?[SQLiteEvidenceOption] as? NSNumber)?.boolValue ?? false {
                return try SQLiteFile.lookAtCopy(of: url, body)
            }
            return try SQLiteFile.look(at: url, timeout: SQLiteOpening.timeout(options), body)
        }
    }
}
