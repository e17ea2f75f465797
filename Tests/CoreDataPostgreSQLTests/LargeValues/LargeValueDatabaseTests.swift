import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import Testing

/// Databases that earlier versions of the library made, migrations, copies, and tables of other programs.
@Suite("Large values in databases of all kinds")
struct LargeValueDatabaseTests {
    private let store: NamedStore
    private let model = LargeModel().make()

    init() throws { store = try NamedStore() }

    private func fill(_ model: NSManagedObjectModel, _ key: String = "photo") throws {
        try store.reading(model) { context in
            _ = context.insert("Person", ["name": "a", key: LargeModel.photo(1)])
            _ = context.insert("Player", ["name": "b", key: LargeModel.photo(2)])
            _ = context.insert("Person", ["name": "c", key: LargeModel.photo(3, 3)])
            try context.save()
        }
    }

    private func photos(_ model: NSManagedObjectModel, _ key: String = "photo") throws -> [Data?] {
        var found: [Data?] = []
        try store.reading(model) { context in
            found = try context.all("Person", sorted: "name").map { $0.value(forKey: key) as? Data }
        }
        return found
    }

    private let all: [Data?] = [LargeModel.photo(1), LargeModel.photo(2), LargeModel.photo(3, 3)]

    /// Makes the tables what earlier versions have made.
    private func forgetStamps() throws {
        try store.run(
            "DROP FUNCTION \"Person.photo._stamp\"() CASCADE", "DROP FUNCTION \"Person.scan._stamp\"() CASCADE",
            "ALTER TABLE \"Person\" DROP COLUMN \"photo._stamp\", DROP COLUMN \"scan._stamp\"")
    }

    // MARK: Earlier versions

    @Test("a database that an earlier version made gets stamps when it is opened for writing")
    func earlier() throws {
        try fill(model)
        try forgetStamps()
        #expect(try photos(model) == all)
        #expect(try store.columns(of: "Person").contains("photo._stamp"))
        try store.reading(model) { context in
            let person = try #require(try context.all("Person", "name == 'a'").first)
            try store.replacePhoto("a", 9)
            #expect(person.photo == LargeModel.photo(9))
        }
        #expect(
            try store.run("SELECT (\"photo._stamp\" IS NULL)::text FROM \"Person\" ORDER BY name") == [
                "false", "true", "true",
            ])
    }

    @Test("one that is opened for reading alone stays as it is, and its values come with their rows")
    func readOnly() throws {
        try fill(model)
        try forgetStamps()
        let context = try store.open(model, options: [NSReadOnlyPersistentStoreOption: true])
        try context.performAndWait {
            let person = try #require(try context.all("Person", "name == 'a'").first)
            #expect(person.value(forKey: "name") != nil)
            try store.replacePhoto("a", 9)
            #expect(person.photo == LargeModel.photo(1))
            context.refresh(person, mergeChanges: false)
            #expect(person.photo == LargeModel.photo(9))
        }
        #expect(try !store.columns(of: "Person").contains("photo._stamp"))
    }

    @Test("one whose tables belong to another role goes on without, and saves")
    func otherRole() throws {
        let server = try PostgreSQLServer()
        let owner = try NamedStore(on: server)
        try owner.reading(model) { context in
            _ = context.insert("Person", ["name": "a", "photo": LargeModel.photo(1)])
            try context.save()
        }
        try owner.run(
            "DROP FUNCTION \"Person.photo._stamp\"() CASCADE", "DROP FUNCTION \"Person.scan._stamp\"() CASCADE",
            "ALTER TABLE \"Person\" DROP COLUMN \"photo._stamp\", DROP COLUMN \"scan._stamp\"",
            "CREATE ROLE app LOGIN", "GRANT USAGE ON SCHEMA public, coredata TO app",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app",
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app")
        var parts = try #require(URLComponents(url: owner.url, resolvingAgainstBaseURL: false))
        parts.user = "app"
        let app = NamedStore(url: try #require(parts.url))
        try app.reading(model) { context in
            let person = try #require(try context.all("Person").first)
            #expect(person.photo == LargeModel.photo(1))
            person.setValue(LargeModel.photo(2), forKey: "photo")
            try context.save()
            #expect(person.photo == LargeModel.photo(2))
        }
        #expect(try !owner.columns(of: "Person").contains("photo._stamp"))
        // A program that went on without is no danger for one that did not.
        try app.reading(model) { context in
            let person = try #require(try context.all("Person").first)
            try owner.reading(model) { owner in
                let seen = try #require(try owner.all("Person").first)
                owner.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
                person.setValue(LargeModel.photo(3), forKey: "photo")
                try context.save()
                seen.setValue(LargeModel.photo(4), forKey: "photo")
                try owner.save()
                #expect(seen.photo == LargeModel.photo(3))
            }
        }
    }

    // MARK: Migration

    private func migrate(to model: NSManagedObjectModel) throws {
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        _ = try store.open(model, options: options)
    }

    @Test("a migration adds and removes the attribute")
    func adding() throws {
        let without = LargeModel(photo: nil).make()
        try store.reading(without) { context in
            _ = context.insert("Person", ["name": "a"])
            try context.save()
        }
        try migrate(to: model)
        #expect(try photos(model) == [nil])
        try store.replacePhoto("a", 4)
        #expect(try photos(model) == [LargeModel.photo(4)])
        #expect(try store.run("SELECT (\"photo._stamp\" IS NOT NULL)::text FROM \"Person\"") == ["true"])
        try migrate(to: without)
        #expect(try store.columns(of: "Person").filter { $0?.hasPrefix("photo") ?? false } == [])
    }

    @Test("a migration renames the attribute, and its values keep their stamps")
    func renaming() throws {
        try fill(model)
        let stamps = try store.run("SELECT \"photo._stamp\"::text FROM \"Person\" ORDER BY name")
        let renamed = LargeModel(photo: "image", former: "photo").make()
        try migrate(to: renamed)
        #expect(try photos(renamed, "image") == all)
        #expect(try store.run("SELECT \"image._stamp\"::text FROM \"Person\" ORDER BY name") == stamps)
        #expect(
            try store.run("SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1") == [
                "Person.image._stamp", "Person.scan._stamp",
            ])
    }

    @Test(
        "a migration switches external storage off and on, in databases of earlier versions, too",
        arguments: [false, true])
    func switching(isEarlier: Bool) throws {
        let plain = LargeModel(isExternal: false).make()
        try fill(model)
        if isEarlier { try forgetStamps() }
        for model in [plain, model, plain, model] {
            try migrate(to: model)
            #expect(try photos(model) == all)
            let hasStamps = try store.columns(of: "Person").contains("photo._stamp")
            #expect(
                hasStamps == model.entitiesByName["Person"]?.attributesByName["photo"]?.allowsExternalBinaryDataStorage)
        }
    }

    @Test("a migration adds an attribute beside, and removes a subentity with large values")
    func neighbours() throws {
        try fill(model)
        let smaller = LargeModel(hasScans: false).make()
        try migrate(to: smaller)
        #expect(try photos(smaller) == all)
        try migrate(to: model)
        #expect(try photos(model) == all)
        try store.reading(model) { context in
            let player = try #require(try context.all("Player").first)
            player.setValue([String](repeating: "x", count: 5_000), forKey: "scan")
            try context.save()
            context.refresh(player, mergeChanges: false)
            #expect((player.value(forKey: "scan") as? [String])?.count == 5_000)
        }
    }

    @Test("destroying the store leaves nothing of it")
    func destruction() throws {
        try fill(model)
        try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(
            at: store.url, type: .postgreSQL)
        let left = try store.run(
            "SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace UNION ALL SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        )
        #expect(left == [])
    }

    // MARK: Copies

    @Test("a store moves into a database and back with its large values")
    func moving() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let file = try coordinator.addPersistentStore(type: .sqlite, at: folder.appendingPathComponent("a.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in UInt8(1)...3 {
                _ = context.insert(
                    "Person", ["name": "\(number)", "photo": LargeModel.photo(number, number == 3 ? 3 : 200_000)])
            }
            try context.save()
            func photos() throws -> [Data?] {
                context.refreshAllObjects()
                return try context.all("Person", sorted: "name").map(\.photo)
            }
            let people = try context.all("Person", sorted: "name")
            #expect(people[0].value(forKey: "name") as? String == "1")
            let moved = try coordinator.migratePersistentStore(file, to: store.url, type: .postgreSQL)
            #expect(people[0].photo == LargeModel.photo(1))
            #expect(try photos() == all)
            try store.replacePhoto("1", 9)
            #expect(
                try store.run("SELECT (\"photo._stamp\" IS NOT NULL)::text FROM \"Person\" ORDER BY name") == [
                    "true", "false", "false",
                ])
            context.refreshAllObjects()
            #expect(people.map { $0.value(forKey: "name") as? String } == ["1", "2", "3"])
            _ = try coordinator.migratePersistentStore(
                moved, to: folder.appendingPathComponent("b.sqlite"), type: .sqlite)
            #expect(people.map(\.photo) == [LargeModel.photo(9)] + all.dropFirst())
            #expect(try photos() == [LargeModel.photo(9)] + all.dropFirst())
        }
    }

    // MARK: Tables of other programs

    @Test("a column of another program's table stays one: its values come with their rows, and are saved")
    func mapped() throws {
        try store.run(
            "CREATE SCHEMA app",
            "CREATE TABLE app.people (id bigserial PRIMARY KEY, name text, age integer, photo bytea, version bigint NOT NULL DEFAULT 1)",
            "INSERT INTO app.people (name, photo) VALUES ('a', decode(repeat('01', 200000), 'hex'))")
        let model = LargeModel(
            tables: ["postgreSQLTable": "app.people", "postgreSQLKey": "id", "postgreSQLVersion": "version"]
        ).make()
        let context = try store.open(model)
        try context.performAndWait {
            let person = try #require(try context.all("Person").first)
            #expect(person.photo == LargeModel.photo(1))
            person.setValue(LargeModel.photo(2), forKey: "photo")
            let other = context.insert("Person", ["name": "b", "photo": LargeModel.photo(3)])
            try context.save()
            #expect(person.photo == LargeModel.photo(2) && other.photo == LargeModel.photo(3))
            #expect(try store.run("SELECT get_byte(photo, 0)::text FROM app.people ORDER BY name") == ["2", "3"])
        }
    }
}
