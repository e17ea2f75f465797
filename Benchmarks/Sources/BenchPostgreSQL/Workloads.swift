import CBench
import CoreData
import CoreDataPostgreSQL
import Foundation

/// The workloads on a store in PostgreSQL, each as an app would write it.
final class Workloads {
    private let url: URL
    private let model = NSPersistentContainer(name: "Bench").managedObjectModel

    init(_ url: URL) { self.url = url }

    func run(_ workload: String) throws -> bench_result? {
        switch workload {
        case "insert": try insert()
        case "insert-small-saves": try insertSmallSaves()
        case "fetch-all": try fetchAll()
        case "fetch-by-id": try fetchByID()
        default: nil
        }
    }

    /// Runs a block with a context over the store, and closes it.
    private func withContext(
        anew: Bool = false, _ body: (NSManagedObjectContext) throws -> bench_result
    ) throws -> bench_result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        if anew { try coordinator.destroyPersistentStore(at: url, type: .postgreSQL) }
        let store = try coordinator.addPersistentStore(type: .postgreSQL, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try body(context) }
        try coordinator.remove(store)
        return result
    }

    // MARK: Writing

    private func makeTeams(_ context: NSManagedObjectContext) throws -> [Team] {
        let teams = (1...bench_team_count()).map { index in
            var raw = bench_team()
            bench_make_team(index, &raw)
            let team = Team(context: context)
            (team.name, team.uniformColor) = (text(raw.name), text(raw.color))
            return team
        }
        try context.save()
        return teams
    }

    func insert() throws -> bench_result {
        try withContext(anew: true) { context in
            var result = bench_result()
            let teams = try makeTeams(context)
            let input = (1...Int(bench_player_count())).map { PlayerData($0) }
            bench_start()
            for data in input { data.insert(teams, context) }
            try context.save()
            bench_stop(&result)
            (result.n, result.check) = (Int64(input.count), Int64(try context.count(for: Player.all)))
            return result
        }
    }

    private func insertSmallSaves() throws -> bench_result {
        try withContext(anew: true) { context in
            var result = bench_result()
            let teams = try makeTeams(context)
            let input = (1...Int(BENCH_SMALL_SAVES)).map { PlayerData($0) }
            bench_start()
            for data in input {
                data.insert(teams, context)
                try context.save()
            }
            bench_stop(&result)
            (result.n, result.check) = (Int64(input.count), Int64(try context.count(for: Player.all)))
            return result
        }
    }

    // MARK: Reading

    private func fetchAll() throws -> bench_result {
        try withContext { context in
            var result = bench_result()
            bench_start()
            let players = try context.fetch(Player.all)
            result.check = players.reduce(0) { $0 + $1.sum }
            bench_stop(&result)
            result.n = Int64(players.count)
            return result
        }
    }

    private func fetchByID() throws -> bench_result {
        try withContext { context in
            var result = bench_result()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
            request.resultType = .managedObjectIDResultType
            let ids = try context.fetch(request).sorted { $0.key < $1.key }
            bench_start()
            for index in 0..<Int64(BENCH_LOOKUPS) {
                let player = try context.existingObject(with: ids[Int(bench_lookup_key(index)) - 1])
                result.check += Int64((player as? Player)?.age ?? 0)
            }
            bench_stop(&result)
            result.n = Int64(BENCH_LOOKUPS)
            return result
        }
    }
}

/// The data of one player, ready to be set.
struct PlayerData {
    private let raw: bench_player
    private let email, firstName, lastName: String

    /// - Parameter index: 1…
    init(_ index: Int) {
        var raw = bench_player()
        bench_make_player(Int64(index), &raw)
        self.raw = raw
        (email, firstName, lastName) = (text(raw.email), text(raw.first), text(raw.last))
    }

    func insert(_ teams: [Team], _ context: NSManagedObjectContext) {
        let player = Player(context: context)
        player.age = Int16(raw.age)
        player.birthDate = Date(timeIntervalSinceReferenceDate: raw.birthdate)
        player.salary = raw.salary
        player.email = email
        player.firstName = firstName
        player.lastName = lastName
        player.team = teams[Int(raw.team) - 1]
    }
}

extension NSManagedObjectID {
    /// The number in the object's URI.
    fileprivate var key: Int { Int(uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}

extension Player {
    static var all: NSFetchRequest<Player> { NSFetchRequest(entityName: "Player") }

    /// Every attribute read.
    var sum: Int64 {
        Int64(age) + Int64(birthDate?.timeIntervalSinceReferenceDate ?? 0) + Int64(salary)
            + Int64((email ?? "").utf8.count + (firstName ?? "").utf8.count + (lastName ?? "").utf8.count)
    }
}

/// The string in a C array.
private func text<T>(_ tuple: T) -> String {
    withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
