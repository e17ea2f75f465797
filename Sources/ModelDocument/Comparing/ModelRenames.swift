/// What got another name between two states of a model, as its renaming identifiers say.
struct ModelRenames {
    struct Entity: Hashable {
        var name: String
        var newName: String
    }

    struct Property: Hashable {
        /// The owner's name in the new state.
        var entity: String
        var name: String
        var newName: String
    }

    /// The entities that got another name.
    ///
    /// An identifier is the name in an older version, or the one that the element has had ever since an older version.
    static func entities(from old: Model, to new: Model) -> [Entity] {
        let (oldNames, newNames) = (Set(old.entities.map(\.name)), Set(new.entities.map(\.name)))
        var taken: Set<String> = []
        return new.entities.compactMap { entity in
            guard !oldNames.contains(entity.name), let identifier = entity.renamingIdentifier else { return nil }
            let source = old.entities.first { candidate in
                (candidate.name == identifier || candidate.renamingIdentifier == identifier)
                    && !newNames.contains(candidate.name)
            }
            guard let source, taken.insert(source.name).inserted else { return nil }
            return Entity(name: source.name, newName: entity.name)
        }
    }

    /// The properties that got another name, in entities of the same name.
    static func properties(from old: Model, to new: Model) -> [Property] {
        new.entities.flatMap { entity -> [Property] in
            guard let former = old[entity: entity.name] else { return [] }
            let (oldNames, newNames) = (Set(former.propertyNames), Set(entity.propertyNames))
            var taken: Set<String> = []
            func pairs(
                _ new: [(name: String, identifier: String?)], _ old: [(name: String, identifier: String?)]
            ) -> [Property] {
                new.compactMap { property in
                    guard !oldNames.contains(property.name), let identifier = property.identifier else { return nil }
                    let source = old.first {
                        ($0.name == identifier || $0.identifier == identifier) && !newNames.contains($0.name)
                    }
                    guard let source, taken.insert(source.name).inserted else { return nil }
                    return Property(entity: entity.name, name: source.name, newName: property.name)
                }
            }
            return pairs(entity.attributes.map(\.names), former.attributes.map(\.names))
                + pairs(entity.relationships.map(\.names), former.relationships.map(\.names))
                + pairs(entity.fetchedProperties.map(\.names), former.fetchedProperties.map(\.names))
        }
    }
}

extension Model.Attribute {
    fileprivate var names: (name: String, identifier: String?) { (name, renamingIdentifier) }
}

extension Model.Relationship {
    fileprivate var names: (name: String, identifier: String?) { (name, renamingIdentifier) }
}

extension Model.FetchedProperty {
    fileprivate var names: (name: String, identifier: String?) { (name, renamingIdentifier) }
}
