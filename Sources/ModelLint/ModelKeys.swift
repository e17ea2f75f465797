import ModelDocument

/// Follows key paths through a model.
struct ModelKeys {
    private let entities: [Model.Entity]
    private let composites: [String: Model.Composite]
    private let inheritance: InheritanceTree

    init(_ model: Model) {
        entities = model.entities
        inheritance = InheritanceTree(model)
        composites = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
    }

    /// What a key leads to.
    enum Target {
        case attribute(Model.Attribute)
        case relationship(Model.Relationship)
        case fetched(Model.FetchedProperty)
        /// The result of a collection operator, or a key that every managed object has.
        case other
    }

    /// Where a path ends, or why it does not.
    enum Resolution {
        case found([Target])
        /// The entity has no such key.
        case unknown(key: String, entity: String)
        /// A key inside of something that the model does not describe: anything may be there.
        case open
    }

    func entity(_ name: String?) -> Model.Entity? {
        name.flatMap { inheritance.positions[$0] }.map { entities[$0] }
    }

    /// Follows a path from an entity.
    func resolve(_ keys: [String], from start: String) -> Resolution {
        var (here, targets, position) = (start, [Target](), 0)
        while position < keys.count {
            let key = keys[position]
            position += 1
            guard !key.hasPrefix("@") else {
                if key == "@count" { return .found(targets + [.other]) }
                continue
            }
            guard let target = target(key, in: here) else {
                return entity(here) == nil ? .open : .unknown(key: key, entity: here)
            }
            targets.append(target)
            switch target {
            case .attribute(let attribute):
                return end(attribute, keys[position...], targets, in: here)
            case .relationship(let relationship):
                guard let next = relationship.destinationName else { return .open }
                here = next
            case .fetched(let property):
                guard let next = property.fetchRequest?.entityName else { return .open }
                here = next
            case .other: return position == keys.count ? .found(targets) : .open
            }
        }
        return .found(targets)
    }

    /// The rest of a path after an attribute: a leaf of a composite, or a key of the value's own class.
    private func end(
        _ attribute: Model.Attribute, _ rest: ArraySlice<String>, _ targets: [Target], in entity: String
    ) -> Resolution {
        guard let key = rest.first else { return .found(targets) }
        guard let composite = attribute.compositeName.flatMap({ composites[$0] }) else {
            return .open
        }
        guard let element = composite.elements.first(where: { $0.name == key }) else {
            return .unknown(key: "\(attribute.name).\(key)", entity: entity)
        }
        return end(element, rest.dropFirst(), targets + [.attribute(element)], in: entity)
    }

    /// A property that the entity has, inherits, or that one of its subentities has.
    private func target(_ key: String, in entity: String) -> Target? {
        guard let owner = find(key, in: entity) else {
            return ["self", "SELF", "objectID", "entity"].contains(key) ? .other : nil
        }
        let entity = entities[owner.entity]
        return switch owner.element {
        case .attribute(let index): .attribute(entity.attributes[index])
        case .relationship(let index): .relationship(entity.relationships[index])
        case .fetchedProperty(let index): .fetched(entity.fetchedProperties[index])
        }
    }

    /// The entity that declares a property which another one has, inherits, or which one of its subentities has.
    func owner(of key: String, in entity: String) -> String? {
        find(key, in: entity).map { entities[$0.entity].name }
    }

    private func find(_ key: String, in entity: String) -> InheritanceTree.Owner? {
        guard let position = inheritance.positions[entity] else { return nil }
        return inheritance.owner(of: key, in: position) ?? inheritance.owner(of: key, below: position)
    }
}
