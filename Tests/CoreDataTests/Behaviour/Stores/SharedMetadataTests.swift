import CoreData
import Foundation
import Testing

/// Metadata of a file that two coordinators have open, as two programs would.
@Suite("Metadata that several programs set in a file")
struct SharedMetadataTests {
    private func model(_ attributes: String...) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.properties = attributes.map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func opened(_ store: MigratedStore, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: store.type, configurationName: nil, at: store.url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func set(_ values: [String: Any?], _ context: NSManagedObjectContext) throws {
        let found = try #require(context.persistentStoreCoordinator?.persistentStores.first)
        var metadata = try #require(found.metadata)
        for (key, value) in values { metadata[key] = value }
        found.metadata = metadata
    }

    @Test("what a program with the old model sets leaves a migrated file migrated")
    func migrated() throws {
        let store = try MigratedStore(model("text"), kind: nil)
        let old = try opened(store, model("text"))
        try store.use(model("text", "title")) { _ in }
        let hashes = try #require(try store.metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        try old.performAndWait { () throws in
            try set(["lastImport": "today"], old)
            try old.save()
        }
        #expect(try store.metadata["lastImport"] as? String == "today")
        #expect(try store.metadata[NSStoreModelVersionHashesKey] as? [String: Data] == hashes)
        // No option asks for a migration.
        _ = try opened(store, model("text", "title"))
    }

    @Test("each program's keys stay, and a removed key goes")
    func keys() throws {
        let store = try MigratedStore(model("text"), kind: nil)
        let (one, two) = (try opened(store, model("text")), try opened(store, model("text")))
        try set(["a": 1, "both": "one"], one)
        try one.performAndWait { try one.save() }
        try set(["b": Data([2]), "both": "two"], two)
        try two.performAndWait { try two.save() }
        let stored = try store.metadata
        #expect(stored["a"] as? Int == 1 && stored["b"] as? Data == Data([2]) && stored["both"] as? String == "two")
        #expect(two.persistentStoreCoordinator?.persistentStores.first?.metadata["a"] as? Int == 1)
        try set(["a": nil], two)
        try set(["c": 3], one)
        for context in [one, two] { try context.performAndWait { try context.save() } }
        #expect(try store.metadata["a"] == nil && store.metadata["c"] as? Int == 3)
    }

    @Test("a value that no store can keep is refused, and can be set to another one")
    func unstorable() throws {
        let store = try MigratedStore(model("text"), kind: nil)
        let context = try opened(store, model("text"))
        try set(["key": NSObject()], context)
        #expect(thrown { try context.performAndWait { try context.save() } }?.code == NSPersistentStoreSaveError)
        try set(["key": "value"], context)
        try context.performAndWait { try context.save() }
        #expect(try store.metadata["key"] as? String == "value")
    }
}
