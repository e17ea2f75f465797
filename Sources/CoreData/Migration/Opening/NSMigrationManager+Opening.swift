import FoundationGaps

extension NSMigrationManager: MappedMigrating {
    /// Migrates a store by a mapping model of the program's bundles.
    ///
    /// The new store is made beside the old one, and takes its place in one transaction of the database.
    static func migrate(_ store: OutdatedStore) throws -> Bool {
        guard let mapping = NSMappingModel(from: nil, forSourceModel: store.source, destinationModel: store.model)
        else { return false }
        let name = store.url.deletingPathExtension().lastPathComponent
        let copy = store.url.deletingLastPathComponent().appendingPathComponent(".\(name)-migrated-\(UUID().uuidString)")
            .appendingPathExtension(store.url.pathExtension)
        let manager = NSMigrationManager(sourceModel: store.source, destinationModel: store.model)
        defer { store.kind.remove(copy) }
        do {
            try manager.migrateStore(
                from: store.url, sourceType: store.type, options: store.options, with: mapping, toDestinationURL: copy,
                destinationType: store.type, destinationOptions: store.options)
            try store.kind.replace(store.url, options: store.options, by: copy, sourceOptions: nil)
        } catch {
            throw store.failure(error)
        }
        return true
    }
}

extension OutdatedStore {
    /// A migration that broke off.
    func failure(_ error: any Error) -> NSError {
        let cause = error as NSError
        return NSError.cocoa(
            NSMigrationError, "The migration of the store “\(url.lastPathComponent)” failed.",
            reason: cause.localizedFailureReason ?? cause.localizedDescription,
            userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: cause])
    }
}
