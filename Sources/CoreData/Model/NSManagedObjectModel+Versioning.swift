import FoundationGaps
import ModelArchive
import ModelFormat

extension NSManagedObjectModel {
    /// See ``isConfiguration(withName:compatibleWithStoreMetadata:)``.
    func hasConfiguration(_ configuration: String?, of metadata: [String: Any]) -> Bool {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            let members = entities(forConfigurationName: configuration)
        else { return false }
        let names = Set(members.compactMap(\.name))
        return stored == entityVersionHashesByName.filter { names.contains($0.key) }
    }
}

extension NSEntityDescription {
    /// See ``versionHash``.
    var currentVersionHash: Data {
        if let hash = modelStorage?.versionHashes.entities[name ?? ""] { return hash }
        let line = Array(sequence(first: self, next: \.superentity))
        var model = Model(entities: line.map(\.document))
        for entity in line {
            for case let attribute as NSAttributeDescription in entity.ownProperties {
                model.composites += attribute.composites(path: "\(entity.name ?? "").\(attribute.name)")
            }
        }
        do {
            guard let hash = try VersionHashes(model).entities[name ?? ""] else {
                defect("The entity \"\(name ?? "")\" has no version hash.")
            }
            return hash
        } catch {
            programmerError(
                "The entity \"\(name ?? "")\" has no version hash: \((error as NSError).localizedDescription) Correct it in the model."
            )
        }
    }
}

extension NSPropertyDescription {
    /// See ``versionHash``.
    var currentVersionHash: Data {
        do {
            return try hash(in: owner?.name ?? "")
        } catch {
            programmerError(
                "The property \(place) has no version hash: \((error as NSError).localizedDescription) Correct it in the model."
            )
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
        default:
            programmerError(
                "The property \(place) is a \(type(of: self)), which has no version hash; use an attribute, a relationship or a fetched property."
            )
        }
    }
}
