import PropertyLists

extension Model {
    /// Gives an entity another name, everywhere: in its subentities, in relationships to it, configurations, fetch
    /// requests and the diagram.
    ///
    /// Stores of the old version are not found again by that: set `renamingIdentifier` to the old name where they are
    /// to be migrated.
    ///
    /// - Throws: `ModelDocumentError` `invalidEdit` for an unknown entity, and for a name that another entity has.
    public mutating func renameEntity(_ name: String, to newName: String) throws {
        try requireEntity(name)
        guard name != newName else { return }
        guard self[entity: newName] == nil else { throw Self.invalid("There is an entity '\(newName)' already.") }
        self[entity: name]?.name = newName
        self[diagramElement: name]?.name = newName
        for index in fetchRequests.indices { fetchRequests[index].entityName.rename(name, to: newName) }
        for index in configurations.indices { configurations[index].entityNames.rename(name, to: newName) }
        for index in entities.indices { entities[index].renameReferences(toEntity: name, to: newName) }
    }

    /// Removes an entity, and what would refer to nothing without it: its membership in configurations, its place in
    /// the diagram and the fetch request templates for it. Relationships to it stay without a destination, its
    /// subentities without a parent.
    ///
    /// - Throws: `ModelDocumentError` `invalidEdit` for an unknown entity.
    public mutating func removeEntity(_ name: String) throws {
        try requireEntity(name)
        self[entity: name] = nil
        self[diagramElement: name] = nil
        fetchRequests.removeAll { $0.entityName == name }
        for index in configurations.indices { configurations[index].entityNames.removeAll { $0 == name } }
        for index in entities.indices {
            if entities[index].parentName == name { entities[index].parentName = nil }
            for place in entities[index].relationships.indices
            where entities[index].relationships[place].destinationName == name {
                entities[index].relationships[place].destinationName = nil
                entities[index].relationships[place].setInverse(nil, of: nil)
            }
        }
    }

    func requireEntity(_ name: String) throws {
        guard self[entity: name] == nil else { return }
        throw Self.invalid("There is no entity '\(name)'.")
    }

    static func invalid(_ message: Sentence) -> ModelDocumentError {
        ModelDocumentError(.invalidEdit, sentence: message)
    }
}

extension Model.Entity {
    fileprivate mutating func renameReferences(toEntity name: String, to newName: String) {
        parentName.rename(name, to: newName)
        for index in relationships.indices {
            relationships[index].destinationName.rename(name, to: newName)
            relationships[index].inverseEntityName.rename(name, to: newName)
        }
        for index in fetchedProperties.indices {
            fetchedProperties[index].fetchRequest?.entityName.rename(name, to: newName)
        }
    }
}

extension Model.Relationship {
    /// Names the relationship in the other direction, and the entity that owns it.
    mutating func setInverse(_ name: String?, of entity: String?) {
        inverseName = name
        inverseEntityName = entity
    }
}

extension String? {
    mutating func rename(_ name: String, to newName: String) {
        if self == name { self = newName }
    }
}

extension [String] {
    mutating func rename(_ name: String, to newName: String) {
        for index in indices where self[index] == name { self[index] = newName }
    }
}
