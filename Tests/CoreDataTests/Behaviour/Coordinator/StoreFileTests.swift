import CoreData
import Testing

@Suite("Destroying, replacing and moving stores")
struct StoreFileTests {
    let stack: Stack

    init() throws { stack = try Stack(StoreFileTests.model()) }

    private static func model() -> NSManagedObjectModel {
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        return CoreDataTests.model(entity("Note", [attribute("text", .stringAttributeType), photo]))
    }

    private func fill(_ text: String) throws {
        try stack.work { context in
            _ = context.insert("Note", ["text": text, "photo": Data(repeating: 7, count: 200_000)])
            try context.save()
        }
    }

    private func texts(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try context.all("Note").compactMap { note in
                #expect((note.value(forKey: "photo") as? Data)?.count == 200_000)
                return note.string("text")
            }.sorted()
        }
    }

    private func files(beside url: URL) -> Int {
        let name = url.deletingPathExtension().lastPathComponent
        let folder = url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0
    }

    @Test("a destroyed store leaves its coordinator and no log, and a new one can be made in its place")
    func destroying() throws {
        try fill("old")
        #expect(files(beside: stack.storeURL) == 1)
        try stack.coordinator.destroyPersistentStore(at: stack.storeURL, ofType: NSSQLiteStoreType)
        #expect(stack.coordinator.persistentStores.isEmpty && files(beside: stack.storeURL) == 0)
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.storeURL)
        #expect(try texts(stack.coordinator) == [])
        try fill("new")
        #expect(try texts(stack.coordinator) == ["new"])
    }

    @Test("another coordinator that has a destroyed store open sees an empty database, not a damaged one")
    func destroyingUnderReaders() throws {
        try fill("old")
        let other = NSPersistentStoreCoordinator(managedObjectModel: StoreFileTests.model())
        try other.addPersistentStore(type: .sqlite, at: stack.storeURL)
        try stack.coordinator.destroyPersistentStore(at: stack.storeURL, type: .sqlite)
        let error = thrown { _ = try texts(other) }
        #expect(error?.domain == NSCocoaErrorDomain)
    }

    @Test("nothing is destroyed where there is nothing; a file that is no store is spared, unless it is to go by force")
    func destroyingOthers() throws {
        let missing = stack.folder.appendingPathComponent("Missing.sqlite")
        try stack.coordinator.destroyPersistentStore(at: missing, type: .sqlite)
        #expect(!FileManager.default.fileExists(atPath: missing.path))
        let text = stack.folder.appendingPathComponent("Text.sqlite")
        try Data(String(repeating: "no store ", count: 100).utf8).write(to: text)
        let error = thrown { try stack.coordinator.destroyPersistentStore(at: text, type: .sqlite) }
        #expect(error?.code == NSFileReadCorruptFileError)
        #expect(FileManager.default.fileExists(atPath: text.path))
        try stack.coordinator.destroyPersistentStore(
            at: text, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
        #expect(!FileManager.default.fileExists(atPath: text.path))
    }

    @Test("a store takes the place of another one, with what is still in its log, and external files go with it")
    func replacing() throws {
        try fill("backup")
        let other = try Stack(StoreFileTests.model())
        for store in other.coordinator.persistentStores {
            let error = thrown {
                try stack.coordinator.replacePersistentStore(
                    at: stack.storeURL, withPersistentStoreFrom: other.storeURL, type: .sqlite)
            }
            #expect(error?.code == NSPersistentStoreOperationError, "in use")
            try other.coordinator.remove(store)
        }
        try stack.coordinator.replacePersistentStore(
            at: other.storeURL, withPersistentStoreFrom: stack.storeURL, ofType: NSSQLiteStoreType)
        #expect(files(beside: other.storeURL) == 1)
        let store = try other.coordinator.addPersistentStore(type: .sqlite, at: other.storeURL)
        #expect(try texts(other.coordinator) == ["backup"])
        #expect(store.identifier == stack.coordinator.persistentStores.first?.identifier)
        #expect(try texts(stack.coordinator) == ["backup"])
    }

    @Test("a replacement from a file that is no store leaves the old one as it was")
    func badReplacement() throws {
        try fill("kept")
        let text = stack.folder.appendingPathComponent("Text.sqlite")
        try Data(String(repeating: "no store ", count: 100).utf8).write(to: text)
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let error = thrown {
            try stack.coordinator.replacePersistentStore(
                at: stack.storeURL, withPersistentStoreFrom: text, type: .sqlite)
        }
        #expect(error?.code == NSFileReadCorruptFileError)
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.storeURL)
        #expect(try texts(stack.coordinator) == ["kept"])
    }

    @Test("a moved store goes on with its objects, has a UUID of its own, and leaves the old file as it was")
    func moving() throws {
        try fill("first")
        let context = stack.context()
        let store = try #require(stack.coordinator.persistentStores.first)
        let (oldURL, oldID) = (stack.storeURL, store.identifier)
        let newURL = stack.folder.appendingPathComponent("Moved.sqlite")
        nonisolated(unsafe) var told: [NSPersistentStore]?
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresDidChange, object: stack.coordinator, queue: nil
        ) { told = ($0.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any])?.compactMap { $0 as? NSPersistentStore } }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.performAndWait {
            let note = try #require(try context.all("Note").first)
            let id = note.objectID
            let moved = try stack.coordinator.migratePersistentStore(store, to: newURL, withType: NSSQLiteStoreType)
            #expect(told == [store, moved] && stack.coordinator.persistentStores == [moved])
            #expect(moved.identifier != oldID && moved.url == newURL)
            #expect(id.persistentStore === moved && id == note.objectID)
            #expect(id.uriRepresentation().host == moved.identifier)
            note.setValue("changed", forKey: "text")
            try context.save()
        }
        #expect(try texts(stack.coordinator) == ["changed"] && files(beside: newURL) == 1)
        let other = NSPersistentStoreCoordinator(managedObjectModel: StoreFileTests.model())
        #expect(try other.addPersistentStore(type: .sqlite, at: oldURL).identifier == oldID)
        #expect(try texts(other) == ["first"])
    }

    @Test("a store is not moved over another file, and stays where it is")
    func movingOverAnother() throws {
        try fill("first")
        let store = try #require(stack.coordinator.persistentStores.first)
        let other = try Stack(StoreFileTests.model())
        let error = thrown {
            try stack.coordinator.migratePersistentStore(store, to: other.storeURL, type: .sqlite)
        }
        #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
        #expect(stack.coordinator.persistentStores == [store])
        #expect(try texts(stack.coordinator) == ["first"])
    }

    @Test("a store goes on with a copy of its file at another place, and stays where it was if there is none")
    func settingURLs() throws {
        try fill("first")
        let store = try #require(stack.coordinator.persistentStores.first)
        let copy = stack.folder.appendingPathComponent("Copy.sqlite")
        #expect(!stack.coordinator.setURL(copy, for: store) && store.url == stack.storeURL)
        try stack.coordinator.replacePersistentStore(
            at: copy, withPersistentStoreFrom: stack.storeURL, type: .sqlite)
        #expect(stack.coordinator.setURL(copy, for: store) && store.url == copy)
        try fill("second")
        #expect(try texts(stack.coordinator) == ["first", "second"] && files(beside: copy) == 2)
        let other = NSPersistentStoreCoordinator(managedObjectModel: StoreFileTests.model())
        try other.addPersistentStore(type: .sqlite, at: stack.storeURL)
        #expect(try texts(other) == ["first"])
    }
}
