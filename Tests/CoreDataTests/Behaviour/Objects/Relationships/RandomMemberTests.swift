import CoreData
import Foundation
import RandomSeeds
import Testing

/// Members come and go one by one and many at once, and are read in between in each way that there is.
@Suite("Random members")
struct RandomMemberTests {
    @Test("each way to read a relationship gives its members, whatever changed them since the last time")
    func reads() throws {
        for seed in SeededGenerator.seeds(40, full: 2000) {
            try MemberDriver.stack().work { context throws in
                var driver = try MemberDriver(context, seed: seed)
                for _ in 0..<80 { try driver.step() }
            }
        }
    }
}

/// Two teams of many players, and the players of each.
private struct MemberDriver {
    private let context: NSManagedObjectContext
    private let teams: [NSManagedObject]
    private let players: [NSManagedObject]
    private var roster: [Set<Int>] = [[], []]
    private var bench: [[Int]] = [[], []]
    private var random: SeededGenerator
    private let seed: UInt64
    private var log: [String] = []

    /// More than the number up to which a member is looked for in a list.
    private static let count = 130

    static func stack() throws -> Stack {
        let (roster, team, bench, benchOf) = (
            toMany("players"), toOne("team"), toMany("bench", ordered: true), toOne("benchOf")
        )
        let teamEntity = entity("Team", className: "CoreDataTests.Marked", [roster, bench])
        let player = entity(
            "Player", className: "CoreDataTests.Marked", [attribute("number", .integer16AttributeType), team, benchOf])
        connect(teamEntity, roster, player, team)
        connect(teamEntity, bench, player, benchOf)
        return try Stack(model(teamEntity, player))
    }

    init(_ context: NSManagedObjectContext, seed: UInt64) throws {
        self.context = context
        self.seed = seed
        random = SeededGenerator(seed: seed)
        teams = (0..<2).map { _ in context.insert("Team") }
        players = (0..<Self.count).map { context.insert("Player", ["number": $0]) }
        try context.save()
    }

    mutating func step() throws {
        let team = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: changeRoster(of: team)
        case 40..<80: changeBench(of: team)
        case 80..<85: fill(team)
        case 85..<90:
            log.append("save")
            try context.save()
        case 90..<93:
            log.append("save and refresh")
            try context.save()
            context.refreshAllObjects()
        default:
            log.append("process")
            context.processPendingChanges()
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) { try read() }
    }

    // MARK: Changing

    private mutating func player() -> Int { Int.random(in: 0..<Self.count, using: &random) }

    private mutating func some(_ limit: Int) -> [Int] {
        Array(Array(0..<Self.count).shuffled(using: &random).prefix(Int.random(in: 0...limit, using: &random)))
    }

    private mutating func fill(_ team: Int) {
        let members = some(Self.count)
        log.append("all of \(team): \(members.count)")
        if random.chance(50) {
            teams[team].setValue(NSSet(array: members.map { players[$0] }), forKey: "players")
            roster[1 - team].subtract(members)
            roster[team] = Set(members)
        } else {
            teams[team].setValue(NSOrderedSet(array: members.map { players[$0] }), forKey: "bench")
            bench[1 - team].removeAll(where: members.contains)
            bench[team] = members
        }
    }

    private mutating func changeRoster(of team: Int) {
        let set = teams[team].mutableSetValue(forKey: "players")
        let member = random.chance(50) ? player() : roster[team].sorted().randomElement(using: &random) ?? player()
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            log.append("player \(member) to \(team)")
            players[member].setValue(teams[team], forKey: "team")
            join(member, team)
        case 1:
            log.append("player \(member) leaves")
            players[member].setValue(nil, forKey: "team")
            roster[0].remove(member)
            roster[1].remove(member)
        case 2:
            log.append("add \(member) to \(team)")
            set.add(players[member])
            join(member, team)
        case 3:
            log.append("remove \(member) from \(team)")
            set.remove(players[member])
            roster[team].remove(member)
        case 4:
            let members = some(40)
            log.append("add \(members) to \(team)")
            set.union(Set(members.map { players[$0] }))
            for member in members { join(member, team) }
        default:
            let members = some(40)
            log.append("remove \(members) from \(team)")
            set.minus(Set(members.map { players[$0] }))
            roster[team].subtract(members)
        }
    }

    private mutating func join(_ member: Int, _ team: Int) {
        roster[1 - team].remove(member)
        roster[team].insert(member)
    }

    private mutating func changeBench(of team: Int) {
        let set = teams[team].mutableOrderedSetValue(forKey: "bench")
        let (member, count) = (player(), bench[team].count)
        let isMember = bench[team].contains(member)
        let place = Int.random(in: 0..<max(1, count), using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where !isMember:
            log.append("insert \(member) into \(team) at \(place)")
            set.insert(players[member], at: place)
            bench[1 - team].removeAll { $0 == member }
            bench[team].insert(member, at: place)
        case 1 where count > 0:
            log.append("remove from \(team) at \(place)")
            set.removeObject(at: place)
            bench[team].remove(at: place)
        case 2 where count > 0:
            let target = Int.random(in: 0..<count, using: &random)
            log.append("move in \(team) from \(place) to \(target)")
            set.moveObjects(at: IndexSet(integer: place), to: target)
            bench[team].insert(bench[team].remove(at: place), at: target)
        case 3 where count > 0 && !isMember:
            log.append("replace in \(team) at \(place) by \(member)")
            set.replaceObject(at: place, with: players[member])
            bench[1 - team].removeAll { $0 == member }
            bench[team][place] = member
        case 4:
            log.append("player \(member) leaves the bench")
            players[member].setValue(nil, forKey: "benchOf")
            for team in 0..<2 { bench[team].removeAll { $0 == member } }
        case 5:
            log.append("player \(member) to the bench of \(team)")
            players[member].setValue(teams[team], forKey: "benchOf")
            sit(member, team)
        default:
            let members = some(40)
            log.append("add \(members) to the bench of \(team)")
            set.addObjects(from: members.map { players[$0] })
            for member in members { sit(member, team) }
        }
    }

    private mutating func sit(_ member: Int, _ team: Int) {
        bench[1 - team].removeAll { $0 == member }
        if !bench[team].contains(member) { bench[team].append(member) }
    }

    // MARK: Reading

    private mutating func read() throws {
        let team = Int.random(in: 0..<2, using: &random)
        let (name, read) = HoldingTests.reads.randomElement(using: &random)!
        let members = read(teams[team]).compactMap { $0.value(forKey: "number") as? Int }
        let isRight =
            name.hasPrefix("bench") ? members == bench[team] : members.sorted() == roster[team].sorted()
        try #require(isRight, "seed \(seed), \(name) of \(team) after \(log.suffix(12)): \(members)")
        log.append("read \(name) of \(team)")
    }
}
