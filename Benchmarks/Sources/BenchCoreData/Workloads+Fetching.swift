import CBench
import CoreData

extension Workloads {
    func fetch(_ value: (Player) -> Int64) throws -> Measurement { try fetch(Player.all, value) }

    func fetchSorted() throws -> Measurement {
        let request = Player.all
        request.predicate = NSPredicate(format: "age BETWEEN {20, 30}")
        request.sortDescriptors = [
            NSSortDescriptor(key: "lastName", ascending: true), NSSortDescriptor(key: "firstName", ascending: true),
        ]
        return try fetch(request) { $0.sum }
    }

    private func fetch(_ request: NSFetchRequest<Player>, _ value: (Player) -> Int64) throws -> Measurement {
        var result = Measurement()
        try withContext(base) { context in
            try result.time { result in
                let players = try context.fetch(request)
                for player in players { result.check += value(player) }
                result.n = Int64(players.count)
                return players
            }
        }
        return result
    }

    // MARK: By ID

    /// With a coordinator that has read no row yet.
    func fetchByID() throws -> Measurement {
        var result = Measurement()
        try withContext(base) { context in
            let ids = randomIDs(context.persistentStoreCoordinator!)
            try result.time { try look(up: ids, in: context, &$0) }
        }
        return result
    }

    /// In a new context, while another has the objects: the rows are in the coordinator's row cache.
    func fetchByIDWarm() throws -> Measurement {
        var result = Measurement()
        try withContext(base) { context in
            let coordinator = context.persistentStoreCoordinator!
            let ids = randomIDs(coordinator)
            let held = try ids.map(context.existingObject)
            try withContext(of: coordinator) { another in
                try result.time { try look(up: ids, in: another, &$0) }
            }
            withExtendedLifetime(held) {}
        }
        return result
    }

    /// Objects among many that are turned into faults and read again.
    func refresh() throws -> Measurement {
        var result = Measurement()
        try withContext(base) { context in
            let players = try context.fetch(Player.all)
            for player in players { player.willAccessValue(forKey: nil) }
            try result.time { result in
                result.n = Int64(BENCH_LOOKUPS)
                for index in 0..<result.n {
                    // Rows come in the order of their keys, which start at 1.
                    let player = players[Int(bench_lookup_key(index)) - 1]
                    context.refresh(player, mergeChanges: false)
                    result.check += Int64(player.age)
                }
            }
        }
        return result
    }

    private func look(up ids: [NSManagedObjectID], in context: NSManagedObjectContext, _ result: inout Measurement)
        throws
    {
        result.n = Int64(ids.count)
        for id in ids {
            guard let player = try context.existingObject(with: id) as? Player else { fatalError("\(id) is no player") }
            result.check += Int64(player.age)
        }
    }

    /// IDs as an app has them that kept their URIs.
    private func randomIDs(_ coordinator: NSPersistentStoreCoordinator) -> [NSManagedObjectID] {
        let store = coordinator.persistentStores[0]
        return (0..<Int64(BENCH_LOOKUPS)).map { index in
            let uri = "x-coredata://\(store.identifier!)/Player/p\(bench_lookup_key(index))"
            return coordinator.managedObjectID(forURIRepresentation: URL(string: uri)!)!
        }
    }

    // MARK: Dictionaries

    /// How many players each team has, and their average salary.
    func aggregate() throws -> Measurement {
        let count = column("count", "count:", of: "objectID", .integer64AttributeType)
        let average = column("average", "average:", of: "salary", .doubleAttributeType)
        let request = NSFetchRequest<NSDictionary>(entityName: "Player")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["team", count, average]
        request.propertiesToGroupBy = ["team"]
        var result = Measurement()
        try withContext(base) { context in
            try result.time { result in
                for row in try context.fetch(request) {
                    guard row["team"] is NSManagedObjectID else { fatalError("a player has no team") }
                    result.n += 1
                    result.check += Int64(row["count"] as! Int) + Int64(row["average"] as! Double)
                }
            }
        }
        return result
    }

    private func column(
        _ name: String, _ function: String, of key: String, _ type: NSAttributeType
    ) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        column.expressionResultType = type
        return column
    }
}
