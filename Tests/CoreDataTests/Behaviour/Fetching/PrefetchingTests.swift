import CoreData
import Foundation
import Testing

/// What was prefetched is read without asking the store: another stack changes the store behind its back, and the old
/// values are still there.
@Suite("Prefetching")
struct PrefetchingTests {
    /// Three teams with three players each, in alphabetical order, all fans of the first team, the bench in reverse
    /// order.
    private func league(fetch: (Stack, NSManagedObjectContext) throws -> Void) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let teams = ["Bulls", "Heat", "Nets"].map { context.insert("Team", ["name": $0]) }
            for (index, team) in teams.enumerated() {
                let players = (0..<3).map { place in
                    context.insert("Player", ["name": "P\(index * 3 + place)", "age": 20 + place, "team": team])
                }
                team.setValue(players[0], forKey: "captain")
                team.setValue(NSOrderedSet(array: players.reversed()), forKey: "bench")
                players.forEach { $0.setValue(NSSet(array: [teams[0], team]), forKey: "favourites") }
            }
            try context.save()
        }
        try stack.reopened { try fetch(stack, $0) }
    }

    private func teams(_ context: NSManagedObjectContext, _ keyPaths: String...) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.relationshipKeyPathsForPrefetching = keyPaths
        return try context.fetch(request)
    }

    /// Gives all objects new names, and takes all relationships apart.
    private func change(_ stack: Stack) throws {
        try stack.reopened { context throws in
            for team in try context.all("Team") {
                team.setValue("gone", forKey: "name")
                team.setValue(nil, forKey: "captain")
                for key in ["players", "fans"] { team.setValue(NSSet(), forKey: key) }
                team.setValue(NSOrderedSet(), forKey: "bench")
            }
            for player in try context.all("Player") { player.setValue("gone", forKey: "name") }
            try context.save()
        }
    }

    @Test("members and their rows come along: one to many, many to many, ordered")
    func toMany() throws {
        try league { stack, context in
            let teams = try teams(context, "players", "fans", "bench")
            #expect(teams.allSatisfy { !$0.hasFault(forRelationshipNamed: "players") })
            try change(stack)
            #expect(
                teams.map { $0.names("players") } == [["P0", "P1", "P2"], ["P3", "P4", "P5"], ["P6", "P7", "P8"]])
            #expect(teams.map { $0.names("fans").count } == [9, 3, 3])
            #expect(teams[1].names("fans") == ["P3", "P4", "P5"])
            let bench = teams.map { ($0.value(forKey: "bench") as? NSOrderedSet)?.array ?? [] }
            #expect(bench[2].compactMap { ($0 as? NSManagedObject)?.string("name") } == ["P8", "P7", "P6"])
            context.refreshAllObjects()
            #expect(teams[0].names("players") == [], "a refresh forgets what was prefetched")
        }
    }

    @Test("key paths go on through what was prefetched")
    func keyPaths() throws {
        try league { stack, context in
            let teams = try teams(context, "captain.favourites", "players.favourites.captain")
            try change(stack)
            let captains = teams.map { $0.object("captain") }
            #expect(captains.map { $0?.string("name") } == ["P0", "P3", "P6"])
            #expect(captains[2]?.names("favourites") == ["Bulls", "Nets"])
            let favourites = (teams[1].value(forKey: "players") as? Set<NSManagedObject> ?? []).map {
                $0.names("favourites")
            }
            #expect(favourites == [["Bulls", "Heat"], ["Bulls", "Heat"], ["Bulls", "Heat"]])
        }
    }

    @Test("what was changed here stays changed, and objects without members have none")
    func changes() throws {
        try league { stack, context in
            let before = try teams(context)
            let rookie = context.insert("Player", ["name": "Rookie"])
            before[0].setValue(NSSet(array: [rookie]), forKey: "players")
            let empty = context.insert("Team", ["name": "Zebras"])
            let teams = try teams(context, "players", "captain")
            try change(stack)
            #expect(teams.map { $0.names("players") } == [["Rookie"], ["P3", "P4", "P5"], ["P6", "P7", "P8"], []])
            #expect(teams[3] === empty)
        }
    }

    @Test("what is prefetched outlasts the row cache's own memory")
    func manyMembers() throws {
        let stack = try Stack(LeagueModel.make())
        let count = 20_000
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            for age in 0..<count { _ = context.insert("Player", ["name": "old", "age": age, "team": team]) }
            try context.save()
        }
        try stack.reopened { context throws in
            let team = try #require(try teams(context, "players").first)
            // Objects that come and go make room in the cache.
            for _ in 0..<3 { #expect(try context.all("Player").count { $0.string("name") == "old" } == count) }
            try change(stack)
            let players = team.value(forKey: "players") as? NSSet
            #expect(players?.count { ($0 as? NSManagedObject)?.string("name") == "old" } == count)
        }
    }

    @Test("a key path that is no relationship is an error that names it")
    func errors() throws {
        try league { _, context in
            let error = thrown { _ = try teams(context, "players.shoes") }
            #expect(error?.localizedDescription.contains("shoes") == true)
            #expect(error?.code == NSPersistentStoreOperationError)
        }
    }
}
