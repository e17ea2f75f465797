import CoreData

/// Players of the ages 0 to a number, without the last: what tests of pages fetch in order.
enum PlayersByAge {
    static func request(_ batchSize: Int) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        request.fetchBatchSize = batchSize
        return request
    }

    /// A store of players, stored in no order, all of one name and one team.
    static func stack(_ count: Int) throws -> Stack {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            for age in (0..<count).shuffled() {
                _ = context.insert("Player", ["name": "old", "age": age, "team": team])
            }
            try context.save()
        }
        return stack
    }

    /// Gives the players that fulfil a condition the name "new", behind everybody's back.
    static func rename(_ stack: Stack, _ format: String? = nil) throws {
        try stack.work { context throws in
            for player in try context.all("Player", format) { player.setValue("new", forKey: "name") }
            try context.save()
        }
    }
}
