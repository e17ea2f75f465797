import CoreData
import Foundation
import Testing

@Suite("Stores that move from one type to another")
struct StoreMovingTests {
    let folder: FileFolder
    let model = StoreKindModel.make()

    init() throws { folder = try FileFolder() }

    /// From every type to every type.
    static let moves: [(String, String)] = types.flatMap { from in types.map { (from, $0) } }
    private static let types: [String] = [
        NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType, JSONStore.register(),
    ]

    @Test("objects, values and orders are the same, objects stay in their contexts, saves go on", arguments: moves)
    func moving(from: String, to: String) throws {
        let coordinator = try NSPersistentStoreCoordinator.opened(model, from, at: folder.file("From"))
        let (source, target) = (coordinator.persistentStores[0], folder.file("To"))
        try coordinator.work { context throws in
            StoreKindModel.fill(context)
            // Attributes with external storage have files of their own, which stores in memory do not have.
            if to == NSInMemoryStoreType { try context.all("Thing").forEach { $0.setValue(nil, forKey: "photo") } }
            source.metadata["mine"] = "kept"
            try context.save()
            let box = try #require(context.all("Box", sortedBy: "name").first)
            box.setValue("changed", forKey: "name")
            try context.save()
            let before = try StoreKindModel.summary(context)
            let moved = try coordinator.migratePersistentStore(source, to: target, withType: to)
            #expect(moved.type == to && moved.metadata["mine"] as? String == "kept")
            #expect(moved.identifier != source.identifier || source.persistentStoreCoordinator == nil)
            #expect(moved.metadata[NSStoreTypeKey] as? String == to)
            #expect(coordinator.persistentStores == [moved] && box.objectID.persistentStore === moved)
            context.refreshAllObjects()
            let differences = try StoreKindModel.summary(context).difference(from: before).map { "\($0)" }
            #expect(differences == [])
            // A row has the version that the context has seen.
            box.setValue("saved", forKey: "name")
            _ = context.insert("Tag", ["name": "new"])
            try context.save()
        }
        let after = try coordinator.work { try StoreKindModel.summary($0) }
        #expect(after.contains { $0.hasPrefix("box saved") } && after.contains { $0.hasPrefix("tag new") })
        guard to != NSInMemoryStoreType else { return }
        try coordinator.remove(coordinator.persistentStores[0])
        let reopened = try NSPersistentStoreCoordinator.opened(model, to, at: target)
        let differences = try reopened.work { try StoreKindModel.summary($0) }.difference(from: after).map { "\($0)" }
        #expect(differences == [])
    }

    @Test("a file in the way is an error (516), and all is as before", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func fileInTheWay(type: String) throws {
        let coordinator = try NSPersistentStoreCoordinator.opened(model, NSSQLiteStoreType, at: folder.file("From"))
        try Data("a file".utf8).write(to: folder.file("To"))
        let store = coordinator.persistentStores[0]
        let error = thrown { try coordinator.migratePersistentStore(store, to: folder.file("To"), withType: type) }
        #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
        #expect(coordinator.persistentStores == [store])
        #expect(try Data(contentsOf: folder.file("To")) == Data("a file".utf8))
    }

    @Test("a store that can't be copied leaves no file")
    func failure() throws {
        let coordinator = try NSPersistentStoreCoordinator.opened(model, NSSQLiteStoreType, at: folder.file("From"))
        try coordinator.work { context throws in
            _ = context.insert("Tag", ["name": "bell \u{07}"])
            try context.save()
        }
        let store = coordinator.persistentStores[0]
        let error = thrown {
            try coordinator.migratePersistentStore(store, to: folder.file("To"), withType: NSXMLStoreType)
        }
        #expect(error?.code == NSPersistentStoreSaveError && !folder.names.contains("To"))
        #expect(try coordinator.work { try $0.all("Tag").count } == 1)
    }
}
