import CoreData
import Foundation
import RandomSeeds

/// One thread with a context: it inserts, changes, deletes, reads and merges what others do.
struct Worker {
    private let league: League
    private let index: Int
    private let context: NSManagedObjectContext
    private var random: SeededGenerator
    /// Players that this worker alone deletes: so their number is known without asking.
    private var own: [NSManagedObjectID] = []

    init(_ league: League, index: Int, seed: UInt64) {
        self.league = league
        self.index = index
        // Three of them have one parent.
        context = league.context(isChild: index > 4)
        random = SeededGenerator(seed: seed)
        // Half of them take over what others save by themselves.
        context.automaticallyMergesChangesFromParent = index.isMultiple(of: 2)
    }

    /// One thing to do, saved.
    mutating func turn() throws {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 8: try insert(into: context)
        case 1: try insertByChild()
        case 2: try delete()
        case 3: try change()
        case 4: try rename()
        case 5: try readAll()
        case 6: readInBackground()
        default: context.performAndWait { Bool.random(using: &random) ? context.reset() : context.refreshAllObjects() }
        }
    }

    /// Waits for what the context has still to do.
    func finish() { context.performAndWait {} }

    /// Inserts by a child of the context, on a queue of its own.
    private mutating func insertByChild() throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        try insert(into: child)
    }

    private mutating func insert(into target: NSManagedObjectContext) throws {
        let count = Int.random(in: 1...20, using: &random)
        let (team, index) = (team(), index)
        let ids = try target.performAndWait {
            let players = (0..<count).map { number in
                let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: target)
                player.setValue("Player \(index).\(number)", forKey: "name")
                player.setValue(target.object(with: team), forKey: "team")
                return player
            }
            try Self.save(target)
            return players.map(\.objectID)
        }
        own += ids
        league.saves.withLock { $0 += 1 }
        league.players.withLock { $0 += count }
    }

    private mutating func delete() throws {
        guard own.count > 50 else { return }
        let gone = own.prefix(10)
        own.removeFirst(10)
        try context.performAndWait {
            for id in gone { context.delete(try context.existingObject(with: id)) }
            try save()
        }
        league.players.withLock { $0 -= gone.count }
    }

    private mutating func change() throws {
        let team = team()
        let points = Int.random(in: 0..<100, using: &random)
        let chosen = own.shuffled(using: &random).prefix(5)
        try context.performAndWait {
            for id in chosen {
                let player = context.object(with: id)
                player.setValue(points, forKey: "points")
                player.setValue(context.object(with: team), forKey: "team")
            }
            try save()
        }
    }

    /// What all workers change: conflicts, which the policy settles.
    private mutating func rename() throws {
        let team = team()
        let wins = Int.random(in: 0..<1000, using: &random)
        try context.performAndWait {
            context.object(with: team).setValue(wins, forKey: "wins")
            try save()
        }
    }

    private func readAll() throws {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.fetchLimit = 200
            for player in try context.fetch(request) {
                guard let team = player.value(forKey: "team") as? NSManagedObject else { continue }
                guard (team.value(forKey: "name") as? String)?.hasPrefix("Team") ?? false else {
                    throw Mistake(text: "a team has lost its name")
                }
            }
        }
    }

    /// Objects that lose their last reference on another thread than the context's.
    private func readInBackground() {
        let context = context
        context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.fetchLimit = 50
            guard let players = try? context.fetch(request) else { return }
            nonisolated(unsafe) let held = players
            DispatchQueue.global().async { withExtendedLifetime(held) {} }
        }
    }

    private func save() throws {
        try Self.save(context)
        league.saves.withLock { $0 += 1 }
    }

    /// Saves a context, and those that it saves to.
    private static func save(_ context: NSManagedObjectContext) throws {
        for context in sequence(first: context, next: \.parent) {
            try context.performAndWait { try context.save() }
        }
    }

    private mutating func team() -> NSManagedObjectID {
        league.teams[Int.random(in: 0..<league.teams.count, using: &random)]
    }
}
