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
    static func entities(from old: Model, to new: Model) -> [Entity] {
        renames(of: new.entities.map(\.renamingName), in: old.entities.map(\.renamingName))
            .map { Entity(name: $0.former, newName: $0.name) }
    }

    /// The properties that got another name, in entities of the same name.
    static func properties(from old: Model, to new: Model) -> [Property] {
        new.entities.flatMap { entity -> [Property] in
            guard let former = old[entity: entity.name] else { return [] }
            let renames =
                renames(of: entity.attributes.map(\.renamingName), in: former.attributes.map(\.renamingName))
                + renames(of: entity.relationships.map(\.renamingName), in: former.relationships.map(\.renamingName))
                + renames(
                    of: entity.fetchedProperties.map(\.renamingName), in: former.fetchedProperties.map(\.renamingName))
            return renames.map { Property(entity: entity.name, name: $0.former, newName: $0.name) }
        }
    }

    /// What a migration takes for the same element with another name.
    private static func renames(
        of new: [RenamingMatch.Name], in old: [RenamingMatch.Name]
    ) -> [(name: String, former: String)] {
        zip(new, RenamingMatch(of: new, in: old).sources).compactMap { name, place in
            guard let former = place.map({ old[$0].name }), former != name.name else { return nil }
            return (name.name, former)
        }
    }
}

extension Model.Entity {
    fileprivate var renamingName: RenamingMatch.Name { .init(name, identifier: renamingIdentifier) }
}

extension Model.Attribute {
    fileprivate var renamingName: RenamingMatch.Name { .init(name, identifier: renamingIdentifier) }
}

extension Model.Relationship {
    fileprivate var renamingName: RenamingMatch.Name { .init(name, identifier: renamingIdentifier) }
}

extension Model.FetchedProperty {
    fileprivate var renamingName: RenamingMatch.Name { .init(name, identifier: renamingIdentifier) }
}
