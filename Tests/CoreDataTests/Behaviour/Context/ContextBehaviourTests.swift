import CoreData
import Dispatch
import Foundation
import Testing

/// Contexts: what is left of section 6 of the behaviour that users rely on, beside the suites of saving, undo, children
/// and merging.
@Suite("Contexts behave as at Apple")
struct ContextBehaviourTests {
    @Test("performAndWait may be nested, perform comes later, async perform returns and throws")
    func queues() async throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        let nested = context.performAndWait { context.performAndWait { context.performAndWait { 42 } } }
        #expect(nested == 42)
        let order = Order()
        context.performAndWait {
            Self.performLater(context) { order.add("later") }
            order.add("now")
        }
        let count = try await context.perform { () throws in
            order.add("last")
            _ = context.insert("Team", ["name": "Heat"])
            return try context.all("Team").count
        }
        #expect(count == 1 && order.words == ["now", "later", "last"])
        await #expect(throws: CocoaError.self) {
            try await context.perform(schedule: .enqueued) { throw CocoaError(.userCancelled) }
        }
    }

    @Test("a main-queue context works on the main queue, a background context elsewhere") @MainActor
    func mainQueue() async throws {
        let stack = try Stack(LeagueModel.make())
        let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.persistentStoreCoordinator = stack.coordinator
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        defer { DispatchQueue.main.setSpecific(key: mark, value: nil) }
        let isThere = await main.perform { DispatchQueue.getSpecific(key: mark) == true }
        #expect(isThere)
        let comesThere = await Task.detached { await main.perform { DispatchQueue.getSpecific(key: mark) == true } }
            .value
        #expect(comesThere)
        let background = stack.context()
        let staysAway = await background.perform { DispatchQueue.getSpecific(key: mark) == nil }
        #expect(staysAway)
    }

    @Test("on the main actor an immediate block of a main-queue context runs before the blocks that wait") @MainActor
    func immediateOnMain() async throws {
        let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.persistentStoreCoordinator = try Stack(LeagueModel.make()).coordinator
        let order = Order()
        Self.performLater(main) { order.add("waiting") }
        await main.perform { order.add("immediate") }
        #expect(order.words == ["immediate"])
        await main.perform(schedule: .enqueued) { order.add("enqueued") }
        #expect(order.words == ["immediate", "waiting", "enqueued"])
    }

    @Test("a context begins without undo, without automatic merging, and with errors as its policy")
    func defaults() throws {
        let context = try Stack(LeagueModel.make()).context()
        #expect(context.undoManager == nil && !context.automaticallyMergesChangesFromParent)
        #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
        #expect(context.shouldDeleteInaccessibleFaults && context.propagatesDeletesAtEndOfEvent)
        #expect(!context.retainsRegisteredObjects)
    }

    @Test(
        "changes are announced at a fetch, a save, the end of perform and processPendingChanges, not by performAndWait")
    func pointsOfProcessing() async throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        let log = Collector(.NSManagedObjectContextObjectsDidChange, of: context)
        context.performAndWait { _ = context.insert("Team", ["name": "1"]) }
        #expect(log.payloads.isEmpty, "performAndWait leaves it pending")
        try context.performAndWait {
            context.processPendingChanges()
            #expect(log.payloads.count == 1)
            context.processPendingChanges()
            #expect(log.payloads.count == 1, "there was nothing more")
            _ = context.insert("Team", ["name": "2"])
            _ = try context.all("Team")
            #expect(log.payloads.count == 2)
            _ = context.insert("Team", ["name": "3"])
            try context.save()
            #expect(log.payloads.count == 3)
        }
        await context.perform { _ = context.insert("Team", ["name": "4"]) }
        #expect(log.payloads.count == 4)
        Self.performLater(context) { _ = context.insert("Team", ["name": "5"]) }
        context.performAndWait {}
        #expect(log.payloads.count == 5)
    }

    /// `perform` without waiting, which an asynchronous function can't call by its name alone.
    private static func performLater(_ context: NSManagedObjectContext, _ block: @escaping @Sendable () -> Void) {
        context.perform(block)
    }

    @Test("objects without changes and references are let go, unless the context retains them")
    func retaining() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            try context.save()
        }
        try stack.work { context throws in
            _ = try context.all("Team")
            #expect(context.registeredObjects.isEmpty)
            context.retainsRegisteredObjects = true
            _ = try context.all("Team")
            #expect(context.registeredObjects.count == 1)
            context.retainsRegisteredObjects = false
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test("stores that come and go are announced by their coordinator")
    func storeNotifications() throws {
        let stack = try Stack(LeagueModel.make())
        let log = Order()
        let names: [Notification.Name] = [
            .NSPersistentStoreCoordinatorStoresDidChange, .NSPersistentStoreCoordinatorWillRemoveStore,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: stack.coordinator, queue: nil) { note in
                let keys = (note.userInfo ?? [:]).keys.compactMap { $0 as? String }.sorted()
                log.add(([note.name == names[1] ? "will remove" : "did change"] + keys).joined(separator: " "))
            }
        }
        defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
        let store = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.appendingPathComponent("Second.sqlite"))
        try stack.coordinator.remove(store)
        #expect(log.words == ["did change added", "will remove removed", "did change removed"])
    }
}

/// A save that goes to two stores.
@Suite("Saves to several stores")
struct SeveralStoreTests {
    private let folder: URL
    private let coordinator: NSPersistentStoreCoordinator
    private let stores: [NSPersistentStore]

    init() throws {
        let team = entity("Team", [attribute("name", .stringAttributeType)])
        team.uniquenessConstraints = [["name"]]
        let guest = toOne("guest")
        let city = entity("City", [attribute("name", .stringAttributeType, optional: false), guest])
        guest.destinationEntity = team
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Stores-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(team, city))
        let folder = folder
        stores = try ["First", "Second"].map {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent($0 + ".sqlite"))
        }
        self.coordinator = coordinator
    }

    private func work(_ block: (NSManagedObjectContext) throws -> Void) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        defer {
            for store in stores { try? coordinator.remove(store) }
            try? FileManager.default.removeItem(at: folder)
        }
        try context.performAndWait { try block(context) }
    }

    private func team(_ name: String, in store: Int, _ context: NSManagedObjectContext) -> NSManagedObject {
        let team = context.insert("Team", ["name": name])
        context.assign(team, to: stores[store])
        return team
    }

    /// The teams that both stores have, by a context that knows nothing yet.
    private func storedNames() throws -> [String] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try context.all("Team").compactMap { $0.string("name") }.sorted() }
    }

    @Test("what one store refuses keeps the others from being written", arguments: [0, 1])
    func refusal(refusing: Int) throws {
        try work { context throws in
            _ = team("Heat", in: refusing, context)
            try context.save()
            let accepted = team("Bulls", in: 1 - refusing, context)
            let refused = team("Heat", in: refusing, context)
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectConstraintMergeError)
            #expect(accepted.isInserted && refused.isInserted && accepted.objectID.isTemporaryID)
            #expect(try storedNames() == ["Heat"])
            refused.setValue("Nets", forKey: "name")
            try context.save()
            #expect(try storedNames() == ["Bulls", "Heat", "Nets"])
        }
    }

    @Test("what is not valid keeps every store from being written")
    func validation() throws {
        try work { context throws in
            _ = team("Heat", in: 0, context)
            context.assign(context.insert("City"), to: stores[1])
            #expect(thrown { try context.save() }?.code == NSValidationMissingMandatoryPropertyError)
            #expect(context.insertedObjects.count == 2)
            context.rollback()
            #expect(try context.all("Team").isEmpty)
        }
    }

    @Test("a relationship between objects of two stores fails the save with 133010, and nothing is written")
    func relationship() throws {
        try work { context throws in
            let heat = team("Heat", in: 0, context)
            let city = context.insert("City", ["name": "Miami", "guest": heat])
            context.assign(city, to: stores[1])
            #expect(thrown { try context.save() }?.code == NSManagedObjectExternalRelationshipError)
            city.setValue(nil, forKey: "guest")
            try context.save()
        }
    }
}

/// Words of several threads.
final class Order: @unchecked Sendable {
    // Unchecked: guarded by the lock.
    private let lock = NSLock()
    private var all: [String] = []

    var words: [String] { lock.withLock { all } }

    func add(_ word: String) { lock.withLock { all.append(word) } }
}
