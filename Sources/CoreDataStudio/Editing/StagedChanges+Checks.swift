import CoreData
import StoreBrowsing

// What an action names is there and fits, or nothing is changed.

extension StagedChanges {
    /// An object that is not to be deleted.
    func editable(_ identifier: String) throws -> NSManagedObject {
        let object = try object(identifier)
        guard !object.isDeleted else {
            throw StudioError(.invalidEdit, "\(identifier) is to be deleted. Undo that first.")
        }
        return object
    }

    /// A relationship of an object that is not to be deleted.
    func relationship(
        _ identifier: String, _ key: String, isToMany: Bool
    ) throws -> (owner: NSManagedObject, relationship: NSRelationshipDescription) {
        let owner = try editable(identifier)
        guard let found = owner.entity.relationshipsByName[key], found.isToMany == isToMany else {
            throw ToolFailure(
                .invalidQuery,
                "\(owner.entity.name ?? "") has no \(isToMany ? "to-many" : "to-one") relationship \(key).")
        }
        return (owner, found)
    }

    /// - Throws: Why an object can't be at the end of a relationship.
    func check(_ destination: NSManagedObject, for relationship: NSRelationshipDescription) throws {
        let name = destination.objectID.shortIdentifier
        guard let entity = relationship.destinationEntity, destination.entity.isKindOf(entity: entity) else {
            throw StudioError(
                .invalidEdit,
                "\(relationship.name) leads to \(relationship.destinationEntity?.name ?? ""), and \(name) is none.")
        }
        guard !destination.isDeleted else {
            throw StudioError(.invalidEdit, "\(name) is to be deleted. Undo that first.")
        }
    }
}

extension NSEntityDescription {
    /// The attribute at a path that a person can set.
    func editableAttribute(_ path: String) throws -> NSAttributeDescription {
        guard let attribute = ShownProperty.all(of: self).first(where: { $0.path == path })?.attribute else {
            throw ToolFailure(.invalidQuery, "\(name ?? "") has no attribute \(path).")
        }
        guard !(attribute is NSDerivedAttributeDescription) else {
            throw StudioError(.invalidEdit, "\(path) is derived from other values, and can't be set.")
        }
        return attribute
    }
}
