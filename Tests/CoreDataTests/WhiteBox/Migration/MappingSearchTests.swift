@testable import CoreData
import Foundation
import MappingDocument
import ModelArchive
import Testing

@Suite("Mapping models in bundles, and stores that are migrated by them when they are opened", .serialized)
final class MappingSearchTests {
    let league: MigrationLeague
    private let bundle: URL

    init() throws {
        league = try MigrationLeague()
        bundle = Bundle.main.bundleURL.appendingPathComponent("Mapping_\(UUID().uuidString).resources")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    }

    deinit {
        league.remove()
        try? FileManager.default.removeItem(at: bundle)
    }

    /// Writes a compiled mapping with the hashes of the two models.
    private func write(_ mapping: NSMappingModel, as name: String) throws {
        let (old, new) = (MigrationLeague.firstModel(), MigrationLeague.secondModel())
        for mapping in mapping.entityMappings {
            mapping.sourceEntityVersionHash = mapping.sourceEntityName.flatMap { old.entityVersionHashesByName[$0] }
            mapping.destinationEntityVersionHash = mapping.destinationEntityName.flatMap {
                new.entityVersionHashesByName[$0]
            }
        }
        try mapping.compiled.data().write(to: bundle.appendingPathComponent(name))
    }

    private func found(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> NSMappingModel? {
        NSMappingModel(from: nil, forSourceModel: source, destinationModel: destination)
    }

    @Test("the mapping with the hashes of both models is found, and no other; damaged files are passed over")
    func searching() throws {
        try Data("damaged".utf8).write(to: bundle.appendingPathComponent("A.cdm"))
        #expect(found(MigrationLeague.firstModel(), MigrationLeague.secondModel()) == nil)
        try write(MigrationLeague.mapping(lastName: "$source.name"), as: "B.cdm")
        let mapping = try #require(found(MigrationLeague.firstModel(), MigrationLeague.secondModel()))
        #expect(mapping.entityMappings.map(\.name) == ["TeamToClub", "PlayerToAthlete"])
        #expect(found(MigrationLeague.firstModel(), MigrationLeague.secondModel(uniqueName: true)) == nil)
        #expect(found(MigrationLeague.secondModel(), MigrationLeague.firstModel()) == nil)
        #expect(found(LeagueModel.make(), MigrationLeague.secondModel()) == nil)
    }

    @Test("a store is migrated by the mapping when it is opened, and becomes the new one in its place")
    func opening() throws {
        try write(MigrationLeague.mapping(lastName: "$source.name"), as: "B.cdm")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationLeague.secondModel())
        let store = try coordinator.addPersistentStore(
            type: .sqlite, at: league.old, options: [NSMigratePersistentStoresAutomaticallyOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = try context.performAndWait {
            try context.all("Athlete", "lastName BEGINSWITH 'First' AND club != nil").count
        }
        #expect(count == 6)
        try coordinator.remove(store)
        let files = try league.files
        #expect(files == ["League.sqlite"])
    }

    @Test("a store of a configuration is migrated with the objects that it holds")
    func configuration() throws {
        let (source, destination) = (MigrationLeague.firstModel(), MigrationLeague.secondModel())
        func split(_ model: NSManagedObjectModel, _ names: [String]) {
            for (name, configuration) in zip(names, ["Main", "Side"]) {
                model.setEntities([model.entitiesByName[name]].compactMap(\.self), forConfigurationName: configuration)
            }
        }
        split(source, ["Team", "Player"])
        split(destination, ["Club", "Athlete"])
        let url = league.folder.appendingPathComponent("Main.sqlite")
        let before = NSPersistentStoreCoordinator(managedObjectModel: source)
        let old = try before.addPersistentStore(type: .sqlite, configuration: "Main", at: url)
        let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        writer.persistentStoreCoordinator = before
        try writer.performAndWait {
            _ = writer.insert("Team", ["name": "Alone"])
            try writer.save()
        }
        try before.remove(old)
        try write(MigrationLeague.mapping(), as: "B.cdm")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
        let store = try coordinator.addPersistentStore(
            type: .sqlite, configuration: "Main", at: url,
            options: [NSMigratePersistentStoresAutomaticallyOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let titles = try context.performAndWait { try context.strings("title", of: "Club", sortedBy: "title") }
        #expect(titles == ["Alone"])
        try coordinator.remove(store)
    }

    @Test("a migration that fails when a store is opened leaves the store as it was")
    func failing() throws {
        try write(MigrationLeague.mapping(policy: "NoSuchPolicy"), as: "B.cdm")
        let before = try Data(contentsOf: league.old)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationLeague.secondModel())
        let error = thrown {
            try coordinator.addPersistentStore(
                type: .sqlite, at: league.old, options: [NSMigratePersistentStoresAutomaticallyOption: true])
        }
        #expect(error?.code == NSMigrationError)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSEntityMigrationPolicyError)
        #expect(try Data(contentsOf: league.old) == before)
        let files = try league.files
        #expect(files == ["League.sqlite"])
    }

    @Test("the resource of a build is compiled when it is read")
    func resources() throws {
        let fixture = try #require(FixtureMapping.all.first { $0.testDescription == "V2toV3" })
        let document = try Data(contentsOf: fixture.url.appendingPathComponent("xcmapping.xml"))
        let models = TestFolders.tests.appendingPathComponent("ModelArchiveTests/Fixtures/Documents")
        let folder = try #require(
            ModelSamples.allDocuments(in: models).first { $0.lastPathComponent == "SampleModel.xcdatamodeld" })
        func contents(_ version: String) throws -> Data {
            try Data(contentsOf: folder.appendingPathComponent("\(version).xcdatamodel/contents"))
        }
        let resource = MappingBundleFile(
            document: document, source: try contents("SampleModel2"), destination: try contents("SampleModel3"))
        let file = bundle.appendingPathComponent("C.cdm")
        try resource.data().write(to: file)
        let mapping = try #require(NSMappingModel(contentsOf: file))
        let apples = fixture.url.deletingPathExtension().appendingPathExtension("cdm")
        #expect(try mapping.compiled == CompiledMapping(Data(contentsOf: apples)))
        try Data(resource.data().dropLast(40)).write(to: file)
        #expect(NSMappingModel(contentsOf: file) == nil)
    }
}
