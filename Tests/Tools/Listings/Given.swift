// What the listings of the documentation take for granted: the league of the tutorials, and a stack for it.

import CoreData
import Observation

final class Player: NSManagedObject {
    @NSManaged var firstName: String?
    @NSManaged var lastName: String?
    @NSManaged var name: String?
    @NSManaged var group: String?
    @NSManaged var age: Int16
    @NSManaged var salary: Double
    @NSManaged var team: Team?

    static func fetchRequest() -> NSFetchRequest<Player> { NSFetchRequest(entityName: "Player") }
}

final class Team: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var uniformColor: String?
    @NSManaged var players: NSSet?

    static func fetchRequest() -> NSFetchRequest<Team> { NSFetchRequest(entityName: "Team") }
}

final class Person: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var photo: Data?
    var sectionTitle: String { String(name?.prefix(1) ?? "#") }
}

final class Color: NSObject {
    let hex: String
    init?(hex data: Data) { hex = String(decoding: data, as: UTF8.self) }
}

nonisolated(unsafe) let container = NSPersistentContainer(name: "League")
nonisolated(unsafe) let coordinator = container.persistentStoreCoordinator
nonisolated(unsafe) let store = coordinator.persistentStores[0]
nonisolated(unsafe) let model = container.managedObjectModel
nonisolated(unsafe) let context = container.viewContext
nonisolated(unsafe) let viewContext = container.viewContext
nonisolated(unsafe) let background = container.newBackgroundContext()
nonisolated(unsafe) let parent = container.viewContext
nonisolated(unsafe) let child = NSManagedObjectContext(.privateQueue)
nonisolated(unsafe) let description = NSPersistentStoreDescription()
nonisolated(unsafe) let entity = Player.entity()
nonisolated(unsafe) let player = Player(context: context)
nonisolated(unsafe) let team = Team(context: context)
nonisolated(unsafe) let heat = Team(context: context)
nonisolated(unsafe) let id = player.objectID
nonisolated(unsafe) let request = NSFetchRequest<Player>(entityName: "Player")
nonisolated(unsafe) let controller = NSFetchedResultsController(
    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
nonisolated(unsafe) let label = Label()
nonisolated(unsafe) let undoManager = UndoManager()
nonisolated(unsafe) var observation: Any?
nonisolated(unsafe) var token: NSPersistentHistoryToken?
nonisolated(unsafe) var names: [String?]?
let url = URL(fileURLWithPath: "League.sqlite")
let folder = URL(fileURLWithPath: "Stores")

// For migrations.
nonisolated(unsafe) let old = NSManagedObjectModel()
nonisolated(unsafe) let new = NSManagedObjectModel()
nonisolated(unsafe) let mapping = NSMappingModel()
nonisolated(unsafe) let propertyMapping = NSPropertyMapping()
nonisolated(unsafe) let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
nonisolated(unsafe) let sInstance = player
nonisolated(unsafe) let v1 = NSManagedObjectModelReference(model: old, versionChecksum: "1")
nonisolated(unsafe) let v2 = NSManagedObjectModelReference(model: old, versionChecksum: "2")
nonisolated(unsafe) let v3 = NSManagedObjectModelReference(model: new, versionChecksum: "3")
nonisolated(unsafe) let stages: [NSMigrationStage] = []
let checksums = ["Company": "1", "Company 2": "2"]
let copy = URL(fileURLWithPath: "Copy.sqlite")
let temporary = URL(fileURLWithPath: "Temporary.sqlite")

final class PlayerPolicy: NSEntityMigrationPolicy {
    func initials(of name: String) -> String { String(name.prefix(1)) }
}

final class Label { var text: String? }

extension Bundle {
    static var module: Bundle { .main }
}

func importPlayers(into context: NSManagedObjectContext) throws -> [Player] { try context.fetch(Player.fetchRequest()) }
func retire(_ player: Player) { context.delete(player) }
func show(_ players: [Player]) { print(players.count) }
func scheduleRedraw() { print("redraw") }

/// The type that has the listings as its methods.
final class Reader: NSFetchedResultsControllerDelegate {}

/// A store of the app's own.
class JSONStore: NSAtomicStore, @unchecked Sendable {}
