import FoundationGaps

/// A migration that copies the store and has the database itself change the copy: no object is loaded.
struct SpecificMigration {
    private let source: StoreAddress
    private let destination: StoreAddress
    private let kind: any FileStoreKind & MigratingStoreKind

    /// Nil where the stores are not of one kind that can do it.
    init?(_ source: StoreAddress, _ destination: StoreAddress) {
        guard source.type == destination.type, source.configuration == nil, destination.configuration == nil,
            let kind = try? StoreKinds.fileKind(of: source.type) as? any FileStoreKind & MigratingStoreKind
        else { return nil }
        (self.source, self.destination, self.kind) = (source, destination, kind)
    }

    /// - Throws: As a migration object by object.
    func run(_ mapping: InferredMapping, to model: NSManagedObjectModel) throws {
        try MigrationStores.asSource(source.url) { try checkVersion(mapping.sourceModel) }
        try MigrationStores.asDestination(destination.url) {
            try MigrationStores.requireFree(destination.url, kind)
            let folder = try MigrationFolder(beside: destination.url)
            defer { folder.remove() }
            try kind.replace(folder.store, options: nil, by: source.url, sourceOptions: source.openingOptions)
            try kind.migrate(
                folder.store, by: mapping, to: model.storeModel(configuration: nil),
                options: destination.openingOptions)
            try kind.move(folder.store, to: destination.url)
        }
    }

    private func checkVersion(_ model: NSManagedObjectModel) throws {
        let metadata = try kind.metadata(at: source.url, options: source.openingOptions)
        try model.storeModel(configuration: nil).check(metadata, path: source.url.path, isReadOnly: true)
    }
}
