import CoreData
import Foundation
import Testing

/// Deletes objects from a store, and checks after each save that the model's delete rules were followed.
///
/// Where the rules refuse a deletion, the save must say so with a validation error, and is undone.
final class GraphPruner {
    /// How many objects of each entity were deleted.
    private(set) var deletedCount: [String: Int] = [:]

    private let coordinator: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext
    private let grower: GraphGrower

    init(_ model: NSManagedObjectModel, _ url: URL, options: [AnyHashable: Any]? = nil) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        context = Self.context(coordinator)
        grower = GraphGrower(context, seed: 11)
    }

    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// A new object that has no more relations than it must have.
    func deleteAlone(_ entity: NSEntityDescription) throws {
        try context.performAndWait {
            let object = grower.grow(entity)
            try context.save()
            try delete(object)
        }
    }

    /// The first row that Apple's framework wrote, if there is one.
    func deleteAppleMade(_ entity: NSEntityDescription) throws {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            request.fetchLimit = 1
            for object in try context.fetch(request) { try delete(object) }
        }
    }

    /// One of an object's three members, which the object and the other members outlive.
    func deleteMember(of relationship: NSRelationshipDescription, _ entity: NSEntityDescription) throws {
        try context.performAndWait {
            let (owner, members) = try family(relationship, entity)
            let deleted = members[members.count / 2]
            guard try delete(deleted), relationship.inverseRelationship != nil else { return }
            // The member's own rules may have taken the owner along.
            guard try exists(owner) else { return }
            let rest = members.filter { $0 !== deleted }.map(\.objectID)
            try expect(owner, relationship, rest)
        }
    }

    /// An object with three members, of which its rule says what becomes of them.
    func deleteOwner(of relationship: NSRelationshipDescription, _ entity: NSEntityDescription) throws {
        try context.performAndWait {
            let (owner, members) = try family(relationship, entity)
            guard try delete(owner) else { return }
            for member in members where relationship.deleteRule == .cascadeDeleteRule {
                #expect(try !exists(member), "\(place(relationship)): a cascade left \(member.objectID)")
            }
            guard relationship.deleteRule == .nullifyDeleteRule else { return }
            for member in members where try exists(member) {
                guard let inverse = relationship.inverseRelationship else { continue }
                try expect(member, inverse, [])
            }
        }
    }

    /// A saved object with three members; with one where the relationship has room for no more.
    private func family(
        _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
    ) throws -> (NSManagedObject, [NSManagedObject]) {
        let owner = grower.grow(entity, relatedBy: relationship)
        let members = grower.relate(owner, relationship, count: relationship.isToMany ? 3 : 1)
        try context.save()
        return (owner, members)
    }

    /// - Returns: Whether the model's rules allowed it.
    @discardableResult
    private func delete(_ object: NSManagedObject) throws -> Bool {
        let (id, name) = (object.objectID, object.entity.name ?? "")
        context.delete(object)
        do {
            try context.save()
        } catch let error as NSError {
            #expect(error.code == 1560 || (1570...1600).contains(error.code), "\(id): \(error)")
            context.rollback()
            return false
        }
        deletedCount[name, default: 0] += 1
        let reader = Self.context(coordinator)
        reader.performAndWait {
            #expect(thrown { _ = try reader.existingObject(with: id) }?.code == 133000, "\(id) is still there")
        }
        return true
    }

    private func exists(_ object: NSManagedObject) throws -> Bool {
        let reader = Self.context(coordinator)
        let id = object.objectID
        return reader.performAndWait { (try? reader.existingObject(with: id)) != nil }
    }

    /// Checks an object's relationship as a context that knows nothing yet sees it.
    private func expect(
        _ object: NSManagedObject, _ relationship: NSRelationshipDescription, _ expected: [NSManagedObjectID]
    ) throws {
        let reader = Self.context(coordinator)
        let id = object.objectID
        try reader.performAndWait {
            let value = try reader.existingObject(with: id).value(forKey: relationship.name)
            let seen =
                (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? (value.map { [$0] } ?? [])
            let ids = seen.compactMap { ($0 as? NSManagedObject)?.objectID }
            #expect(Set(ids) == Set(expected), "\(place(relationship)) of \(id)")
            if relationship.isOrdered { #expect(ids == expected, "\(place(relationship)) of \(id)") }
        }
    }

    private func place(_ relationship: NSRelationshipDescription) -> String {
        "\(relationship.entity.name ?? "").\(relationship.name)"
    }

    private static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
