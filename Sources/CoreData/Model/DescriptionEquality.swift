import FoundationGaps
import ModelFormat

// Models, entities and properties are equal by what they say: two loads of one file give equal models. What a model's
// file can't say (a predicate that runs code, a transformable's default value) is not compared.

extension NSManagedObjectModel {
    /// Whether another model says the same: the same entities, configurations, templates, identifiers and texts.
    func saysTheSame(as other: NSManagedObjectModel) -> Bool {
        entityNames == other.entityNames && comparable == other.comparable
    }

    /// The names of the entities, sorted.
    var entityNames: [String] { entities.map { $0.name ?? "" }.sorted() }

    /// The model as a value in which order means nothing.
    private var comparable: Model {
        var model = document
        model.entities = model.entities.map(\.comparable).sorted { $0.name < $1.name }
        for index in model.configurations.indices { model.configurations[index].entityNames.sort() }
        model.composites.sort { $0.name < $1.name }
        return model
    }
}

extension NSEntityDescription {
    /// Whether another entity says the same, inherited properties not counted but by the parent's name.
    func saysTheSame(as other: NSEntityDescription) -> Bool {
        name == other.name && document.comparable == other.document.comparable
    }
}

extension NSPropertyDescription {
    /// Whether another property says the same. Properties of two entities are equal only where these have the same
    /// name.
    func saysTheSame(as other: NSPropertyDescription) -> Bool {
        guard name == other.name else { return false }
        if let owner, let others = other.owner, owner.name != others.name { return false }
        switch (self, other) {
        case (let a as NSAttributeDescription, let b as NSAttributeDescription):
            return a.document(path: name) == b.document(path: name)
                && a.composites(path: name) == b.composites(path: name)
        case (let a as NSRelationshipDescription, let b as NSRelationshipDescription): return a.document == b.document
        case (let a as NSFetchedPropertyDescription, let b as NSFetchedPropertyDescription):
            return a.document == b.document
        case (let a as NSExpressionDescription, let b as NSExpressionDescription):
            return a.expression == b.expression && a.expressionResultType == b.expressionResultType
        default: return false
        }
    }
}

extension Model.Entity {
    /// The entity as a value in which the order of properties and indexes means nothing.
    fileprivate var comparable: Model.Entity {
        var entity = self
        entity.attributes.sort { $0.name < $1.name }
        entity.relationships.sort { $0.name < $1.name }
        entity.fetchedProperties.sort { $0.name < $1.name }
        entity.fetchIndexes.sort { $0.name < $1.name }
        return entity
    }
}
