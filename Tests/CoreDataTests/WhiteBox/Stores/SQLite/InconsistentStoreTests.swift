import Foundation
import StoreInspection
import Testing

@testable import CoreData

/// Real stores hold rows that break their model's rules. Each is read as it is, and the store can still be written.
@Suite("Stores that break their model's rules are read as they are, and can be written")
struct InconsistentStoreTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Opens a club store that SQL has changed.
    private func open(_ sql: String, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let url = try ClubStore.make(in: folder.url)
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        try connection.execute(sql)
        connection.close()
        try work(url, body)
    }

    private func work(_ url: URL, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ClubStore.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    @Test("a mandatory value that is NULL is nil, and stops only a save of that object")
    func mandatory() throws {
        try open("UPDATE ZPERSON SET ZNAME = NULL WHERE ZNAME = 'Bob'") { context in
            let players = try context.all("Player", sortedBy: "name")
            #expect(players.map { $0.string("name") } == [nil, "Ann", "Cid", "Dan"])
            players[1].setValue(7, forKey: "number")
            try context.save()
            players[0].setValue(8, forKey: "number")
            #expect(thrown { try context.save() }?.code == NSValidationMissingMandatoryPropertyError)
            players[0].setValue("Bob", forKey: "name")
            try context.save()
        }
    }

    @Test("a to-one to a row that is gone is a fault without values, and can be replaced")
    func dangling() throws {
        try open("UPDATE ZPERSON SET ZTEAM = 999 WHERE ZNAME = 'Bob'") { context in
            let bob = try #require(try context.all("Player", "name == 'Bob'").first)
            let team = try #require(bob.object("team"))
            #expect(team.string("name") == nil)
            #expect(try context.all("Player", "team.name == 'Reds'").count == 2)
            #expect(try context.all("Team", "ANY players.name == 'Bob'").isEmpty)
            bob.setValue(try context.all("Team", "name == 'Reds'").first, forKey: "team")
            try context.save()
            #expect(try context.all("Player", "team.name == 'Reds'").count == 3)
        }
    }

    @Test(
        "an object that leads to a row that is gone can be deleted, moved, and let go of", arguments: Leaving.allCases,
        [false, true])
    func leavingNothing(_ leaving: Leaving, withUndo: Bool) throws {
        let sql = "UPDATE ZPERSON SET ZTEAM = 999 WHERE ZNAME = 'Bob'"
        try open("DELETE FROM ZPERSON WHERE ZNAME = 'Eve'; \(sql)") {
            if withUndo { $0.undoManager = UndoManager() }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = $0
            let context = leaving == .deletionInAChild ? child : $0
            try context.performAndWait {
                try leaving.leave(context)
                try context.save()
                #expect(!context.hasChanges)
            }
            try $0.save()
            #expect(!$0.hasChanges)
        }
        try work(folder.file("Club.sqlite")) { try leaving.check($0) }
    }

    @Test("leaving nothing beside a conflict is told with it, and nothing is saved", arguments: [false, true])
    func leavingNothingBesideAConflict(inAChild: Bool) throws {
        try open("UPDATE ZPERSON SET ZTEAM = 999 WHERE ZNAME = 'Bob'") {
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            if inAChild { other.parent = $0 } else { other.persistentStoreCoordinator = $0.persistentStoreCoordinator }
            // The context that saves, and the one that deletes an object before: a child and its parent, or two
            // contexts of a store.
            let (context, deleting) = inAChild ? (other, $0) : ($0, other)
            try context.performAndWait {
                try context.all("Player", "name == 'Cid'").first?.setValue("Sid", forKey: "name")
                context.delete(try #require(try context.all("Player", "name == 'Bob'").first))
            }
            try deleting.performAndWait {
                deleting.delete(try #require(try deleting.all("Player", "name == 'Cid'").first))
                if !inAChild { try deleting.save() }
            }
            try context.performAndWait {
                let error = try #require(thrown { try context.save() })
                #expect(error.code == NSManagedObjectMergeError)
                let conflicts = try #require(error.userInfo["conflictList"] as? [NSMergeConflict])
                #expect(conflicts.compactMap(\.sourceObject.entity.name).sorted() == ["Player", "Team"])
                #expect(context.hasChanges)
            }
        }
        try work(folder.file("Club.sqlite")) {
            let expected = inAChild ? ["Ann", "Bob", "Cid", "Dan"] : ["Ann", "Bob", "Dan"]
            let names = try $0.all("Player", sortedBy: "name").map { $0.string("name") }
            #expect(names == expected)
        }
    }

    /// How an object leaves objects that are not there.
    enum Leaving: CaseIterable {
        case deletion, deletionInAChild, unrelating, moving

        func leave(_ context: NSManagedObjectContext) throws {
            let bob = try #require(try context.all("Player", "name == 'Bob'").first)
            switch self {
            case .deletion, .deletionInAChild:
                context.delete(bob)
                try context.all("Note").forEach(context.delete)
            case .unrelating:
                bob.setValue(nil, forKey: "team")
                for note in try context.all("Note") { note.setValue(nil, forKey: "author") }
            case .moving:
                let reds = try #require(try context.all("Team", "name == 'Reds'").first)
                bob.setValue(reds, forKey: "team")
                for note in try context.all("Note") { note.setValue(bob, forKey: "author") }
            }
        }

        func check(_ context: NSManagedObjectContext) throws {
            let bob = try context.all("Player", "name == 'Bob'").first
            let notes = try context.all("Note")
            switch self {
            case .deletion, .deletionInAChild: #expect(bob == nil && notes.isEmpty)
            case .unrelating:
                #expect(bob != nil && bob?.object("team") == nil)
                #expect(notes.count == 2 && notes.allSatisfy { $0.object("author") == nil })
            case .moving:
                #expect(bob?.object("team")?.names("players") == ["Ann", "Bob", "Cid"])
                #expect(bob?.names("writings", "text") == ["Blame", "Praise"])
            }
        }
    }

    @Test("a one-to-one of one side is read as it is, and mended by setting it")
    func oneSided() throws {
        try open("UPDATE ZPERSON SET ZCAPTAINOF = NULL WHERE ZNAME = 'Ann'") { context in
            let reds = try #require(try context.all("Team", "name == 'Reds'").first)
            let ann = try #require(reds.object("captain"))
            #expect(ann.string("name") == "Ann" && ann.object("captainOf") == nil)
            ann.setValue(reds, forKey: "captainOf")
            try context.save()
        }
        try work(folder.file("Club.sqlite")) { context in
            let ann = try #require(try context.all("Player", "captainOf.name == 'Reds'").first)
            #expect(ann.string("name") == "Ann" && ann.object("captainOf")?.object("captain") == ann)
        }
    }

    @Test("a Z_MAX below the highest key gives no key twice", arguments: ["0", "1", "NULL"])
    func lowMaximum(maximum: String) throws {
        try open("UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum)") { context in
            for name in ["Gus", "Hal", "Ida"] { _ = context.insert("Player", ["name": name]) }
            try context.save()
        }
        try work(folder.file("Club.sqlite")) { context in
            let names = try context.all("Person", sortedBy: "name").map { $0.string("name") }
            #expect(names == ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida"])
        }
        let inspection = try StoreInspection(contentsOf: folder.file("Club.sqlite"))
        let findings = StoreCheck(inspection, model: ClubStore.model()).run()
        #expect(findings.allSatisfy { $0.kind == .keyMaximum && $0.entity != "Person" }, "\(findings)")
    }

    @Test("defaults that an old migration filled into siblings' rows belong to no object, and stay")
    func siblings() throws {
        try open("UPDATE ZPERSON SET ZLEVEL = 5, ZNUMBER = 9") { context in
            let coach = try #require(try context.all("Coach", sortedBy: "name").first)
            #expect(coach.value(forKey: "level") as? Int == 5 && coach.entity.propertiesByName["number"] == nil)
            #expect(try context.all("Person", "name == 'Ann'").first?.value(forKey: "number") as? Int == 9)
            coach.setValue(6, forKey: "level")
            try context.save()
        }
        let inspection = try StoreInspection(contentsOf: folder.file("Club.sqlite"))
        #expect(StoreCheck(inspection, model: ClubStore.model()).run().map(\.description) == [])
        let connection = try SQLiteConnection(path: folder.file("Club.sqlite").path, access: .readWrite)
        #expect(try connection.integer("SELECT count(*) FROM ZPERSON WHERE ZLEVEL = 5 AND ZNUMBER = 9") == 5)
    }

    @Test("metadata that are NULL have no hashes: the store is one of no version of the model, and no crash")
    func metadata() throws {
        let error = thrown { try open("UPDATE Z_METADATA SET Z_PLIST = NULL") { _ in } }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        let url = folder.file("Club.sqlite")
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url)
        #expect(UUID(uuidString: metadata[NSStoreUUIDKey] as? String ?? "") != nil)
    }
}
