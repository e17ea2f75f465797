import CoreData
import CoreDataPostgreSQL
import Foundation

/// The store that all processes change: counters, teams with players, fans and captains, and an entry for each save.
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
        connect(
            relationship("players", of: team, to: player), relationship("team", of: player, to: team, isToOne: true))
        connect(relationship("fans", of: team, to: player), relationship("favourites", of: player, to: team))
        let captains = relationship("captains", of: team, to: player)
        captains.isOrdered = true
        connect(captains, relationship("captaincies", of: player, to: team))
        player.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [counter, entry, team, player]
        return model
    }

    private static func relationship(
        _ name: String, of owner: NSEntityDescription, to destination: NSEntityDescription, isToOne: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.destinationEntity) = (name, destination)
        (relationship.deleteRule, relationship.maxCount) = (.nullifyDeleteRule, isToOne ? 1 : 0)
        owner.properties.append(relationship)
        return relationship
    }

    private static func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
        (one.inverseRelationship, other.inverseRelationship) = (other, one)
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let (entity, attribute) = (NSEntityDescription(), NSAttributeDescription())
        (entity.name, attribute.name, attribute.attributeType) = (name, "name", .stringAttributeType)
        entity.properties = [attribute]
        return entity
    }
}
