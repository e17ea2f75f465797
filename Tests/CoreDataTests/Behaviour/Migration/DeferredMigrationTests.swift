import CoreData
import Foundation
import Testing

@Suite("Lightweight migrations that leave indexes for later")
final class DeferredMigrationTests {
    let league: MigrationLeague

    init() throws { league = try MigrationLeague() }

    deinit { league.remove() }

    /// The first model with a new attribute and two indexes.
    private static func indexed() -> NSManagedObjectModel {
        let model = MigrationLeague.firstModel()
        guard let player = model.entitiesByName["Player"] else { return model }
        player.properties.append(attribute("height", .doubleAttributeType))
        player.indexes = ["name", "age"].compactMap { name in
            player.attributesByName[name].map { attribute in
                NSFetchIndexDescription(
                    name: "by_\(name)",
                    elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)])
            }
        }
        return model
    }

    private func isLeft(_ coordinator: NSPersistentStoreCoordinator) -> Bool {
        let metadata = coordinator.persistentStores.first.map { coordinator.metadata(for: $0) }
        return metadata?[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool ?? false
    }

    @Test("the store can be used at once; the rest is done task by task, or together", arguments: [true, false])
    func finishing(taskByTask: Bool) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.indexed())
        let store = try coordinator.addPersistentStore(
            type: .tested, at: league.old,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                NSPersistentStoreDeferredLightweightMigrationOptionKey: true,
            ])
        #expect(isLeft(coordinator))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            #expect(try context.all("Player", "age > 3").count == 2)
            _ = context.insert("Player", ["name": "New", "height": 1.9])
            try context.save()
        }
        #expect(isLeft(coordinator))
        var tasks = 0
        if taskByTask {
            while isLeft(coordinator), tasks < 10 {
                try coordinator.finishDeferredLightweightMigrationTask()
                tasks += 1
            }
            #expect(tasks > 1)
        } else {
            try coordinator.finishDeferredLightweightMigration()
        }
        #expect(!isLeft(coordinator))
        // Nothing is left: nothing happens.
        try coordinator.finishDeferredLightweightMigration()
        try coordinator.remove(store)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .tested, at: league.old)
        #expect(metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] == nil)
        try MigrationLeague.open(league.old, Self.indexed()) { context throws in
            #expect(try context.all("Player", "height > 1").count == 1)
        }
    }
}
