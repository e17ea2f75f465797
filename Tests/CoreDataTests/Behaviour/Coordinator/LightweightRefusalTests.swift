import CoreData
import Foundation
import Synchronization
import Testing

/// What is said of stores of another version, and what a migration that can't be made leaves behind.
@Suite struct LightweightRefusalTests {
    private func books(_ properties: [NSPropertyDescription]) -> NSManagedObjectModel {
        model(entity("Book", properties))
    }

    private func filled() throws -> MigratedStore {
        try MigratedStore(books([attribute("title", .stringAttributeType)])) { context throws in
            _ = context.insert("Book", ["title": "Emma"])
        }
    }

    private var required: NSManagedObjectModel {
        books([
            attribute("title", .stringAttributeType), attribute("pages", .integer16AttributeType, optional: false),
        ])
    }

    private func stays(_ store: MigratedStore) throws {
        try store.use(books([attribute("title", .stringAttributeType)]), [:]) { context throws in
            #expect(try context.all("Book").map { $0.string("title") } == ["Emma"])
        }
    }

    @Test func withoutMigrationTheErrorSaysWhatDiffers() throws {
        let store = try filled()
        let error = try #require(thrown { try store.use(required, [:]) { _ in } })
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(error.userInfo["differences"] as? [String] == ["Book.pages: new, required, no default"])
        #expect(error.userInfo["canInferMapping"] as? Bool == false)
        let reason = try #require(error.localizedFailureReason)
        #expect(reason.contains("Book.pages: new, required, no default") && reason.contains("can't be inferred"))
        try stays(store)
    }

    @Test func withoutMigrationTheErrorSaysThatOneWouldDo() throws {
        let store = try filled()
        let new = books([attribute("name", .stringAttributeType).renamed(from: "title")])
        let error = try #require(thrown { try store.use(new, [:]) { _ in } })
        #expect(error.userInfo["differences"] as? [String] == ["Book.name: was title"])
        #expect(error.userInfo["canInferMapping"] as? Bool == true)
        #expect(
            error.localizedRecoverySuggestion?.contains("NSMigratePersistentStoresAutomaticallyOption") ?? false)
    }

    @Test func aStoreThatIsOnlyReadIsNotMigrated() throws {
        let store = try filled()
        var options = MigratedStore.automatic
        options[NSReadOnlyPersistentStoreOption] = true
        let error = try #require(
            thrown { try store.use(books([attribute("name", .stringAttributeType)]), options) { _ in } })
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
        try stays(store)
    }

    @Test func aTypeThatValuesDoNotBecomeIsRefused() throws {
        let store = try filled()
        let new = books([attribute("title", .integer16AttributeType)])
        let error = try #require(thrown { try store.use(new) { _ in } })
        #expect(error.code == NSMigrationMissingMappingModelError)
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.code == NSInferredMappingModelError)
        #expect(cause.userInfo["entity"] as? String == "Book" && cause.userInfo["property"] as? String == "title")
        #expect(cause.localizedFailureReason?.contains("Book.title") ?? false)
        try stays(store)
    }

    @Test func anAttributeThatBecomesACompositeIsRefused() throws {
        let store = try filled()
        let error = try #require(
            thrown { try store.use(books([composite("title", [attribute("main", .stringAttributeType)])])) { _ in } })
        #expect(error.code == NSMigrationMissingMappingModelError)
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.code == NSInferredMappingModelError && cause.userInfo["property"] as? String == "title")
        try stays(store)
    }

    @Test func aRequiredValueThatObjectsLackStopsTheMigration() throws {
        let store = try filled()
        let error = try #require(thrown { try store.use(required) { _ in } })
        #expect(error.code == NSMigrationError)
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.code == NSInferredMappingModelError && cause.userInfo["property"] as? String == "pages")
        try stays(store)
    }

    @Test func aRequiredValueThatNoObjectLacksIsNoObstacle() throws {
        let store = try MigratedStore(books([attribute("title", .stringAttributeType)]))
        #expect(try store.use(required) { try $0.all("Book").count } == 0)
    }

    @Test func withoutInferenceThereIsNoMapping() throws {
        let store = try filled()
        let error = try #require(
            thrown {
                try store.use(
                    books([attribute("name", .stringAttributeType)]),
                    [NSMigratePersistentStoresAutomaticallyOption: true]
                ) { _ in }
            })
        #expect(error.code == NSMigrationMissingMappingModelError)
        try stays(store)
    }

    @Test func aContainerMigratesUnlessItIsToldNotTo() throws {
        let store = try filled()
        let new = books([attribute("name", .stringAttributeType).renamed(from: "title")])
        for (isAsked, code) in [(false, NSPersistentStoreIncompatibleVersionHashError), (true, 0)] {
            let container = NSPersistentContainer(name: "Books", managedObjectModel: new)
            let description = NSPersistentStoreDescription(url: store.url)
            if !isAsked { description.shouldMigrateStoreAutomatically = false }
            container.persistentStoreDescriptions = [description]
            let found = Mutex<[Int]>([])
            container.loadPersistentStores { _, error in
                found.withLock { $0.append((error as NSError?)?.code ?? 0) }
            }
            #expect(found.withLock { $0 } == [code])
            for store in container.persistentStoreCoordinator.persistentStores {
                try container.persistentStoreCoordinator.remove(store)
            }
        }
    }

    @Test func metadataOfTheAppAndTheIdentifierStay() throws {
        let store = try filled()
        var metadata = try store.metadata
        metadata["note"] = "kept"
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: store.url)
        let new = books([attribute("name", .stringAttributeType).renamed(from: "title")])
        try store.use(new) { _ in }
        let after = try store.metadata
        #expect(after["note"] as? String == "kept")
        #expect(after[NSStoreUUIDKey] as? String == metadata[NSStoreUUIDKey] as? String)
        #expect(new.isConfiguration(withName: nil, compatibleWithStoreMetadata: after))
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: store.url, options: nil)
        #expect(cached?.entityVersionHashesByName == new.entityVersionHashesByName)
    }
}
