import CoreData
import CoreDataPostgreSQL
import Foundation

/// The store that all processes change: counters, teams with players, and an entry for each save.
enum WritersStore {
    static let counters = 3
    static let teams = 4

    static func open(_ url: URL, options: [AnyHashable: Any]? = nil) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        return coordinator
    }

    static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Makes the store, with what it has at the beginning.
    static func fill(_ url: URL) throws {
        let coordinator = try open(url)
        let context = context(coordinator)
        try context.performAndWait {
            for number in 0..<counters { insert("Counter", named: "\(number)", into: context) }
            for number in 0..<teams { insert("Team", named: "\(number)", into: context) }
            for number in 0..<40 { insert("Player", named: "\(number)", into: context) }
            try context.save()
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    @discardableResult
    static func insert(
        _ entity: String, named name: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    static func all(
        _ entity: String, in context: NSManagedObjectContext, named name: String? = nil
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = name.map { NSPredicate(format: "name == %@", $0) }
        return try context.fetch(request)
    }

    // MARK: Model

    static func model() -> NSManagedObjectModel {
        let (counter, entry, team, player) = (entity("Counter"), entity("Entry"), entity("Team"), entity("Player"))
        let value = NSAttributeDescription()
        (value.name, value.attributeType, value.defaultValue) = ("value", .integer64AttributeType, 0)
        counter.properties.append(value)
        let (members, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (members.name, members.destinationEntity, members.deleteRule) = ("players", player, .nullifyDeleteRule)
        (owner.name, owner.destinationEntity, owner.deleteRule) = ("team", team, .nullifyDeleteRule)
        (owner.maxCount, members.inverseRelationship, owner.inverseRelationship) = (1, owner, members)
        team.properties.append(members)
        player.properties.append(owner)
        player.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [counter, entry, team, player]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let (entity, attribute) = (NSEntityDescription(), NSAttributeDescription())
        (entity.name, attribute.name, attribute.attributeType) = (name, "name", .stringAttributeType)
        entity.properties = [attribute]
        return entity
    }
}
