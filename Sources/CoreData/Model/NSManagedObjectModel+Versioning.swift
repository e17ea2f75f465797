import FoundationGaps
import ModelArchive
import ModelFormat

extension NSManagedObjectModel {
    /// The version hash of each entity: 32 bytes that change with whatever storage depends on.
    ///
    /// They equal Apple's, so that a store knows its model on either side.
    public var entityVersionHashesByName: [String: Data] { versionHashes.entities }

    /// One hash over all entities, in Base64, as stores and builds carry it.
    public var versionChecksum: String { versionHashes.checksum }

    /// Whether a store's entities have the version that a configuration of this model has.
    ///
    /// - Parameters:
    ///   - configuration: A configuration's name; nil: all entities.
    ///   - metadata: The store's metadata.
    public func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            let members = entities(forConfigurationName: configuration)
        else { return false }
        let names = Set(members.compactMap(\.name))
        return stored == entityVersionHashesByName.filter { names.contains($0.key) }
    }
}

extension NSEntityDescription {
    /// 32 bytes that change with whatever storage depends on: see `NSManagedObjectModel.entityVersionHashesByName`.
    ///
    /// An entity that is in no model has one, too, made of what it and its parents say.
    public var versionHash: Data {
        if let hash = modelStorage?.entityVersionHashesByName[name ?? ""] { return hash }
        let line = Array(sequence(first: self, next: \.superentity))
        var model = Model(entities: line.map(\.document))
        for entity in line {
            for case let attribute as NSAttributeDescription in entity.ownProperties {
                model.composites += attribute.composites(path: "\(entity.name ?? "").\(attribute.name)")
            }
        }
        do {
            guard let hash = try VersionHashes(model).entities[name ?? ""] else { preconditionFailure("no hash") }
            return hash
        } catch {
            fatalError("The entity \"\(name ?? "")\" has no version hash: \((error as NSError).localizedDescription)")
        }
    }
}

extension NSPropertyDescription {
    /// 32 bytes that change with whatever the property's storage depends on, a part of its entity's hash.
    ///
    /// A property that is in no entity has one, too.
    public var versionHash: Data {
        do {
            return try hash(in: owner?.name ?? "")
        } catch {
            fatalError("The property \(place) has no version hash: \((error as NSError).localizedDescription)")
        }
    }

    private func hash(in owner: String) throws -> Data {
        switch self {
        case let attribute as NSAttributeDescription:
            let path = "\(owner).\(name)"
            var model = Model()
            model.composites = attribute.composites(path: path)
            return try VersionHashes.hash(of: attribute.document(path: path), in: model)
        case let relationship as NSRelationshipDescription:
            return try VersionHashes.hash(of: relationship.document, owner: owner, in: Model())
        case let property as NSFetchedPropertyDescription:
            return try VersionHashes.hash(of: property.document, in: Model())
        default: preconditionFailure("An entity's property is an attribute, a relationship or a fetched property.")
        }
    }
}
