import CoreData
import Foundation
import Testing

/// Two versions of a league's model, stores of the first, and mappings to the second.
struct MigrationLeague {
    let folder: URL
    var old: URL { testedPlace(folder.appendingPathComponent("League.sqlite")) }
    var new: URL { testedPlace(folder.appendingPathComponent("Migrated.sqlite")) }

    /// Makes a store of the first version.
    ///
    /// - Parameters:
    ///   - teams: How many teams; they are `Team 0`, `Team 1`, and so on.
    ///   - players: How many players each team has; they are `First Last0`, and so on.
    init(teams: Int = 2, players: Int = 3, source: NSManagedObjectModel = firstModel()) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("migration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.open(old, source) { context in
            for number in 0..<teams {
                let team = context.insert("Team", ["name": "Team \(number)"])
                for place in 0..<players {
                    let count = number * players + place
                    _ = context.insert("Player", ["name": "First Last\(count)", "age": count, "team": team])
                }
            }
            try context.save()
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// `Team.name`, `Team.players`, `Player.name`, `Player.age`, `Player.team`.
    static func firstModel() -> NSManagedObjectModel {
        let (players, team) = (toMany("players"), toOne("team"))
        let teams = entity("Team", [attribute("name", .stringAttributeType), players])
        let player = entity(
            "Player", [attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType), team])
        connect(teams, players, player, team)
        return model(teams, player)
    }

    /// `Club.title`, `Club.athletes`, `Athlete.name`, `Athlete.lastName`, `Athlete.age`, `Athlete.club`.
    static func secondModel(
        clubIsRequired: Bool = false, uniqueName: Bool = false, lastNameIsRequired: Bool = false
    ) -> NSManagedObjectModel {
        let (athletes, club) = (toMany("athletes"), toOne("club", optional: !clubIsRequired))
        let clubs = entity("Club", [attribute("title", .stringAttributeType), athletes])
        let athlete = entity(
            "Athlete",
            [
                attribute("name", .stringAttributeType),
                attribute("lastName", .stringAttributeType, optional: !lastNameIsRequired),
                attribute("age", .integer32AttributeType), club,
            ])
        if uniqueName { athlete.uniquenessConstraints = [["name"]] }
        connect(clubs, athletes, athlete, club)
        return model(clubs, athlete)
    }

    /// Teams become clubs, and players athletes.
    ///
    /// - Parameters:
    ///   - policy: The class that carries out the mapping of the players.
    ///   - lastName: The expression of the last name.
    static func mapping(policy: String? = nil, lastName: String? = nil) -> NSMappingModel {
        let clubs = entityMapping("Team", to: "Club")
        clubs.attributeMappings = [property("title", "$source.name")]
        clubs.relationshipMappings = [property("athletes", related("PlayerToAthlete", "$source.players"))]
        let athletes = entityMapping("Player", to: "Athlete")
        athletes.attributeMappings = [property("name", "$source.name"), property("age", "$source.age")]
        if let lastName { athletes.attributeMappings?.append(property("lastName", lastName)) }
        athletes.relationshipMappings = [property("club", related("TeamToClub", "$source.team"))]
        athletes.entityMigrationPolicyClassName = policy
        let mapping = NSMappingModel()
        mapping.entityMappings = [clubs, athletes]
        return mapping
    }

    static func related(_ mapping: String, _ sources: String) -> String {
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"\(mapping)\", \(sources))"
    }

    static func entityMapping(_ source: String, to destination: String) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = "\(source)To\(destination)"
        mapping.mappingType = .transformEntityMappingType
        mapping.sourceEntityName = source
        mapping.destinationEntityName = destination
        return mapping
    }

    static func property(_ name: String, _ expression: String) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.valueExpression = NSExpression(format: expression)
        return mapping
    }

    /// Migrates the store.
    func migrate(
        by mapping: NSMappingModel, to model: NSManagedObjectModel = secondModel(),
        with prepare: (NSMigrationManager) -> Void = { _ in }
    ) throws {
        let manager = NSMigrationManager(sourceModel: Self.firstModel(), destinationModel: model)
        prepare(manager)
        try manager.migrateStore(from: old, type: .tested, mapping: mapping, to: new, type: .tested)
    }

    /// Runs a block with a context of a store.
    static func open(
        _ url: URL, _ model: NSManagedObjectModel, type: String = testedStoreType,
        _ block: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try block(context) }
        try coordinator.remove(store)
    }

    /// What the old store has: the bytes of a file, the objects of a database.
    func content() throws -> Data {
        if old.isFileURL { return try Data(contentsOf: old) }
        let name = { (object: NSManagedObject?) in object?.objectID.uriRepresentation().absoluteString ?? "" }
        var lines: [String] = []
        try Self.open(old, Self.firstModel()) { context in
            lines += try context.strings("name", of: "Team", sortedBy: "name").map { $0 ?? "" }
            lines += try context.all("Player", sortedBy: "age").map {
                "\(name($0)) \($0.string("name") ?? "") \($0.value(forKey: "age") ?? "") \(name($0.object("team")))"
            }
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    /// Expects that there is no new store, nor anything that was made for one.
    func hasOldStoreOnly(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (expected, found) = (old.isFileURL ? ["League.sqlite"] : [], try files)
        #expect(found == expected, sourceLocation: sourceLocation)
        #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .tested, at: new)
        }
    }

    /// Expects no other files than those of the two stores.
    func hasBothStoresOnly(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (expected, found) = (old.isFileURL ? ["League.sqlite", "Migrated.sqlite"] : [], try files)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    /// The names of the files in the folder, hidden ones included, but for what SQLite leaves of the old store's log.
    var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .filter { !["League.sqlite-wal", "League.sqlite-shm"].contains($0) }
        }
    }
}

extension NSManagedObjectContext {
    /// The values of a string attribute of all objects of an entity.
    func strings(_ key: String, of entity: String, sortedBy sortKey: String) throws -> [String?] {
        try all(entity, sortedBy: sortKey).map { $0.string(key) }
    }
}
