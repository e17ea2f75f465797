import CoreData
import Foundation
import Testing

@Suite("Migrations version by version that apps write by hand")
final class ProgressiveMigrationTests {
    let league: MigrationLeague

    init() throws { league = try MigrationLeague(teams: 2, players: 2) }

    deinit { league.remove() }

    /// The versions, from old to new.
    private static let versions: [@Sendable () -> NSManagedObjectModel] = [
        { MigrationLeague.firstModel() },
        { MigrationLeague.secondModel() },
        {
            let model = MigrationLeague.secondModel()
            model.entitiesByName["Club"]?.properties.append(attribute("founded", .dateAttributeType))
            return model
        },
    ]

    private static func mapping(from version: Int) throws -> NSMappingModel {
        if version == 0 { return MigrationLeague.mapping(lastName: "$source.name") }
        return try NSMappingModel.inferredMappingModel(
            forSourceModel: versions[version](), destinationModel: versions[version + 1]())
    }

    /// As apps write it: find the store's version, migrate to a temporary file, replace the store, and again.
    private func migrateStepByStep(_ url: URL) throws {
        while true {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url, options: nil)
            let version = try #require(
                Self.versions.firstIndex { $0().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) })
            if version == Self.versions.count - 1 { return }
            let (source, destination) = (Self.versions[version](), Self.versions[version + 1]())
            let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil, with: Self.mapping(from: version),
                toDestinationURL: temporary, destinationType: NSSQLiteStoreType, destinationOptions: nil)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
            try coordinator.replacePersistentStore(
                at: url, destinationOptions: nil, withPersistentStoreFrom: temporary, sourceOptions: nil,
                ofType: NSSQLiteStoreType)
            try coordinator.destroyPersistentStore(at: temporary, ofType: NSSQLiteStoreType, options: nil)
            try FileManager.default.removeItem(at: temporary)
        }
    }

    @Test("a store of the first version arrives at the last one")
    func all() throws {
        try migrateStepByStep(league.old)
        try MigrationLeague.open(league.old, Self.versions[2]()) { context throws in
            #expect(try context.strings("title", of: "Club", sortedBy: "title") == ["Team 0", "Team 1"])
            #expect(try context.all("Athlete", "club.title == 'Team 1' AND lastName == name").count == 2)
            #expect(try context.all("Club", "founded == nil").count == 2)
        }
        let files = try league.files
        #expect(files == ["League.sqlite"])
        // A store of the last version stays as it is.
        let before = try Data(contentsOf: league.old)
        try migrateStepByStep(league.old)
        #expect(try Data(contentsOf: league.old) == before)
    }
}
