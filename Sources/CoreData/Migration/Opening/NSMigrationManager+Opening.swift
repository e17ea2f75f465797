import FoundationGaps

extension NSMigrationManager: MappedMigrating {
    static func migrateByBundles(_ store: StoreMigration, from source: NSManagedObjectModel) throws -> Bool {
        guard let mapping = NSMappingModel(from: nil, forSourceModel: source, destinationModel: store.model) else {
            return false
        }
        try NSMigrationManager(sourceModel: source, destinationModel: store.model).migrate(store, by: mapping)
        return true
    }

    static func migrateByInference(_ store: StoreMigration, from source: NSManagedObjectModel) throws {
        try NSMigrationManager(sourceModel: source, destinationModel: store.model)
            .migrate(store, by: NSMappingModel(inferredFrom: source, to: store.model))
    }

    /// Migrates a store where it is: wholly, or it stays as it was.
    ///
    /// - Throws: As ``migrateStore(from:type:options:mapping:to:type:options:)``; 134110 where others save to the store
    ///   meanwhile.
    package func migrateStore(
        at url: URL, type: String, mapping: NSMappingModel, configuration: String? = nil
    ) throws {
        let store = StoreMigration(
            kind: try StoreKinds.fileKind(of: type, at: url), type: type, url: url, model: destinationModel,
            configuration: configuration, options: nil)
        try migrate(store, by: mapping)
    }

    /// Makes the new store beside the old one, and has it take the old one's place in one step.
    private func migrate(_ store: StoreMigration, by mapping: NSMappingModel) throws {
        guard let kind = store.kind as? any FileStoreKind else { throw Self.unsupported(store) }
        let watch = try kind.watch(store.url)
        let folder = try MigrationFolder(beside: store.url)
        defer { folder.remove() }
        var (old, new) = (
            StoreAddress(url: store.url, type: store.type, options: store.options),
            StoreAddress(url: folder.store, type: store.type, options: store.options)
        )
        old.configuration = store.configuration.flatMap { sourceModel.configurations.contains($0) ? $0 : nil }
        new.configuration = store.configuration
        try migrate(old, to: new, by: mapping)
        try kind.replace(store.url, options: store.options, by: folder.store, sourceOptions: nil) {
            guard try watch.isQuiet else { throw Self.overtaken(store.url) }
        }
    }

    private static func unsupported(_ store: StoreMigration) -> NSError {
        .cocoa(
            NSMigrationError, "A store of the type \(store.type) can't be migrated by a mapping model where it is.",
            reason:
                "A migration by a mapping model makes a new store. NSMigrationManager can make one in another place.")
    }

    private static func overtaken(_ url: URL) -> NSError {
        .cocoa(
            NSMigrationError, "The store “\(url.lastPathComponent)” was saved to while it was migrated.",
            reason: "Another process, or another coordinator, saved to the store meanwhile. Try again.",
            userInfo: [NSFilePathErrorKey: url.path])
    }
}
