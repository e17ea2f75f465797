import FoundationGaps
import ModelArchive

extension StoreModel {
    /// What a store must know of a model.
    ///
    /// - Parameter configuration: The name of the configuration whose entities the store holds; nil: all.
    /// - Throws: 134080 where the model has no such configuration.
    init(_ model: NSManagedObjectModel, layouts: ModelLayout, configuration: String?) throws {
        var names: Set<String>?
        if let configuration, configuration != NSPersistentStore.defaultConfigurationName {
            guard let entities = model.entities(forConfigurationName: configuration) else {
                throw NSError.cocoa(
                    NSPersistentStoreOpenError, "The model has no configuration “\(configuration)”.",
                    reason: "It has these: \(model.configurations.joined(separator: ", ")).")
            }
            names = Set(entities.compactMap(\.name))
        }
        let hashes = model.entityVersionHashesByName.filter { names?.contains($0.key) ?? true }
        let total = VersionHashes(entities: hashes)
        self.init(
            layouts: layouts, owner: model, entities: names, hashes: hashes,
            versionIdentifiers: model.versionIdentifiers.compactMap { $0 as? String }.sorted(), digest: total.digest,
            checksum: total.checksum, archive: { try ModelArchive.write(model.document) })
    }
}
