import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import RandomSeeds
import Synchronization
import Testing

@testable import CoreData

/// Connections that break at any byte, sessions and servers that are killed: a save is carried out wholly or not at
/// all, once, and is reported so.
@Suite struct PostgreSQLFailureTests {
    @Test(arguments: SeededGenerator.seeds(2, full: 40))
    func savesOverConnectionsThatAreCutAreReportedAsTheyWere(seed: UInt64) throws {
        let server = try PostgreSQLServer.shared
        let random = Mutex(SeededGenerator(seed: seed))
        let direct = try server.newDatabase()
        let database = try #require(URLComponents(string: direct)?.path.dropFirst())
        let proxy = try CuttingProxy(to: server) {
            random.withLock { random in
                // Some connections are cut while they are opened.
                Int.random(in: Int.random(in: 0..<10, using: &random) == 0 ? 0...2_000 : 2_000...40_000, using: &random)
            }
        }
        defer { proxy.stop() }
        let ledger = try Ledger(URL(string: direct))
        ledger.fill(by: 4, saves: 40, at: URL(string: proxy.url(database: String(database))))
        #expect(proxy.cutCount > 0)
        try ledger.check("seed \(seed)")
    }

    @Test func savesBesideAServerThatIsStoppedAndSessionsThatAreKilledAreReportedAsTheyWere() throws {
        let server = try PostgreSQLServer(durability: .full)
        let ledger = try Ledger(URL(string: server.newDatabase()))
        let disturbance = Disturbance {
            usleep(300_000)
            if (try? server.stop(.immediate)) != nil { try? server.start() }
        }
        ledger.fill(by: 4, saves: 40, at: ledger.url)
        disturbance.end()
        try ledger.check("a server that is stopped")
    }
}

/// Does something again and again, on a thread of its own.
private final class Disturbance: Sendable {
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while !isEnding.load(ordering: .relaxed) { body() }
            hasEnded.signal()
        }
    }

    /// Waits until nothing is done any more.
    func end() {
        isEnding.store(true, ordering: .relaxed)
        hasEnded.wait()
    }
}

/// Saves by several threads, and what each of them was told.
private final class Ledger: Sendable {
    let url: URL
    private let acknowledged = Mutex<Set<String>>([])
    private let refused = Mutex<[String: NSError]>([:])

    init(_ url: URL?) throws {
        self.url = try #require(url)
        try use(at: self.url) { context in
            for thread in 0..<8 { _ = context.insert("Player", ["name": "Counter \(thread)", "age": 0]) }
            try context.save()
        }
    }

    private func use<T>(at url: URL, _ body: (NSManagedObjectContext) throws -> T) throws -> T {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    /// Each save inserts a team, and counts itself in a row that the thread's saves share.
    func fill(by threads: Int, saves: Int, at url: URL?) {
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var number = 0
            while number < saves {
                // A store that can't be opened now can be opened later.
                try? use(at: url ?? self.url) { context in
                    let counter = try context.all("Player", "name == 'Counter \(thread)'").first
                    while number < saves, let counter {
                        number += 1
                        save("\(thread)-\(number)", counter, context)
                    }
                }
            }
        }
    }

    private func save(_ name: String, _ counter: NSManagedObject, _ context: NSManagedObjectContext) {
        do {
            _ = context.insert("Team", ["name": name])
            counter.setValue((counter.value(forKey: "age") as? Int ?? 0) + 1, forKey: "age")
            try context.save()
            acknowledged.withLock { _ = $0.insert(name) }
        } catch {
            context.rollback()
            context.refreshAllObjects()
            refused.withLock { $0[name] = error as NSError }
        }
    }

    /// - Parameter comment: What was done to the connections.
    func check(_ comment: Comment) throws {
        let (names, counts) = try use(at: url) { context in
            (
                try context.all("Team").map { $0.string("name") ?? "" },
                try context.all("Player", "name BEGINSWITH 'Counter'").map { $0.value(forKey: "age") as? Int ?? 0 }
            )
        }
        let acknowledged = acknowledged.withLock { $0 }
        let lost = acknowledged.subtracting(names)
        let errors = refused.withLock { $0 }
        let denied = Set(names).subtracting(acknowledged).map { "\($0): \(errors[$0]?.description ?? "never tried")" }
        #expect(lost.isEmpty, comment)
        #expect(denied.isEmpty, comment)
        #expect(Set(names).count == names.count, comment)
        #expect(counts.reduce(0, +) == names.count, comment)
        #expect(acknowledged.count > 20, comment)
    }
}
