import CoreData
import Foundation
import Testing

// The actor of the article "Contexts, queues and actors"; what stands between the marks is in it word for word.

// <article>
/// Runs an actor's code on a context's queue.
final class ContextExecutor: SerialExecutor {
    let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        context.perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Players, by an actor that has a context to itself: its methods use objects without `perform`.
actor PlayerStore {
    private nonisolated let executor: ContextExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var context: NSManagedObjectContext { executor.context }

    init(_ coordinator: NSPersistentStoreCoordinator) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        executor = ContextExecutor(context)
    }

    func add(_ name: String, age: Int) throws -> NSManagedObjectID {
        let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: context)
        player.setValue(name, forKey: "name")
        player.setValue(age, forKey: "age")
        try context.save()
        return player.objectID
    }

    func names(olderThan age: Int) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.predicate = NSPredicate(format: "age > %d", age)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }
}
// </article>

@Suite("Actors over contexts")
struct ActorTests {
    @Test("an actor on a context's queue uses its objects without perform, also where that is checked")
    func executor() async throws {
        await #expect(processExitsWith: .success) {
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            let stack = try Stack(LeagueModel.make())
            let store = PlayerStore(stack.coordinator)
            try await withThrowingTaskGroup(of: NSManagedObjectID.self) { group in
                for age in 20..<40 { group.addTask { try await store.add("Player \(age)", age: age) } }
                var ids: Set<NSManagedObjectID> = []
                for try await id in group { ids.insert(id) }
                precondition(ids.count == 20 && ids.allSatisfy { !$0.isTemporaryID })
            }
            let names = try await store.names(olderThan: 37)
            precondition(names == ["Player 38", "Player 39"], "\(names)")
        }
    }

    /// Undoes on the main queue by an executor of its own, which is not the main actor's.
    private actor Undoer {
        private nonisolated let executor: ContextExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ context: NSManagedObjectContext) { executor = ContextExecutor(context) }

        func renameAndUndo(_ id: NSManagedObjectID) -> String? {
            let context = executor.context
            let player = context.object(with: id)
            context.undoManager = UndoManager()
            player.setValue("Bea", forKey: "name")
            context.undo()
            return player.value(forKey: "name") as? String
        }
    }

    @Test("an actor on the main queue undoes what it changed")
    func undoingOnTheMainQueue() async throws {
        let stack = try Stack(LeagueModel.make())
        let id = try await PlayerStore(stack.coordinator).add("Ann", age: 20)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        #expect(await Undoer(context).renameAndUndo(id) == "Ann")
    }

    @Test("the article shows the actor as it is here")
    func article() throws {
        let page = try String(
            contentsOf: TestFolders.package.appendingPathComponent("Sources/CoreData/CoreData.docc/Concurrency.md"),
            encoding: .utf8
        )
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let parts = source.components(separatedBy: "// <article>\n").dropFirst()
        let code = try #require(parts.first?.components(separatedBy: "// </article>").first)
        #expect(page.contains("```swift\n" + code + "```"))
    }
}
