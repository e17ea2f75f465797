import Foundation
import Testing

@testable import CoreData

@Suite("Texts of files in every encoding")
struct TextEncodingTests {
    @Test("strings are those that were saved", arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func strings(encoding: String) throws {
        let folder = try StoreFolder()
        let url = folder.file("Texts.sqlite")
        do {
            let file = try SQLiteConnection(path: url.path, access: .create)
            try file.execute("PRAGMA encoding = '\(encoding)'; CREATE TABLE T (A); DROP TABLE T")
            file.close()
        }
        let texts: [String?] = ["Ann", "", nil, "Žofie Ø", "王小明", "👩‍👩‍👧", String(repeating: "ü", count: 3000), "42"]
        func coordinator() throws -> (NSPersistentStoreCoordinator, SQLiteStore) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
            let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            return (coordinator, store as! SQLiteStore)
        }
        func work(_ body: (NSManagedObjectContext, SQLiteStore) throws -> Void) throws {
            let (coordinator, store) = try coordinator()
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait { try body(context, store) }
            try coordinator.remove(store)
        }
        try work { context, _ in
            for (index, text) in texts.enumerated() {
                let player = context.insert("Player", ["age": index])
                player.setValue(text ?? "for now", forKey: "name")
            }
            try context.save()
        }
        try work { context, store in
            #expect(try store.connection.text("PRAGMA encoding") == encoding)
            // A number where a text should be, and none at all, as tools leave them.
            try store.connection.execute("UPDATE ZPLAYER SET ZNAME = 42 WHERE ZAGE = \(texts.count - 1)")
            try store.connection.execute("UPDATE ZPLAYER SET ZNAME = NULL WHERE ZAGE = 2")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let players = try context.fetch(request)
            #expect(players.map { $0.value(forKey: "name") as? String } == texts)
            let ids = players.map(\.objectID)
            context.reset()
            try store.reading { _ in }
            let again = try ids.map { try context.existingObject(with: $0) }
            for player in again { context.refresh(player, mergeChanges: false) }
            #expect(again.map { $0.value(forKey: "name") as? String } == texts)
            #expect(try context.all("Player", "name = 'Žofie Ø'").count == 1)
        }
    }
}
