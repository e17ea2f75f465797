import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import RandomSeeds
import Synchronization
import Testing

@testable import CoreData

/// Coordinators of several programs that change the same rows at the same time.
@Suite struct PostgreSQLConcurrencyTests {
    private let url: URL
    private static let counters = 3
    private static let teams = 3

    init() throws {
        url = try #require(URL(string: try PostgreSQLServer.shared.newDatabase()))
        try Self.use(url) { context in
            for number in 0..<Self.counters { _ = context.insert("Player", ["name": "Counter \(number)", "age": 0]) }
            for number in 0..<Self.teams { _ = context.insert("Team", ["name": "Team \(number)"]) }
            for number in 0..<20 { _ = context.insert("Player", ["name": "Player \(number)"]) }
            try context.save()
        }
    }

    private static func use<T>(_ url: URL, _ body: (NSManagedObjectContext) throws -> T) throws -> T {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    @Test(
        arguments: SeededGenerator.seeds(2, full: 20),
        [
            NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
            .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType, .rollbackMergePolicyType,
        ])
    func noUpdateIsLostAndInversesAgree(seed: UInt64, kind: NSMergePolicyType) throws {
        let url = url
        let counted = Mutex(0)
        let failures = Mutex<[NSError]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { thread in
            var random = SeededGenerator(seed: seed &* 100 &+ UInt64(thread))
            let failure = thrown {
                try Self.use(url) { context in
                    for number in 0..<25 {
                        if Bool.random(using: &random) {
                            try Self.count(context, &random)
                            counted.withLock { $0 += 1 }
                        } else {
                            context.mergePolicy = NSMergePolicy(merge: kind)
                            try Self.change("\(thread)-\(number)", context, &random)
                        }
                    }
                }
            }
            if let failure { failures.withLock { $0.append(failure) } }
        }
        #expect(failures.withLock { $0 }.isEmpty, "seed \(seed)")
        try Self.use(url) { context in
            let counters = try context.all("Player", "name BEGINSWITH 'Counter'")
            let sum = counters.reduce(0) { $0 + ($1.value(forKey: "age") as? Int ?? 0) }
            #expect(sum == counted.withLock { $0 } && sum > 0, "seed \(seed)")
            for player in try context.all("Player") {
                guard let team = player.object("team") else { continue }
                #expect((team.value(forKey: "players") as? Set<NSManagedObject>)?.contains(player) ?? false)
            }
            for team in try context.all("Team") {
                let members = team.value(forKey: "players") as? Set<NSManagedObject> ?? []
                #expect(members.allSatisfy { $0.object("team") === team }, "seed \(seed)")
            }
        }
    }

    /// What a save throws because of what others did meanwhile.
    private static let conflicts: Set<Int> = [
        NSManagedObjectMergeError, NSManagedObjectConstraintMergeError, NSManagedObjectReferentialIntegrityError,
    ]

    /// Saves, or takes the changes back where others were in the way.
    ///
    /// - Returns: Whether the changes are saved.
    private static func save(_ context: NSManagedObjectContext) throws -> Bool {
        do {
            try context.save()
            return true
        } catch let error as NSError where conflicts.contains(error.code) {
            context.rollback()
            return false
        }
    }

    /// Adds 1 to a counter. A conflict begins anew with the row as it is.
    private static func count(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        context.mergePolicy = NSMergePolicy.error
        let name = "Counter \(Int.random(in: 0..<counters, using: &random))"
        while true {
            context.refreshAllObjects()
            let counter = try #require(try context.all("Player", "name == '\(name)'").first)
            counter.setValue((counter.value(forKey: "age") as? Int ?? 0) + 1, forKey: "age")
            if try save(context) { return }
        }
    }

    /// Moves a player to another team, inserts one, or deletes one. What others did to it meanwhile is settled by the
    /// context's policy.
    private static func change(
        _ name: String, _ context: NSManagedObjectContext, _ random: inout SeededGenerator
    ) throws {
        let players = try context.all("Player", "name BEGINSWITH 'Player'")
        let teams = try context.all("Team")
        switch Int.random(in: 0..<4, using: &random) {
        case 0: _ = context.insert("Player", ["name": "Player \(name)", "team": teams[0]])
        case 1: if let player = players.randomElement(using: &random) { context.delete(player) }
        default: players.randomElement(using: &random)?.setValue(teams.randomElement(using: &random), forKey: "team")
        }
        _ = try save(context)
    }
}
