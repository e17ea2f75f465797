import CoreData
import Foundation
import RandomSeeds
import Testing

/// A random family of contexts on queues of all kinds, which several threads and the main thread use at once.
final class FamilyDriver: @unchecked Sendable {
    // Unchecked: the contexts are used on their queues, the counter has a lock, and the stack is used before and after
    // the threads.
    private let seed: UInt64
    private let waitsAnywhere: Bool
    private let stack: Stack
    /// A parent before its children.
    private let contexts: [NSManagedObjectContext]
    private let inserted = Ordinal()

    /// - Parameter waitsAnywhere: Whether blocks wait for any context of the family, so that the app itself makes
    ///   circles; otherwise they wait for contexts below theirs.
    init(seed: UInt64, waitsAnywhere: Bool) throws {
        self.seed = seed
        self.waitsAnywhere = waitsAnywhere
        stack = try Stack(LeagueModel.make())
        var random = SeededGenerator(seed: seed)
        var contexts: [NSManagedObjectContext] = []
        for number in 0..<Int.random(in: 2...6, using: &random) {
            let isMain = Int.random(in: 0..<3, using: &random) == 0
            let context = NSManagedObjectContext(
                concurrencyType: isMain ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
            context.name = "\(number)"
            if let parent = contexts.randomElement(using: &random) {
                context.parent = parent
            } else {
                context.persistentStoreCoordinator = stack.coordinator
            }
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.automaticallyMergesChangesFromParent = Bool.random(using: &random)
            contexts.append(context)
        }
        self.contexts = contexts
    }

    /// Has three threads and the main thread use the contexts; then saves all, and counts what the store has.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask { try await self.useOnThread(number) }
            }
            group.addTask { try await self.useOnMain() }
            try await group.waitForAll()
        }
        for context in contexts.reversed() { try await context.perform { () throws in try context.save() } }
        try stack.reopened { [inserted, seed] context throws in
            let count = try context.all("Team").count
            #expect(count == inserted.value, "seed \(seed): \(count) of \(inserted.value)")
        }
    }

    private func useOnThread(_ user: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try self.use(user, steps: 30) }) }.start()
        }
    }

    @MainActor private func useOnMain() async throws {
        for turn in 0..<10 {
            try use(100 + turn, steps: 3)
            await Task.yield()
        }
    }

    private func use(_ user: Int, steps: Int) throws {
        var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(user))
        for _ in 0..<steps {
            var path: [NSManagedObjectContext] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                guard let next = candidates(after: path.last).randomElement(using: &random) else { break }
                path.append(next)
            }
            try go(path[...], &random)
        }
    }

    /// What a block of a context may wait for: contexts below it, as its children ask it, or any if `waitsAnywhere`.
    private func candidates(after context: NSManagedObjectContext?) -> [NSManagedObjectContext] {
        guard let context, !waitsAnywhere else { return contexts }
        return contexts.filter { other in sequence(first: other, next: \.parent).contains { $0 === context } }
    }

    /// Waits for one context's queue within the other's, and does something in each.
    private func go(_ path: ArraySlice<NSManagedObjectContext>, _ random: inout SeededGenerator) throws {
        guard let context = path.first else { return }
        try context.performAndWait {
            try act(in: context, &random)
            try go(path.dropFirst(), &random)
            if Bool.random(using: &random) { try act(in: context, &random) }
        }
    }

    private func act(in context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            _ = context.insert("Team", ["name": "\(inserted.next())"])
        case 2:
            _ = try context.all("Team").map { $0.string("name") }
        case 3:
            try context.save()
        case 4:
            context.perform { _ = try? context.all("Team").map { $0.string("name") } }
        default:
            context.perform { try? context.save() }
        }
    }
}

/// Counts what several threads do.
private final class Ordinal: @unchecked Sendable {
    // Unchecked: under the lock.
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }
    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
