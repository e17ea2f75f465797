import CoreData

extension NSManagedObject {
    /// The members of a to-many relationship, in its order if it has one.
    func members(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch value(forKey: relationship.name) {
        case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    func setMembers(_ members: [NSManagedObject], _ relationship: NSRelationshipDescription) {
        let value: NSObject = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        setValue(value, forKey: relationship.name)
    }

    /// Inserts an object with the same values. It shares what can be shared: a relationship whose other side leads to
    /// one object alone stays with the original.
    func duplicate(in context: NSManagedObjectContext) -> NSManagedObject {
        let copy = NSManagedObject(entity: entity, insertInto: context)
        for property in entity.properties where !property.isTransient {
            switch property {
            case is NSDerivedAttributeDescription: break
            case is NSAttributeDescription: copy.setValue(value(forKey: property.name), forKey: property.name)
            case let relationship as NSRelationshipDescription where relationship.canBeShared:
                copy.setValue(value(forKey: property.name), forKey: property.name)
            default: break
            }
        }
        return copy
    }
}

extension NSRelationshipDescription {
    /// Whether two objects can lead to the same one.
    fileprivate var canBeShared: Bool { inverseRelationship?.isToMany ?? true }
}
