import FoundationGaps

extension NSManagedObjectModel {
    /// Makes a model of copies of everything that some models have.
    ///
    /// ```swift
    /// let urls = Bundle.main.urls(forResourcesWithExtension: "momd", subdirectory: nil) ?? []
    /// let model = NSManagedObjectModel(byMerging: urls.compactMap { NSManagedObjectModel(contentsOf: $0) })
    /// ```
    ///
    /// Models may share entities: entities with the same name and version hash count as one. Configurations of one name
    /// are joined. Of templates with one name, the first is taken. Two different entities of the same name trap, and
    /// the message names them. So merge one version of each model only.
    ///
    /// A relationship can't lead from one model to another: its destination must be in the same model.
    ///
    /// - Parameter models: The models. Nil: those of the program's bundles, as `mergedModel(from:)` takes them.
    /// - Returns: Nil if there is no model.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        let models = models ?? NSManagedObjectModel.models(in: nil)
        guard !models.isEmpty else { return nil }
        NSManagedObjectModel.requireMergeable(models)
        self.init()
        ModelCopier(destination: self).add(models)
    }

    /// Makes the model that a store was made with, out of some models.
    ///
    /// ```swift
    /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    /// let versions = [model]                              // all versions that you have
    /// let former = NSManagedObjectModel(byMerging: versions, forStoreMetadata: metadata)
    /// ```
    ///
    /// A model counts if all of its entities have the store's version hashes.
    ///
    /// - Parameters:
    ///   - models: Models, several versions of one among them.
    ///   - metadata: The store's metadata, with the version hash of each entity.
    /// - Returns: Nil if the models lack an entity of the store in the store's version.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let merged = NSManagedObjectModel.merging(models, for: metadata) else { return nil }
        self.init()
        ModelCopier(destination: self).add(merged)
    }

    /// The models that together hold the store's entities in the store's version; nil if some are missing.
    private static func merging(_ models: [NSManagedObjectModel], for metadata: [String: Any])
        -> [NSManagedObjectModel]?
    {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty else {
            return nil
        }
        // A model belongs to the store if all of its entities are the store's.
        let matching = models.filter { model in
            model.versionHashes.entities.allSatisfy { hashes[$0.key] == $0.value }
        }
        let found = Set(matching.flatMap { $0.versionHashes.entities.keys })
        return found == Set(hashes.keys) ? matching : nil
    }

    private static func requireMergeable(_ models: [NSManagedObjectModel]) {
        var known: [String: Data] = [:]
        for (name, hash) in models.flatMap(\.versionHashes.entities) {
            if let other = known.updateValue(hash, forKey: name), other != hash {
                programmerError(
                    "Can't merge models with two different entities named '\(name)'. Rename one, or merge only one version of each model."
                )
            }
        }
    }

    /// See ``mergedModel(from:)``.
    class func merging(_ bundles: [Bundle]?) -> NSManagedObjectModel? {
        let models = models(in: bundles)
        return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
    }

    /// See ``mergedModel(from:forStoreMetadata:)``.
    class func merging(_ bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? {
        NSManagedObjectModel(byMerging: allVersions(in: bundles), forStoreMetadata: metadata)
    }
}
