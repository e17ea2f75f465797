import CoreData

/// The league's store.
enum League {
    /// Opens `League.sqlite` in a directory that has none yet.
    static func open(in directory: URL) throws -> NSPersistentContainer {
        try open(stores: ["League.sqlite"], in: directory)
    }

    /// Opens the league over several stores.
    static func open(stores: [String], in directory: URL) throws -> NSPersistentContainer {
        let urls = stores.map { directory.appending(path: $0) }
        for url in urls where FileManager.default.fileExists(atPath: url.path) {
            throw Surprise(
                "there is a \(url.lastPathComponent) in \(directory.path) already: name another directory, or none")
        }
        ValueTransformer.setValueTransformer(ColorTransformer(), forName: ColorTransformer.name)
        let container = NSPersistentContainer(name: "League", managedObjectModel: try model())
        container.persistentStoreDescriptions = urls.map { NSPersistentStoreDescription(url: $0) }
        try container.load()
        return container
    }

    /// The model as Xcode saved it. Xcode has no place for the order of a fetched property: that is set here, while the
    /// model is not used yet.
    private static func model() throws -> NSManagedObjectModel {
        guard let url = Bundle.module.url(forResource: "League", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw Surprise("the model League is not in the program's resources") }
        let wPlayers = model.entitiesByName["Team"]?.propertiesByName["wPlayers"] as? NSFetchedPropertyDescription
        wPlayers?.fetchRequest?.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
        return model
    }
}

extension NSPersistentContainer {
    /// Opens the container's store and throws what goes wrong.
    func load() throws {
        // Unsafe in name only: the handler runs before the function returns, unless a description asks for something
        // else.
        nonisolated(unsafe) var failure: (any Error)?
        loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }
}
