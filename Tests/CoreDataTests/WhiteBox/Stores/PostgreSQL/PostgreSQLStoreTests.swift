import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Synchronization
import Testing

@testable import CoreData

/// What a store in PostgreSQL does beside what all stores do; that is tested by `Tests/CoreDataTests/with-stores`.
@Suite("Stores in PostgreSQL")
struct PostgreSQLStoreTests {
    private let url: URL

    init() throws { url = try #require(URL(string: try PostgreSQLServer.shared.newDatabase())) }

    private func coordinator(_ model: NSManagedObjectModel = LeagueModel.make()) -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: model)
    }

    private func open(
        _ model: NSManagedObjectModel = LeagueModel.make(), at url: URL? = nil, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = coordinator(model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: url ?? self.url, options: options)
        return coordinator
    }

    private func work<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) rethrows -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    /// The first column of a query, as text.
    private func query(_ text: String) throws -> [String?] {
        let connection = try PostgreSQLConnection(url.absoluteString)
        defer { connection.close() }
        let result = try connection.execute(text)
        return try (0..<result.rowCount).map { try result.string($0, 0) }
    }

    // MARK: Tables

    @Test("tables and columns have the model's names, and proper types")
    func tables() throws {
        _ = try open()
        let columns = try query(
            """
            SELECT table_name || '.' || column_name || ' ' || data_type FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%' ORDER BY 1
            """)
        #expect(
            columns.compactMap(\.self)
                == [
                    "Player._entity integer", "Player._key bigint", "Player._version bigint", "Player.age smallint",
                    "Player.benchOf bigint", "Player.benchOf._order bigint", "Player.captainOf bigint",
                    "Player.cousins.REFLEXIVE bigint", "Player.cousins.cousins bigint", "Player.name text",
                    "Player.salary numeric", "Player.team bigint", "Team._entity integer", "Team._key bigint",
                    "Team._version bigint", "Team.captain bigint", "Team.name text", "Player.favourites.fans bigint",
                    "Player.favourites.favourites bigint",
                ].sorted())
    }

    @Test("what other programs write into the tables is read")
    func foreignRows() throws {
        let coordinator = try open()
        let key = try query(
            """
            INSERT INTO "Team" (_key, _entity, _version, name) VALUES (nextval('"Team._keys"'), 2, 1, 'Olives')
            RETURNING _key::text
            """)
        try work(coordinator) { context throws in
            let team = try #require(try context.all("Team", "name == 'Olives'").first)
            #expect(team.objectID.uriRepresentation().lastPathComponent == key[0].map { "p" + $0 })
        }
    }

    @Test("each schema of a database has a store of its own")
    func schemas() throws {
        var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "schema", value: "Other league")]
        let (first, second) = (try open(), try open(at: parts.url))
        try work(first) { context throws in
            _ = context.insert("Team", ["name": "First"])
            try context.save()
        }
        #expect(try work(second) { try $0.all("Team").count } == 0)
        #expect(first.persistentStores[0].identifier != second.persistentStores[0].identifier)
    }

    // MARK: Opening

    @Test("programs that start together make the store once")
    func startTogether() throws {
        let identifiers = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            if let identifier = try? open().persistentStores.first?.identifier {
                identifiers.withLock { $0.append(identifier) }
            }
        }
        let all = identifiers.withLock { $0 }
        #expect(all.count == 6 && Set(all).count == 1)
    }

    @Test("a store of another model is refused with 134100, and stays as it is")
    func otherModel() throws {
        let identifier = try open().persistentStores[0].identifier
        let other = model(entity("Player", [attribute("name", .integer16AttributeType)]))
        #expect(thrown { _ = try open(other) }?.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(try open().persistentStores[0].identifier == identifier)
    }

    @Test("a batch that loses its connection inserts nothing, and says so")
    func brokenBatch() throws {
        let coordinator = try open()
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Team") { (row: NSMutableDictionary) in
            number += 1
            if number == 500 {
                _ = try? query(
                    """
                    SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """)
            }
            row["name"] = "Team \(number)"
            return number > 1_000
        }
        try work(coordinator) { context throws in
            #expect(thrown { _ = try context.execute(request) } != nil)
            #expect(try context.all("Team").isEmpty)
        }
    }

    @Test("a store with a single connection inserts batches, with keys of many blocks")
    func batchByOneConnection() throws {
        let coordinator = try open(options: [NSPersistentStoreConnectionPoolMaxSizeKey: 1])
        let rows = (1...450).map { ["name": "Team \($0)"] as [String: Any] }
        try work(coordinator) { context throws in
            _ = try context.execute(NSBatchInsertRequest(entityName: "Team", objects: rows))
            #expect(Set(try context.all("Team").compactMap { $0.string("name") }).count == 450)
        }
    }

    @Test("derived attributes are right after changes by other programs, too")
    func derived() throws {
        let copy = NSDerivedAttributeDescription()
        (copy.name, copy.attributeType) = ("key", .stringAttributeType)
        copy.derivationExpression = NSExpression(format: "canonical:(name)")
        let model = model(entity("Team", [attribute("name", .stringAttributeType), copy]))
        let coordinator = try open(model)
        try work(coordinator) { context throws in
            let team = context.insert("Team", ["name": "Éclair"])
            try context.save()
            #expect(team.string("key") == "eclair")
            _ = try query("UPDATE \"Team\" SET \"name\" = 'ÖL'")
            context.refreshAllObjects()
        }
        try work(try open(model)) { context throws in #expect(try context.all("Team", "key == 'ol'").count == 1) }
        try coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
        #expect(try query("SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace").isEmpty)
    }

    @Test(
        "a server that is not there, and a URL of something else, throw 134080 without the password",
        arguments: ["postgresql://me:s3cret@/league?host=%2Fnowhere", "https://me:s3cret@example.com/league"])
    func noServer(url: String) throws {
        let error = try #require(thrown { _ = try open(at: URL(string: url)) })
        #expect(error.code == NSPersistentStoreOpenError)
        #expect(!"\(error)".contains("s3cret"))
    }

    @Test("a store that is to be read only is not made, and not written")
    func readOnly() throws {
        let options = [NSReadOnlyPersistentStoreOption: true]
        let error = thrown { _ = try open(options: options) }
        #expect(error?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
        #expect(error?.localizedFailureReason == "There is no such store.")
        try work(try open()) { context throws in
            _ = context.insert("Team", ["name": "First"])
            try context.save()
        }
        try work(try open(options: options)) { context throws in
            try #require(try context.all("Team").first).setValue("Second", forKey: "name")
            #expect(thrown { try context.save() }?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
        }
    }

    @Test("metadata are kept, read and set without opening the store; destroying removes the store's tables alone")
    func metadataAndDestroying() throws {
        let coordinator = try open()
        let store = coordinator.persistentStores[0]
        store.metadata["season"] = "1986"
        try work(coordinator) { try $0.save() }
        func read() throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSPostgreSQLStoreType, at: url)
        }
        var metadata = try read()
        #expect(metadata["season"] as? String == "1986")
        #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
        metadata["season"] = "1987"
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: NSPostgreSQLStoreType, at: url)
        #expect(try open().persistentStores[0].metadata["season"] as? String == "1987")

        _ = try query("CREATE TABLE \"mine\" AS SELECT 'mine'::text AS name")
        try coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
        #expect(try query("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'") == ["mine"])
        #expect(thrown { _ = try read() }?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
    }

    @Test("a store does not move to a place that has one: 516, and both stay as they are")
    func takenPlace() throws {
        try work(try open()) { context throws in
            _ = context.insert("Team", ["name": "Here"])
            try context.save()
        }
        let stack = try Stack(LeagueModel.make())
        let error = thrown {
            try stack.coordinator.migratePersistentStore(
                stack.coordinator.persistentStores[0], to: url, options: nil, type: .postgreSQL)
        }
        #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
        #expect(try work(try open()) { try $0.all("Team").map { $0.string("name") } } == ["Here"])
        #expect(stack.coordinator.persistentStores.map(\.type) == [testedStoreType])
    }

    @Test("a column that another program gave another type is told with 259, and not misread")
    func otherColumnType() throws {
        let coordinator = try open()
        try work(coordinator) { context throws in
            _ = context.insert("Player", ["name": "Ann", "age": 7])
            try context.save()
        }
        let connection = try PostgreSQLConnection(url.absoluteString)
        defer { connection.close() }
        try connection.execute("ALTER TABLE \"Player\" ALTER COLUMN age TYPE double precision")
        let error = thrown { _ = try work(try open()) { try $0.all("Player") } }
        #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(error?.localizedDescription.contains("age") ?? false)
    }

    @Test("a store in a file moves into the database with all that it has")
    func moving() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Celtics"])
            for index in 0..<250 {
                let player = context.insert("Player", ["name": "p\(index)", "age": index])
                player.setValue(NSDecimalNumber(string: "\(index).125"), forKey: "salary")
                player.setValue(team, forKey: "team")
                if index < 9 { team.mutableOrderedSetValue(forKey: "bench").insert(player, at: 0) }
                if index % 3 == 0 { team.mutableSetValue(forKey: "fans").add(player) }
            }
            try context.save()
        }
        let moved = try stack.coordinator.migratePersistentStore(
            stack.coordinator.persistentStores[0], to: url, options: nil, type: .postgreSQL)
        #expect(moved.type == NSPostgreSQLStoreType)
        try stack.work { context throws in
            let team = try #require(try context.all("Team").first)
            #expect(team.names("players").count == 250 && team.names("fans").count == 84)
            let bench = (team.value(forKey: "bench") as? NSOrderedSet)?.array as? [NSManagedObject]
            #expect(bench?.map { $0.string("name") } == (0..<9).reversed().map { "p\($0)" })
            #expect(try context.all("Player", "salary == 7.125").count == 1)
            // New keys do not meet those that came along.
            _ = context.insert("Player", ["name": "new"])
            try context.save()
            #expect(try context.all("Player").count == 251)
        }
    }

    @Test("a query generation ends with its store: its token is refused then, and its connection is closed")
    func generationOfRemovedStore() throws {
        let coordinator = try open()
        try work(coordinator) { context throws in
            try context.setQueryGenerationFrom(.current)
            #expect(try context.all("Player").isEmpty)
            let token = try #require(context.queryGenerationToken)
            try coordinator.remove(coordinator.persistentStores[0])
            #expect(thrown { _ = try context.all("Player") } != nil)
            #expect(
                thrown { try context.setQueryGenerationFrom(token) }?.code == NSPersistentStoreOperationError)
            let others = """
                SELECT count(*)::text FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                """
            // The server notices a moment later.
            let limit = ContinuousClock.now + .seconds(10)
            while try query(others) != ["0"], ContinuousClock.now < limit { usleep(10_000) }
            #expect(try query(others) == ["0"])
        }
    }

    // MARK: Values

    @Test("a date has whole microseconds, once it is saved")
    func dates() throws {
        let stack = try open(model(entity("Event", [attribute("at", .dateAttributeType)])))
        try work(stack) { context throws in
            let event = context.insert("Event", ["at": Date(timeIntervalSinceReferenceDate: 0.123_456_789)])
            try context.save()
            let rounded = Date(timeIntervalSinceReferenceDate: 0.123_457)
            #expect(event.value(forKey: "at") as? Date == rounded)
            context.refreshAllObjects()
            #expect(event.value(forKey: "at") as? Date == rounded)
            event.setValue(Date.distantPast, forKey: "at")
            try context.save()
            #expect(try context.all("Event", "at < CAST(0, 'NSDate')").count == 1)
        }
    }

    @Test("what no column can have is refused with the property's name, and nothing is saved")
    func refusedValues() throws {
        let model = model(
            entity("Event", [attribute("at", .dateAttributeType), attribute("name", .stringAttributeType)]))
        let coordinator = try open(model)
        let values: [(String, Any)] = [("name", "a\0b"), ("at", Date(timeIntervalSinceReferenceDate: 1e15))]
        for (key, value) in values {
            try work(coordinator) { context throws in
                _ = context.insert("Event", ["name": "good"])
                _ = context.insert("Event", [key: value])
                let error = thrown { try context.save() }
                #expect(error?.code == NSPersistentStoreSaveError)
                #expect(error?.localizedDescription.contains("Event.\(key)") ?? false)
                #expect(context.insertedObjects.count == 2)
            }
        }
        #expect(try work(coordinator) { try $0.all("Event").count } == 0)
    }

    @Test("an integer that the column has no room for is refused, and never cut off")
    func longInteger() throws {
        // A file holds any number: another program may have written it.
        let stack = try Stack(model(entity("Event", [attribute("number", .integer16AttributeType)])))
        _ = try stack.saved("Event", ["number": 7])
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let file = try SQLiteConnection(path: stack.storeURL.path, access: .readWrite)
        try SQLiteStatement("UPDATE ZEVENT SET ZNUMBER = 40000", on: file).run()
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.storeURL)
        let error = thrown {
            try stack.coordinator.migratePersistentStore(
                stack.coordinator.persistentStores[0], to: url, options: nil, type: .postgreSQL)
        }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedDescription.contains("Event.number") ?? false)
        #expect(try query("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'").isEmpty)
    }

    // MARK: Saving beside others

    @Test("two rows may swap their unique values in one save")
    func swapping() throws {
        let team = entity("Team", [attribute("name", .stringAttributeType)])
        team.uniquenessConstraints = [["name"]]
        try work(try open(model(team))) { context throws in
            let (first, second) = (context.insert("Team", ["name": "A"]), context.insert("Team", ["name": "B"]))
            try context.save()
            first.setValue("B", forKey: "name")
            second.setValue("A", forKey: "name")
            try context.save()
            context.refreshAllObjects()
            #expect(first.string("name") == "B" && second.string("name") == "A")
        }
    }

    @Test("a save that leads to an object that another process deleted throws 133000 and saves nothing")
    func lostDestination() throws {
        let (one, other) = (try open(), try open())
        let id = try work(one) { context throws in
            let team = context.insert("Team", ["name": "Gone"])
            try context.save()
            return team.objectID.uriRepresentation()
        }
        try work(one) { context throws in
            let team = try #require(one.managedObjectID(forURIRepresentation: id).map { context.object(with: $0) })
            let player = context.insert("Player", ["name": "Late"])
            player.setValue(team, forKey: "team")
            _ = try query("DELETE FROM \"Team\" RETURNING name")
            let error = thrown { try context.save() }
            #expect([NSManagedObjectReferentialIntegrityError, NSManagedObjectMergeError].contains(error?.code))
        }
        #expect(try work(other) { try $0.all("Player").count } == 0)
    }

    @Test("clients take different keys at the same time")
    func keys() throws {
        let coordinators = try (0..<4).map { _ in try open() }
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for _ in 0..<5 {
                try? work(coordinators[index]) { context throws in
                    for number in 0..<130 { _ = context.insert("Team", ["name": "\(index).\(number)"]) }
                    try context.save()
                }
            }
        }
        #expect(try query("SELECT count(*)::text FROM \"Team\"") == ["2600"])
    }

    @Test("the pool's size limits the connections, and is at least 1")
    func poolSize() throws {
        let key = NSPersistentStoreConnectionPoolMaxSizeKey
        let coordinator = try open(options: [key: 2 as NSNumber])
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            for _ in 0..<20 {
                work(coordinator) { context in
                    _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team"))
                }
            }
        }
        // The third one is that of the query.
        let connections = try query("SELECT pid::text FROM pg_stat_activity WHERE datname = current_database()")
        #expect(connections.count <= 3)
        for size in [0, -1] {
            #expect(throws: CocoaError.self) { try open(options: [key: size as NSNumber]) }
        }
    }
}
