import CoreData
import Foundation
import RandomSeeds
import Testing

/// Saves and batches of two coordinators in any order, and a reader that knows of them by the history alone.
@Suite("Random history")
struct RandomHistoryTests {
    @Test(
        "a reader that reads only the objects and properties that the history names has what the store has",
        .timeLimit(.minutes(30)))
    func mirrors() throws {
        for seed in SeededGenerator.seeds(40, full: 1000) {
            print("random history: COREDATA_TEST_SEED=\(seed)")
            do { try HistoryDriver(seed: seed).run(steps: 15) } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
        }
    }
}

private final class HistoryDriver {
    private let stack: HistoryStack
    private let other: NSPersistentStoreCoordinator
    private var random: SeededGenerator
    private var number = 0
    /// What the reader knows of each object: the properties' values as text.
    private var mirror: [NSManagedObjectID: [String: String]] = [:]
    private var token: NSPersistentHistoryToken?
    private let seed: UInt64

    private static let entities = ["Team", "Player", "Captain", "Note", "Sponsor"]

    init(seed: UInt64) throws {
        self.seed = seed
        stack = try HistoryStack()
        random = SeededGenerator(seed: seed)
        other = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        try other.addPersistentStore(
            ofType: testedStoreType, configurationName: nil, at: stack.url(), options: HistoryStack.options)
    }

    deinit { for store in other.persistentStores { try? other.remove(store) } }

    func run(steps: Int) throws {
        for step in 1...steps {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = Bool.random(using: &random) ? other : stack.coordinator
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.performAndWait {
                if Int.random(in: 0..<4, using: &random) == 0 { try runBatch(context) } else { try save(context) }
            }
            if Bool.random(using: &random) { try read() }
            if Int.random(in: 0..<5, using: &random) == 0 { try purge() }
            if step == steps { try read() }
        }
        let found = try stack.work { try all($0) }
        #expect(mirror == found, "seed \(seed)")
    }

    // MARK: Writing

    private func save(_ context: NSManagedObjectContext) throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let objects = try Self.entities.flatMap { try context.all($0) }.filter { !$0.isDeleted }
                .sorted { $0.uri < $1.uri }
            let object = objects.randomElement(using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: insert(context)
            case 2: if let object { context.delete(object) }
            case 3: if let object { change(object) }
            default: if let object, let next = objects.randomElement(using: &random) { relate(object, next) }
            }
        }
        try context.save()
    }

    private func insert(_ context: NSManagedObjectContext) {
        number += 1
        let entity = Self.entities.randomElement(using: &random) ?? "Team"
        _ = context.insert(entity, [entity == "Note" ? "text" : "name": "\(entity) \(number)"])
    }

    private func change(_ object: NSManagedObject) {
        let value = Int.random(in: 0..<50, using: &random)
        switch object.entity.name {
        case "Team": object.setValue(value, forKey: "points")
        case "Player": object.setValue(value, forKey: "age")
        case "Captain": object.setValue(value, forKey: Bool.random(using: &random) ? "speeches" : "rating")
        case "Note": object.setValue("note \(value)", forKey: "text")
        default: object.setValue("sponsor \(value)", forKey: "name")
        }
    }

    private func relate(_ object: NSManagedObject, _ next: NSManagedObject) {
        switch (object.entity.name, next.entity.name) {
        case ("Player", "Team"), ("Captain", "Team"), ("Note", "Team"): object.setValue(next, forKey: "team")
        case ("Team", "Player"), ("Team", "Captain"): object.mutableSetValue(forKey: "players").add(next)
        case ("Team", "Sponsor"): object.mutableSetValue(forKey: "sponsors").add(next)
        case ("Sponsor", "Team"): object.mutableSetValue(forKey: "teams").remove(next)
        default: break
        }
    }

    private func runBatch(_ context: NSManagedObjectContext) throws {
        number += 1
        let age = Int.random(in: 0..<50, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let rows = (1...3).map { ["name": "batch \(number).\($0)", "age": age] as [String: Any] }
            try context.execute(NSBatchInsertRequest(entityName: "Player", objects: rows))
        case 1:
            // A team that is there already gets its points.
            let rows = [1, 1, 2].map { ["name": "Team b\($0)", "points": age] as [String: Any] }
            try context.execute(NSBatchInsertRequest(entityName: "Team", objects: rows))
        case 2: try context.execute(NSManagedObjectContext.update("Player", ["age": age], "age > 25"))
        default: try context.execute(NSManagedObjectContext.deletion("Team", "points < 10"))
        }
    }

    // MARK: Reading

    private func read() throws {
        try stack.work { context throws in
            let found = try context.transactions(.fetchHistory(after: token))
            for change in found.flatMap({ $0.changes ?? [] }) { note(change, context) }
            token = found.last?.token ?? token
        }
    }

    /// An object that is inserted is read whole, of one that is updated the properties that are named.
    private func note(_ change: NSPersistentHistoryChange, _ context: NSManagedObjectContext) {
        let id = change.changedObjectID
        guard change.changeType != .delete else {
            mirror[id] = nil
            // A relationship that is nullified in a row is recorded; the pairs of a many-to-many go with either end.
            let gone = id.uriRepresentation().absoluteString
            mirror = mirror.mapValues { $0.mapValues { Self.removing(gone, from: $0) } }
            return
        }
        guard let object = try? context.existingObject(with: id) else { return }
        context.refresh(object, mergeChanges: false)
        let keys = Self.keys(of: id.entity)
        let names = change.changeType == .insert ? keys : change.updatedProperties?.map(\.name) ?? []
        for name in names where keys.contains(name) { mirror[id, default: [:]][name] = text(object, name) }
    }

    private static func removing(_ uri: String, from text: String) -> String {
        text.split(separator: " ").filter { $0 != uri }.joined(separator: " ")
    }

    private func purge() throws {
        try stack.work { context throws in
            _ = try context.result(.deleteHistory(before: token))
        }
    }

    private func all(_ context: NSManagedObjectContext) throws -> [NSManagedObjectID: [String: String]] {
        var found: [NSManagedObjectID: [String: String]] = [:]
        for object in try Self.entities.flatMap({ try context.all($0) }) {
            for key in Self.keys(of: object.entity) { found[object.objectID, default: [:]][key] = text(object, key) }
        }
        return found
    }

    /// The properties that are compared: a to-many relationship that its members' rows hold follows from these.
    private static func keys(of entity: NSEntityDescription) -> [String] {
        let all = [
            "name", "text", "points", "age", "speeches", "rating", "team", "sponsors", "teams", "color", "title",
        ]
        return all.filter { entity.propertiesByName[$0] != nil }
    }

    private func text(_ object: NSManagedObject, _ key: String) -> String {
        switch object.value(forKey: key) {
        case let other as NSManagedObject: other.uri
        case let members as NSSet:
            members.allObjects.compactMap { ($0 as? NSManagedObject)?.uri }.sorted().joined(separator: " ")
        case let value?: "\(value)".replacingOccurrences(of: " ", with: "_")
        case nil: ""
        }
    }
}

extension NSManagedObject {
    fileprivate var uri: String { objectID.uriRepresentation().absoluteString }
}
