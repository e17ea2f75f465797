import CoreData

/// A container of the shop's model with its store in a file.
public func makeShop(at url: URL) -> NSPersistentContainer {
    let model = NSManagedObjectModel(contentsOf: Bundle.module.url(forResource: "Shop", withExtension: "momd")!)!
    let container = NSPersistentContainer(name: "Shop", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    container.loadPersistentStores { _, error in
        if let error { fatalError("\(error)") }
    }
    return container
}
