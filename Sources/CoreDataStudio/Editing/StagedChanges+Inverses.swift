import CoreData

// Both sides of a relationship say the same.

extension StagedChanges {
    /// Has the members of changed relationships be those that lead to their owner.
    ///
    /// An example: a line goes from order 1 to order 2 here, and others give it to order 3. Undo adds the line to
    /// order 1 again. Then it takes the row of the others and leads to order 3, and order 1 has to lose it.
    ///
    /// - Parameter followers: The objects that have taken other rows.
    /// - Throws: What kept members from being read.
    func joinInverses(of followers: some Sequence<NSManagedObject>) throws {
        let followers = Set(followers)
        var joined: [ObjectIdentifier: [NSManagedObject: [NSManagedObject]]] = [:]
        for owner in context.updatedObjects {
            for relationship in owner.changedOwnMembers {
                guard let inverse = relationship.inverseRelationship else { continue }
                let members = owner.members(relationship)
                let before = Set(NSManagedObject.references(owner.committedValues(forKeys: nil)[relationship.name]))
                for member in members where followers.contains(member) && !member.leads(to: owner, inverse) {
                    if !before.contains(member.objectID.reference) { try release(member, owner, relationship, inverse) }
                }
                let known = Set(members)
                let ofAll = joined[ObjectIdentifier(inverse)] ?? Self.members(followers, by: inverse)
                joined[ObjectIdentifier(inverse)] = ofAll
                for member in ofAll[owner] ?? [] where !known.contains(member) {
                    owner.add([member], relationship)
                    try place(member, in: owner, relationship)
                }
            }
        }
    }

    /// The objects that lead to an owner, by owner.
    private static func members(
        _ followers: Set<NSManagedObject>, by inverse: NSRelationshipDescription
    ) -> [NSManagedObject: [NSManagedObject]] {
        followers.reduce(into: [:]) { members, member in
            guard member.entity.isKindOf(entity: inverse.entity),
                let owner = member.value(forKey: inverse.name) as? NSManagedObject
            else { return }
            members[owner, default: []].append(member)
        }
    }

    /// Takes a member from an owner. It leads to another one already, in its place there.
    private func release(
        _ member: NSManagedObject, _ owner: NSManagedObject, _ relationship: NSRelationshipDescription,
        _ inverse: NSRelationshipDescription
    ) throws {
        let destination = member.value(forKey: inverse.name) as? NSManagedObject
        owner.remove([member], relationship)
        guard member.value(forKey: inverse.name) as? NSManagedObject !== destination else { return }
        member.setValue(destination, forKey: inverse.name)
        if let destination { try place(member, in: destination, relationship) }
    }
}

extension NSManagedObject {
    /// The to-many relationships with changes whose members lead to one owner each.
    fileprivate var changedOwnMembers: [NSRelationshipDescription] {
        if isDeleted { return [] }
        let changed = changedValues()
        return entity.relationshipsByName.values.filter {
            $0.isToMany && $0.inverseRelationship?.isToMany == false && changed[$0.name] != nil
        }
    }
}
