import CoreData
import Foundation

/// Teams and players in a store of their own, and how many of them there have to be.
final class League: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let teams: [NSManagedObjectID]
    /// How many players were saved, less those that were deleted.
    let players = Counter()
    let saves = Counter()
    private let folder: URL
    /// The context that has the children which some of the workers use.
    private let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("stress-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: League.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("League.sqlite"))
        parent.persistentStoreCoordinator = coordinator
        parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        parent.automaticallyMergesChangesFromParent = true
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        teams = try context.performAndWait {
            let teams = (0..<16).map { number in
                let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
                team.setValue("Team \(number)", forKey: "name")
                return team
            }
            try context.save()
            return teams.map(\.objectID)
        }
    }

    func remove() {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// A context on the coordinator, or a child of the one that has children.
    func context(isChild: Bool) -> NSManagedObjectContext {
        guard isChild else { return context() }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    /// Whether the store has what the workers say that it has.
    func check() throws {
        let context = context()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            let found = try context.count(for: request)
            let expected = players.withLock { $0 }
            guard found == expected else { throw Mistake(text: "\(found) players instead of \(expected)") }
            let members = try teams.reduce(0) { sum, id in
                let team = try context.existingObject(with: id)
                return sum + ((team.value(forKey: "players") as? NSSet)?.count ?? 0)
            }
            request.predicate = NSPredicate(format: "team != nil")
            let inTeams = try context.count(for: request)
            guard members == inTeams else { throw Mistake(text: "\(members) members, but \(inTeams) in teams") }
        }
    }

    private static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        func relationship(_ name: String, max: Int) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.maxCount = max
            relationship.deleteRule = .nullifyDeleteRule
            return relationship
        }
        let (team, player) = (NSEntityDescription(), NSEntityDescription())
        let (players, ofTeam) = (relationship("players", max: 0), relationship("team", max: 1))
        (team.name, player.name) = ("Team", "Player")
        team.properties = [
            attribute("name", .stringAttributeType), attribute("wins", .integer64AttributeType), players,
        ]
        player.properties = [
            attribute("name", .stringAttributeType), attribute("points", .integer64AttributeType), ofTeam,
        ]
        (players.destinationEntity, players.inverseRelationship) = (player, ofTeam)
        (ofTeam.destinationEntity, ofTeam.inverseRelationship) = (team, players)
        let model = NSManagedObjectModel()
        model.entities = [team, player]
        return model
    }
}

struct Mistake: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

/// A number that all threads count in. Its lock is one that the Thread Sanitizer knows, which a `Mutex` is not.
final class Counter: @unchecked Sendable {
    // Unchecked: the value is under the lock.

    private let lock = NSLock()
    private var value = 0

    func withLock<Result>(_ body: (inout Int) -> Result) -> Result { lock.withLock { body(&value) } }
}
