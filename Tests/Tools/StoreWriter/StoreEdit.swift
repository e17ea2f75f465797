import CoreData
import Foundation
import StoreBrowsing
import StoreImporting

/// A change of one object. Objects are named as in `Order/p3`.
struct StoreEdit: Codable {
    enum Kind: String, Codable {
        case create, delete, set, relate, setMembers
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    var kind: Kind
    /// The object; without one, the object that was created last.
    var object: String?
    var entity: String?
    var key: String?
    /// The text of an attribute's value, or the object at the end of a to-one relationship.
    var value: String?
    var members: [String]?

    /// - Returns: The object, if it is new.
    func carryOut(in context: NSManagedObjectContext) throws -> NSManagedObject? {
        if kind == .create {
            return NSEntityDescription.insertNewObject(forEntityName: entity ?? "", into: context)
        }
        let object = try target(context)
        switch kind {
        case .create: break
        case .delete: context.delete(object)
        case .set: try set(object)
        case .relate:
            object.setValue(try value.map { try Self.object($0, context) }, forKey: key ?? "")
        case .setMembers:
            let all = try (members ?? []).map { try Self.object($0, context) }
            let isOrdered = object.entity.relationshipsByName[key ?? ""]?.isOrdered ?? false
            object.setValue(isOrdered ? NSOrderedSet(array: all) : NSSet(array: all), forKey: key ?? "")
        }
        return nil
    }

    private func target(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        if let object { return try Self.object(object, context) }
        // Temporary keys fall: the least is the newest.
        guard let new = context.insertedObjects.min(by: { $0.objectID.reference.key < $1.objectID.reference.key })
        else { throw Failure(description: "There is no new object.") }
        return new
    }

    private static func object(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.persistentStores.first,
            let uri = URL(string: "x-coredata://\(store.identifier ?? "")/\(name)"),
            let id = coordinator.managedObjectID(forURIRepresentation: uri)
        else { throw Failure(description: "There can't be an object \(name).") }
        return try context.existingObject(with: id)
    }

    private func set(_ object: NSManagedObject) throws {
        let keys = (key ?? "").split(separator: ".").map(String.init)
        guard var attribute = object.entity.attributesByName[keys.first ?? ""] else {
            throw Failure(description: "There is no attribute \(key ?? "").")
        }
        let composite = attribute as? NSCompositeAttributeDescription
        if let element = composite?.elements.first(where: { $0.name == keys.last }) { attribute = element }
        let new = value.flatMap { AttributeText(attribute.attributeType)?.object($0) }
        guard (new == nil) == (value == nil) else { throw Failure(description: "\(value ?? "") is no \(key ?? "").") }
        guard composite != nil else { return object.setValue(new, forKey: keys[0]) }
        var elements = object.value(forKey: keys[0]) as? [String: Any] ?? [:]
        elements[keys[1]] = new
        object.setValue(elements, forKey: keys[0])
    }
}
