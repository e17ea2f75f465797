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

    /// Books on shelves; in the second version each shelf has one book.
    private func shelves(hasInverse: Bool) -> NSManagedObjectModel {
        let (book, shelf) = (entity("Book", []), entity("Shelf", [attribute("name", .stringAttributeType)]))
        let (to, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (to.name, to.destinationEntity, to.maxCount) = ("shelf", shelf, 1)
        (back.name, back.destinationEntity, back.maxCount) = ("book", book, 1)
        book.properties = [to]
        if hasInverse {
            shelf.properties.append(back)
            (to.inverseRelationship, back.inverseRelationship) = (back, to)
        }
        return model(book, shelf)
    }

    @Test func objectsThatShareADestinationStopANewOneToOne() throws {
        let store = try MigratedStore(shelves(hasInverse: false)) { context throws in
            let shelf = context.insert("Shelf", ["name": "Novels"])
            for _ in 0..<2 { _ = context.insert("Book", ["shelf": shelf]) }
        }
        let error = try #require(thrown { try store.use(shelves(hasInverse: true)) { _ in } })
        #expect(error.code == NSMigrationError)
        #expect(error.localizedFailureReason?.contains("Book.shelf: an object can be the destination of one") ?? false)
        try store.use(shelves(hasInverse: false), [:]) { context throws in
            #expect(try context.all("Book").compactMap { $0.object("shelf")?.string("name") } == ["Novels", "Novels"])
        }
    }

    @Test func aNewOneToOneHasBothEnds() throws {
        let store = try MigratedStore(shelves(hasInverse: false)) { context throws in
            for name in ["Novels", "Poems"] {
                _ = context.insert("Book", ["shelf": context.insert("Shelf", ["name": name])])
            }
            _ = context.insert("Shelf", ["name": "Empty"])
        }
        try store.use(shelves(hasInverse: true)) { context throws in
            for shelf in try context.all("Shelf") {
                let book = shelf.object("book")
                #expect((book == nil) == (shelf.string("name") == "Empty"))
                #expect(book == nil || book?.object("shelf") == shelf)
            }
        }
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
            description.type = store.type
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
            metadata, forPersistentStoreOfType: store.type, at: store.url)
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
