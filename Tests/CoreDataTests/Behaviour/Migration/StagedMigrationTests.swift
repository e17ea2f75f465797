import CoreData
import Foundation
import Testing

@Suite("Staged migrations")
final class StagedMigrationTests {
    let league: MigrationLeague

    init() throws { league = try MigrationLeague(teams: 1, players: 2) }

    deinit { league.remove() }

    /// Versions of the first model: each adds an attribute to the player, the last one takes the name away.
    private static func version(_ number: Int) -> NSManagedObjectModel {
        let model = MigrationLeague.firstModel()
        guard let player = model.entitiesByName["Player"] else { return model }
        if number >= 2 { player.properties.append(attribute("firstName", .stringAttributeType)) }
        if number >= 3 { player.properties.append(attribute("lastName", .stringAttributeType)) }
        if number >= 4 { player.properties.removeAll { $0.name == "name" } }
        return model
    }

    private static func checksum(_ number: Int) -> String { version(number).versionChecksum }

    private static func reference(_ number: Int) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: version(number), versionChecksum: checksum(number))
    }

    /// A step that fills the names in before the old one goes.
    private static func splitting(_ log: CallLog = CallLog()) -> NSCustomMigrationStage {
        let stage = NSCustomMigrationStage(migratingFrom: reference(3), to: reference(4))
        stage.label = "Split names"
        stage.willMigrateHandler = { manager, stage in
            log.lines.append("will \(stage.label ?? "")")
            let context = try #require(manager.container?.newBackgroundContext())
            try context.performAndWait {
                for player in try context.all("Player") {
                    let names = (player.string("name") ?? "").split(separator: " ").map(String.init)
                    player.setValue(names.first, forKey: "firstName")
                    player.setValue(names.last, forKey: "lastName")
                }
                try context.save()
            }
        }
        stage.didMigrateHandler = { manager, _ in
            let model = try #require(manager.container?.managedObjectModel)
            log.lines.append("did with \(model.entitiesByName["Player"]?.attributesByName.keys.sorted() ?? [])")
        }
        return stage
    }

    private func open(_ number: Int, _ stages: [NSMigrationStage], _ block: (NSManagedObjectContext) throws -> Void)
        throws
    {
        let manager = NSStagedMigrationManager(stages)
        #expect(manager.stages == stages && manager.container == nil)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(number))
        let store = try coordinator.addPersistentStore(
            type: .tested, at: league.old,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                NSPersistentStoreStagedMigrationManagerOptionKey: manager,
            ])
        #expect(manager.container == nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try block(context) }
        try coordinator.remove(store)
    }

    @Test("a store goes through lightweight and custom stages, with the handlers in between")
    func allStages() throws {
        let log = CallLog()
        let lightweight = NSLightweightMigrationStage([1, 2, 3].map(Self.checksum))
        #expect(lightweight.versionChecksums.count == 3)
        try open(4, [lightweight, Self.splitting(log)]) { context throws in
            #expect(try context.strings("lastName", of: "Player", sortedBy: "age") == ["Last0", "Last1"])
            #expect(try context.all("Player", "team.name == 'Team 0' AND firstName == 'First'").count == 2)
        }
        #expect(log.lines == ["will Split names", "did with [\"age\", \"firstName\", \"lastName\"]"])
        // The store has its version now: no stage is called.
        try open(4, [lightweight, Self.splitting(log)]) { _ in }
        #expect(log.lines.count == 2)
    }

    @Test("a store of a version in the middle begins there; versions before a custom stage may be left out")
    func middle() throws {
        try open(2, [NSLightweightMigrationStage([Self.checksum(1), Self.checksum(2)])]) { _ in }
        try open(3, [NSLightweightMigrationStage([2, 3].map(Self.checksum))]) { _ in }
        let log = CallLog()
        try open(4, [NSLightweightMigrationStage([Self.checksum(1)]), Self.splitting(log)]) { context throws in
            #expect(try context.strings("firstName", of: "Player", sortedBy: "age") == ["First", "First"])
        }
        #expect(log.lines.count == 2)
    }

    @Test("a store of a version that no stage has is refused")
    func unknownVersion() {
        let error = thrown { try open(3, [NSLightweightMigrationStage([2, 3].map(Self.checksum))]) { _ in } }
        #expect(error?.code == NSManagedObjectModelReferenceNotFoundError && error?.domain == NSCocoaErrorDomain)
    }

    @Test("no way leads back")
    func backwards() {
        let error = thrown { try open(2, [NSLightweightMigrationStage([2, 1].map(Self.checksum))]) { _ in } }
        #expect(error?.code == NSStagedMigrationBackwardMigrationError)
    }

    @Test("a missing model of a custom stage is told")
    func missingModel() {
        let missing = NSManagedObjectModelReference(
            name: "NoSuchVersion", in: nil, versionChecksum: Self.checksum(4))
        let stages = [NSCustomMigrationStage(migratingFrom: Self.reference(1), to: missing)]
        let error = thrown {
            try open(3, stages + [NSCustomMigrationStage(migratingFrom: missing, to: Self.reference(3))]) { _ in }
        }
        #expect(error?.code == NSManagedObjectModelReferenceNotFoundError)
    }

    @Test("an error of a handler ends the migration, names the stage, and the store goes on from there")
    func failingHandler() throws {
        let stage = Self.splitting()
        stage.willMigrateHandler = { _, _ in throw NSError(domain: "test", code: 1) }
        let lightweight = NSLightweightMigrationStage([1, 2, 3].map(Self.checksum))
        let error = thrown { try open(4, [lightweight, stage]) { _ in } }
        #expect(error?.code == NSMigrationError && error?.localizedDescription.contains("Split names") ?? false)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "test")
        try open(4, [lightweight, Self.splitting()]) { context throws in
            #expect(try context.strings("lastName", of: "Player", sortedBy: "age") == ["Last0", "Last1"])
        }
    }
}
