import CoreData
import StoreBrowsing

// Deletions of objects that others have changed, or deleted themselves.

extension StagedChanges {
    // MARK: Given up

    /// Keeps an object that was to be deleted, and the objects that its delete rules added: they are as the store has
    /// them, and so are the relationships that lead to them. What the store has not any more leaves the context.
    ///
    /// - Parameter isChosen: Whether an object has a choice of its own. It does not come back with this one.
    /// - Throws: What kept members from being read.
    func keep(_ object: NSManagedObject, unless isChosen: (NSManagedObject) -> Bool) throws {
        var kept: [NSManagedObject] = []
        var rest = [object]
        while let next = rest.popLast() {
            guard try isStored(next.objectID) else {
                try forget(next.objectID)
                continue
            }
            if next.isDeleted { context.insert(next) }
            context.refresh(next, mergeChanges: false)
            kept.append(next)
            for relationship in next.entity.relationshipsByName.values
            where relationship.deleteRule == .cascadeDeleteRule {
                let partners = try partners(of: next, relationship)
                rest += partners.filter { $0.isDeleted && !isChosen($0) && !rest.contains($0) }
            }
        }
        for object in kept { try rejoin(object) }
    }

    private func isStored(_ id: NSManagedObjectID) throws -> Bool {
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = store.coordinator
        return try reader.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: id.entity.name ?? "")
            request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [id])
            return try reader.count(for: request) > 0
        }
    }

    /// Has an object leave the context, as others have deleted it. To-one relationships that were to lead to it lead to
    /// what they led to before.
    private func forget(_ id: NSManagedObjectID) throws {
        let followers = context.updatedObjects.flatMap { object in
            object.changedToOnes.filter { (object.value(forKey: $0.name) as? NSManagedObject)?.objectID == id }
                .map { (object, $0) }
        }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectIDsKey: Set([id])], into: [context])
        for (object, relationship) in followers {
            let before = try partners(of: object, relationship).first { !$0.isDeleted }
            object.setValue(before, forKey: relationship.name)
            if let before, let inverse = relationship.inverseRelationship { try place(object, in: before, inverse) }
        }
    }

    /// The deletion has taken the object from the relationships that lead to it.
    private func rejoin(_ object: NSManagedObject) throws {
        for relationship in object.entity.relationshipsByName.values {
            guard let inverse = relationship.inverseRelationship else { continue }
            for partner in try partners(of: object, relationship) {
                if partner.isDeleted {
                    // Its deletion forbids that, or ends the relationship.
                    if inverse.deleteRule != .denyDeleteRule { object.part(from: partner, relationship) }
                } else if !partner.leads(to: object, inverse) {
                    try join(partner, object, inverse)
                }
            }
        }
    }

    private func join(
        _ owner: NSManagedObject, _ object: NSManagedObject, _ relationship: NSRelationshipDescription
    ) throws {
        if relationship.isToMany {
            owner.add([object], relationship)
            try place(object, in: owner, relationship)
        } else if owner.value(forKey: relationship.name) == nil {
            owner.setValue(object, forKey: relationship.name)
        }
    }

    /// Gives a member of an ordered relationship the place that it has in the store.
    func place(
        _ object: NSManagedObject, in owner: NSManagedObject, _ relationship: NSRelationshipDescription
    ) throws {
        guard relationship.isOrdered else { return }
        let stored = try session.members(of: owner.objectID.reference, relationship)
        let others = owner.members(relationship).filter { $0 !== object }
        let before = Set(stored.prefix { $0 != object.objectID.reference })
        let place = (others.lastIndex { before.contains($0.objectID.reference) } ?? -1) + 1
        owner.move(object, to: place, relationship)
    }

    // MARK: Carried out

    /// Deletes an object all the same, as the store has it now: what others added to it since is deleted with it, or
    /// leaves it, as the delete rules say.
    ///
    /// - Throws: What kept members from being read.
    func deleteAnew(_ object: NSManagedObject) throws {
        takeReadRow(object)
        for relationship in object.entity.relationshipsByName.values {
            guard let inverse = relationship.inverseRelationship else { continue }
            for partner in try remaining(object, relationship) {
                switch relationship.deleteRule {
                case .cascadeDeleteRule: context.delete(partner)
                case .nullifyDeleteRule: partner.part(from: object, inverse)
                default: break
                }
            }
        }
    }

    /// What the model has against the deletions: others may have added members to objects that may have none.
    func forbiddenDeletions() throws -> [JSON] {
        try context.deletedObjects.sorted { $0.objectID.shortIdentifier < $1.objectID.shortIdentifier }.flatMap {
            object in
            try object.entity.relationshipsByName.values.compactMap { relationship -> JSON? in
                guard relationship.deleteRule == .denyDeleteRule,
                    let member = try remaining(object, relationship).first
                else { return nil }
                let (name, other) = (object.objectID.shortIdentifier, member.objectID.shortIdentifier)
                let message = "\(name) can't be deleted: its relationship \(relationship.name) has \(other)."
                return ["object": .text(name), "key": .text(relationship.name), "message": .text(message)]
            }
        }
    }

    /// The objects that lead to one that is to be deleted, and would lead to nothing.
    private func remaining(
        _ object: NSManagedObject, _ relationship: NSRelationshipDescription
    ) throws -> [NSManagedObject] {
        guard let inverse = relationship.inverseRelationship else { return [] }
        return try partners(of: object, relationship).filter { partner in
            if partner.isDeleted { return false }
            if !partner.isUpdated { context.refresh(partner, mergeChanges: true) }
            return partner.changedValues()[inverse.name] == nil || partner.leads(to: object, inverse)
        }
    }

    /// The objects at the other end of a relationship, as the store has them.
    private func partners(
        of object: NSManagedObject, _ relationship: NSRelationshipDescription
    ) throws -> [NSManagedObject] {
        if relationship.isTransient || object.objectID.isTemporaryID { return [] }
        if relationship.isToMany {
            return try session.members(of: object.objectID.reference, relationship)
                .map { context.object(with: try session.objectID(of: $0)) }
        }
        let value = object.committedValues(forKeys: [relationship.name])[relationship.name]
        return [value as? NSManagedObject].compactMap { $0 }
    }
}

extension NSManagedObject {
    fileprivate var changedToOnes: [NSRelationshipDescription] {
        changedValues().keys.compactMap { entity.relationshipsByName[$0] }.filter { !$0.isToMany }
    }

    /// Whether a relationship leads to an object.
    func leads(to object: NSManagedObject, _ relationship: NSRelationshipDescription) -> Bool {
        relationship.isToMany
            ? members(relationship).contains { $0 === object }
            : value(forKey: relationship.name) as? NSObject === object
    }

    /// Has a relationship lead to an object no more.
    fileprivate func part(from object: NSManagedObject, _ relationship: NSRelationshipDescription) {
        if relationship.isToMany { remove([object], relationship) } else { setValue(nil, forKey: relationship.name) }
    }
}
