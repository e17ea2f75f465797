import CoreData
import Foundation

/// A store that one version of a model makes and fills, and that others open; its folder goes with it.
final class MigratedStore {
    let folder: URL
    let url: URL

    init(_ model: NSManagedObjectModel, fill: (NSManagedObjectContext) throws -> Void = { _ in }) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Migration-" + UUID().uuidString)
        url = folder.appendingPathComponent("Store.sqlite")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try use(model) { context in
            try fill(context)
            if context.hasChanges { try context.save() }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What migrates a store by an inferred mapping.
    static var automatic: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    /// Runs a block with a context over the store, and closes it.
    func use<T>(
        _ model: NSManagedObjectModel, _ options: [AnyHashable: Any] = automatic,
        _ block: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try block(context) }
        try coordinator.remove(store)
        return result
    }

    /// The store's metadata.
    var metadata: [String: Any] {
        get throws {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        }
    }

    /// The names of the files with large values.
    var externalFiles: Set<String> {
        let path = folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA").path
        return Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    }
}

extension NSPropertyDescription {
    /// The same property, which had another name in an older version.
    func renamed(from name: String) -> Self {
        renamingIdentifier = name
        return self
    }
}

extension NSEntityDescription {
    /// The same entity, which had another name in an older version.
    func renamed(from name: String) -> NSEntityDescription {
        renamingIdentifier = name
        return self
    }
}
