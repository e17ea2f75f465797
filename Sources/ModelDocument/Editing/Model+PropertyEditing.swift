extension Model {
    /// Gives a property another name, and with it the inverse that points to it, and the constraints and indexes of its
    /// entity and of the entities that inherit it.
    ///
    /// Texts that name the property, such as predicates and derivations, stay as they are.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - entity: the entity that owns the property.
    ///   - newName: its name from now on.
    /// - Throws: `ModelDocumentError` `invalidEdit` for an unknown property, and for a name that another property of
    ///   the entity has.
    public mutating func renameProperty(_ name: String, of entity: String, to newName: String) throws {
        try requireProperty(name, of: entity)
        guard name != newName else { return }
        guard self[entity: entity]?.propertyNames.contains(newName) == false else {
            throw Self.invalid("The entity '\(entity)' has a property '\(newName)' already.")
        }
        forEachInverse(of: name, in: entity) { $0.inverseName = newName }
        self[entity: entity]?.renameOwnProperty(name, to: newName)
        for heir in heirs(of: entity) { self[entity: heir]?.renameListedProperty(name, to: newName) }
    }

    /// Removes a property, and with it its part in constraints and indexes. A relationship that had it as its inverse
    /// stays without one.
    ///
    /// - Throws: `ModelDocumentError` `invalidEdit` for an unknown property.
    public mutating func removeProperty(_ name: String, of entity: String) throws {
        try requireProperty(name, of: entity)
        forEachInverse(of: name, in: entity) { $0.setInverse(nil, of: nil) }
        self[entity: entity]?[attribute: name] = nil
        self[entity: entity]?[relationship: name] = nil
        self[entity: entity]?[fetchedProperty: name] = nil
        for heir in heirs(of: entity) { self[entity: heir]?.removeListedProperty(name) }
    }

    /// Makes two relationships each other's inverse, and frees those that they were bound to before.
    ///
    /// - Parameters:
    ///   - inverse: the name of the relationship in the other direction, which the destination or one of its parents
    ///     owns; `nil` for none.
    ///   - name: the relationship's name.
    ///   - entity: the entity that owns the relationship.
    /// - Throws: `ModelDocumentError` `invalidEdit` for an unknown relationship or one without a destination, and for
    ///   an inverse that the destination has not.
    public mutating func setInverse(_ inverse: String?, ofRelationship name: String, of entity: String) throws {
        guard let relationship = self[entity: entity]?[relationship: name] else {
            throw Self.invalid("The entity '\(entity)' has no relationship '\(name)'.")
        }
        let owner = try inverse.map { try ownerOfInverse($0, for: relationship) }
        forEachInverse(of: name, in: entity) { $0.setInverse(nil, of: nil) }
        self[entity: entity]?[relationship: name]?.setInverse(inverse, of: owner)
        guard let inverse, let owner else { return }
        forEachInverse(of: inverse, in: owner) { $0.setInverse(nil, of: nil) }
        self[entity: entity]?[relationship: name]?.setInverse(inverse, of: owner)
        self[entity: owner]?[relationship: inverse]?.setInverse(name, of: entity)
    }

    private func ownerOfInverse(_ inverse: String, for relationship: Relationship) throws -> String {
        guard let destination = relationship.destinationName else {
            throw Self.invalid("The relationship '\(relationship.name)' has no destination; set that first.")
        }
        let owner = lineage(of: destination).first { $0[relationship: inverse] != nil }
        guard let owner else { throw Self.invalid("The entity '\(destination)' has no relationship '\(inverse)'.") }
        return owner.name
    }

    private func requireProperty(_ name: String, of entity: String) throws {
        try requireEntity(entity)
        guard self[entity: entity]?.propertyNames.contains(name) == true else {
            throw Self.invalid("The entity '\(entity)' has no property '\(name)'.")
        }
    }

    /// Changes every relationship that names this one as its inverse.
    private mutating func forEachInverse(
        of name: String, in entity: String, _ change: (inout Relationship) -> Void
    ) {
        let family = Set(heirs(of: entity))
        for index in entities.indices {
            for place in entities[index].relationships.indices {
                let relationship = entities[index].relationships[place]
                guard relationship.inverseName == name,
                    let owner = relationship.inverseEntityName ?? relationship.destinationName,
                    family.contains(owner), self.owner(of: name, seenFrom: owner) == entity
                else { continue }
                change(&entities[index].relationships[place])
            }
        }
    }

    /// The entity that declares a relationship which another one has or inherits.
    private func owner(of relationship: String, seenFrom entity: String) -> String? {
        lineage(of: entity).first { $0[relationship: relationship] != nil }?.name
    }

    /// The entity and all that inherit from it.
    private func heirs(of name: String) -> [String] {
        entities.map(\.name).filter { entity in lineage(of: entity).contains { $0.name == name } }
    }
}

extension Model.Entity {
    fileprivate mutating func renameOwnProperty(_ name: String, to newName: String) {
        if self[attribute: name] != nil {
            self[attribute: name]?.name = newName
        } else if self[relationship: name] != nil {
            self[relationship: name]?.name = newName
        } else {
            self[fetchedProperty: name]?.name = newName
        }
    }

    fileprivate mutating func renameListedProperty(_ name: String, to newName: String) {
        for index in compoundIndexes.indices { compoundIndexes[index].names.rename(name, to: newName) }
        for index in uniquenessConstraints.indices { uniquenessConstraints[index].names.rename(name, to: newName) }
        for index in fetchIndexes.indices {
            for place in fetchIndexes[index].elements.indices {
                fetchIndexes[index].elements[place].propertyName.rename(name, to: newName)
            }
        }
    }

    /// Takes a property out of constraints and indexes, and those that it leaves empty out of the entity.
    fileprivate mutating func removeListedProperty(_ name: String) {
        compoundIndexes.removeName(name)
        uniquenessConstraints.removeName(name)
        for index in fetchIndexes.indices.reversed() {
            guard fetchIndexes[index].elements.contains(where: { $0.propertyName == name }) else { continue }
            fetchIndexes[index].elements.removeAll { $0.propertyName == name }
            if fetchIndexes[index].elements.isEmpty { fetchIndexes.remove(at: index) }
        }
    }
}

extension [Model.NameTuple] {
    fileprivate mutating func removeName(_ name: String) {
        for index in indices.reversed() where self[index].names.contains(name) {
            self[index].names.removeAll { $0 == name }
            if self[index].names.isEmpty { remove(at: index) }
        }
    }
}
