import CoreData
import PostgreSQLClient

/// Stores in PostgreSQL databases.
struct PostgreSQLStoreKind: PreviewingStoreKind {
    var storeClass: AnyClass { PostgreSQLStore.self }

    var copiesInPages: Bool { true }

    var schemes: Set<String> { ["postgresql", "postgres"] }

    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        guard let url else {
            throw NSError.cocoa(
                NSPersistentStoreOpenError, "A store of type \(NSPostgreSQLStoreType) needs a URL.",
                reason: "It is like postgresql://user@host/database.")
        }
        return try PostgreSQLStore(model: model, configurationName: configurationName, url: url, options: options)
    }

    func shown(_ url: URL) -> URL { (try? PostgreSQLPlace(url))?.shownURL ?? URL(fileURLWithPath: "/") }

    func migrate(
        _ url: URL, by mapping: InferredMapping, to model: StoreModel, options: [AnyHashable: Any]?
    ) throws {
        try PostgreSQLMigration(PostgreSQLPlace(url), mapping, model, options: options).run()
    }

    func forecast(
        of url: URL, by mapping: InferredMapping, to model: StoreModel, options: [AnyHashable: Any]?
    ) throws -> SQLMigrationForecast {
        try PostgreSQLMigration(PostgreSQLPlace(url), mapping, model, options: options).forecast()
    }

    func isSamePlace(_ url: URL, _ other: URL) -> Bool {
        guard let place = try? PostgreSQLPlace(url), let other = try? PostgreSQLPlace(other) else { return false }
        return place.identity == other.identity
    }

    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        let copy = try PostgreSQLStore(
            model: model, configurationName: source.namedConfiguration, url: url,
            options: [StoreCopyOption: source.token.identifier], mustBeNew: true)
        // What is removed after a failure is what was made here.
        do {
            _ = try PagedCopy(from: source, to: copy).run(compares: false)
            try copy.close()
            return try PostgreSQLStore(
                model: model, configurationName: source.namedConfiguration, url: url, options: options)
        } catch {
            try? copy.close()
            try? destroy(url, options: options)
            throw error
        }
    }

    // MARK: Stores that are not open

    func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try PostgreSQLPlace(url).existing { $0.published }
    }

    func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        let place = try PostgreSQLPlace(url)
        try place.connected(isWriting: true) { connection in
            guard try PostgreSQLMetadata.read(connection) != nil else { throw place.missing }
            try connection.transaction {
                // Another process that migrates the store is waited for.
                try connection.execute(PostgreSQLMetadata.lock)
                guard let old = try PostgreSQLMetadata.read(connection) else { throw place.missing }
                try UnfinishedCopy.check(old.values, place.name, nil)
                var identifier = old.identifier
                if let given = metadata[NSStoreUUIDKey] as? String, !given.isEmpty { identifier = given }
                try PostgreSQLMetadata(
                    identifier: identifier, values: StoreMetadata.completed(metadata, from: old.published)
                ).write(connection)
            }
        }
    }

    func modelArchive(at url: URL, options: [AnyHashable: Any]?) throws -> Data? {
        let place = try PostgreSQLPlace(url)
        return try place.connected { connection in
            guard try PostgreSQLMetadata.read(connection) != nil else { throw place.missing }
            return try PostgreSQLMetadata.model(connection)
        }
    }

    /// Removes the tables of the store. What else the schema has stays.
    func destroy(_ url: URL, options: [AnyHashable: Any]?) throws {
        try PostgreSQLPlace(url).connected { connection in
            guard try PostgreSQLMetadata.read(connection) != nil else { return }
            try PostgreSQLRemoval(connection).run()
        }
    }
}
