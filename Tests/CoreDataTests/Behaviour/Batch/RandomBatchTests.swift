import CoreData
import Foundation
import RandomSeeds
import Testing

/// Batches and saves in any order, under every merge policy, beside a model of the store in memory.
@Suite("Random batches")
struct RandomBatchTests {
    @Test(
        "a context that merges the returned IDs, a fresh context and a model of the store agree",
        .timeLimit(.minutes(30)))
    func replays() throws {
        for seed in SeededGenerator.seeds(60, full: 2000) {
            print("random batches: COREDATA_TEST_SEED=\(seed)")
            do { try BatchDriver(seed: seed).run(steps: 12) } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
        }
    }
}

/// What is in the store: teams by name, players by name, notes by text.
private struct BatchState: Equatable {
    struct Team: Equatable {
        var points: Int?
        var color: String?
    }
    struct Player: Equatable {
        var age: Int?
        var team: String?
    }

    var teams: [String: Team] = [:]
    var players: [String: Player] = [:]
    /// The team of each note.
    var notes: [String: String] = [:]

    /// What a context has.
    init(_ context: NSManagedObjectContext) throws {
        for team in try context.all("Team") {
            teams[team.string("name") ?? ""] = Team(
                points: team.value(forKey: "points") as? Int, color: team.string("color"))
        }
        for player in try context.all("Player") {
            players[player.string("name") ?? ""] = Player(
                age: player.value(forKey: "age") as? Int, team: player.object("team")?.string("name"))
        }
        for note in try context.all("Note") { notes[note.string("text") ?? ""] = note.object("team")?.string("name") }
    }

    init() {}

    mutating func removeTeams(_ names: [String]) {
        for name in names { teams[name] = nil }
        notes = notes.filter { teams[$0.value] != nil }
        for (name, player) in players where player.team.map({ teams[$0] == nil }) ?? false { players[name]?.team = nil }
    }
}

private final class BatchDriver {
    private let stack: Stack
    private let viewer: NSManagedObjectContext
    private var random: SeededGenerator
    private var expected = BatchState()
    private var number = 0

    init(seed: UInt64) throws {
        stack = try Stack(BatchLeague.make())
        viewer = stack.context()
        random = SeededGenerator(seed: seed)
    }

    func run(steps: Int) throws {
        try save()
        for step in 1...steps {
            let what = try perform()
            let fresh = try stack.work { try BatchState($0) }
            let seen = try viewer.performAndWait { try BatchState(viewer) }
            #expect(fresh == expected, "step \(step), \(what): the store")
            #expect(seen == expected, "step \(step), \(what): the context that merged")
            if fresh != expected || seen != expected { throw CocoaError(.coderValueNotFound) }
        }
    }

    private func perform() throws -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return try insertTeams()
        case 2: return try insertPlayers()
        case 3: return try updatePlayers()
        case 4: return try updateTeams()
        case 5: return try deletePlayers()
        case 6: return try deleteTeams()
        default: return try save()
        }
    }

    private func merge(_ key: String, _ ids: [NSManagedObjectID]) {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [viewer])
    }

    private func work<T>(_ block: (NSManagedObjectContext) throws -> T) throws -> T { try stack.work(block) }

    // MARK: Insertions

    private func insertTeams() throws -> String {
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        let policy = policies.randomElement(using: &random) ?? .error
        let rows: [[String: Any]] = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            var row: [String: Any] = ["name": "T\(Int.random(in: 0..<6, using: &random))"]
            if random.chance(50) { row["points"] = Int.random(in: 0..<20, using: &random) }
            if random.chance(30) { row["color"] = random.chance(50) ? "red" : NSNull() }
            return row
        }
        let ids: [NSManagedObjectID]? = try work { context in
            context.mergePolicy = policy
            do { return try context.ids(NSBatchInsertRequest(entityName: "Team", objects: rows)) } catch let error
                as NSError
                where error.code == NSManagedObjectConstraintMergeError
            {
                return nil
            }
        }
        let isRefused = !insert(rows, policy.mergeType)
        #expect((ids == nil) == isRefused)
        merge(NSInsertedObjectsKey, ids ?? [])
        merge(NSUpdatedObjectsKey, ids ?? [])
        return "insertion of \(rows), policy \(policy.mergeType)"
    }

    /// - Returns: False where the error policy refuses the rows.
    private func insert(_ rows: [[String: Any]], _ policy: NSMergePolicyType) -> Bool {
        var teams = expected.teams
        for row in rows {
            let name = row["name"] as? String ?? ""
            let new = BatchState.Team(
                points: row["points"] as? Int, color: row["color"] == nil ? "white" : row["color"] as? String)
            guard var old = teams[name] else {
                teams[name] = new
                continue
            }
            switch policy {
            case .errorMergePolicyType: return false
            case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: continue
            case .overwriteMergePolicyType: teams[name] = new
            case .mergeByPropertyObjectTrumpMergePolicyType:
                if row["points"] != nil { old.points = new.points }
                if row["color"] != nil { old.color = new.color }
                teams[name] = old
            }
        }
        expected.teams = teams
        return true
    }

    private func insertPlayers() throws -> String {
        let count = Int.random(in: 1...5, using: &random)
        let names = (0..<count).map { _ in next("P") }
        let teams = names.map { _ in
            random.chance(60) ? expected.teams.keys.sorted().randomElement(using: &random) : nil
        }
        let ids = try work { context in
            let stored = try context.all("Team")
            let rows = zip(names, teams).map { name, team -> [String: Any] in
                var row: [String: Any] = ["name": name]
                if let team { row["team"] = stored.first { $0.string("name") == team }?.objectID }
                return row
            }
            return try context.ids(NSBatchInsertRequest(entityName: "Player", objects: rows))
        }
        for (name, team) in zip(names, teams) { expected.players[name] = BatchState.Player(age: 20, team: team) }
        merge(NSInsertedObjectsKey, ids)
        return "insertion of \(names) into \(teams)"
    }

    private func next(_ letter: String) -> String {
        number += 1
        return "\(letter)\(number)"
    }

    // MARK: Updates

    /// A predicate over players, and what it means.
    private func playerPredicate() -> (String, (BatchState.Player) -> Bool) {
        let age = Int.random(in: 10..<40, using: &random)
        let teams = expected.teams
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return ("age > \(age)", { $0.age.map { $0 > age } ?? false })
        case 1: return ("team == nil", { $0.team == nil })
        case 2:
            let name = "T\(Int.random(in: 0..<6, using: &random))"
            return ("team.name == '\(name)'", { $0.team == name })
        default:
            return (
                "team.points >= \(age / 3)",
                { player in
                    player.team.flatMap { teams[$0]?.points }.map { $0 >= age / 3 } ?? false
                }
            )
        }
    }

    private func updatePlayers() throws -> String {
        let (format, holds) = playerPredicate()
        let step = Int.random(in: 1..<5, using: &random)
        let ids = try work { context in
            try context.ids(
                NSManagedObjectContext.update("Player", ["age": NSExpression(format: "age + \(step)")], format))
        }
        let found = expected.players.filter { holds($0.value) }
        for name in found.keys { expected.players[name]?.age? += step }
        #expect(ids.count == found.count)
        merge(NSUpdatedObjectsKey, ids)
        return "age + \(step) where \(format)"
    }

    private func updateTeams() throws -> String {
        let least = Int.random(in: 0..<20, using: &random)
        let ids = try work { context in
            try context.ids(
                NSManagedObjectContext.update(
                    "Team", ["color": "blue", "points": NSExpression(format: "players.@count")], "points < \(least)"))
        }
        let members = Dictionary(grouping: expected.players.values.compactMap(\.team)) { $0 }.mapValues(\.count)
        for (name, team) in expected.teams where team.points.map({ $0 < least }) ?? false {
            expected.teams[name] = BatchState.Team(points: members[name] ?? 0, color: "blue")
        }
        merge(NSUpdatedObjectsKey, ids)
        return "points and color where points < \(least)"
    }

    // MARK: Deletions

    private func deletePlayers() throws -> String {
        let (format, holds) = playerPredicate()
        let ids = try work { try $0.ids(NSManagedObjectContext.deletion("Player", format)) }
        let found = expected.players.filter { holds($0.value) }
        #expect(ids.count == found.count)
        for name in found.keys { expected.players[name] = nil }
        merge(NSDeletedObjectsKey, ids)
        return "deletion of players where \(format)"
    }

    private func deleteTeams() throws -> String {
        let least = Int.random(in: 0..<20, using: &random)
        let ids = try work { try $0.ids(NSManagedObjectContext.deletion("Team", "points < \(least)")) }
        let names = expected.teams.filter { $0.value.points.map { $0 < least } ?? false }.map(\.key)
        let before = expected.notes.count + expected.teams.count
        expected.removeTeams(names)
        #expect(ids.count == before - expected.notes.count - expected.teams.count)
        merge(NSDeletedObjectsKey, ids)
        return "deletion of teams where points < \(least)"
    }

    // MARK: Saves

    /// A save of the viewer's own, of a team, a note and a player.
    @discardableResult
    private func save() throws -> String {
        let (player, note) = (next("P"), next("N"))
        let name = "T\(Int.random(in: 0..<6, using: &random))"
        try viewer.performAndWait {
            let team = try viewer.all("Team", "name == '\(name)'").first ?? viewer.insert("Team", ["name": name])
            _ = viewer.insert("Note", ["text": note, "team": team])
            _ = viewer.insert("Player", ["name": player, "team": team, "age": 25])
            try viewer.save()
        }
        if expected.teams[name] == nil { expected.teams[name] = BatchState.Team(points: nil, color: "white") }
        expected.notes[note] = name
        expected.players[player] = BatchState.Player(age: 25, team: name)
        return "save of \(player), \(note) and \(name)"
    }
}
