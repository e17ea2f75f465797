import CoreDataPostgreSQL
import Foundation
import Synchronization
import Testing

@testable import CoreData

/// Saves by several threads, and what each of them was told.
final class Ledger: Sendable {
    let url: URL
    /// The URLs of replicas that answer reads.
    private let replicas: [String]
    private let acknowledged = Mutex<Set<String>>([])
    private let refused = Mutex<[String: NSError]>([:])
    /// What was saved, and was not there when the same context looked for it.
    private let unseen = Mutex<Set<String>>([])

    init(_ url: URL?, replicas: [String] = []) throws {
        self.url = try #require(url)
        self.replicas = replicas
        try use(at: self.url) { context in
            for thread in 0..<8 { _ = context.insert("Player", ["name": "Counter \(thread)", "age": 0]) }
            try context.save()
        }
    }

    private func use<T>(at url: URL, _ body: (NSManagedObjectContext) throws -> T) throws -> T {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        let options: [AnyHashable: Any]? = replicas.isEmpty ? nil : [NSPersistentStoreReplicaURLsKey: replicas]
        try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: options)
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
            look(for: name, context)
        } catch {
            context.rollback()
            context.refreshAllObjects()
            refused.withLock { $0[name] = error as NSError }
        }
    }

    /// A context reads what it has saved. A read that fails says nothing.
    private func look(for name: String, _ context: NSManagedObjectContext) {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.predicate = NSPredicate(format: "name == %@", name)
        if (try? context.count(for: request)) == 0 { unseen.withLock { _ = $0.insert(name) } }
    }

    var acknowledgedCount: Int { acknowledged.withLock { $0.count } }

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
        #expect(unseen.withLock { $0 }.isEmpty, comment)
        #expect(denied.isEmpty, comment)
        #expect(Set(names).count == names.count, comment)
        #expect(counts.reduce(0, +) == names.count, comment)
        #expect(acknowledged.count > 20, comment)
    }
}
