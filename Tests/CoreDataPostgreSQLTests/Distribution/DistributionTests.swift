import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import Testing

/// Rows that are spread over nodes by an attribute.
@Suite("Distribution keys")
struct DistributionTests {
    private let store: NamedStore

    init() throws { store = try NamedStore() }

    // MARK: Tables

    /// The primary keys, foreign keys and uniqueness constraints of all tables of entities.
    private func constraints() throws -> [String] {
        try store.run(
            """
            SELECT conrelid::regclass::text || ': ' || pg_get_constraintdef(oid) FROM pg_constraint \
            WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'f', 'u') \
            AND conrelid::regclass::text NOT LIKE '%\\_coredata%' ORDER BY 1
            """
        ).compactMap(\.self).sorted()
    }

    @Test("the attribute is part of each primary key, foreign key and table of pairs")
    func keys() throws {
        _ = try store.open(SpreadModel().make())
        let suffix = " DEFERRABLE INITIALLY DEFERRED"
        let found = try constraints()
        #expect(
            found
                == [
                    "\"Club\": FOREIGN KEY (country) REFERENCES \"Country\"(_key)" + suffix,
                    "\"Club\": PRIMARY KEY (_key, tenant)",
                    "\"Club\": UNIQUE (tenant, name)" + suffix,
                    "\"Club.sponsors\": FOREIGN KEY (clubs, _distribution) REFERENCES \"Club\"(_key, tenant)" + suffix,
                    "\"Club.sponsors\": FOREIGN KEY (sponsors, _distribution) REFERENCES \"Sponsor\"(_key, tenant)"
                        + suffix,
                    "\"Club.sponsors\": PRIMARY KEY (clubs, sponsors, _distribution)",
                    "\"Country\": PRIMARY KEY (_key)",
                    "\"Player\": FOREIGN KEY (club, tenant) REFERENCES \"Club\"(_key, tenant)" + suffix,
                    "\"Player\": PRIMARY KEY (_key, tenant)",
                    "\"Player.friends\": FOREIGN KEY (\"REFLEXIVE\", _distribution) REFERENCES \"Player\"(_key, tenant)"
                        + suffix,
                    "\"Player.friends\": FOREIGN KEY (friends, _distribution) REFERENCES \"Player\"(_key, tenant)"
                        + suffix,
                    "\"Player.friends\": PRIMARY KEY (friends, \"REFLEXIVE\", _distribution)",
                    "\"Sponsor\": PRIMARY KEY (_key, tenant)",
                    "\"Trophy\": PRIMARY KEY (_key, tenant)",
                ].sorted())
    }

    @Test("a store keeps the attribute that it was made with, and the error says which")
    func kept() throws {
        _ = try store.open(SpreadModel().make())
        let error = store.error { _ = try store.open(SpreadModel(distributions: [:]).make()) }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(
            error?.localizedFailureReason?.contains("The distribution key of Club has “tenant” in the store") == true)
        _ = try store.open(SpreadModel().make())
    }

    // MARK: Objects

    /// Two tenants with clubs of the same name.
    private func fill(_ context: NSManagedObjectContext) throws {
        let country = context.insert("Country", ["name": "Utopia"])
        for tenant in ["north", "south"] {
            let sponsors = ["a", "b"].map { context.insert("Sponsor", ["name": $0, "tenant": tenant]) }
            let trophy = context.insert("Trophy", ["name": "cup", "tenant": tenant])
            let club = context.insert(
                "Club",
                [
                    "name": "United", "tenant": tenant, "country": country, "sponsors": NSSet(array: sponsors),
                    "trophies": [trophy] as NSSet,
                ])
            let players = ["Cy", "Al", "Bo"].enumerated().map {
                context.insert(
                    $0 == 0 ? "Captain" : "Player", ["name": $1, "tenant": tenant, "goals": Int32($0)])
            }
            club.setValue(NSOrderedSet(array: players), forKey: "players")
            players[0].setValue([players[1]] as NSSet, forKey: "friends")
        }
        try context.save()
    }

    private func names(_ objects: Any?) -> [String] {
        let all = (objects as? NSOrderedSet)?.array ?? (objects as? NSSet)?.allObjects ?? objects as? [Any] ?? []
        return all.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    }

    @Test("objects are saved, read, changed and deleted as in any other store")
    func life() throws {
        let context = try store.open(SpreadModel().make())
        try context.performAndWait { try fill(context) }
        let other = try store.open(SpreadModel().make())
        try other.performAndWait {
            let club = try #require(try other.all("Club", "tenant == 'south'").first)
            #expect(names(club.value(forKey: "players")) == ["Cy", "Al", "Bo"])
            #expect(names(club.value(forKey: "sponsors")).sorted() == ["a", "b"])
            #expect(names(club.value(forKey: "trophies")) == ["cup"])
            let friends = try #require(try other.all("Player", "tenant == 'south' AND name == 'Al'").first)
            #expect(names(friends.value(forKey: "friends")) == ["Cy"])
            let players = club.mutableOrderedSetValue(forKey: "players")
            players.exchangeObject(at: 0, withObjectAt: 2)
            club.mutableSetValue(forKey: "sponsors").remove(
                try #require(try other.all("Sponsor", "tenant == 'south' AND name == 'a'").first))
            friends.setValue(7, forKey: "goals")
            try other.save()
            other.delete(try #require(try other.all("Trophy", "tenant == 'south'").first))
            other.delete(friends)
            try other.save()
        }
        let third = try store.open(SpreadModel().make())
        try third.performAndWait {
            let club = try #require(try third.all("Club", "tenant == 'south'").first)
            #expect(names(club.value(forKey: "players")) == ["Bo", "Cy"])
            #expect(names(club.value(forKey: "sponsors")) == ["b"])
            #expect(names(club.value(forKey: "trophies")) == [])
            #expect(try third.all("Player").count == 5)
        }
        #expect(try store.run("SELECT DISTINCT _distribution FROM \"Club.sponsors\" ORDER BY 1") == ["north", "south"])
    }

    @Test("batches insert, update and delete, and pairs go with their rows")
    func batches() throws {
        let context = try store.open(SpreadModel().make())
        try context.performAndWait {
            try fill(context)
            let rows = (0..<50).map { ["name": "S\($0)", "tenant": $0 % 2 == 0 ? "north" : "south"] as [String: Any] }
            try context.execute(NSBatchInsertRequest(entityName: "Sponsor", objects: rows))
            #expect(try context.all("Sponsor", "tenant == 'north'").count == 27)
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Sponsor")
            request.predicate = NSPredicate(format: "ANY clubs.name == 'United' AND tenant == 'north'")
            try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            #expect(try context.all("Sponsor", "tenant == 'north'").count == 25)
            let goals = NSBatchUpdateRequest(entityName: "Player")
            goals.propertiesToUpdate = ["goals": 9]
            goals.predicate = NSPredicate(format: "club.tenant == 'south'")
            goals.resultType = .updatedObjectsCountResultType
            #expect((try context.execute(goals) as? NSBatchUpdateResult)?.result as? Int == 3)
        }
        #expect(try store.run("SELECT count(*)::text FROM \"Club.sponsors\"") == ["2"])
    }

    // MARK: What is refused

    @Test("objects of two tenants can't be related: the save throws, and nothing is changed")
    func strangers() throws {
        let context = try store.open(SpreadModel().make())
        try context.performAndWait {
            try fill(context)
            let club = try #require(try context.all("Club", "tenant == 'north'").first)
            let (player, sponsor) = (
                try #require(try context.all("Player", "tenant == 'south'").first),
                try #require(try context.all("Sponsor", "tenant == 'south'").first)
            )
            for change in [
                { player.setValue(club, forKey: "club") },
                { club.mutableSetValue(forKey: "sponsors").add(sponsor) },
            ] {
                change()
                let error = store.error { try context.save() }
                #expect(error?.code == NSManagedObjectReferentialIntegrityError)
                context.rollback()
            }
            #expect(try context.all("Player", "club.tenant != tenant").isEmpty)
            player.setValue("Zed", forKey: "name")
            try context.save()
        }
        #expect(try store.run("SELECT count(*)::text FROM \"Club.sponsors\"") == ["4"])
    }

    @Test(
        "the value is set once",
        arguments: [NSAttributeType.stringAttributeType, .integer64AttributeType, .UUIDAttributeType])
    func setOnce(type: NSAttributeType) throws {
        func value(_ number: Int) -> Any {
            switch type {
            case .integer64AttributeType: number
            case .UUIDAttributeType:
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
            default: "tenant \(number)"
            }
        }
        let context = try store.open(SpreadModel(type: type).make())
        try context.performAndWait {
            let club = context.insert("Club", ["name": "A", "tenant": value(1)])
            try context.save()
            club.setValue(value(1), forKey: "tenant")
            club.setValue("B", forKey: "name")
            try context.save()
            club.setValue(value(2), forKey: "tenant")
            let error = store.error { try context.save() }
            #expect(error?.code == NSPersistentStoreSaveError)
            #expect(error?.localizedDescription.contains("Club.tenant") == true)
            context.rollback()
            let batch = NSBatchUpdateRequest(entityName: "Club")
            batch.propertiesToUpdate = ["tenant": value(2)]
            #expect(store.error { try context.execute(batch) }?.localizedDescription.contains("Club.tenant") == true)
            #expect(try context.all("Club").map { $0.value(forKey: "name") as? String } == ["B"])
            context.delete(club)
            try context.save()
        }
        #expect(try store.run("SELECT count(*)::text FROM \"Club\"") == ["0"])
    }

    @Test(
        "a model that can't be spread so is refused, and the error names what it lacks",
        arguments: [
            (SpreadModel(isTenantOptional: true), "not optional"),
            (SpreadModel(distributions: ["Club": "owner"]), "“owner” of Club"),
            (SpreadModel(distributions: ["Player": "tenant", "Captain": "tenant"]), "its root entity"),
            (SpreadModel(type: .doubleAttributeType), "a string, an integer or a UUID"),
            (SpreadModel(types: ["Trophy": .integer16AttributeType]), "of two types"),
            (SpreadModel(constraint: ["name"]), "lacks the distribution key “tenant”"),
            (SpreadModel(hasCapitals: true), "Country.capital leads to"),
        ])
    func refused(model: SpreadModel, sentence: String) throws {
        let error = store.error { _ = try store.open(model.make()) }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedFailureReason?.contains(sentence) == true, "\(error?.localizedFailureReason ?? "nil")")
        #expect(try store.run("SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'") == ["0"])
    }

    // MARK: Migration

    @Test("a migration adds attributes and tables of pairs, and keeps the attribute in all keys")
    func migrated() throws {
        let context = try store.open(SpreadModel().make())
        try context.performAndWait { try fill(context) }
        let new = SpreadModel(clubAttributes: ["motto"], hasVisits: true)
        let options = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let migrated = try store.open(new.make(), options: options)
        try migrated.performAndWait {
            let player = try #require(try migrated.all("Player", "tenant == 'south' AND name == 'Bo'").first)
            player.setValue(NSSet(array: try migrated.all("Country")), forKey: "visits")
            try migrated.save()
            #expect(try migrated.all("Player", "ANY visits.name == 'Utopia'").count == 1)
        }
        let pairs = try constraints().filter { $0.contains("visit") }
        #expect(pairs.contains { $0.contains("PRIMARY KEY") && $0.contains("_distribution") })
        #expect(try store.run("SELECT _distribution FROM \"Player.visits\"") == ["south"])
    }

    @Test("a migration can't spread rows that are not spread")
    func notMigrated() throws {
        _ = try store.open(SpreadModel(distributions: [:]).make())
        let error = store.error {
            _ = try store.open(
                SpreadModel(clubAttributes: ["motto"]).make(),
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
        }
        #expect(error?.localizedFailureReason?.contains("a migration can’t change that") == true)
        _ = try store.open(SpreadModel(distributions: [:]).make())
    }

    // MARK: Fetches

    @Test("fetches find the same as on SQLite, and all their joins have the attribute")
    func fetches() throws {
        let server = try PostgreSQLServer(settings: ["log_statement": "all"])
        let spread = NamedStore(url: try #require(URL(string: try server.newDatabase())))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("spread-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SpreadModel(hasVisits: true).make())
        try coordinator.addPersistentStore(type: .sqlite, at: folder.appendingPathComponent("clubs.sqlite"))
        let file = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        file.persistentStoreCoordinator = coordinator
        let contexts = [file, try spread.open(SpreadModel(hasVisits: true).make())]
        for context in contexts { try context.performAndWait { try fill(context) } }
        try spread.run("SELECT 'the beginning'")
        for (entity, format) in Self.requests {
            let found = try contexts.map { context in
                try context.performAndWait {
                    try context.all(entity, format).map { object in
                        let tenant = entity == "Country" ? "" : object.value(forKey: "tenant") ?? ""
                        return "\(object.value(forKey: "name") ?? "") \(tenant)"
                    }.sorted()
                }
            }
            #expect(found[0] == found[1], "\(entity): \(format)")
        }
        let log = try #require(server.log.components(separatedBy: "the beginning").last)
        let joins = log.split(separator: "\n").filter { $0.contains("LOG:  execute") && $0.contains("JOIN") }
        #expect(joins.count >= 6)
        for statement in joins where !statement.contains("\"Country\"") {
            #expect(
                statement.contains("\"tenant\" = ") || statement.contains("\"_distribution\""),
                "\(statement)")
        }
    }

    private static let requests = [
        ("Player", "club.name == 'United'"), ("Player", "club.country.name == 'Utopia'"),
        ("Player", "club.name == 'United' AND club.tenant == 'north'"), ("Player", "NOT (club.name == 'City')"),
        ("Player", "club == nil OR club.name BEGINSWITH 'U'"), ("Player", "ANY friends.name == 'Al'"),
        ("Player", "SUBQUERY(friends, $f, $f.club.name == 'United').@count > 0"),
        ("Player", "ANY club.sponsors.name == 'a'"), ("Player", "ALL friends.goals < 2"),
        ("Club", "ANY players.goals > 1"), ("Club", "players.@sum.goals == 3"), ("Club", "players.@count == 3"),
        ("Club", "SUBQUERY(players, $p, $p.goals == 0 AND ANY $p.friends.name == 'Al').@count == 1"),
        ("Club", "ANY sponsors.name IN {'a', 'c'}"), ("Club", "ANY trophies.name == 'cup'"),
        ("Sponsor", "ANY clubs.players.name == 'Bo'"), ("Sponsor", "NONE clubs.name == 'City'"),
        ("Country", "ANY clubs.tenant == 'south'"), ("Captain", "armband == nil AND club.players.@max.goals == 2"),
    ]
}
