import CoreData
import Foundation
import Testing

@Suite("What a coordinator does with its stores")
struct StoreBehaviourTests {
    private let folder: URL
    private let model: NSManagedObjectModel

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        model = Self.model()
    }

    /// Notes that may point to another one, without an inverse.
    private static func model() -> NSManagedObjectModel {
        let next = toOne("next")
        let note = entity("Note", [attribute("text", .stringAttributeType), next])
        next.destinationEntity = note
        return CoreDataTests.model(note)
    }

    private func coordinator(_ names: String...) throws -> (NSPersistentStoreCoordinator, [NSPersistentStore]) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let stores = try names.map { name in
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file(name))
        }
        return (coordinator, stores)
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name + ".sqlite") }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    // MARK: Adding

    @Test("the same file can't be added twice, by a link either, and the first store goes on")
    func addingTwice() throws {
        let (coordinator, stores) = try coordinator("First")
        let link = file("Link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file("First"))
        for url in [file("First"), link] {
            let error = thrown {
                try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreOpenError)
        }
        #expect(coordinator.persistentStores == stores)
        let context = context(coordinator)
        try context.performAndWait {
            _ = context.insert("Note", ["text": "still here"])
            try context.save()
            #expect(try context.all("Note").count == 1)
        }
        try coordinator.remove(stores[0])
        #expect(try coordinator.addPersistentStore(type: .sqlite, at: link).identifier == stores[0].identifier)
    }

    @Test("a container that loads its stores a second time reports 134080 and keeps the first ones")
    func loadingTwice() throws {
        let container = NSPersistentContainer(name: "Twice", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file("Twice"))]
        nonisolated(unsafe) var codes: [Int?] = []
        for _ in 0..<2 { container.loadPersistentStores { codes.append(($1 as NSError?)?.code) } }
        #expect(codes == [nil, NSPersistentStoreOpenError])
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("a description without a URL is one of a store in memory: /dev/null")
    func emptyDescription() throws {
        let description = NSPersistentStoreDescription()
        #expect(description.url == URL(fileURLWithPath: "/dev/null") && description.type == NSSQLiteStoreType)
        let container = NSPersistentContainer(name: "Nowhere", managedObjectModel: model)
        container.persistentStoreDescriptions = [description]
        nonisolated(unsafe) var error: (any Error)?
        container.loadPersistentStores { error = $1 }
        #expect(error == nil && container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("a configuration with an entity, and without its subentity, opens, saves and is opened again")
    func configurationWithoutSubentity() throws {
        let child = entity("Child", [attribute("age", .integer16AttributeType)])
        let parent = entity("Parent", [attribute("name", .stringAttributeType)], subentities: [child])
        let model = CoreDataTests.model(parent, child)
        model.setEntities([parent], forConfigurationName: "Parents")
        for _ in 0..<2 {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: "Parents", at: file("Parents"))
            let context = context(coordinator)
            try context.performAndWait {
                _ = context.insert("Parent", ["name": "Ann"])
                try context.save()
                #expect(try context.all("Parent", "name == 'Ann'").allSatisfy { $0.entity.name == "Parent" })
                _ = context.insert("Child", ["name": "Bob"])
                #expect(thrown { try context.save() }?.code == NSPersistentStoreOperationError)
            }
            try coordinator.remove(store)
        }
    }

    @Test("a configuration with a subentity, and without its parent, opens and saves")
    func configurationWithoutParent() throws {
        let child = entity("Child", [attribute("age", .integer16AttributeType)])
        let parent = entity("Parent", [attribute("name", .stringAttributeType)], subentities: [child])
        let model = CoreDataTests.model(parent, child)
        model.setEntities([child], forConfigurationName: "Children")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Children", at: file("Children"))
        let context = context(coordinator)
        try context.performAndWait {
            _ = context.insert("Child", ["name": "Bob", "age": 3])
            try context.save()
            #expect(try context.all("Child", "name == 'Bob'").count == 1)
        }
    }

    // MARK: Assigned objects

    @Test("a save of an object of a removed store is an error, and works once it is assigned to another store")
    func assignedToARemovedStore() throws {
        let (coordinator, stores) = try coordinator("First", "Second")
        let (first, url) = (stores[0], file("Second"))
        let context = context(coordinator)
        try context.performAndWait {
            let note = context.insert("Note", ["text": "where to?"])
            context.assign(note, to: try #require(coordinator.persistentStore(for: url)))
            try remove(at: url, from: coordinator)
            let error = thrown { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreOperationError)
            #expect((error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]) == [note])
            #expect(note.isInserted)
            context.assign(note, to: first)
            try context.save()
            #expect(note.objectID.persistentStore === first)
        }
    }

    /// Removes a store and keeps nothing of it.
    private func remove(at url: URL, from coordinator: NSPersistentStoreCoordinator) throws {
        try coordinator.remove(try #require(coordinator.persistentStore(for: url)))
        #expect(coordinator.persistentStore(for: url) == nil)
    }

    @Test("an object that was assigned to a store goes to where the store has moved")
    func assignedToAMovedStore() throws {
        let (coordinator, stores) = try coordinator("First", "Second")
        let context = context(coordinator)
        try context.performAndWait {
            let note = context.insert("Note", ["text": "follows"])
            context.assign(note, to: stores[1])
            let moved = try coordinator.migratePersistentStore(stores[1], to: file("Moved"), type: .sqlite)
            try context.save()
            #expect(note.objectID.persistentStore === moved)
        }
    }

    @Test("a relationship that changes to an object of another store with the same key is an error, not lost")
    func sameKeyInAnotherStore() throws {
        let (coordinator, stores) = try coordinator("First", "Second")
        let context = context(coordinator)
        try context.performAndWait {
            func note(_ text: String, in store: NSPersistentStore) throws -> NSManagedObject {
                let note = context.insert("Note", ["text": text])
                context.assign(note, to: store)
                try context.save()
                return note
            }
            let near = try note("near", in: stores[0])
            let far = try note("far", in: stores[1])
            #expect(
                near.objectID.uriRepresentation().lastPathComponent
                    == far.objectID.uriRepresentation().lastPathComponent)
            let source = try note("source", in: stores[0])
            source.setValue(near, forKey: "next")
            try context.save()
            source.setValue(far, forKey: "next")
            #expect(source.hasPersistentChangedValues && source.changedValues().keys.contains("next"))
            #expect(thrown { try context.save() }?.code == NSManagedObjectExternalRelationshipError)
            source.setValue(near, forKey: "next")
            try context.save()
        }
    }

    // MARK: Metadata

    @Test("metadata are written by a save without changes, and by one that changes another store")
    func metadata() throws {
        let (coordinator, stores) = try coordinator("First", "Second")
        let context = context(coordinator)
        func stored(_ name: String) throws -> String? {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file(name))[
                "key"]
                as? String
        }
        func set(_ value: String, _ store: NSPersistentStore) {
            var metadata = coordinator.metadata(for: store)
            metadata["key"] = value
            coordinator.setMetadata(metadata, for: store)
        }
        try context.performAndWait {
            set("one", stores[0])
            #expect(try stored("First") == nil)
            try context.save()
            #expect(try stored("First") == "one")
            set("two", stores[1])
            context.assign(context.insert("Note", ["text": "for the first"]), to: stores[0])
            try context.save()
            #expect(try stored("Second") == "two" && stored("First") == "one")
        }
    }

    @Test("an app that replaces all metadata leaves the store what it needs to be opened again")
    func replacedMetadata() throws {
        do {
            let (coordinator, stores) = try coordinator("Open", "Closed")
            coordinator.setMetadata(["key": "set while open"], for: stores[0])
            try context(coordinator).performAndWait { try context(coordinator).save() }
            for store in stores { try coordinator.remove(store) }
        }
        try NSPersistentStoreCoordinator.setMetadata(
            ["key": "set while closed"], forPersistentStoreOfType: NSSQLiteStoreType, at: file("Closed"))
        let (coordinator, stores) = try coordinator("Open", "Closed")
        for (store, value) in zip(stores, ["set while open", "set while closed"]) {
            let metadata = coordinator.metadata(for: store)
            #expect(metadata["key"] as? String == value)
            #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.isEmpty == false)
            coordinator.setMetadata([:], for: store)
            #expect(coordinator.metadata(for: store)["key"] == nil)
        }
    }

    @Test("a description's store waits for locks as long as the description says, 240 seconds unless it is set")
    func timeout() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for (name, timeout) in [("Patient", nil), ("Hasty", 0.5)] as [(String, Double?)] {
            let description = NSPersistentStoreDescription(url: file(name))
            if let timeout { description.timeout = timeout }
            // Unsafe in name only: the handler runs before the function returns.
            nonisolated(unsafe) var failure: (any Error)?
            coordinator.addPersistentStore(with: description) { failure = $1 }
            #expect(failure == nil)
            let store = try #require(coordinator.persistentStores.last)
            #expect(store.options?[NSPersistentStoreTimeoutOption] as? Double == timeout ?? 240)
        }
    }

    @Test("a save to a read-only store is refused with the file's path")
    func readOnly() throws {
        do { _ = try coordinator("Fixed").0.persistentStores }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: file("Fixed"),
            options: [NSReadOnlyPersistentStoreOption: true])
        let context = context(coordinator)
        context.performAndWait {
            context.assign(context.insert("Note"), to: store)
            let error = thrown { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error != nil, "\(String(describing: error))")
        }
    }

    // MARK: Files

    @Test("a destroyed store's file stays, and is a blank database")
    func destroyedFile() throws {
        let (coordinator, _) = try coordinator("First")
        let context = context(coordinator)
        try context.performAndWait {
            _ = context.insert("Note", ["text": "gone"])
            try context.save()
        }
        try coordinator.destroyPersistentStore(at: file("First"), ofType: NSSQLiteStoreType)
        #expect(FileManager.default.fileExists(atPath: file("First").path))
        #expect(try !Data(contentsOf: file("First")).contains(Data("gone".utf8)))
    }

    @Test("moving a store tells the old one, the new one and the IDs of all its objects")
    func movedIDs() throws {
        let (coordinator, stores) = try coordinator("First")
        let context = context(coordinator)
        try context.performAndWait {
            for text in ["a", "b", "c"] { _ = context.insert("Note", ["text": text]) }
            try context.save()
            nonisolated(unsafe) var told: [Any]?
            let token = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
            ) { told = $0.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any] }
            defer { NotificationCenter.default.removeObserver(token) }
            let moved = try coordinator.migratePersistentStore(stores[0], to: file("Moved"), type: .sqlite)
            let change = try #require(told)
            #expect(change.count == 3 && change[0] as? NSPersistentStore === stores[0])
            #expect(change[1] as? NSPersistentStore === moved)
            let ids = try #require(change[2] as? [NSManagedObjectID])
            #expect(Set(ids) == Set(try context.all("Note").map(\.objectID)) && ids.count == 3)
            #expect(ids.allSatisfy { $0.persistentStore === moved })
        }
    }
}

extension Data {
    fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}
