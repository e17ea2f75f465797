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
