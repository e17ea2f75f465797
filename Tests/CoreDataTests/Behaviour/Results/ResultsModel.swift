import CoreData

/// Players to be listed: by numbers, by groups, by what they compute, by their teams.
enum ResultsModel {
    static func make() -> NSManagedObjectModel {
        let roster = toMany("players")
        let team = toOne("team")
        let goalkeeper = entity("Goalkeeper", className: "CoreDataTests.ListedPlayer", [])
        let player = entity(
            "Player", className: "CoreDataTests.ListedPlayer",
            [
                attribute("name", .stringAttributeType), attribute("group", .stringAttributeType),
                attribute("age", .integer16AttributeType), attribute("number", .integer32AttributeType), team,
            ],
            subentities: [goalkeeper])
        let teamEntity = entity("Team", [attribute("name", .stringAttributeType), roster])
        connect(teamEntity, roster, player, team)
        return model(player, goalkeeper, teamEntity)
    }
}

/// A player that computes its section.
final class ListedPlayer: NSManagedObject {
    /// How often any player was asked for its initial, on the thread that asks.
    static var initialsRead: Int {
        get { Thread.current.threadDictionary["initialsRead"] as? Int ?? 0 }
        set { Thread.current.threadDictionary["initialsRead"] = newValue }
    }

    override func value(forUndefinedKey key: String) -> Any? {
        guard key == "initial" else { return super.value(forUndefinedKey: key) }
        ListedPlayer.initialsRead += 1
        return (value(forKey: "name") as? String)?.prefix(1).description ?? ""
    }
}

/// What a list shows of players.
struct PlayerList {
    var sort: [String]
    var sections: String?
    var predicate: String?
    var limit = 0
    var offset = 0
    var batch = 0
    var descending = false

    var request: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: !descending) }
        request.predicate = predicate.map { NSPredicate(format: $0) }
        request.fetchLimit = limit
        request.fetchOffset = offset
        request.fetchBatchSize = batch
        return request
    }

    func controller(
        in context: NSManagedObjectContext, cacheName: String? = nil
    ) -> NSFetchedResultsController<NSManagedObject> {
        NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: cacheName)
    }

    /// A controller that has fetched, and a delegate that has what it fetched and applies each change that it is told.
    func followed(
        in context: NSManagedObjectContext, cacheName: String? = nil
    ) throws -> (NSFetchedResultsController<NSManagedObject>, ObjectReplay) {
        let controller = controller(in: context, cacheName: cacheName)
        let replay = ObjectReplay()
        controller.delegate = replay
        try controller.performFetch()
        replay.start(controller)
        return (controller, replay)
    }

    /// The lists of the random tests; each has a total order.
    static let all = [
        PlayerList(sort: ["age", "number"]),
        PlayerList(sort: ["age", "number"], predicate: "age > 3", descending: true),
        PlayerList(sort: ["number"], predicate: "group IN {'a', 'c'} OR team != nil", batch: 3),
        PlayerList(sort: ["group", "age", "number"], sections: "group"),
        PlayerList(sort: ["group", "number"], sections: "group", predicate: "age < 7", batch: 4, descending: true),
        PlayerList(sort: ["age", "number"], sections: "age"),
        PlayerList(sort: ["name", "number"], sections: "initial"),
        PlayerList(sort: ["team.name", "number"], sections: "team.name", predicate: "team != nil"),
        PlayerList(sort: ["team.name", "number"]),
        PlayerList(sort: ["number"], predicate: "team.name BEGINSWITH 'b' OR team.players.@count > 3"),
        PlayerList(sort: ["age", "number"], limit: 5, offset: 2),
        PlayerList(sort: ["group", "number"], sections: "group", limit: 7),
    ]
}
