import CoreData
import Foundation
import RandomSeeds

/// One of the processes: four contexts of a coordinator, each on a thread of its own, until the time is up.
///
/// Each save inserts an entry with a name of its own. The ledger has a line for each: `+name` if the save succeeded,
/// `-name` if it threw. A line `!error` tells of a failure that no other writer brings about.
struct Writer {
    private static let contexts = 4

    private let url: URL
    private let policy: NSMergePolicy
    private let end: Date
    private let seed: UInt64
    private let ledger: Int32

    init(_ arguments: [String]) throws {
        guard let url = URL(string: arguments[0]), let kind = UInt(arguments[1]),
            let type = NSMergePolicyType(rawValue: kind), let seconds = Double(arguments[2]),
            let seed = UInt64(arguments[3])
        else { throw CocoaError(.formatting) }
        (self.url, policy, self.seed) = (url, NSMergePolicy(merge: type), seed)
        end = Date(timeIntervalSinceNow: seconds)
        ledger = open(arguments[4], O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }

    func run() throws {
        guard let coordinator = opened() else { return }
        let writer = self
        DispatchQueue.concurrentPerform(iterations: Self.contexts) { thread in
            let context = WritersStore.context(coordinator)
            var random = SeededGenerator(seed: writer.seed &* 16 &+ UInt64(thread))
            var number = 0
            while Date() < writer.end {
                number += 1
                // What can't be read now may be so in a moment.
                do {
                    try context.performAndWait {
                        try writer.work("\(writer.seed)-\(thread)-\(number)", context, &random)
                    }
                } catch {
                    writer.note("!", error)
                }
            }
        }
    }

    /// A server that is away now may be there in a moment.
    private func opened() -> NSPersistentStoreCoordinator? {
        while Date() < end {
            do { return try WritersStore.open(url) } catch { note("!", error) }
            usleep(50_000)
        }
        return nil
    }

    private func work(_ name: String, _ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        if random.chance(40) {
            try count("count " + name, context, &random)
        } else {
            context.mergePolicy = policy
            try change("change " + name, context, &random)
        }
    }

    /// Adds 1 to a counter that all share. A conflict begins anew with the row as it is.
    private func count(_ name: String, _ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        context.mergePolicy = NSMergePolicy.error
        let counter = "\(Int.random(in: 0..<WritersStore.counters, using: &random))"
        for attempt in 0..<1_000 {
            context.refreshAllObjects()
            guard let counter = try WritersStore.all("Counter", in: context, named: counter).first else { return }
            counter.setValue((counter.value(forKey: "value") as? Int64 ?? 0) + 1, forKey: "value")
            if try save("\(name) \(attempt)", context) { return }
        }
    }

    /// Moves some players to another team, inserts one, gives one another name, deletes one, or changes the fans or the
    /// captains of a team.
    private func change(_ name: String, _ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        if random.chance(30) { context.refreshAllObjects() }
        let players = try WritersStore.all("Player", in: context)
        let teams = try WritersStore.all("Team", in: context)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: WritersStore.insert("Player", named: name, into: context).setValue(teams[0], forKey: "team")
        case 1: if players.count > 20, let player = players.randomElement(using: &random) { context.delete(player) }
        // Others give the same name at the same time: the constraint decides.
        case 2:
            players.randomElement(using: &random)?.setValue(
                "star \(Int.random(in: 0..<5, using: &random))", forKey: "name")
        case 3: if let team = teams.randomElement(using: &random) { changeFans(of: team, players, &random) }
        case 4: if let team = teams.randomElement(using: &random) { changeCaptains(of: team, players, &random) }
        default:
            for player in players.shuffled(using: &random).prefix(3) {
                player.setValue(teams.randomElement(using: &random), forKey: "team")
            }
        }
        _ = try save(name, context)
    }

    private func changeFans(of team: NSManagedObject, _ players: [NSManagedObject], _ random: inout SeededGenerator) {
        let fans = team.mutableSetValue(forKey: "fans")
        for player in players.shuffled(using: &random).prefix(2) {
            if fans.contains(player) { fans.remove(player) } else { fans.add(player) }
        }
    }

    /// Each team has a few captains, in an order that changes.
    private func changeCaptains(
        of team: NSManagedObject, _ players: [NSManagedObject], _ random: inout SeededGenerator
    ) {
        let captains = team.mutableOrderedSetValue(forKey: "captains")
        if captains.count > 4 || captains.count > 0 && random.chance(30) {
            captains.removeObject(at: Int.random(in: 0..<captains.count, using: &random))
        } else if let player = players.randomElement(using: &random), !captains.contains(player) {
            captains.insert(player, at: Int.random(in: 0...captains.count, using: &random))
        }
    }

    /// Saves, or takes the changes back.
    ///
    /// - Returns: Whether the save succeeded.
    private func save(_ name: String, _ context: NSManagedObjectContext) throws -> Bool {
        WritersStore.insert("Entry", named: name, into: context)
        do {
            try context.save()
            note("+" + name)
            return true
        } catch {
            context.rollback()
            note("-" + name)
            if !Self.conflicts.contains((error as NSError).code) { note("!", error) }
            return false
        }
    }

    /// What a save throws because of what others did meanwhile.
    private static let conflicts: Set<Int> = [
        NSManagedObjectMergeError, NSManagedObjectConstraintMergeError, NSManagedObjectReferentialIntegrityError,
    ]

    private func note(_ mark: String, _ error: any Error) {
        note(mark + "\(error)".replacing("\n", with: " "))
    }

    private func note(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        precondition(write(ledger, bytes, bytes.count) == bytes.count, "the ledger can't be written")
    }
}
