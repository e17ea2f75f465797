import CoreData
import Foundation
import Testing

/// Stores whose names differ by their extensions alone have one folder for their large values.
@Suite struct SharedSupportFolderTests {
    private let folder: FileFolder
    private let model: NSManagedObjectModel

    init() throws {
        folder = try FileFolder()
        model = CoreDataTests.model(
            entity("Note", [attribute("text", .stringAttributeType), externalData("photo")]))
    }

    private func url(_ name: String) -> URL { folder.file(name) }

    private func use<R>(_ name: String, _ block: (NSManagedObjectContext) throws -> R) throws -> R {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url(name))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try block(context) }
        try coordinator.remove(store)
        return result
    }

    private func fill(_ name: String, _ text: String, _ count: Int = 1) throws {
        try use(name) { context throws in
            for _ in 0..<count {
                _ = context.insert("Note", ["text": text, "photo": Data(repeating: 7, count: 200_000)])
            }
            try context.save()
        }
    }

    /// The texts of all notes, each of which must have its photo.
    private func texts(_ name: String) throws -> [String] {
        try use(name) { context in
            try context.all("Note").compactMap { note in
                #expect((note.value(forKey: "photo") as? Data)?.count == 200_000)
                return note.string("text")
            }
        }
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: url(".Notes_SUPPORT/_EXTERNAL_DATA").path)) ?? []
    }

    private var coordinator: NSPersistentStoreCoordinator { NSPersistentStoreCoordinator(managedObjectModel: model) }

    @Test("a store that is destroyed takes its own files alone", arguments: [false, true])
    func destroying(byForce: Bool) throws {
        for name in ["Notes.sqlite", "Notes.db", "Notes"] { try fill(name, name) }
        if byForce {
            let handle = try FileHandle(forWritingTo: url("Notes.sqlite"))
            try handle.write(contentsOf: Data(repeating: 0, count: 200))
            try handle.close()
        }
        let options: [AnyHashable: Any]? = byForce ? [NSPersistentStoreForceDestroyOption: true] : nil
        try coordinator.destroyPersistentStore(at: url("Notes.sqlite"), type: .sqlite, options: options)
        // What a damaged database named is not known.
        #expect(files.count == (byForce ? 3 : 2))
        #expect(try texts("Notes.db") == ["Notes.db"] && texts("Notes") == ["Notes"])
    }

    @Test("a store that is replaced takes its own files alone")
    func replacing() throws {
        for name in ["Notes.sqlite", "Notes.db", "Backup.sqlite"] { try fill(name, name) }
        try coordinator.replacePersistentStore(
            at: url("Notes.sqlite"), withPersistentStoreFrom: url("Backup.sqlite"), type: .sqlite)
        #expect(try texts("Notes.sqlite") == ["Backup.sqlite"] && texts("Notes.db") == ["Notes.db"])
        #expect(files.count == 2)
    }

    @Test("a copy of a store has its own files alone")
    func copying() throws {
        for name in ["Notes.sqlite", "Notes.db"] { try fill(name, name) }
        try coordinator.replacePersistentStore(
            at: url("Copy.sqlite"), withPersistentStoreFrom: url("Notes.sqlite"), type: .sqlite)
        let copies = try FileManager.default.contentsOfDirectory(atPath: url(".Copy_SUPPORT/_EXTERNAL_DATA").path)
        #expect(copies.count == 1)
        #expect(try texts("Copy.sqlite") == ["Notes.sqlite"])
    }

    @Test("a store that a migration manager makes leaves the files of others")
    func migrating() throws {
        for name in ["Notes.db", "Old.sqlite"] { try fill(name, name) }
        let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
        try manager.migrateStore(
            from: url("Old.sqlite"), type: .sqlite, mapping: mapping, to: url("Notes.sqlite"), type: .sqlite)
        #expect(try texts("Notes.sqlite") == ["Old.sqlite"] && texts("Notes.db") == ["Notes.db"])
    }

    @Test("without another store files go that no row names")
    func orphans() throws {
        try fill("Notes.sqlite", "note")
        try Data("an orphan".utf8).write(to: url(".Notes_SUPPORT/_EXTERNAL_DATA/" + UUID().uuidString))
        try Data("no store".utf8).write(to: url("Notes.txt"))
        try coordinator.destroyPersistentStore(at: url("Notes.sqlite"), type: .sqlite)
        #expect(files.isEmpty)
    }

    @Test("a store with large values goes into memory beside a store that has some in files")
    func movingIntoMemory() throws {
        try fill("Notes.db", "large")
        try use("Notes.sqlite") { context throws in
            _ = context.insert("Note", ["text": "small", "photo": Data([1])])
            try context.save()
        }
        let coordinator = coordinator
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url("Notes.sqlite"))
        _ = try coordinator.migratePersistentStore(store, to: url("memory"), type: .inMemory)
    }

    @Test("a copy misses no file of a store that another process is saving to")
    func copyingDuringSaves() throws {
        try fill("Notes.sqlite", "note", 3)
        let (url, isDone) = (url("Notes.sqlite"), Flag())
        nonisolated(unsafe) let model = model
        let writer = Thread {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            guard (try? coordinator.addPersistentStore(type: .sqlite, at: url)) != nil else { return }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            while !isDone.isSet {
                context.performAndWait {
                    _ = context.insert("Note", ["text": "more", "photo": Data(repeating: 7, count: 200_000)])
                    if let first = (try? context.all("Note"))?.first { context.delete(first) }
                    try? context.save()
                }
            }
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
            isDone.end()
        }
        writer.start()
        defer { isDone.setAndWait() }
        for round in 0..<40 {
            let name = "Copy\(round).sqlite"
            try coordinator.replacePersistentStore(
                at: self.url(name), withPersistentStoreFrom: url, type: .sqlite)
            #expect(try texts(name).count == 3)
        }
    }
}

/// Tells a thread to end, and waits for that.
private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var value = false

    var isSet: Bool { lock.withLock { value } }
    func end() { ended.signal() }

    func setAndWait() {
        lock.withLock { value = true }
        ended.wait()
    }
}
