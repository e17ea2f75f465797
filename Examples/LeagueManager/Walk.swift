import CoreData

/// The walk through the league. Each chapter is a function in a file of its own.
struct Walk {
    let league: NSPersistentContainer
    let directory: URL
    let narrator: Narrator

    /// The main queue's context.
    var context: NSManagedObjectContext { league.viewContext }

    /// The chapters, in their order.
    var chapters: [() throws -> Void] {
        [
            fillTheLeague, followOnePlayer, makeMistakes, askTheModel, makeFriends, keepOtherValues,
            fetchInTheBackground,
            deleteByTheRules, keepTheGraphWhole,
        ]
    }

    // MARK: - What several chapters need

    func team(named name: String) throws -> Team {
        let request: NSFetchRequest<Team> = Team.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        request.fetchLimit = 1
        guard let team = try context.fetch(request).first else { throw Surprise("there is no team \(name)") }
        return team
    }

    /// The first team by name that has fewer than the 15 players that the model allows.
    func teamWithRoom() throws -> Team {
        let request: NSFetchRequest<Team> = Team.fetchRequest()
        request.predicate = NSPredicate(format: "players.@count < 15")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 1
        guard let team = try context.fetch(request).first else { throw Surprise("every team is full") }
        return team
    }

    func player(named name: String) throws -> Player {
        let request: NSFetchRequest<Player> = Player.fetchRequest()
        request.predicate = NSPredicate(format: "lastName == %@", name)
        request.fetchLimit = 1
        guard let player = try context.fetch(request).first else { throw Surprise("there is no player \(name)") }
        return player
    }

    func count(_ entity: String, where format: String? = nil) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        return try context.count(for: request)
    }

    /// Saves, expects to be refused, shows the messages as a user reads them, and takes the changes back.
    func expectRefusal(in context: NSManagedObjectContext, with codes: Int...) throws {
        do {
            try context.save()
        } catch let error as NSError {
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            for detail in details { narrator.refusal(detail.localizedDescription, code: detail.code) }
            guard details.map(\.code).sorted() == codes.sorted() else { throw error }
            context.rollback()
            return
        }
        throw Surprise("a save went through that should have been refused with \(codes)")
    }
}

extension Player {
    /// First and last name.
    var fullName: String { "\(firstName ?? "–") \(lastName ?? "–")" }
}
