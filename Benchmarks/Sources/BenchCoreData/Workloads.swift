import CBench
import CoreData

/// The workloads, each as an app would write it.
struct Workloads {
    let base: String
    let work: String
    let model: NSManagedObjectModel

    init(base: String, work: String) throws {
        self.base = base
        self.work = work
        model = NSPersistentContainer(name: "Bench").managedObjectModel
    }

    func run(_ workload: String) throws -> Measurement? {
        switch workload {
        case "insert": try insert()
        case "insert-small-saves": try insertSmallSaves()
        case "fetch-all":
            try fetchAll { player in
                Int64(player.age) + Int64(player.birthDate!.timeIntervalSinceReferenceDate) + Int64(player.salary)
                    + Int64(player.email!.utf8.count + player.firstName!.utf8.count + player.lastName!.utf8.count)
            }
        case "fetch-all-one-attribute": try fetchAll { Int64($0.age) }
        case "fetch-predicate-sorted": try fetchSorted()
        case "fetch-by-id": try fetchByID()
        case "read-scalar": try read { Int($0.age) }
        case "read-string-9": try read { $0.lastName?.utf8.count ?? 0 }
        case "read-string-40": try read { $0.email?.utf8.count ?? 0 }
        case "update": try update()
        case "delete": try delete()
        default: nil
        }
    }

    /// Makes the store that the reading workloads read.
    func prepare() throws {
        bench_remove_db(base)
        try withContext(base) { context in
            try fill(context, (1...Int(BENCH_PLAYERS)).map(PlayerData.init))
        }
    }

    // MARK: Writing

    private func insert() throws -> Measurement {
        let input = (1...Int(BENCH_PLAYERS)).map(PlayerData.init)
        var result = Measurement()
        bench_remove_db(work)
        try withContext(work) { context in
            let teams = try makeTeams(context)
            try result.time { measurement in
                measurement.n = input.count
                for data in input { add(data, teams, context) }
                try context.save()
            }
            withExtendedLifetime(teams) {}
        }
        result.sum = try check(work)
        return result
    }

    private func insertSmallSaves() throws -> Measurement {
        let input = (1...2000).map(PlayerData.init)
        var result = Measurement()
        bench_remove_db(work)
        try withContext(work) { context in
            let teams = try makeTeams(context)
            try result.time { measurement in
                measurement.n = input.count
                for data in input {
                    add(data, teams, context)
                    try context.save()
                }
            }
            withExtendedLifetime(teams) {}
        }
        result.sum = try check(work)
        return result
    }

    private func update() throws -> Measurement {
        var result = Measurement()
        bench_copy_file(base, work)
        try withContext(work) { context in
            let players = try context.fetch(NSFetchRequest<Player>(entityName: "Player"))
            try result.time { measurement in
                measurement.n = players.count
                for player in players { player.salary += 1000 }
                try context.save()
            }
        }
        try withContext(work) { context in
            let players = try context.fetch(NSFetchRequest<Player>(entityName: "Player"))
            result.sum = players.reduce(0) { $0 + Int64($1.salary) }
        }
        return result
    }

    private func delete() throws -> Measurement {
        var result = Measurement()
        bench_copy_file(base, work)
        try withContext(work) { context in
            let players = try context.fetch(NSFetchRequest<Player>(entityName: "Player"))
            try result.time { measurement in
                measurement.n = players.count
                for player in players { context.delete(player) }
                try context.save()
            }
            result.sum = Int64(try context.count(for: NSFetchRequest<Player>(entityName: "Player")))
        }
        return result
    }

    // MARK: Reading

    private func fetchAll(_ value: (Player) -> Int64) throws -> Measurement {
        var result = Measurement()
        try withContext(base) { context in
            try result.time { measurement in
                let players = try context.fetch(NSFetchRequest<Player>(entityName: "Player"))
                for player in players { measurement.sum += value(player) }
                measurement.n = players.count
                return players
            }
        }
        return result
    }

    private func fetchSorted() throws -> Measurement {
        var result = Measurement()
        try withContext(base) { context in
            try result.time { measurement in
                let request = NSFetchRequest<Player>(entityName: "Player")
                request.predicate = NSPredicate(format: "age BETWEEN {20, 30}")
                request.sortDescriptors = [
                    NSSortDescriptor(key: "lastName", ascending: true),
                    NSSortDescriptor(key: "firstName", ascending: true),
                ]
                let players = try context.fetch(request)
                for player in players { measurement.sum += Int64(player.age) + Int64(player.email!.utf8.count) }
                measurement.n = players.count
                return players
            }
        }
        return result
    }

    private func fetchByID() throws -> Measurement {
        var result = Measurement()
        try withContext(base) { context in
            let store = context.persistentStoreCoordinator!.persistentStores[0]
            let ids = (0..<10_000).map { index in
                let key = 1 + Int64(bench_random(UInt64(index)) % UInt64(BENCH_PLAYERS))
                return context.persistentStoreCoordinator!.managedObjectID(
                    for: "x-coredata://\(store.identifier!)/Player/p\(key)")!
            }
            context.reset()
            try result.time { measurement in
                measurement.n = ids.count
                for id in ids {
                    let player = try context.existingObject(with: id) as! Player
                    measurement.sum += Int64(player.age)
                }
            }
        }
        return result
    }

    // MARK: Helpers

    func withContext(_ path: String, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    private func makeTeams(_ context: NSManagedObjectContext) throws -> [Team] {
        let teams = (1...Int(BENCH_TEAMS)).map { index in
            var raw = bench_team()
            bench_make_team(Int64(index), &raw)
            let team = Team(context: context)
            team.name = text(raw.name)
            team.uniformColor = text(raw.color)
            return team
        }
        try context.save()
        return teams
    }

    private func fill(_ context: NSManagedObjectContext, _ input: [PlayerData]) throws {
        let teams = try makeTeams(context)
        for data in input { add(data, teams, context) }
        try context.save()
    }

    @inline(__always)
    private func add(_ data: PlayerData, _ teams: [Team], _ context: NSManagedObjectContext) {
        let player = Player(context: context)
        player.age = data.age
        player.birthDate = data.birthDate
        player.salary = data.salary
        player.email = data.email
        player.firstName = data.firstName
        player.lastName = data.lastName
        player.team = teams[data.team - 1]
    }

    private func check(_ path: String) throws -> Int64 {
        var sum: Int64 = 0
        try withContext(path) { context in
            for player in try context.fetch(NSFetchRequest<Player>(entityName: "Player")) {
                sum += 1 + Int64(player.age) + Int64(player.email!.utf8.count)
            }
        }
        return sum
    }
}
