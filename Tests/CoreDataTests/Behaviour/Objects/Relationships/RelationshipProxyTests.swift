import CoreData
import Foundation
import Testing

@Suite("Every way to change what mutableSetValue and mutableOrderedSetValue give reaches the relationship")
struct RelationshipProxyTests {
    /// A change, and the names of the players that it is given: two members (A, C of A…E) and two others (X, Y).
    typealias Change<Members> = (name: String, change: @Sendable (Members, [NSManagedObject]) -> Void)

    private static let orderedChanges: [Change<NSMutableOrderedSet>] = [
        ("add", { $0.add($1[2]) }),
        ("add a member", { $0.add($1[0]) }),
        ("add, count", { $0.add([$1[2], $1[3]], count: 2) }),
        ("addObjects", { $0.addObjects(from: $1) }),
        ("insert", { $0.insert($1[2], at: 1) }),
        ("insert at indexes", { $0.insert([$1[2], $1[3]], at: [0, 3]) }),
        ("exchange", { members, _ in members.exchangeObject(at: 0, withObjectAt: 4) }),
        ("move", { members, _ in members.moveObjects(at: [0, 1], to: 2) }),
        ("setObject", { $0.setObject($1[2], at: 2) }),
        ("subscript", { $0[1] = $1[2] }),
        ("replace", { $0.replaceObject(at: 4, with: $1[2]) }),
        ("replace at indexes", { $0.replaceObjects(at: [1, 3], with: [$1[2], $1[3]]) }),
        (
            "replace in range",
            { $0.replaceObjects(in: NSRange(location: 1, length: 2), with: [$1[2], $1[3]], count: 2) }
        ),
        ("remove", { $0.remove($1[1]) }),
        ("remove no member", { $0.remove($1[2]) }),
        ("remove at", { members, _ in members.removeObject(at: 3) }),
        ("remove range", { members, _ in members.removeObjects(in: NSRange(location: 1, length: 3)) }),
        ("remove at indexes", { members, _ in members.removeObjects(at: [0, 2, 4]) }),
        ("remove array", { $0.removeObjects(in: $1) }),
        ("remove all", { members, _ in members.removeAllObjects() }),
        (
            "intersect",
            {
                // Foundation's own set on Linux never comes back from this.
                let isPlain = type(of: $0) == NSMutableOrderedSet.self
                isPlain ? $0.intersectSet(Set($1)) : $0.intersect(NSOrderedSet(array: $1))
            }
        ),
        ("intersect a set", { $0.intersectSet(Set($1)) }),
        ("minus", { $0.minus(NSOrderedSet(array: $1)) }),
        ("minus a set", { $0.minusSet(Set($1)) }),
        ("union", { $0.union(NSOrderedSet(array: $1)) }),
        ("union a set", { $0.unionSet(Set($1.dropLast())) }),
        ("sort", { members, _ in members.sort(comparator: descending) }),
        ("sort with options", { members, _ in members.sort(options: .stable, usingComparator: descending) }),
        (
            "sort a range",
            { members, _ in
                members.sortRange(NSRange(location: 1, length: 3), options: [], usingComparator: descending)
            }
        ),
    ]

    private static let changes: [Change<NSMutableSet>] = [
        ("add", { $0.add($1[2]) }),
        ("addObjects", { $0.addObjects(from: $1) }),
        ("remove", { $0.remove($1[0]) }),
        ("remove all", { members, _ in members.removeAllObjects() }),
        ("intersect", { $0.intersect(Set($1)) }),
        ("minus", { $0.minus(Set($1)) }),
        ("union", { $0.union(Set($1)) }),
        ("setSet", { $0.setSet(Set($1)) }),
    ]

    @Test("ordered", arguments: orderedChanges.indices)
    func ordered(index: Int) throws {
        let (name, change) = Self.orderedChanges[index]
        try check(name, "bench", "benchOf") { team, given in
            let plain = NSMutableOrderedSet(array: team.mutableOrderedSetValue(forKey: "bench").array)
            change(plain, given)
            let proxy = team.mutableOrderedSetValue(forKey: "bench")
            change(proxy, given)
            #expect(Self.names(proxy.array) == Self.names(plain.array), "\(name): the proxy itself")
            #expect(Self.names((0..<proxy.count).map { proxy[$0] }) == Self.names(plain.array), "\(name): by index")
            return Self.names(plain.array)
        }
    }

    @Test("unordered", arguments: changes.indices)
    func unordered(index: Int) throws {
        let (name, change) = Self.changes[index]
        try check(name, "players", "team") { team, given in
            let plain = NSMutableSet(array: team.mutableSetValue(forKey: "players").allObjects)
            change(plain, given)
            let proxy = team.mutableSetValue(forKey: "players")
            change(proxy, given)
            #expect(proxy.count == plain.count && plain.allSatisfy { proxy.contains($0) }, "\(name): the proxy itself")
            return Self.names(plain.allObjects).sorted()
        }
    }

    @Test("a proxy shows what was changed past it")
    func changesPastTheProxy() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = ["A", "B", "C"].map { context.insert("Player", ["name": $0]) }
            let proxy = team.mutableOrderedSetValue(forKey: "bench")
            for player in players { player.setValue(team, forKey: "benchOf") }
            proxy.removeObject(at: 1)
            proxy.addObjects(from: [players[1]])
            #expect(Self.names(proxy.array) == ["A", "C", "B"])
            #expect(players.allSatisfy { $0.object("benchOf") === team })
        }
    }

    @Test("a proxy is the relationship, whatever changed it and however it is read")
    func agreement() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            context.undoManager = UndoManager()
            let team = context.insert("Team", ["name": "Heat"])
            let players = ["A", "B", "C", "D"].map { context.insert("Player", ["name": $0]) }
            for player in players.prefix(3) { player.setValue(team, forKey: "benchOf") }
            try context.save()
            let proxy = team.mutableOrderedSetValue(forKey: "bench")
            func expect(_ members: [String]?, _ what: String, isFault: Bool = false) throws {
                // Those first that read the storage alone.
                #expect(team.isFault == isFault, "\(what)")
                let iterated = Self.names(proxy.map { $0 })
                let (first, last) = (proxy.firstObject as? NSManagedObject, proxy.lastObject as? NSManagedObject)
                let reversed = Self.names(proxy.reversed.array)
                let filtered = proxy.filtered(using: NSPredicate(format: "name != 'Z'"))
                let ids = team.objectIDs(forRelationshipNamed: "bench")
                let truth = Self.names(ids.map { context.object(with: $0) })
                if let members { #expect(truth == members, "\(what)") }
                #expect(iterated == truth && Self.names(proxy.array) == truth, "\(what)")
                #expect(first?.objectID == ids.first && last?.objectID == ids.last, "\(what)")
                #expect(reversed == truth.reversed() && Self.names(filtered.array) == truth, "\(what)")
                #expect(proxy.count == truth.count && proxy.set.count == truth.count, "\(what)")
                #expect(Self.names((proxy.copy() as? NSOrderedSet)?.array ?? []) == truth, "\(what)")
                #expect(Self.names((0..<proxy.count).map { proxy.object(at: $0) }) == truth, "\(what)")
                let kept = team.value(forKey: "bench") as? NSOrderedSet
                #expect(Self.names(kept?.array ?? []) == truth, "\(what)")
                let typed: [NSManagedObject]? = team.managedFetched(ManagedKey("bench"))
                #expect(Self.names(typed ?? []) == truth, "\(what)")
            }
            try expect(["A", "B", "C"], "made")
            context.undoManager?.removeAllActions()
            players[3].setValue(team, forKey: "benchOf")
            players[0].setValue(nil, forKey: "benchOf")
            try expect(["B", "C", "D"], "by the other side")
            context.processPendingChanges()
            context.undo()
            try expect(["A", "B", "C"], "undone")
            context.redo()
            try expect(["B", "C", "D"], "redone")
            context.delete(team)
            context.processPendingChanges()
            try expect([], "its object deleted")
            context.rollback()
            try expect(["A", "B", "C"], "its object back")
            for (player, isOn) in zip(players, [false, true, true, true]) {
                player.setValue(isOn ? team : nil, forKey: "benchOf")
            }
            try context.save()
            try expect(["B", "C", "D"], "saved")
            team.setValue(NSOrderedSet(array: [players[3], players[1]]), forKey: "bench")
            try expect(["D", "B"], "set")
            context.rollback()
            try expect(["B", "C", "D"], "rolled back")
            proxy.exchangeObject(at: 0, withObjectAt: 2)
            proxy.moveObjects(at: [0], to: 1)
            try expect(["C", "D", "B"], "exchanged and moved")
            context.delete(players[2])
            context.processPendingChanges()
            try expect(["D", "B"], "deleted")
            try context.save()
            try stack.work { other throws in
                let theirs = other.object(with: team.objectID)
                theirs.setValue(
                    NSOrderedSet(array: [players[0], players[1]].map { other.object(with: $0.objectID) }),
                    forKey: "bench")
                let saved = Collector(.NSManagedObjectContextDidSave, of: other)
                try other.save()
                context.mergeChanges(
                    fromContextDidSave: Notification(
                        name: .NSManagedObjectContextDidSave, object: other, userInfo: saved.payloads[0]))
            }
            try expect(["A", "B"], "merged")
            try stack.work { other throws in
                (other.object(with: players[3].objectID)).setValue(other.object(with: team.objectID), forKey: "benchOf")
                try other.save()
            }
            context.refresh(team, mergeChanges: true)
            try expect(["A", "B", "D"], "refreshed with changes")
            players[0].setValue(nil, forKey: "benchOf")
            context.refresh(team, mergeChanges: false)
            try expect(nil, "refreshed", isFault: true)
            context.refreshAllObjects()
            try expect(nil, "all refreshed", isFault: !team.hasChanges)
        }
    }

    @Test("members that come, go and move at an index are no slower than Foundation's own, and reading is immediate")
    func speed() throws {
        // A set that is made anew for each change or read takes minutes.
        let count = 20_000
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = (0..<count + 1).map { _ in context.insert("Player", ["name": "P"]) }
            team.setValue(NSOrderedSet(array: Array(players.dropLast())), forKey: "bench")
            try context.save()
            let start = ContinuousClock.now
            for round in 0..<1000 {
                let bench = team.mutableOrderedSetValue(forKey: "bench")
                let index = round * 7 % count
                bench.insert(players[count], at: index)
                #expect(bench.object(at: index) as? NSManagedObject === players[count])
                bench.removeObject(at: index)
                let read: [NSManagedObject]? = team.managedFetched(ManagedKey("bench"))
                #expect(read?.count == count && (team.value(forKey: "bench") as? NSOrderedSet)?.count == count)
                team.insertManaged(players[count], at: index, into: ManagedKey("bench"))
                team.removeManaged(at: index, from: ManagedKey("bench"))
                players[index].setValue(nil, forKey: "team")
                let typed: Set<NSManagedObject>? = team.managedMembers(ManagedKey("players"))
                players[index].setValue(team, forKey: "team")
                #expect(typed?.count == round)
                players[index].setValue(team, forKey: "team")
            }
            #expect(ContinuousClock.now - start < .seconds(60))
            try context.save()
        }
    }

    /// - Parameter change: Changes a saved team with five members; gives the names that it must have now, in order.
    private func check(
        _ name: String, _ key: String, _ inverse: String, _ change: (NSManagedObject, [NSManagedObject]) -> [String]
    ) throws {
        let stack = try Stack(LeagueModel.make())
        let expected = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let members = ["A", "B", "C", "D", "E"].map { context.insert("Player", ["name": $0, inverse: team]) }
            let others = ["X", "Y"].map { context.insert("Player", ["name": $0]) }
            try context.save()
            let expected = change(team, [members[0], members[2]] + others)
            for player in members + others {
                let isMember = expected.contains(player.string("name") ?? "")
                #expect((player.object(inverse) === team) == isMember, "\(name): the other side")
            }
            try context.save()
            return expected
        }
        try stack.reopened { context throws in
            let value = try #require(try context.all("Team").first).value(forKey: key)
            let stored = (value as? NSOrderedSet).map { Self.names($0.array) }
            #expect(stored ?? Self.names((value as? NSSet)?.allObjects ?? []).sorted() == expected, "\(name): saved")
        }
    }

    private static func names(_ members: [Any]) -> [String] {
        members.compactMap { ($0 as? NSManagedObject)?.string("name") }
    }

    @Sendable private static func descending(_ a: Any, _ b: Any) -> ComparisonResult {
        names([b])[0].compare(names([a])[0])
    }
}
