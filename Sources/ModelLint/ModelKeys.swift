import ModelDocument

/// Follows key paths through a model.
struct ModelKeys {
    private let entities: [String: Model.Entity]
    private let composites: [String: Model.Composite]
    private let children: [String: [String]]

    init(_ model: Model) {
        entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
        composites = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
        children = Dictionary(grouping: model.entities.filter { $0.parentName != nil }, by: { $0.parentName ?? "" })
            .mapValues { $0.map(\.name) }
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

    func entity(_ name: String?) -> Model.Entity? { name.flatMap { entities[$0] } }

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
                return entities[here] == nil ? .open : .unknown(key: key, entity: here)
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
        if let owner = owner(of: key, in: entity) { return entities[owner]?.target(key) }
        return ["self", "SELF", "objectID", "entity"].contains(key) ? .other : nil
    }

    /// The entity that declares a property which another one has, inherits, or which one of its subentities has.
    func owner(of key: String, in entity: String) -> String? {
        var known: Set<String> = []
        var name: String? = entity
        while let owner = name.flatMap({ entities[$0] }), known.insert(owner.name).inserted {
            if owner.target(key) != nil { return owner.name }
            name = owner.parentName
        }
        var open = children[entity] ?? []
        while let name = open.popLast() {
            guard known.insert(name).inserted else { continue }
            if entities[name]?.target(key) != nil { return name }
            open += children[name] ?? []
        }
        return nil
    }
}

extension Model.Entity {
    fileprivate func target(_ key: String) -> ModelKeys.Target? {
        if let attribute = self[attribute: key] { return .attribute(attribute) }
        if let relationship = self[relationship: key] { return .relationship(relationship) }
        return self[fetchedProperty: key].map { .fetched($0) }
    }
}
