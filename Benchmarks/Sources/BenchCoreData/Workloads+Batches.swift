import CBench
import CoreData

/// Batch requests. Their input is at hand before the time begins, as for the other workloads.
extension Workloads {
    func batchInsertDictionaries() throws -> Measurement {
        try batchInsert { input, teams in
            let rows = input.map { data in data.values(teams) }
            return { NSBatchInsertRequest(entityName: "Player", objects: rows) }
        }
    }

    func batchInsertByHandler() throws -> Measurement {
        try batchInsert { input, teams in
            {
                var rest = input.makeIterator()
                return NSBatchInsertRequest(entityName: "Player") { (dictionary: NSMutableDictionary) in
                    guard let data = rest.next() else { return true }
                    dictionary["age"] = data.age
                    dictionary["birthDate"] = data.birthDate
                    dictionary["salary"] = data.salary
                    dictionary["email"] = data.email
                    dictionary["firstName"] = data.firstName
                    dictionary["lastName"] = data.lastName
                    dictionary["team"] = teams[data.team - 1]
                    return false
                }
            }
        }
    }

    /// Without teams, which objects of a batch can't have: a second pass sets them, and is not timed.
    func batchInsertObjects() throws -> Measurement {
        try batchInsert(setsTeams: true) { input, _ in
            {
                var rest = input.makeIterator()
                return NSBatchInsertRequest(entityName: "Player") { (object: NSManagedObject) in
                    guard let data = rest.next() else { return true }
                    let player = unsafeDowncast(object, to: Player.self)
                    player.age = data.age
                    player.birthDate = data.birthDate
                    player.salary = data.salary
                    player.email = data.email
                    player.firstName = data.firstName
                    player.lastName = data.lastName
                    return false
                }
            }
        }
    }

    func batchUpdate() throws -> Measurement {
        var result = try batch {
            let request = NSBatchUpdateRequest(entityName: "Player")
            request.predicate = NSPredicate(format: "age > 0")
            request.propertiesToUpdate = ["salary": NSExpression(format: "salary + 1000")]
            return request
        }
        result.check = bench_check_updated(work)
        return result
    }

    func batchDelete() throws -> Measurement {
        var result = try batch {
            let players = Player.all
            players.predicate = NSPredicate(format: "age > 0")
            return NSBatchDeleteRequest(fetchRequest: players)
        }
        result.check = bench_check_deleted(work)
        return result
    }

    /// In a copy of the base.
    private func batch(_ request: () -> NSPersistentStoreRequest) throws -> Measurement {
        var result = Measurement()
        result.n = bench_player_count()
        bench_copy_file(base, work)
        try withContext(work) { context in try result.time { _ in _ = try context.execute(request()) } }
        return result
    }

    /// In a new store, its teams saved.
    private func batchInsert(
        setsTeams: Bool = false,
        _ request: ([PlayerData], [NSManagedObjectID]) -> () -> NSBatchInsertRequest
    ) throws -> Measurement {
        var result = Measurement()
        bench_remove_db(work)
        try withContext(work) { context in
            let teams = Team.make(context)
            try context.save()
            let input = PlayerData.make()
            let make = request(input, teams.map(\.objectID))
            try result.time { result in
                result.n = Int64(input.count)
                _ = try context.execute(make())
            }
            if setsTeams { try join(input, teams, context) }
        }
        result.check = bench_check_inserted(work)
        return result
    }

    private func join(_ input: [PlayerData], _ teams: [Team], _ context: NSManagedObjectContext) throws {
        let players = Player.all
        players.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
        for (player, data) in zip(try context.fetch(players), input) { player.team = teams[data.team - 1] }
        try context.save()
    }
}

extension PlayerData {
    fileprivate func values(_ teams: [NSManagedObjectID]) -> [String: Any] {
        [
            "age": age, "birthDate": birthDate, "salary": salary, "email": email, "firstName": firstName,
            "lastName": lastName, "team": teams[team - 1],
        ]
    }
}
