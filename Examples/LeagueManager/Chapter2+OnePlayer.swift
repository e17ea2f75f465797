import CoreData

extension Walk {
    /// Create, save, fetch, sort, delete.
    func followOnePlayer() throws {
        narrator.chapter(2, "Create, save, fetch, sort, delete")
        let player = Player(context: context)
        player.firstName = "Anthony"
        player.lastName = "Robbins"
        player.salary = 51_000_000
        player.team = try teamWithRoom()
        try narrator.check(
            "\(player.fullName) is inserted, with a temporary ID",
            player.isInserted && player.objectID.isTemporaryID)
        try context.save()
        try narrator.check("saved, with a permanent one", !player.hasChanges && !player.objectID.isTemporaryID)
        try showTheBestPaid()
        try delete(player)
    }

    private func showTheBestPaid() throws {
        let request: NSFetchRequest<Player> = Player.fetchRequest()
        request.predicate = NSPredicate(format: "salary > %@", NSDecimalNumber(value: 25_000_000))
        request.sortDescriptors = [
            NSSortDescriptor(key: "salary", ascending: false), NSSortDescriptor(key: "lastName", ascending: true),
        ]
        request.fetchLimit = 5
        let best = try context.fetch(request)
        narrator.say("The best paid:")
        narrator.table(best.map { [$0.fullName, $0.team?.name ?? "–", "\($0.salary ?? 0)"] })
        try narrator.check(
            "in descending order, the newcomer first",
            best.first?.lastName == "Robbins"
                && zip(best, best.dropFirst()).allSatisfy { ($0.salary ?? 0) as Decimal >= ($1.salary ?? 0) as Decimal }
        )
    }

    private func delete(_ player: Player) throws {
        context.delete(player)
        try narrator.check("deleted, and not yet saved: isDeleted is true", player.isDeleted)
        try context.save()
        try narrator.check("saved: gone", try count("Player", where: "lastName == 'Robbins'") == 0)
    }
}
