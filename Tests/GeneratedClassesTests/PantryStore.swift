import CoreData
import Testing

/// A new store of the pantry's model in a temporary directory.
final class Pantry {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }
    private let directory = FileManager.default.temporaryDirectory.appending(path: "pantry-\(UUID().uuidString)")

    init() throws {
        ValueTransformer.setValueTransformer(LabelTransformer(), forName: NSValueTransformerName("LabelTransformer"))
        container = NSPersistentContainer(name: "Pantry")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: directory.appending(path: "Pantry.sqlite"))
        ]
        // Unsafe in name only: the handler runs before the function returns.
        nonisolated(unsafe) var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Saves, and forgets every object.
    func reload() throws {
        try context.save()
        context.reset()
    }

    func jar(_ name: String) -> Jar {
        let jar = Jar(context: context)
        jar.name = name
        return jar
    }

    func only<Object: NSManagedObject>(_ type: Object.Type, _ entity: String) throws -> Object {
        try #require(try context.fetch(NSFetchRequest<Object>(entityName: entity)).first)
    }
}
