import FoundationGaps

extension NSMigrationManager: MappedMigrating {
    static func migrateByBundles(_ store: StoreMigration, from source: NSManagedObjectModel) throws -> Bool {
        guard let mapping = NSMappingModel(from: nil, forSourceModel: source, destinationModel: store.model) else {
            return false
        }
        try migrate(store, from: source, by: mapping)
        return true
    }

    static func migrateByInference(_ store: StoreMigration, from source: NSManagedObjectModel) throws {
        try migrate(store, from: source, by: NSMappingModel(inferredFrom: source, to: store.model))
    }

    /// Makes the new store beside the old one, and has it take the old one's place in one step.
    private static func migrate(
        _ store: StoreMigration, from source: NSManagedObjectModel, by mapping: NSMappingModel
    ) throws {
        let copy = MigrationStores.temporaryURL(beside: store.url)
        var (old, new) = (
            StoreAddress(url: store.url, type: store.type, options: store.options),
            StoreAddress(url: copy, type: store.type, options: store.options)
        )
        old.configuration = store.configuration.flatMap { source.configurations.contains($0) ? $0 : nil }
        new.configuration = store.configuration
        let manager = NSMigrationManager(sourceModel: source, destinationModel: store.model)
        defer { store.kind.remove(copy) }
        let watch = try store.kind.watch(store.url)
        try manager.migrate(old, to: new, by: mapping)
        guard try watch.end() else { throw overtaken(store.url) }
        try store.kind.replace(store.url, options: store.options, by: copy, sourceOptions: nil)
    }

    private static func overtaken(_ url: URL) -> NSError {
        .cocoa(
            NSMigrationError, "The store “\(url.lastPathComponent)” was saved to while it was migrated.",
            reason: "Another process, or another coordinator, saved to the store meanwhile. Try again.",
            userInfo: [NSFilePathErrorKey: url.path])
    }
}
