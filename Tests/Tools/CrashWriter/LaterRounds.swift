import CoreData
import Foundation

/// Binary stores of rounds that become those of a later model, object by object.
enum LaterRounds {
    /// Makes a store, if there is none, and stops in the middle of its migration until the process is ended.
    static func halt(_ store: URL) throws -> Never {
        if !FileManager.default.fileExists(atPath: store.path) { try make(store) }
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
        ) { _ in
            FileHandle.standardOutput.write(Data("halted\n".utf8))
            while true { sleep(60) }
        }
        try withExtendedLifetime(token) { try migrate(store) }
        exit(4)
    }

    static func migrate(_ store: URL) throws {
        let options = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        _ = try context(store, model(), options)
    }

    private static func make(_ store: URL) throws {
        let context = try context(store, Rounds.model(), nil)
        try context.performAndWait {
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue(1, forKey: "round")
            try context.save()
        }
    }

    private static func model() -> NSManagedObjectModel {
        let model = Rounds.model()
        let note = NSAttributeDescription()
        note.name = "note"
        note.attributeType = .stringAttributeType
        model.entities[0].properties.append(note)
        return model
    }

    private static func context(
        _ store: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]?
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSBinaryStoreType, configurationName: nil, at: store, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
