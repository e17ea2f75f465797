import CoreData
import Foundation
import Testing

/// A program looks at a store that it has open, and other programs open and close it then.
@Suite("A look at a store that is open") struct OpenStoreLookTests {
    private let folder: URL
    private let url: URL
    private let coordinator: NSPersistentStoreCoordinator

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Notes.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.notes())
        try coordinator.addPersistentStore(type: .sqlite, at: url)
    }

    private static func notes() -> NSManagedObjectModel {
        model(entity("Note", [attribute("text", .stringAttributeType)]))
    }

    private func work<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func save(_ text: String) throws {
        try work { context in
            _ = context.insert("Note", ["text": text])
            try context.save()
        }
    }

    /// Another program runs SQL, and closes the store.
    private func elsewhere(_ sql: String) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", url.path, sql]
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: said, as: UTF8.self)
    }

    enum Look: String, CaseIterable {
        case metadata, evidence, storesBeside
    }

    private func look(_ look: Look) throws {
        switch look {
        case .metadata:
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
            _ = NSPersistentStore.StoreType(ofFileAt: url)
        case .evidence:
            let other = NSPersistentStoreCoordinator(managedObjectModel: Self.notes())
            let store = try other.addPersistentStore(
                type: .sqlite, at: url, options: [SQLiteEvidenceOption: NSNumber(value: true)])
            try other.remove(store)
        case .storesBeside:
            // Whether both have their large values in one folder depends on what the other file is.
            let other = folder.appendingPathComponent("Notes.store")
            try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: url, type: .sqlite)
            try coordinator.destroyPersistentStore(at: other, type: .sqlite)
        }
    }

    @Test(
        "does not make other programs take it for closed: what they save is seen here, and what is saved here there",
        arguments: Look.allCases) func locksStay(_ kind: Look) throws
    {
        try save("first")
        try look(kind)
        #expect(try elsewhere("UPDATE ZNOTE SET ZTEXT = 'theirs', Z_OPT = Z_OPT + 1") == "")
        #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
        let texts = try work { try $0.all("Note").map { $0.string("text") } }
        #expect(texts == ["theirs"])
        try save("second")
        #expect(try elsewhere("SELECT ZTEXT FROM ZNOTE ORDER BY Z_PK") == "theirs\nsecond\n")
        try coordinator.persistentStores.forEach(coordinator.remove)
        try FileManager.default.removeItem(at: folder)
    }
}
