import CoreData

/// A stack of today: an actor in front of a background context, values out of it, errors thrown.
actor ItemStore {
    struct Snapshot: Sendable, Equatable {
        let id: NSManagedObjectID
        let timestamp: Date?
    }

    private let container: NSPersistentContainer

    init(at url: URL) async throws {
        let bundle = Bundle.module
        guard let model = NSManagedObjectModel.mergedModel(from: [bundle]) else { throw CocoaError(.fileNoSuchFile) }
        container = NSPersistentContainer(name: "Tutorials", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = NSPersistentStore.StoreType.sqlite.rawValue
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        container.persistentStoreDescriptions = [description]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            container.loadPersistentStores { _, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    func add(_ timestamps: [Date]) async throws {
        try await container.performBackgroundTask { context in
            for timestamp in timestamps {
                let item = Item(context: context)
                item.timestamp = timestamp
            }
            try context.save()
        }
    }

    func items(since date: Date) async throws -> [Snapshot] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let request = Item.fetchRequest()
            request.predicate = NSPredicate(format: "%K >= %@", "timestamp", date as NSDate)
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Item.timestamp, ascending: true)]
            return try context.fetch(request).map { Snapshot(id: $0.objectID, timestamp: $0.timestamp) }
        }
    }
}
