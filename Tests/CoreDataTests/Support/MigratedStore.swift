import CoreData
import Foundation

/// A store that one version of a model makes and fills, and that others open; its folder goes with it.
final class MigratedStore {
    let folder: URL
    let url: URL
    let type: String

    /// - Parameters:
    ///   - model: The first version of the model; nil: no store is made yet.
    ///   - parent: Where the folder is made.
    ///   - kind: What makes the store: that of the tested stores, or nil for an SQLite file.
    init(
        _ model: NSManagedObjectModel?, in parent: URL = FileManager.default.temporaryDirectory,
        kind: (any TestedStore.Type)? = testedStoreClass, fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        folder = parent.appendingPathComponent("Migration-" + UUID().uuidString)
        let file = folder.appendingPathComponent("Store.sqlite")
        url = kind?.place(of: file) ?? file
        type = kind?.register() ?? NSSQLiteStoreType
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let model else { return }
        try use(model) { context in
            try fill(context)
            if context.hasChanges { try context.save() }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A folder in memory, where the system has one: for tests with so many stores that a disk is too slow.
    static let memory: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        return isThere ? memory : FileManager.default.temporaryDirectory
    }()

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
            ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try block(context) }
        try coordinator.remove(store)
        return result
    }

    /// The store's metadata.
    var metadata: [String: Any] {
        get throws {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
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
