import FoundationGaps
import ModelArchive

extension NSManagedObjectModel {
    /// What a store must know of the model: the hashes of the entities that it holds, and the whole model as its cache.
    ///
    /// - Parameter configuration: The store's configuration; nil: all entities.
    /// - Parameter coordinator: The coordinator that opens the store.
    /// - Throws: `NSPersistentStoreOpenError` (134080) for a configuration that the model does not have.
    package func storeModel(
        configuration: String?, for coordinator: NSPersistentStoreCoordinator? = nil
    ) throws -> StoreModel {
        guard let entities = entities(forConfigurationName: configuration) else {
            throw NSError.cocoa(
                NSPersistentStoreOpenError, "The model has no configuration named \"\(configuration ?? "")\".",
                reason: "It has \(configurations.joined(separator: ", ")).")
        }
        let document = document
        let names = Set(entities.compactMap(\.name))
        let hashes = VersionHashes(entities: try VersionHashes(document).entities.filter { names.contains($0.key) })
        return StoreModel(
            layouts: seal(), owner: self, coordinator: coordinator, entities: configuration == nil ? nil : names,
            hashes: hashes.entities,
            versionIdentifiers: versionIdentifiers.compactMap { $0.base as? String }.sorted(), digest: hashes.digest,
            checksum: hashes.checksum, isIncomplete: isIncomplete,
            archive: { try ModelArchive.write(document, as: .modelCache) })
    }
}
