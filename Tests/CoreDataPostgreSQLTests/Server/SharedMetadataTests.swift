import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// Metadata of a store that several programs have open.
@Suite("Metadata that several programs set")
struct SharedMetadataTests {
    private let store: NamedStore

    init() throws { store = try NamedStore() }

    private var stored: [String: Any] {
        get throws { try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: store.url) }
    }

    private func set(_ values: [String: Any?], _ context: NSManagedObjectContext) throws {
        let found = try #require(context.persistentStoreCoordinator?.persistentStores.first)
        var metadata = try #require(found.metadata)
        for (key, value) in values { metadata[key] = value }
        found.metadata = metadata
    }

    @Test("what an app with the old model sets leaves a migrated store migrated")
    func migrated() throws {
        let old = try store.open(NamedModel().make())
        var next = NamedModel()
        next.attributes = [("rating", .integer16AttributeType)]
        _ = try store.open(
            next.make(),
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        let hashes = try #require(try stored[NSStoreModelVersionHashesKey] as? [String: Data])
        try old.performAndWait { () throws in
            try set(["lastImport": "today"], old)
            try old.save()
        }
        #expect(try stored["lastImport"] as? String == "today")
        #expect(try stored[NSStoreModelVersionHashesKey] as? [String: Data] == hashes)
        // No option asks for a migration.
        _ = try store.open(next.make())
    }

    @Test("each program's keys stay, and a removed key goes")
    func keys() throws {
        let (one, two) = (try store.open(NamedModel().make()), try store.open(NamedModel().make()))
        try set(["a": 1, "both": "one"], one)
        try one.performAndWait { try one.save() }
        try set(["b": 2, "both": "two"], two)
        try two.performAndWait { try two.save() }
        #expect(try stored["a"] as? Int == 1 && stored["b"] as? Int == 2 && stored["both"] as? String == "two")
        // A save of one's own brings what others have set.
        #expect(two.persistentStoreCoordinator?.persistentStores.first?.metadata["a"] as? Int == 1)
        try set(["a": nil], two)
        try set(["c": 3], one)
        for context in [one, two] { try context.performAndWait { try context.save() } }
        #expect(try stored["a"] == nil && stored["b"] as? Int == 2 && stored["c"] as? Int == 3)
    }
}
