import CoreDataCombine
import Testing

@Suite("Publishers of managed objects and contexts")
struct PublisherTests {
    let context: NSManagedObjectContext

    init() throws {
        let name = NSAttributeDescription()
        (name.name, name.attributeType) = ("name", .stringAttributeType)
        let player = NSEntityDescription()
        (player.name, player.managedObjectClassName) = ("Player", "CoreDataCombineTests.Player")
        player.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [player]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    @Test("objectWillChange publishes before each change, and is one publisher")
    func willChange() {
        context.performAndWait {
            let player = Player(context: context)
            var before: [String?] = []
            #expect(player.objectWillChange === player.objectWillChange)
            let subscription = player.objectWillChange.sink { before.append(player.name) }
            player.name = "Larry"
            player.name = "Bill"
            subscription.cancel()
            player.name = "Dwyane"
            #expect(before == [nil, "Larry"])
        }
    }

    @Test("the publisher of a key path publishes the value now, then each change")
    func keyPaths() {
        context.performAndWait {
            let player = Player(context: context)
            player.name = "Larry"
            var values: [String?] = []
            let subscription = player.publisher(for: \.name).sink { values.append($0) }
            player.name = "Bill"
            player.name = nil
            subscription.cancel()
            player.name = "Dwyane"
            #expect(values == ["Larry", "Bill", nil])
            #expect(player.publisher(for: \.name) == player.publisher(for: \.name))
        }
    }

    @Test("a subscriber that asks for fewer values gets the last of those that it missed")
    func demand() {
        context.performAndWait {
            let player = Player(context: context)
            player.name = "Larry"
            var values: [String?] = []
            var subscription: (any Subscription)?
            let subscriber = AnySubscriber<String?, Never>(
                receiveSubscription: { subscription = $0 },
                receiveValue: {
                    values.append($0)
                    return .none
                })
            player.publisher(for: \.name).subscribe(subscriber)
            #expect(values == [])
            player.name = "Bill"
            subscription?.request(.max(1))
            player.name = "Dwyane"
            player.name = "Tyson"
            subscription?.request(.max(1))
            #expect(values == ["Bill", "Tyson"])
            subscription?.cancel()
        }
    }

    @Test("notifications of a context are published")
    func notifications() throws {
        try context.performAndWait {
            var saved: [Set<NSManagedObject>] = []
            let subscription = NotificationCenter.default
                .publisher(for: NSManagedObjectContext.didSaveObjectsNotification, object: context)
                .compactMap { $0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> }
                .sink { saved.append($0) }
            let player = Player(context: context)
            try context.save()
            #expect(saved == [[player]])
            subscription.cancel()
        }
    }
}

final class Player: NSManagedObject {
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
}
