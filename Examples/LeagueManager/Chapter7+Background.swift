import CoreData

extension Walk {
    /// IDs are fetched on a private queue and handed over; no object crosses contexts.
    func fetchInTheBackground() throws {
        narrator.chapter(7, "Fetched in the background, shown on the main queue")
        let format = "(salary >= 2000000) AND (salary <= 3000000)"
        let background = league.newBackgroundContext()
        let ids = try background.performAndWait {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: format)
            request.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
            request.fetchBatchSize = 20
            return try background.fetch(request)
        }
        let players = ids.compactMap { context.object(with: $0) as? Player }
        try narrator.check(
            "\(ids.count) IDs crossed over, \(players.count) players are here as faults",
            ids.count == players.count && players.allSatisfy(\.isFault))
        narrator.table(players.prefix(3).map { [$0.fullName, "\($0.salary ?? 0)"] } + [["…", "…"]])
        try narrator.check("reading three of them fired three", players.filter { !$0.isFault }.count == 3)
    }
}
