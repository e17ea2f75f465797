import CoreData

/// The store that the programs share. It lies in a folder that all of them can use: on Apple's platforms, that of
/// an app group.
enum SharedStore {
    /// Opens the store.
    ///
    /// - Parameter author: The name that the history has for this program's saves.
    static func open(in folder: URL, author: String) throws -> NSPersistentContainer {
        let description = NSPersistentStoreDescription(url: folder.appending(path: "ReadingList.sqlite"))
        // Each program sets both, also one that only reads: the first for what it saves, the second to hear of others.
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        let container = NSPersistentContainer(name: "ReadingList", managedObjectModel: try model())
        container.persistentStoreDescriptions = [description]
        // Unsafe in name only: the handler runs before the function returns.
        nonisolated(unsafe) var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        container.viewContext.transactionAuthor = author
        // Two programs may add the same address at the same time. The model has a constraint on it, and the link that
        // is saved later is merged into the one that is there.
        container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return container
    }

    private static func model() throws -> NSManagedObjectModel {
        guard let url = Bundle.module.url(forResource: "ReadingList", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw Complaint("the model is not in the program's resources") }
        return model
    }
}

extension Link {
    /// The link to an address, if it is in the list.
    static func find(_ address: String, in context: NSManagedObjectContext) throws -> Link? {
        let request = NSFetchRequest<Link>(entityName: "Link")
        request.predicate = NSPredicate(format: "address == %@", address)
        return try context.fetch(request).first
    }
}
