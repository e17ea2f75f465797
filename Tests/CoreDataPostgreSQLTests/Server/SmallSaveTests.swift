import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@Suite("Small saves in PostgreSQL")
struct SmallSaveTests {
    /// The model with a constraint: no two albums have the same title.
    private static func model() -> NSManagedObjectModel {
        let model = NamedModel().make()
        model.entitiesByName["Album"]?.uniquenessConstraints = [["title"]]
        return model
    }

    /// A store, and a context on each of two openings of it.
    private static func opened() throws -> (NamedStore, here: NSManagedObjectContext, there: NSManagedObjectContext) {
        let store = try NamedStore()
        return (store, try store.open(model()), try store.open(model()))
    }

    @Test("insertions, updates and deletions need no statement that has to be waited for before the COMMIT")
    func statements() throws {
        let server = try PostgreSQLServer(settings: ["log_statement": "all"])
        let store = try NamedStore(on: server)
        let options = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let context = try store.open(Self.model(), options: options)
        try context.performAndWait {
            let band = context.insert("Band", ["name": "Can"])
            try context.save()
            try store.run("SELECT 'the beginning'")
            let album = context.insert("Album", ["title": "Tago Mago", "band": band])
            try context.save()
            album.setValue(1971, forKey: "year")
            try context.save()
            context.delete(album)
            try context.save()
        }
        let log = try #require(server.log.components(separatedBy: "the beginning").last)
        #expect(log.components(separatedBy: ": COMMIT").count == 4)
        #expect(!log.contains("SAVEPOINT"))
        #expect(try store.run("SELECT count(*)::text FROM \"_coredata_transactions\"") == ["4"])
        #expect(try store.run("SELECT count(*)::text FROM \"Album\"") == ["0"])
    }

    @Test("where one row has changed meanwhile, nothing is saved, and it is in conflict", arguments: [true, false])
    func conflict(deletes: Bool) throws {
        let (store, here, there) = try Self.opened()
        try here.performAndWait {
            let (kept, contested) = (here.insert("Band", ["name": "Can"]), here.insert("Band", ["name": "Neu!"]))
            try here.save()
            try there.performAndWait {
                let other = try #require(try there.all("Band", "name == 'Neu!'").first)
                if deletes { there.delete(other) } else { other.setValue("La Düsseldorf", forKey: "name") }
                try there.save()
            }
            _ = here.insert("Album", ["title": "Future Days", "band": kept])
            kept.setValue("CAN", forKey: "name")
            contested.setValue("NEU!", forKey: "name")
            let error = try #require(store.error { try here.save() })
            #expect(error.code == NSManagedObjectMergeError)
            let conflicts = try #require(error.userInfo["conflictList"] as? [NSMergeConflict])
            #expect(conflicts.map(\.sourceObject) == [contested])
            #expect(try store.run("SELECT \"title\" FROM \"Album\"") == [])
            #expect(try store.run("SELECT \"_version\"::text FROM \"Band\" WHERE \"name\" = 'Can'") == ["1"])
            // The save that follows goes by the policy.
            here.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try here.save()
            #expect(try store.run("SELECT \"title\" FROM \"Album\"") == ["Future Days"])
            #expect(try store.run("SELECT \"name\" FROM \"Band\" WHERE \"name\" = 'CAN'") == ["CAN"])
        }
    }

    @Test("a row whose values another row has is refused with the constraint's name, and nothing is saved")
    func uniqueness() throws {
        let (store, here, there) = try Self.opened()
        try there.performAndWait {
            _ = there.insert("Album", ["title": "Ege Bamyası"])
            try there.save()
        }
        try here.performAndWait {
            _ = here.insert("Band", ["name": "Can"])
            let album = here.insert("Album", ["title": "Ege Bamyası"])
            let error = try #require(store.error { try here.save() })
            #expect(error.code == NSManagedObjectConstraintMergeError)
            let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
            #expect(conflicts.map(\.constraint) == [["title"]])
            #expect(conflicts.first?.conflictingObjects == [album])
            #expect(try store.run("SELECT count(*)::text FROM \"Band\"") == ["0"])
        }
    }

    @Test("an insertion that the database drops is no save, and none of its rows is there")
    func droppedInsertion() throws {
        let store = try NamedStore()
        let context = try store.open(Self.model())
        try store.run(
            "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER nothing BEFORE INSERT ON \"Album\" FOR EACH ROW EXECUTE FUNCTION nothing()")
        let error = context.performAndWait {
            _ = context.insert("Band", ["name": "Can"])
            _ = context.insert("Album", ["title": "Soon Over Babaluma"])
            return store.error { try context.save() }
        }
        #expect(error?.code == NSManagedObjectMergeError)
        #expect(try store.run("SELECT count(*)::text FROM \"Band\"") == ["0"])
    }

    @Test("a save that waits for another transaction lets other saves with history pass", .timeLimit(.minutes(15)))
    func waiting() async throws {
        let store = try NamedStore()
        let options = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let (waiting, passing) = (
            try store.open(Self.model(), options: options), try store.open(Self.model(), options: options)
        )
        let other = try PostgreSQLConnection(store.url.absoluteString)
        defer { other.close() }
        try other.execute("BEGIN")
        try other.execute(
            "INSERT INTO \"Album\" (\"_key\", \"_entity\", \"_version\", \"title\") VALUES (1000000, 1, 1, 'Landed')")
        async let saved: Void = waiting.perform {
            _ = waiting.insert("Album", ["title": "Landed"])
            try waiting.save()
        }
        let isWaiting = """
            SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
            """
        while try store.run(isWaiting) == ["0"] { try await Task.sleep(for: .milliseconds(10)) }
        try passing.performAndWait {
            _ = passing.insert("Album", ["title": "Saw Delight"])
            try passing.save()
        }
        #expect(try store.run("SELECT \"title\" FROM \"Album\"") == ["Saw Delight"])
        try other.execute("ROLLBACK")
        try await saved
        #expect(try store.run("SELECT \"title\" FROM \"Album\" ORDER BY 1") == ["Landed", "Saw Delight"])
        #expect(try store.run("SELECT \"last\"::text FROM \"_coredata_history\"") == ["2"])
    }

    @Test("a save waits no longer than NSPersistentStoreTimeoutOption says, and can be repeated")
    func timeout() throws {
        let store = try NamedStore()
        let options = [NSPersistentStoreTimeoutOption: 0.2 as NSNumber]
        let context = try store.open(Self.model(), options: options)
        let other = try PostgreSQLConnection(store.url.absoluteString)
        defer { other.close() }
        try context.performAndWait {
            let album = context.insert("Album", ["title": "Unlimited Edition"])
            try context.save()
            try other.execute("BEGIN")
            try other.execute("UPDATE \"Album\" SET \"year\" = 1976")
            album.setValue(1974, forKey: "year")
            #expect(store.error { try context.save() }?.code == NSPersistentStoreTimeoutError)
            #expect(album.hasChanges)
            try other.execute("ROLLBACK")
            try context.save()
            #expect(try store.run("SELECT \"year\"::text FROM \"Album\"") == ["1974"])
        }
    }

    @Test("any number is taken as a limit of waiting", arguments: [0, -1, 1e300, .infinity, .nan])
    func limits(seconds: Double) throws {
        let context = try NamedStore().open(
            Self.model(), options: [NSPersistentStoreTimeoutOption: NSNumber(value: seconds)])
        try context.performAndWait {
            _ = context.insert("Band", ["name": "Can"])
            try context.save()
        }
    }

    @Test("an album that leads to a band which is gone is refused, and nothing is saved")
    func lostDestination() throws {
        let (store, here, there) = try Self.opened()
        try here.performAndWait {
            let band = here.insert("Band", ["name": "Faust"])
            try here.save()
            try there.performAndWait {
                try there.all("Band").forEach(there.delete)
                try there.save()
            }
            here.refresh(band, mergeChanges: false)
            here.insert("Album", ["title": "So Far"]).setValue(band, forKey: "band")
            #expect(store.error { try here.save() }?.code == NSManagedObjectMergeError)
            #expect(try store.run("SELECT count(*)::text FROM \"Album\"") == ["0"])
        }
    }
}
