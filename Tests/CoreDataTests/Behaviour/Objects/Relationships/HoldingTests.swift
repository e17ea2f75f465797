import CoreData
import Foundation
import Testing

/// An object with a property of its own, which goes with the object.
final class Marked: NSManagedObject {
    var mark = 0
}

/// What objects keep alive of those that their relationships lead to.
@Suite("Objects hold what was read of their relationships")
struct HoldingTests {
    private static func stack(_ players: Int = 3) throws -> Stack {
        let (roster, team, bench, benchOf) = (
            toMany("players"), toOne("team"), toMany("bench", ordered: true), toOne("benchOf")
        )
        let (next, previous) = (toOne("next"), toOne("previous"))
        let teamEntity = entity(
            "Team", className: "CoreDataTests.Marked", [attribute("name", .stringAttributeType), roster, bench])
        let player = entity(
            "Player", className: "CoreDataTests.Marked",
            [
                attribute("name", .stringAttributeType), attribute("mood", .stringAttributeType, transient: true), team,
                benchOf, next, previous,
            ])
        connect(teamEntity, roster, player, team)
        connect(teamEntity, bench, player, benchOf)
        connect(player, next, player, previous)
        let stack = try Stack(model(teamEntity, player))
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            var last: NSManagedObject?
            for number in 0..<players {
                let player = context.insert("Player", ["name": "P\(number)", "team": team, "benchOf": team])
                player.setValue(last, forKey: "previous")
                last = player
            }
            try context.save()
        }
        return stack
    }

    /// How the app reads a relationship.
    static let reads: [(name: String, read: @Sendable (NSManagedObject) -> [Marked])] = [
        ("players", { ($0.value(forKey: "players") as? NSSet)?.allObjects as? [Marked] ?? [] }),
        ("players, typed set", { Array(($0.managedMembers(ManagedKey("players")) as Set<Marked>?) ?? []) }),
        ("players, typed array", { ($0.managedFetched(ManagedKey("players")) as [Marked]?) ?? [] }),
        ("players, mutable set", { $0.mutableSetValue(forKey: "players").allObjects as? [Marked] ?? [] }),
        ("bench", { ($0.value(forKey: "bench") as? NSOrderedSet)?.array as? [Marked] ?? [] }),
        ("bench, typed array", { ($0.managedFetched(ManagedKey("bench")) as [Marked]?) ?? [] }),
        ("bench, mutable", { $0.mutableOrderedSetValue(forKey: "bench").array as? [Marked] ?? [] }),
    ]

    @Test("members keep Swift properties, transient values and their rows between two reads", arguments: reads.indices)
    func members(index: Int) throws {
        let read = Self.reads[index].read
        try Self.stack().reopened { context throws in
            let team = try #require(try context.all("Team").first)
            func mark() {
                for (place, player) in read(team).enumerated() {
                    player.mark = place + 1
                    player.setPrimitiveValue("happy", forKey: "mood")
                    _ = player.string("name")
                }
            }
            mark()
            #expect(Set(read(team).map(\.mark)) == [1, 2, 3])
            #expect(read(team).allSatisfy { !$0.isFault && $0.string("mood") == "happy" })
            // Also where members come and go, and after a save.
            let new = try #require(context.insert("Player", ["name": "new"]) as? Marked)
            for key in ["team", "benchOf"] { new.setValue(team, forKey: key) }
            let gone = try #require(read(team).first { $0.mark == 2 })
            for key in ["team", "benchOf"] { gone.setValue(nil, forKey: key) }
            #expect(Set(read(team).map(\.mark)) == [0, 1, 3])
            try context.save()
            #expect(Set(read(team).map(\.mark)) == [0, 1, 3])
            // And where another context's save is merged.
            context.refresh(team, mergeChanges: true)
            #expect(Set(read(team).map(\.mark)) == [0, 1, 3])
        }
    }

    @Test(
        "members that another context added are members after a save that follows their counting",
        arguments: reads.indices)
    func countedAndSaved(index: Int) throws {
        let read = Self.reads[index].read
        try Self.stack().reopened { context throws in
            let team = try #require(try context.all("Team").first)
            #expect(read(team).count == 3)
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            try other.performAndWait {
                let same = other.object(with: team.objectID)
                _ = other.insert("Player", ["name": "new", "team": same, "benchOf": same])
                try other.save()
            }
            context.refresh(team, mergeChanges: true)
            for key in ["players", "bench"] {
                #expect(team.objectIDs(forRelationshipNamed: key).count == 4)
            }
            team.setValue("Miami", forKey: "name")
            try context.save()
            #expect(read(team).count == 4)
        }
    }

    @Test("the destination of a to-one keeps its Swift properties, as read and as set")
    func destinations() throws {
        try Self.stack().reopened { context throws in
            let players = try context.all("Player", sortedBy: "name")
            func mark() {
                (players[0].object("team") as? Marked)?.mark = 1
                (players[1].managedToOne(ManagedKey("benchOf")) as Marked?)?.mark += 2
            }
            mark()
            #expect((players[0].object("team") as? Marked)?.mark == 3)
            func move() throws {
                let team = try #require(context.insert("Team", ["name": "Bulls"]) as? Marked)
                team.mark = 9
                players[0].setValue(team, forKey: "team")
                try context.save()
            }
            try move()
            #expect((players[0].object("team") as? Marked)?.mark == 9)
            #expect((players[0].object("next") as? Marked) === players[1])
        }
    }

    @Test("what was held goes with a refresh, a reset, and with the object; what was not read is not held")
    func lettingGo() throws {
        try Self.stack().reopened { context throws in
            weak var member: NSManagedObject?
            weak var owner: NSManagedObject?
            func hold(_ team: NSManagedObject) {
                member = (team.value(forKey: "players") as? NSSet)?.anyObject() as? NSManagedObject
                _ = team.value(forKey: "bench")
                owner = member?.object("team")
            }
            do {
                // Both ends were read: the two hold each other, as at Apple, until one of them is a fault again.
                let team = try #require(try context.all("Team").first)
                hold(team)
                #expect(member != nil && owner === team)
                context.refresh(team, mergeChanges: false)
                #expect(member == nil)
                context.processPendingChanges()
            }
            #expect(owner == nil)
            func leak() throws { hold(try #require(try context.all("Team").first)) }
            try leak()
            #expect(member != nil && owner != nil)
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(member == nil && owner == nil)
            try leak()
            context.reset()
            #expect(member == nil && owner == nil)
            // One end alone: no cycle.
            func readOneEnd() throws {
                let team = try #require(try context.all("Team").first)
                member = (team.value(forKey: "players") as? NSSet)?.anyObject() as? NSManagedObject
                #expect(member != nil)
            }
            try readOneEnd()
            #expect(member == nil)
            // Counting, and predicates, read no member.
            let team = try #require(try context.all("Team").first)
            member = try context.all("Player").first
            #expect(team.mutableSetValue(forKey: "players").count == 3)
            #expect(NSPredicate(format: "ANY players.name == 'P1'").evaluate(with: team))
            #expect(member == nil)
        }
    }

    @Test("a cycle goes with its context")
    func contexts() throws {
        let stack = try Self.stack()
        weak var member: NSManagedObject?
        func hold() throws {
            try stack.work { context throws in
                let team = try #require(try context.all("Team").first)
                for case let player as NSManagedObject in (team.value(forKey: "players") as? NSSet)?.allObjects ?? [] {
                    _ = (player.object("team"), player.object("next"), player.object("previous"))
                    member = player
                }
                _ = team.mutableOrderedSetValue(forKey: "bench")
            }
        }
        try hold()
        #expect(member == nil)
    }

    @Test("a long chain of objects that hold each other goes without a deep stack")
    func chains() async {
        await #expect(processExitsWith: .success) {
            let stack = try HoldingTests.stack(50_000)
            try stack.reopened { context throws in
                weak var last: NSManagedObject?
                func walk() throws {
                    // The first alone is held from outside: each holds the next.
                    var player = try context.all("Player", "previous == nil").first
                    let first = player
                    var count = 1
                    while let next = player?.object("next") {
                        player = next
                        count += 1
                    }
                    precondition(count == 50_000 && first?.string("name") == "P0", "\(count)")
                    last = player
                }
                try walk()
                precondition(last == nil, "the last of the chain is still there")
            }
        }
    }

    @Test("an ordered set that is changed keeps its object, until the app lets it go")
    func proxies() throws {
        try Self.stack().reopened { context throws in
            weak var team: NSManagedObject?
            var proxy: NSMutableOrderedSet?
            func take() throws {
                let first = try #require(try context.all("Team").first)
                team = first
                proxy = first.mutableOrderedSetValue(forKey: "bench")
            }
            try take()
            context.processPendingChanges()
            #expect(team != nil && proxy?.count == 3)
            proxy?.removeObject(at: 0)
            #expect(team?.hasChanges == true)
            try context.save()
            #expect(team != nil)
            proxy = nil
            context.processPendingChanges()
            #expect(team == nil)
        }
    }
}
