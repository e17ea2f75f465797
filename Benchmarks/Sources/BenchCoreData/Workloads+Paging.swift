import CBench
import CoreData

extension Workloads {
    /// The first thousand pages of a sorted result, in an array.
    func page() throws -> Measurement { try page { context, request in try context.fetch(request) } }

    /// The same of the lazy collection.
    func pageLazily() throws -> Measurement { try page { context, request in try context.results(of: request) } }

    /// The pages of whatever collection of results a fetch returns; the place in a page counts, so that the check sum
    /// knows the order.
    private func page(
        _ results: (NSManagedObjectContext, NSFetchRequest<Player>) throws -> some RandomAccessCollection<Player>
    ) throws -> Measurement {
        let request = Player.all
        request.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
        request.fetchBatchSize = Int(BENCH_PAGE)
        var result = Measurement()
        try withContext(base) { context in
            try result.time { result in
                let players = try results(context, request)
                result.n = Int64(min(Int(BENCH_PAGES), players.count / Int(BENCH_PAGE)))
                for (place, player) in players.prefix(Int(BENCH_PAGES * BENCH_PAGE)).enumerated() {
                    result.check += player.sum * (Int64(place) % Int64(BENCH_PAGE) + 1)
                }
                return players
            }
        }
        return result
    }

    /// Every object of a result that is loaded by batches, in order: what counts is the memory that this takes.
    func walk() throws -> Measurement { try walk { context, request in try context.fetch(request) } }

    /// The same of the lazy collection.
    func walkLazily() throws -> Measurement { try walk { context, request in try context.results(of: request) } }

    private func walk(
        _ results: (NSManagedObjectContext, NSFetchRequest<Player>) throws -> some RandomAccessCollection<Player>
    ) throws -> Measurement {
        let request = Player.all
        request.fetchBatchSize = 100
        var result = Measurement()
        try withContext(base) { context in
            try result.time { result in
                let players = try results(context, request)
                for player in players { result.check += player.sum }
                result.n = Int64(players.count)
                return players
            }
        }
        return result
    }
}
