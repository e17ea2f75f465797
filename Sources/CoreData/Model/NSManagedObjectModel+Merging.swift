import FoundationGaps

extension NSManagedObjectModel {
    /// A model of copies of everything that some models hold.
    ///
    /// Models may share entities: those with equal version hashes count as one. Two different entities of the same name
    /// stop the program, naming them. Relationships with a destination in another of the models are not made: name
    /// and destination have to be in one model.
    ///
    /// - Parameter models: nil takes the models of the main bundle, as `mergedModel(from:)` does.
    /// - Returns: nil if there is no model.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        let models = models ?? NSManagedObjectModel.models(in: nil)
        guard !models.isEmpty else { return nil }
        NSManagedObjectModel.requireMergeable(models)
        self.init()
        ModelCopier(destination: self).add(models)
    }

    /// A model of the entities that a store was made with, out of some models.
    ///
    /// - Parameters:
    ///   - models: Models, several versions of one among them.
    ///   - metadata: The store's metadata, with the version hash of each entity.
    /// - Returns: nil if the models lack an entity of the store in the store's version.
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
                fatalError(
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
