import CoreData
import Observation
import Synchronization
import Testing

@Suite("Swift's Observation of managed objects")
struct ObservationTests {
    /// Counts how often tracked reads were told to change; each is told once.
    private final class Tracker: Sendable {
        private let changes = Mutex(0)
        var count: Int { changes.withLock { $0 } }

        func track(_ reads: () -> Void) {
            withObservationTracking(reads) { self.changes.withLock { $0 += 1 } }
        }
    }

    private func kitchen() throws -> Kitchen {
        let kitchen = try Kitchen()
        kitchen.context.tracksObservedReads = true
        return kitchen
    }

    @Test("a change is told of just the properties that were read, once, before it happens")
    func properties() throws {
        let dessert = try kitchen().dessert("Crumble")
        let (name, sugar, tracker) = (Tracker(), Tracker(), Tracker())
        name.track { _ = dessert.name }
        sugar.track { _ = dessert.sugar }
        nonisolated(unsafe) let same = dessert
        let seen = Mutex<String?>(nil)
        withObservationTracking {
            _ = dessert.about
        } onChange: {
            seen.withLock { $0 = same.about ?? "nil" }
        }
        dessert.name = "Pie"
        #expect(name.count == 1 && sugar.count == 0 && tracker.count == 0)
        dessert.name = "Tart"
        dessert.sugar = 12
        #expect(name.count == 1 && sugar.count == 1)
        dessert.about = "sweet"
        #expect(seen.withLock { $0 } == "nil")
    }

    @Test("every kind of property can be tracked, by accessor and by key", arguments: [false, true])
    func kinds(byKey: Bool) throws {
        let kitchen = try kitchen()
        let dessert = kitchen.dessert("Crumble")
        let reads: [(String, (Dessert) -> Void, Any)] = [
            ("name", { _ = $0.name }, "Pie"), ("minutes", { _ = $0.minutes }, 7), ("sugar", { _ = $0.sugar }, 1.5),
            ("created", { _ = $0.created }, Date()), ("default", { _ = $0.default }, true),
            ("id", { _ = $0.id }, UUID()), ("price", { _ = $0.price }, NSDecimalNumber(7)),
            ("picture", { _ = $0.picture }, Data([1])), ("link", { _ = $0.link }, URL(fileURLWithPath: "/a")),
            ("rating", { _ = $0.rating }, Float(2)), ("tags", { _ = $0.tags }, ["a"] as NSArray),
            ("chef", { _ = $0.chef }, Chef(context: kitchen.context)),
            ("ingredients", { _ = $0.ingredients }, NSSet(object: Ingredient(context: kitchen.context))),
            ("steps", { _ = $0.steps }, NSOrderedSet(object: kitchen.step("Stir"))),
        ]
        for (key, read, value) in reads {
            let tracker = Tracker()
            tracker.track { byKey ? _ = dessert.value(forKey: key) : read(dessert) }
            dessert.about = key
            #expect(tracker.count == 0, "\(key)")
            dessert.setValue(value, forKey: key)
            #expect(tracker.count == 1, "\(key)")
        }
    }

    @Test("a value that was nil, the other side of a relationship, and what others saved are told")
    func elsewhere() throws {
        let kitchen = try kitchen()
        let dessert = kitchen.dessert("Crumble")
        let chef = Chef(context: kitchen.context)
        let (members, merged) = (Tracker(), Tracker())
        members.track { _ = (chef.value(forKey: "dishes") as? NSSet)?.count }
        dessert.chef = chef
        #expect(members.count == 1)
        try kitchen.context.save()

        merged.track { _ = dessert.about }
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = kitchen.context.persistentStoreCoordinator
        try other.performAndWait {
            (other.object(with: dessert.objectID) as? Dessert)?.about = "sweet"
            try other.save()
        }
        kitchen.context.refresh(dessert, mergeChanges: true)
        #expect(merged.count == 1 && dessert.about == "sweet")
    }

    /// Changes a dessert in another context, and saves.
    private func elsewhere(_ kitchen: Kitchen, _ dessert: Dessert, _ change: (Dessert) -> Void) throws {
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = kitchen.context.persistentStoreCoordinator
        let id = dessert.objectID
        let context = kitchen.context
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { context.mergeChanges(fromContextDidSave: $0) }
        defer { NotificationCenter.default.removeObserver(token) }
        try other.performAndWait {
            if let same = other.object(with: id) as? Dessert { change(same) }
            try other.save()
        }
    }

    @Test("a merge, a refresh and a rollback are told of the properties alone that they change, time after time")
    func wholeChanges() throws {
        let kitchen = try kitchen()
        let dessert = kitchen.dessert("Crumble")
        dessert.chef = Chef(context: kitchen.context)
        try kitchen.context.save()
        let (name, about, chef) = (Tracker(), Tracker(), Tracker())
        name.track { _ = dessert.name }
        about.track { _ = dessert.about }
        chef.track { _ = dessert.chef }
        try elsewhere(kitchen, dessert) { $0.about = "sweet" }
        #expect(name.count == 0 && about.count == 1 && chef.count == 0)

        // Nothing reads the object in between: what it was is remembered.
        kitchen.context.refresh(dessert, mergeChanges: false)
        kitchen.context.refreshAllObjects()
        #expect(dessert.isFault && name.count == 0 && chef.count == 0)
        try elsewhere(kitchen, dessert) { $0.sugar = 5 }
        #expect(name.count == 0 && chef.count == 0)
        try elsewhere(kitchen, dessert) { $0.name = "Pie" }
        #expect(name.count == 1 && chef.count == 0)
        try elsewhere(kitchen, dessert) { dessert in
            dessert.chef = dessert.managedObjectContext.map { Chef(context: $0) }
        }
        #expect(chef.count == 1 && dessert.name == "Pie")

        let (kept, rolled) = (Tracker(), Tracker())
        kept.track { _ = dessert.name }
        dessert.about = "sour"
        rolled.track { _ = dessert.about }
        kitchen.context.rollback()
        #expect(kept.count == 0 && rolled.count == 1)
    }

    @Test("a computed property is tracked by what it reads, across relationships")
    func computed() throws {
        let kitchen = try kitchen()
        let dessert = kitchen.dessert("Crumble")
        dessert.chef = Chef(context: kitchen.context)
        let tracker = Tracker()
        tracker.track { _ = (dessert.chef?.name ?? "?") + (dessert.name ?? "?") }
        dessert.chef?.name = "Julia"
        #expect(tracker.count == 1)
    }

    @Test("contexts of the main queue track reads, others when they are told to")
    func contexts() throws {
        #expect(NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType).tracksObservedReads)
        #expect(!NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType).tracksObservedReads)
        let kitchen = try Kitchen()
        kitchen.context.tracksObservedReads = false
        let dessert = kitchen.dessert("Crumble")
        let (untracked, tracked) = (Tracker(), Tracker())
        untracked.track { _ = dessert.name }
        kitchen.context.tracksObservedReads = true
        tracked.track { _ = dessert.name }
        dessert.name = "Pie"
        #expect(untracked.count == 0 && tracked.count == 1)
    }

    @Test("an object that was tracked goes with its last reference, and tracking does not keep its context")
    func lifetime() throws {
        weak var gone: Dessert?
        weak var context: NSManagedObjectContext?
        do {
            let kitchen = try kitchen()
            let dessert = kitchen.dessert("Crumble")
            try kitchen.context.save()
            (gone, context) = (dessert, kitchen.context)
            Tracker().track { _ = dessert.name }
        }
        #expect(gone == nil && context == nil)
    }
}
