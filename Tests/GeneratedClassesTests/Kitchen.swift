import CoreData
import Testing

/// A new store of the kitchen's model in a temporary directory.
final class Kitchen {
    let container: NSPersistentContainer
    let directory: URL
    var context: NSManagedObjectContext { container.viewContext }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "kitchen-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let url = try #require(Bundle.module.url(forResource: "Kitchen", withExtension: "momd"))
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        container = NSPersistentContainer(name: "Kitchen", managedObjectModel: model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: directory.appending(path: "Kitchen.sqlite"))
        ]
        // Unsafe in name only: the handler runs before the function returns.
        nonisolated(unsafe) var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// A dessert with all that is required.
    func dessert(_ name: String) -> Dessert {
        let dessert = Dessert(context: context)
        dessert.name = name
        dessert.chef = Chef(context: context)
        dessert.addToSteps(step("Begin"))
        return dessert
    }

    func step(_ text: String) -> Step {
        let step = Step(context: context)
        step.text = text
        return step
    }

    /// Saves, forgets every object, and fetches the only dessert again.
    func reloadedDessert() throws -> Dessert {
        try context.save()
        context.reset()
        let request: NSFetchRequest<Dessert> = Dessert.fetchRequest()
        return try #require(try context.fetch(request).first)
    }
}
