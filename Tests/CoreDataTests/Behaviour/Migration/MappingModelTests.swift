import CoreData
import Foundation
import Testing

@Suite("Mapping models by hand and by inference")
final class MappingModelTests {
    let league: MigrationLeague

    init() throws { league = try MigrationLeague() }

    deinit { league.remove() }

    @Test("a new mapping model is empty; mappings are found by their names")
    func names() {
        let mapping = NSMappingModel()
        #expect(mapping.entityMappings.isEmpty && mapping.entityMappingsByName.isEmpty)
        let copied = MigrationLeague.mapping()
        #expect(Set(copied.entityMappingsByName.keys) == ["TeamToClub", "PlayerToAthlete"])
        copied.entityMappings = nil
        #expect(copied.entityMappings.isEmpty)
        let entity = NSEntityMapping()
        #expect(entity.name == "" && entity.mappingType == .undefinedEntityMappingType && entity.userInfo == nil)
        entity.userInfo = ["key": 1]
        #expect(entity.userInfo?["key"] as? Int == 1)
        #expect(NSPropertyMapping().name == nil && NSPropertyMapping().valueExpression == nil)
    }

    @Test("the kinds of mappings have Apple's numbers")
    func kinds() {
        let all: [NSEntityMappingType] = [
            .undefinedEntityMappingType, .customEntityMappingType, .addEntityMappingType, .removeEntityMappingType,
            .copyEntityMappingType, .transformEntityMappingType,
        ]
        #expect(all.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }

    @Test("the variables of expressions have Apple's names")
    func keys() {
        #expect(NSMigrationManagerKey == "manager" && NSMigrationSourceObjectKey == "source")
        #expect(NSMigrationDestinationObjectKey == "destination" && NSMigrationEntityMappingKey == "entityMapping")
        #expect(NSMigrationPropertyMappingKey == "propertyMapping" && NSMigrationEntityPolicyKey == "entityPolicy")
    }

    /// The second version of the league, with renaming identifiers.
    private static func renamed() -> NSManagedObjectModel {
        let model = MigrationLeague.secondModel()
        let names = ["Club": "Team", "Athlete": "Player", "title": "name", "athletes": "players", "club": "team"]
        for entity in model.entities {
            entity.renamingIdentifier = names[entity.name ?? ""]
            for property in entity.properties { property.renamingIdentifier = names[property.name] ?? property.name }
        }
        return model
    }

    @Test("an inferred mapping follows renaming identifiers", arguments: [true, false])
    func inferring(inDatabase: Bool) throws {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: MigrationLeague.firstModel(), destinationModel: Self.renamed())
        #expect(Set(mapping.entityMappings.compactMap(\.destinationEntityName)) == ["Club", "Athlete"])
        #expect(mapping.entityMappings.allSatisfy { $0.mappingType == .transformEntityMappingType })
        let manager = NSMigrationManager(sourceModel: MigrationLeague.firstModel(), destinationModel: Self.renamed())
        manager.usesStoreSpecificMigrationManager = inDatabase
        try manager.migrateStore(from: league.old, type: .tested, mapping: mapping, to: league.new, type: .tested)
        #expect(manager.migrationProgress == 1)
        try MigrationLeague.open(league.new, Self.renamed()) { context throws in
            let clubs = try context.all("Club", sortedBy: "title")
            #expect(clubs.map { $0.string("title") } == ["Team 0", "Team 1"])
            #expect(clubs.map { $0.names("athletes").count } == [3, 3])
            #expect(try context.strings("name", of: "Athlete", sortedBy: "age").first == "First Last0")
        }
        try league.hasBothStoresOnly()
    }

    @Test("an inferred mapping that the app has changed goes object by object")
    func changedInference() throws {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: MigrationLeague.firstModel(), destinationModel: Self.renamed())
        let athletes = try #require(mapping.entityMappings.first { $0.destinationEntityName == "Athlete" })
        athletes.attributeMappings?.append(MigrationLeague.property("lastName", "uppercase($source.name)"))
        let manager = NSMigrationManager(sourceModel: MigrationLeague.firstModel(), destinationModel: Self.renamed())
        try manager.migrateStore(from: league.old, type: .tested, mapping: mapping, to: league.new, type: .tested)
        try MigrationLeague.open(league.new, Self.renamed()) { context throws in
            #expect(try context.strings("lastName", of: "Athlete", sortedBy: "age").first == "FIRST LAST0")
        }
    }

    @Test("what can't be inferred is refused with the property")
    func refusing() {
        let error = thrown {
            _ = try NSMappingModel.inferredMappingModel(
                forSourceModel: MigrationLeague.firstModel(),
                destinationModel: model(entity("Team", [attribute("name", .dateAttributeType)])))
        }
        #expect(error?.code == NSInferredMappingModelError)
        #expect(error?.localizedFailureReason?.contains("Team.name") ?? false)
    }

    @Test("without a mapping model in the bundles there is none; files that are none are told")
    func files() throws {
        #expect(
            NSMappingModel(
                from: [Bundle.main], forSourceModel: MigrationLeague.firstModel(),
                destinationModel: MigrationLeague.secondModel()) == nil)
        #expect(NSMappingModel(from: nil, forSourceModel: nil, destinationModel: nil) == nil)
        #expect(NSMappingModel(contentsOf: nil) == nil)
        let file = league.folder.appendingPathComponent("Wrong.cdm")
        try Data("no mapping".utf8).write(to: file)
        #expect(NSMappingModel(contentsOf: file) == nil)
        #expect(NSMappingModel(contentsOf: league.folder.appendingPathComponent("Missing.cdm")) == nil)
    }
}
