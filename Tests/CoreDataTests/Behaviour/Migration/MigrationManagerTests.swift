import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Migrations by a manager and a mapping model")
final class MigrationManagerTests {
    let league: MigrationLeague

    init() throws { league = try MigrationLeague() }

    deinit { league.remove() }

    @Test("attributes and relationships arrive under their new names, and the source stays as it is")
    func objects() throws {
        let before = try league.content()
        try league.migrate(by: MigrationLeague.mapping(lastName: "$source.name"))
        try MigrationLeague.open(league.new, MigrationLeague.secondModel()) { context throws in
            let clubs = try context.all("Club", sortedBy: "title")
            #expect(clubs.map { $0.string("title") } == ["Team 0", "Team 1"])
            #expect(
                clubs.map { $0.names("athletes") } == [
                    ["First Last0", "First Last1", "First Last2"], ["First Last3", "First Last4", "First Last5"],
                ])
            let athletes = try context.all("Athlete", sortedBy: "age")
            #expect(athletes.map { $0.value(forKey: "age") as? Int } == [0, 1, 2, 3, 4, 5])
            #expect(athletes.map { $0.string("lastName") } == athletes.map { $0.string("name") })
            #expect(athletes[5].object("club") === clubs[1])
        }
        #expect(try league.content() == before)
        try league.hasBothStoresOnly()
    }

    @Test("what the app put into the metadata goes with the data; the store's UUID is new")
    func metadata() throws {
        let type = NSPersistentStoreCoordinator.self
        var metadata = try type.metadataForPersistentStore(type: .tested, at: league.old)
        metadata["origin"] = "import"
        try type.setMetadata(metadata, type: .tested, at: league.old)
        try league.migrate(by: MigrationLeague.mapping())
        let migrated = try type.metadataForPersistentStore(type: .tested, at: league.new)
        #expect(migrated["origin"] as? String == "import")
        #expect(migrated[NSStoreUUIDKey] as? String != metadata[NSStoreUUIDKey] as? String)
        #expect(MigrationLeague.secondModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: migrated))
    }

    @Test("progress only grows, from 0 to 1, and the current mapping is told")
    func progress() throws {
        let told = Mutex<(progress: [Float], mappings: [String])>(([], []))
        var observations: [NSKeyValueObservation] = []
        try league.migrate(by: MigrationLeague.mapping()) { manager in
            #expect(manager.migrationProgress == 0)
            observations.append(
                manager.observe(\.migrationProgress, options: [.new]) { manager, change in
                    #expect(change.newValue == manager.migrationProgress)
                    told.withLock { $0.progress.append(change.newValue ?? -1) }
                })
            observations.append(
                manager.observe(\.currentEntityMapping) { manager, _ in
                    let name = manager.currentEntityMapping.name ?? ""
                    told.withLock { $0.mappings.append(name) }
                })
        }
        let (progress, mappings) = told.withLock { $0 }
        #expect(progress.count > 2 && progress == progress.sorted() && progress.first == 0 && progress.last == 1)
        #expect(Array(mappings.prefix(3)) == ["TeamToClub", "PlayerToAthlete", "TeamToClub"])
        observations.forEach { $0.invalidate() }
    }

    @Test("an observer by name is told of the progress until it is removed")
    func namedObserver() throws {
        let observer = ProgressObserver()
        try league.migrate(by: MigrationLeague.mapping()) {
            $0.addObserver(observer, forKeyPath: "migrationProgress", options: [.new, .old], context: nil)
        }
        #expect(observer.values.last == 1 && observer.values.count > 2)
        let count = observer.values.count
        try NSPersistentStoreCoordinator(managedObjectModel: MigrationLeague.secondModel())
            .destroyPersistentStore(at: league.new, type: .tested)
        try league.migrate(by: MigrationLeague.mapping()) {
            $0.addObserver(observer, forKeyPath: "migrationProgress", context: nil)
            $0.removeObserver(observer, forKeyPath: "migrationProgress")
        }
        #expect(observer.values.count == count)
    }

    @Test("a source expression chooses the objects that are migrated")
    func filter() throws {
        let mapping = MigrationLeague.mapping()
        mapping.entityMappings[1].sourceExpression = NSExpression(
            format:
                "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Player\", \"age > 3\"), $manager.sourceContext, NO)"
        )
        try league.migrate(by: mapping)
        try MigrationLeague.open(league.new, MigrationLeague.secondModel()) { context throws in
            #expect(try context.strings("name", of: "Athlete", sortedBy: "age") == ["First Last4", "First Last5"])
            let clubs = try context.all("Club", sortedBy: "title")
            #expect(clubs.map { $0.names("athletes").count } == [0, 2])
        }
    }

    @Test("two mappings of one entity make objects of both kinds; a removed entity leaves none")
    func severalMappings() throws {
        let mapping = MigrationLeague.mapping()
        let coaches = MigrationLeague.entityMapping("Player", to: "Club")
        coaches.attributeMappings = [MigrationLeague.property("title", "$source.name")]
        mapping.entityMappings.append(coaches)
        mapping.entityMappings[0].mappingType = .removeEntityMappingType
        try league.migrate(by: mapping)
        try MigrationLeague.open(league.new, MigrationLeague.secondModel()) { context throws in
            #expect(try context.all("Athlete").count == 6)
            #expect(try context.all("Club", "title BEGINSWITH 'First'").count == 6)
            #expect(try context.all("Club").count == 6)
        }
    }

    @Test("inherited attributes, transformables, decimals, UUIDs, URLs and large data keep their values")
    func allKinds() throws {
        let url = testedPlace(league.folder.appendingPathComponent("Kinds.sqlite"))
        let destination = testedPlace(league.folder.appendingPathComponent("Copy.sqlite"))
        let large = Data(repeating: 7, count: 300_000)
        let id = UUID()
        let values: [String: Any] = [
            "decimal": NSDecimalNumber(string: "1.25"), "id": id, "link": URL(string: "https://example.com/a")!,
            "large": large, "tags": ["a", "b"] as NSArray, "date": Date(timeIntervalSinceReferenceDate: 1.5),
            "flag": true, "small": Float(0.5), "number": Int64.max,
        ]
        try MigrationLeague.open(url, Self.kinds()) { context throws in
            _ = context.insert("Thing", values)
            _ = context.insert("Thing")
            try context.save()
        }
        let things = MigrationLeague.entityMapping("Thing", to: "Thing")
        things.attributeMappings = values.keys.sorted().map { MigrationLeague.property($0, "$source.\($0)") }
        let mapping = NSMappingModel()
        mapping.entityMappings = [things]
        let manager = NSMigrationManager(sourceModel: Self.kinds(), destinationModel: Self.kinds(wider: true))
        try manager.migrateStore(from: url, type: .tested, mapping: mapping, to: destination, type: .tested)
        try MigrationLeague.open(destination, Self.kinds(wider: true)) { context throws in
            let full = try #require(context.all("Thing", "id != nil").first)
            #expect(full.value(forKey: "decimal") as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
            #expect(full.value(forKey: "id") as? UUID == id)
            #expect(full.value(forKey: "link") as? URL == URL(string: "https://example.com/a"))
            #expect(full.value(forKey: "large") as? Data == large)
            #expect(full.value(forKey: "tags") as? [String] == ["a", "b"])
            #expect(full.value(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 1.5))
            #expect(full.value(forKey: "flag") as? Bool == true)
            #expect(full.value(forKey: "small") as? Double == 0.5)
            #expect(full.value(forKey: "number") as? Int64 == .max)
            let empty = try #require(context.all("Thing", "id == nil").first)
            #expect(values.keys.allSatisfy { empty.value(forKey: $0) == nil })
        }
    }

    private static func kinds(wider: Bool = false) -> NSManagedObjectModel {
        model(
            entity(
                "Thing",
                [
                    attribute("decimal", .decimalAttributeType), attribute("id", .UUIDAttributeType),
                    attribute("link", .URIAttributeType), externalData("large"),
                    attribute("tags", .transformableAttributeType), attribute("date", .dateAttributeType),
                    attribute("flag", .booleanAttributeType),
                    attribute("small", wider ? .doubleAttributeType : .floatAttributeType),
                    attribute("number", .integer64AttributeType),
                ]))
    }
}

/// Collects the progress of a migration.
private final class ProgressObserver: KeyValueObserver {
    var values: [Float] = []

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        #expect(keyPath == "migrationProgress" && object is NSMigrationManager && change?[.oldKey] is NSNumber)
        values.append((change?[.newKey] as? NSNumber)?.floatValue ?? -1)
    }
}
