import CoreData
import Foundation
import Testing

/// The set of a to-many as it was handed out, while members come and go.
@Suite("Sets of relationships")
struct MemberViewTests {
    @Test("a set that is held shows every change of a member, also by the other side, undo and deletion")
    func live() throws {
        let stack = try PlayersByAge.stack(5)
        try stack.reopened { context throws in
            context.undoManager = UndoManager()
            let team = try #require(try context.all("Team").first)
            let players = try context.all("Player", sortedBy: "age")
            let set = try #require(team.value(forKey: "players") as? NSSet)
            func expect(_ members: [NSManagedObject], _ what: String) {
                #expect(set.count == members.count && members.allSatisfy(set.contains), "\(what)")
                let now = team.value(forKey: "players") as? NSSet
                #expect(now.map { Set($0.allObjects.compactMap { $0 as? NSManagedObject }) } == Set(members), "\(what)")
                #expect(team.mutableSetValue(forKey: "players").count == members.count, "\(what)")
            }
            expect(players, "all")
            players[0].setValue(nil, forKey: "team")
            expect(Array(players[1...]), "left")
            team.mutableSetValue(forKey: "players").remove(players[1])
            expect(Array(players[2...]), "removed")
            team.mutableSetValue(forKey: "players").add(players[0])
            expect([players[0]] + players[2...], "added")
            context.processPendingChanges()
            context.undo()
            expect(players, "undone")
            context.redo()
            expect([players[0]] + players[2...], "redone")
            context.delete(players[4])
            context.processPendingChanges()
            expect([players[0]] + players[2...3], "deleted")
            try context.save()
            expect([players[0]] + players[2...3], "saved")
            players[2].setValue(nil, forKey: "team")
            expect([players[0], players[3]], "after the save")
            context.rollback()
            #expect(team.names("players").count == 3)
        }
    }

    /// The members of a set or an ordered set.
    private func names(_ set: NSObject?) -> [String] {
        let members = (set as? NSSet)?.allObjects ?? (set as? NSOrderedSet)?.array ?? []
        return members.compactMap { ($0 as? NSManagedObject)?.string("name") }.sorted()
    }

    @Test("a set that is held follows a rollback, and stays the relationship's", arguments: ["players", "bench"])
    func rollback(key: String) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = ["Bosh", "James"].map { context.insert("Player", ["name": $0]) }
            team.setValue(key == "bench" ? NSOrderedSet(array: players) : NSSet(array: players), forKey: key)
            try context.save()
            let set = team.value(forKey: key) as? NSObject
            func change() {
                let wade = context.insert("Player", ["name": "Wade"])
                wade.setValue(team, forKey: key == "bench" ? "benchOf" : "team")
                players[0].setValue(nil, forKey: key == "bench" ? "benchOf" : "team")
            }
            change()
            #expect(names(set) == ["James", "Wade"])
            context.rollback()
            #expect(names(set) == ["Bosh", "James"])
            change()
            #expect(names(set) == ["James", "Wade"])
            #expect(team.value(forKey: key) as? NSObject === set)
            context.rollback()
            // An insertion that is given up takes its members along.
            let new = context.insert("Team", ["name": "New"])
            let newSet = new.value(forKey: key) as? NSObject
            players[0].setValue(new, forKey: key == "bench" ? "benchOf" : "team")
            #expect(names(newSet) == ["Bosh"])
            context.rollback()
            #expect(names(set) == ["Bosh", "James"])
        }
    }

    @Test(
        "a set that is held gives up changes with a refresh, and shows what others saved when the relationship is read next"
    )
    func refresh() throws {
        let stack = try PlayersByAge.stack(2)
        try stack.work { context throws in
            let team = try #require(try context.all("Team").first)
            let set = try #require(team.value(forKey: "players") as? NSSet)
            context.insert("Player", ["name": "mine"]).setValue(team, forKey: "team")
            #expect(set.count == 3)
            context.refresh(team, mergeChanges: false)
            #expect(set.count == 2 && team.isFault)
            try stack.work { other throws in
                other.insert("Player", ["name": "theirs"]).setValue(other.object(with: team.objectID), forKey: "team")
                try other.save()
            }
            for keepsChanges in [false, true] {
                context.refresh(team, mergeChanges: keepsChanges)
                #expect(team.value(forKey: "players") as? NSSet === set && set.count == 3)
            }
            try stack.work { other throws in
                other.insert("Player", ["name": "more"]).setValue(other.object(with: team.objectID), forKey: "team")
                try other.save()
            }
            context.refresh(team, mergeChanges: true)
            #expect(team.value(forKey: "players") as? NSSet === set && set.count == 4)
        }
    }

    @Test("looking at a changed relationship does not cost as much as it has members")
    func cost() throws {
        // Long enough that a set made anew for each look takes half a minute, and one that is kept a moment.
        let count = 20_000
        let stack = try PlayersByAge.stack(count)
        try stack.reopened { context throws in
            let team = try #require(try context.all("Team").first)
            let players = try context.all("Player")
            let start = ContinuousClock.now
            for (left, player) in players.prefix(1000).enumerated() {
                player.setValue(nil, forKey: "team")
                let set = team.value(forKey: "players") as? NSSet
                #expect(set?.count == count - left - 1 && set?.contains(player) == false)
            }
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }

    @Test("a changed set keeps its members beyond the save, until its object is a fault again")
    func memory() throws {
        let stack = try PlayersByAge.stack(3)
        try stack.reopened { context throws in
            let team = try #require(try context.all("Team").first)
            team.mutableSetValue(forKey: "players").add(context.insert("Player", ["name": "new"]))
            weak var old: NSManagedObject?
            func look() {
                let set = team.value(forKey: "players") as? NSSet
                old = set?.allObjects.compactMap { $0 as? NSManagedObject }.first { !$0.isInserted }
                #expect(set?.count == 4)
            }
            look()
            #expect(old != nil)
            try context.save()
            #expect(old != nil)
            context.refresh(team, mergeChanges: false)
            #expect(old == nil)
        }
    }

    @Test("what value(forKey:) and typed properties hand out can't put the relationship out of step")
    func handedOut() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = ["A", "B", "C"].map { context.insert("Player", ["name": $0, "team": team, "benchOf": team]) }
            try context.save()
            // An unordered set can't be changed, and is of Foundation's own class: it casts to a Swift set.
            for set in [team.value(forKey: "players"), team.managedToMany(ManagedKey("players"))] {
                #expect(set is NSSet && !(set is NSMutableSet) && type(of: set as AnyObject) == NSSet.self)
                #expect(set as? Set<NSManagedObject> == Set(players))
            }
            // It follows all the same.
            let set = try #require(team.value(forKey: "players") as? NSSet)
            players[0].setValue(nil, forKey: "team")
            #expect(set.count == 2 && !set.contains(players[0]) && !(set is NSMutableSet))
            #expect(Set(set.allObjects.compactMap { ($0 as? NSManagedObject)?.string("name") }) == ["B", "C"])
            // A change of an ordered set is one of the relationship.
            for change in 0..<2 {
                let handed = change == 0 ? team.value(forKey: "bench") : team.managedOrderedToMany(ManagedKey("bench"))
                let bench = try #require(handed as? NSMutableOrderedSet)
                bench.remove(players[change])
                #expect(players[change].object("benchOf") == nil)
                #expect((team.value(forKey: "bench") as? NSOrderedSet)?.count == 2 - change)
            }
            // A Swift set or array is the app's own.
            var typed: Set<NSManagedObject> = team.managedMembers(ManagedKey("players")) ?? []
            typed.removeAll()
            var array: [NSManagedObject] = team.managedFetched(ManagedKey("players")) ?? []
            array.removeLast()
            #expect(team.names("players") == ["B", "C"] && array.count == 1)
            #expect((team.managedMembers(ManagedKey("players")) as Set<NSManagedObject>?)?.count == 2)
            // A primitive value is one's own until a change is announced.
            let primitive = try #require(team.primitiveValue(forKey: "players") as? NSMutableSet)
            primitive.removeAllObjects()
            #expect(team.names("players") == ["B", "C"])
            try context.save()
        }
        try stack.reopened { context throws in
            let team = try #require(try context.all("Team").first)
            #expect(team.names("players") == ["B", "C"] && team.names("bench") == ["C"])
        }
    }
}
