import CoreData
import Foundation

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

    /// Adds members behind those that there are. What the others lead to stays, be it another owner by now.
    func add(_ new: [NSManagedObject], _ relationship: NSRelationshipDescription) {
        if relationship.isOrdered {
            mutableOrderedSetValue(forKey: relationship.name).addObjects(from: new)
        } else {
            new.forEach(mutableSetValue(forKey: relationship.name).add)
        }
    }

    func remove(_ gone: [NSManagedObject], _ relationship: NSRelationshipDescription) {
        if relationship.isOrdered {
            mutableOrderedSetValue(forKey: relationship.name).removeObjects(in: gone)
        } else {
            gone.forEach(mutableSetValue(forKey: relationship.name).remove)
        }
    }

    /// Puts a member of an ordered relationship at a place among the others.
    func move(_ member: NSManagedObject, to place: Int, _ relationship: NSRelationshipDescription) {
        let members = mutableOrderedSetValue(forKey: relationship.name)
        let from = members.index(of: member)
        if from != NSNotFound, from != place { members.moveObjects(at: IndexSet(integer: from), to: place) }
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
