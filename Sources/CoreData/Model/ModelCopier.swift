import FoundationGaps

/// Copies models into an empty one: entities with their hierarchy and relationships, configurations, templates.
struct ModelCopier {
    let destination: NSManagedObjectModel

    /// Copies the content of some models.
    ///
    /// Of entities with the same name the first is taken; what refers to any of them refers to its copy afterwards. The
    /// same goes for templates; configurations of the same name are joined.
    func add(_ sources: [NSManagedObjectModel]) {
        var copies: [String: NSEntityDescription] = [:]
        var originals: [NSEntityDescription] = []
        for entity in sources.flatMap(\.entities) where copies[entity.name ?? ""] == nil {
            copies[entity.name ?? ""] = entity.copiedWithoutIndexes()
            originals.append(entity)
        }
        destination.entities = originals.compactMap { copies[$0.name ?? ""] }
        for original in originals {
            copies[original.name ?? ""]?.subentities = original.subentities.compactMap { copies[$0.name ?? ""] }
        }
        originals.forEach { connect($0, copies) }
        sources.forEach { addOthers(of: $0, copies) }
    }

    /// Points the copies of relationships, fetched properties and indexes at copies.
    private func connect(_ original: NSEntityDescription, _ copies: [String: NSEntityDescription]) {
        guard let copy = copies[original.name ?? ""] else { return }
        for (old, new) in zip(original.ownProperties, copy.ownProperties) {
            if let old = old as? NSRelationshipDescription, let new = new as? NSRelationshipDescription {
                let target = old.destinationEntity.flatMap { copies[$0.name ?? ""] }
                new.destinationEntity = target
                new.inverseRelationship = old.inverseRelationship.flatMap { target?.tables.relationships[$0.name] }
            } else if let new = new as? NSFetchedPropertyDescription {
                redirect(new.fetchRequest, copies)
            }
        }
        copy.indexes = original.copiedIndexes(for: copy)
    }

    private func addOthers(of source: NSManagedObjectModel, _ copies: [String: NSEntityDescription]) {
        destination.versionIdentifiers.formUnion(source.versionIdentifiers)
        destination.moduleName = destination.moduleName ?? source.moduleName
        if let texts = source.localizationDictionary {
            destination.localizationDictionary = (destination.localizationDictionary ?? [:]).merging(texts) { old, _ in
                old
            }
        }
        for name in source.configurations {
            let members = destination.entities(forConfigurationName: name) ?? []
            let added = (source.entities(forConfigurationName: name) ?? []).compactMap { copies[$0.name ?? ""] }
            destination.setEntities(
                members + added.filter { new in !members.contains { $0 === new } }, forConfigurationName: name)
        }
        for (name, template) in source.fetchRequestTemplatesByName
        where destination.fetchRequestTemplate(forName: name) == nil {
            let copy = NSFetchRequest<any NSFetchRequestResult>(copying: template)
            redirect(copy, copies)
            destination.setFetchRequestTemplate(copy, forName: name)
        }
    }

    private func redirect(
        _ request: NSFetchRequest<any NSFetchRequestResult>?, _ copies: [String: NSEntityDescription]
    ) {
        guard let request, let entity = request.entity else { return }
        request.entity = copies[entity.name ?? ""]
    }
}
