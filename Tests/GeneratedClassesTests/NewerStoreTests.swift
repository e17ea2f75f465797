import CoreData
import Testing

/// A program with several versions of its model knows which of two came first.
@Suite("A store of another version says whether that is a newer one")
struct NewerStoreTests {
    private func model(_ version: String) throws -> NSManagedObjectModel {
        let url = try #require(Bundle.module.url(forResource: "Ledger", withExtension: "momd"))
        return try #require(NSManagedObjectModel(contentsOf: url.appending(path: "\(version).mom")))
    }

    /// The reason why a store that one model made does not open with another one.
    private func reason(of stored: NSManagedObjectModel, openedWith model: NSManagedObjectModel) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "newer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Ledger.sqlite")
        let maker = NSPersistentStoreCoordinator(managedObjectModel: stored)
        try maker.remove(maker.addPersistentStore(type: .sqlite, at: url))
        let before = try Data(contentsOf: url)
        let error = #expect(throws: (any Error).self) {
            try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(type: .sqlite, at: url)
        }
        let cocoa = try #require(error as NSError?)
        #expect(cocoa.domain == NSCocoaErrorDomain && cocoa.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(try Data(contentsOf: url) == before)
        return try #require(cocoa.localizedFailureReason)
    }

    @Test("a newer one")
    func newer() throws {
        let reason = try reason(of: model("Ledger 2"), openedWith: model("Ledger"))
        #expect(reason.hasPrefix("A newer version of the model made the store. "), "\(reason)")
    }

    @Test("an older one")
    func older() throws {
        let reason = try reason(of: model("Ledger"), openedWith: model("Ledger 2"))
        #expect(reason.hasPrefix("An older version of the model made the store. "), "\(reason)")
    }

    @Test("one that the program does not have, as that of a later release")
    func unknown() throws {
        let later = try #require(try model("Ledger 2").copy() as? NSManagedObjectModel)
        let note = NSAttributeDescription()
        (note.name, note.attributeType, note.isOptional) = ("note", .stringAttributeType, true)
        later.entitiesByName["Entry"]?.properties.append(note)
        let reason = try reason(of: later, openedWith: model("Ledger 2"))
        #expect(reason.contains("a newer release of the program may have"), "\(reason)")
        #expect(reason.contains("Entry.note: gone"), "\(reason)")
    }
}
