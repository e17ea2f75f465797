import CBench
import CoreData

extension Workloads {
    func insert() throws -> Measurement {
        try writeNew { context, teams, result in
            let input = PlayerData.make()
            try result.time { result in
                result.n = Int64(input.count)
                for data in input { Player.insert(data, teams, context) }
                try context.save()
            }
        }
    }

    /// What has a store record its changes.
    static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true as NSNumber] }

    func insertSmallSaves(options: [AnyHashable: Any] = [:]) throws -> Measurement {
        try writeNew(options: options) { context, teams, result in
            let input = PlayerData.make(Int(BENCH_SMALL_SAVES))
            try result.time { result in
                result.n = Int64(input.count)
                for data in input {
                    Player.insert(data, teams, context)
                    try context.save()
                }
            }
        }
    }

    func update() throws -> Measurement {
        var result = try writeCopy { context, players, result in
            try result.time { _ in
                for player in players { player.salary += 1000 }
                try context.save()
            }
        }
        result.check = bench_check_updated(work)
        return result
    }

    func delete() throws -> Measurement {
        var result = try writeCopy { context, players, result in
            try result.time { _ in
                for player in players { context.delete(player) }
                try context.save()
            }
        }
        result.check = bench_check_deleted(work)
        return result
    }

    /// In a new store, its teams saved.
    private func writeNew(
        options: [AnyHashable: Any] = [:], _ body: (NSManagedObjectContext, [Team], inout Measurement) throws -> Void
    ) throws -> Measurement {
        var result = Measurement()
        bench_remove_db(work)
        try withContext(work, options: options) { context in
            let teams = Team.make(context)
            try context.save()
            try body(context, teams, &result)
            withExtendedLifetime(teams) {}
        }
        result.check = bench_check_inserted(work)
        return result
    }

    /// In a copy of the base, its players fetched.
    private func writeCopy(
        _ body: (NSManagedObjectContext, [Player], inout Measurement) throws -> Void
    ) throws -> Measurement {
        var result = Measurement()
        bench_copy_file(base, work)
        try withContext(work) { context in
            let players = try context.fetch(Player.all)
            result.n = Int64(players.count)
            try body(context, players, &result)
        }
        return result
    }
}
