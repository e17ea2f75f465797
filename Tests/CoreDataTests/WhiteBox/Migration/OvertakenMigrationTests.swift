import Foundation
import Testing

@testable import CoreData

/// Migrations of a store in its place, by a manager, while another coordinator saves to the store.
@Suite struct OvertakenMigrationTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func model(_ names: String...) -> NSManagedObjectModel {
        CoreDataTests.model(entity("Note", names.map { attribute($0, .stringAttributeType) }))
    }

    private func save(_ text: String, _ type: String, at url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model("text"))
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        try coordinator.work { context throws in
            _ = context.insert("Note", ["text": text])
            try context.save()
        }
        try coordinator.remove(store)
    }

    /// Runs a block once when a context saves to a store in the folder, and `body` meanwhile.
    private func atFirstSave<R>(_ block: () throws -> Void, _ body: () throws -> R) throws -> R {
        try withoutActuallyEscaping(block) { block in
            nonisolated(unsafe) var (block, error): ((() throws -> Void)?, (any Error)?) = (block, nil)
            let path = folder.url.path
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
            ) { notification in
                let coordinator = (notification.object as? NSManagedObjectContext)?.persistentStoreCoordinator
                guard coordinator?.persistentStores.first?.url?.path.hasPrefix(path) ?? false, let once = block else {
                    return
                }
                block = nil
                do { try once() } catch let thrown { error = thrown }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            let result = try body()
            #expect(block == nil && error == nil, "\(error.map { "\($0)" } ?? "no save")")
            block = nil
            return result
        }
    }

    @Test(
        "what is saved meanwhile is not lost: the migration fails, and is made again",
        arguments: [NSXMLStoreType, NSBinaryStoreType])
    func saving(type: String) throws {
        let url = folder.file("Store")
        try save("first", type, at: url)
        let migration = StoreMigration(
            kind: try StoreKinds.fileKind(of: type), type: type, url: url, model: model("text", "title"),
            configuration: nil, options: nil)
        let former = model("text")
        let error = try atFirstSave({ try save("meanwhile", type, at: url) }) {
            thrown { try NSMigrationManager.migrateByInference(migration, from: former) }
        }
        #expect(error?.code == NSMigrationError)
        try NSMigrationManager.migrateByInference(migration, from: former)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: migration.model)
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let texts = try coordinator.work { try $0.all("Note", sortedBy: "text").map { $0.string("text") } }
        #expect(texts == ["first", "meanwhile"])
        try coordinator.remove(store)
    }

    @Test(
        "a watched store tells whether anything was saved",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func watching(type: String) throws {
        let (url, kind) = (folder.file("Store"), try StoreKinds.fileKind(of: type))
        try save("first", type, at: url)
        let quiet = try kind.watch(url)
        _ = try kind.metadata(at: url, options: nil)
        #expect(try quiet.end())
        let watch = try kind.watch(url)
        try save("second", type, at: url)
        #expect(try !watch.end())
    }
}
