import CoreData
import Foundation
import Synchronization

/// A store with some thousand objects, a context that saves to it without a pause, and one that fetches.
struct Experiment {
    private let size: Int
    private let folder: URL
    private let coordinator: NSPersistentStoreCoordinator

    /// - Parameters:
    ///   - size: How many objects each save inserts or changes.
    ///   - connections: For reading; nil: as many as a store has without a word.
    init(saving size: Int, connections: Int?) throws {
        self.size = size
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("waits-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let options = connections.map { [NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: $0)] }
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("Waits.sqlite"),
            options: options)
        try fill()
    }

    func run(_ seconds: Double) throws -> Measurements {
        defer {
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
            try? FileManager.default.removeItem(at: folder)
        }
        let isOver = Atomic<Bool>(false)
        let saves = Atomic<Int>(0)
        let failure = Mutex<(any Error)?>(nil)
        let writer = Thread { [self] in
            do {
                while !isOver.load(ordering: .relaxed) {
                    try save()
                    saves.add(1, ordering: .relaxed)
                }
            } catch { failure.withLock { $0 = error } }
            isOver.store(true, ordering: .releasing)
        }
        writer.start()
        defer {
            isOver.store(true, ordering: .relaxed)
            while !writer.isFinished { usleep(1000) }
        }
        var measured = Measurements()
        let context = self.context()
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end, !isOver.load(ordering: .acquiring) {
            try context.performAndWait { try measured.add(measuring: { try fetch(context) }) }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        measured.saves = saves.load(ordering: .relaxed)
        return measured
    }

    // MARK: What is done

    /// Some of everything that reads: objects by a predicate, a fault, a count.
    private func fetch(_ context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.predicate = NSPredicate(format: "points = %d", Int.random(in: 0..<100))
        request.fetchLimit = 50
        let found = try context.fetch(request)
        _ = found.last?.value(forKey: "name")
        if let object = found.first {
            context.refresh(object, mergeChanges: false)
            _ = object.value(forKey: "name")
        }
        _ = try context.count(for: request)
    }

    private func save() throws {
        let context = context()
        try context.performAndWait {
            for number in 0..<size { insert(number, into: context) }
            try context.save()
        }
    }

    private func fill() throws {
        let context = context()
        try context.performAndWait {
            for number in 0..<10_000 { insert(number, into: context) }
            try context.save()
        }
    }

    private func insert(_ number: Int, into context: NSManagedObjectContext) {
        let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: context)
        player.setValue("Player \(number)", forKey: "name")
        player.setValue(number % 100, forKey: "points")
    }

    private func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func model() -> NSManagedObjectModel {
        let (name, points) = (NSAttributeDescription(), NSAttributeDescription())
        (name.name, name.attributeType) = ("name", .stringAttributeType)
        (points.name, points.attributeType) = ("points", .integer64AttributeType)
        let player = NSEntityDescription()
        player.name = "Player"
        player.properties = [name, points]
        player.indexes = [
            NSFetchIndexDescription(
                name: "byPoints",
                elements: [NSFetchIndexElementDescription(property: points, collationType: .binary)])
        ]
        let model = NSManagedObjectModel()
        model.entities = [player]
        return model
    }
}

/// What fetches took, in seconds, each list in order once it is asked for.
struct Measurements {
    var saves = 0
    private var walls: [Double] = []
    private var locks: [Double] = []
    private var works: [Double] = []
    private var absences: [Double] = []

    /// How long each waited for locks.
    private var waits: [Double] { locks.sorted() }
    /// How long each waited for locks while the saver was at work under them. The rest of a wait is that a thread had
    /// no processor.
    var blockages: [Double] { works.sorted() }

    mutating func add(measuring body: () throws -> Void) rethrows {
        let (wall, cpu) = (Self.clock(CLOCK_MONOTONIC), Self.clock(CLOCK_THREAD_CPUTIME_ID))
        let (waited, blocked) = (Self.waited, Self.blocked)
        try body()
        let took = Self.clock(CLOCK_MONOTONIC) - wall
        walls.append(took)
        locks.append(Self.waited - waited)
        works.append(Self.blocked - blocked)
        absences.append(max(0, took - (Self.clock(CLOCK_THREAD_CPUTIME_ID) - cpu)))
    }

    func print(_ size: Int, _ connections: String) {
        func text(_ seconds: Double) -> String { String(format: "%8.3f", seconds * 1000) }
        func share(_ list: [Double], _ part: Double) -> Double {
            list.isEmpty ? 0 : list[min(list.count - 1, Int(Double(list.count) * part))]
        }
        let (walls, absences) = (walls.sorted(), absences.sorted())
        let columns = [
            String(format: "%7d", size), connections.padding(toLength: 12, withPad: " ", startingAt: 0),
            String(format: "%6d", saves), String(format: "%8d", walls.count), text(share(walls, 0.5)),
            text(share(walls, 0.99)), text(walls.last ?? 0), text(waits.last ?? 0), text(share(blockages, 0.99)),
            text(blockages.last ?? 0) + " ms     ",
            text(share(absences, 0.99)), text(absences.last ?? 0),
        ]
        Swift.print(columns.joined(separator: " "), "ms")
    }

    private static var blocked: Double { Double(LockContention.blockedNanosecondsOfThread) * 1e-9 }
    private static var waited: Double { Double(LockContention.nanosecondsOfThread) * 1e-9 }

    private static func clock(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
