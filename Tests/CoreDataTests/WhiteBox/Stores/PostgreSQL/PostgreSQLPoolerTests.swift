import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Synchronization
import Testing

@testable import CoreData

/// Stores behind pgbouncer, which gives each transaction another one of few sessions.
@Suite struct PostgreSQLPoolerTests {
    private static let pooler = Result { try PostgreSQLPooler(to: .shared, sessions: 2) }

    /// The store's URLs: of the server itself, and through the pooler.
    private let (direct, pooled): (URL, URL)

    init() throws {
        direct = try #require(URL(string: try PostgreSQLServer.shared.newDatabase()))
        let database = String(direct.path.dropFirst())
        pooled = try #require(URL(string: try Self.pooler.get().url(database: database)))
    }

    private static func open(
        _ model: NSManagedObjectModel, _ url: URL, _ options: [AnyHashable: Any] = [:]
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        return coordinator
    }

    private static func work<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) rethrows -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    // MARK: Many programs, few sessions

    /// Each coordinator has a schema of its own: what one leaves in a session would show in another one's rows.
    @Test func coordinatorsWithSchemasOfTheirOwnShareSessionsAndMixNothingUp() throws {
        let failures = Mutex<[String]>([])
        let pooled = pooled
        DispatchQueue.concurrentPerform(iterations: 6) { number in
            if let error = thrown({ try Self.live(in: "own \(number)", at: pooled) }) {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }

    /// Saves, fetches, batches, history and a migration.
    private static func live(in schema: String, at pooled: URL) throws {
        var parts = try #require(URLComponents(url: pooled, resolvingAgainstBaseURL: false))
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "schema", value: schema)]
        let url = try #require(parts.url)
        let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let coordinator = try open(BatchLeague.make(), url, tracking)
        try work(coordinator) { context in
            for round in 0..<10 {
                let team = context.insert("Team", ["name": "\(schema) \(round)", "title": "a"])
                team.relate("sponsors", to: context.insert("Sponsor", ["name": "\(schema) \(round)"]))
                try context.save()
                #expect(team.string("upper") == "A")
                context.refreshAllObjects()
                #expect(try context.all("Team", "ANY sponsors.name BEGINSWITH '\(schema)'").count == round + 1)
            }
        }
        try work(coordinator) { try runBatches($0, schema) }
        try work(coordinator) { context in
            let transactions = try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
            #expect(transactions.count == 14)
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let options = tracking.merging(MigratedStore.automatic) { first, _ in first }
        let migrated = try open(grownLeague(), url, options)
        try work(migrated) { context throws in
            #expect(try context.all("Player", "height == 1.5 AND age == 41").count == 200)
        }
    }

    /// Leaves 200 players, all of the age 41.
    private static func runBatches(_ context: NSManagedObjectContext, _ schema: String) throws {
        let rows = (0..<300).map { ["name": "\(schema) \($0)", "age": $0 % 3] as [String: Any] }
        try context.execute(NSBatchInsertRequest(entityName: "Player", objects: rows))
        let update = NSBatchUpdateRequest(entityName: "Player")
        update.predicate = NSPredicate(format: "age == 1")
        update.propertiesToUpdate = ["age": 41]
        try context.execute(update)
        let deletion = NSFetchRequest<NSFetchRequestResult>(entityName: "Player")
        deletion.predicate = NSPredicate(format: "age == 2")
        try context.execute(NSBatchDeleteRequest(fetchRequest: deletion))
        for player in try context.all("Player", "age == 0") { player.setValue(41, forKey: "age") }
        try context.save()
        #expect(try context.all("Player", "name BEGINSWITH '\(schema)'").count == 200)
    }

    /// The league with a new attribute.
    private static func grownLeague() -> NSManagedObjectModel {
        let model = BatchLeague.make()
        model.entitiesByName["Player"]?.properties.append(
            attribute("height", .doubleAttributeType, default: 1.5))
        return model
    }

    @Test func savesThatLoseTheirSessionsBehindThePoolerAreReportedAsTheyWere() throws {
        let server = try PostgreSQLServer.shared
        let ledger = try Ledger(direct)
        let isDone = Mutex(false)
        let hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [database = direct.path] in
            while !isDone.withLock({ $0 }) {
                usleep(60_000)
                Self.endSessions(of: String(database.dropFirst()), server)
            }
            hasEnded.signal()
        }
        ledger.fill(by: 4, saves: 40, at: pooled)
        isDone.withLock { $0 = true }
        hasEnded.wait()
        try ledger.check("sessions that end behind a pooler")
    }

    private static func endSessions(of database: String, _ server: PostgreSQLServer) {
        let query = """
            SELECT pid FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid() \
            ORDER BY random() LIMIT 1
            """
        guard let connection = try? PostgreSQLConnection(server.url), let found = try? connection.execute(query),
            found.rowCount > 0, let process = try? found.int32(0, 0)
        else { return }
        server.terminateBackend(process)
    }

    // MARK: What needs a session

    @Test func remoteChangesNeedAURLOfTheServerItself() async throws {
        let options: [AnyHashable: Any] = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
        let model = LeagueModel.make()
        let error = thrown { _ = try Self.open(model, pooled, options) }
        #expect(error?.code == NSPersistentStoreOpenError)
        #expect(error?.localizedFailureReason?.contains("NSPersistentStoreDirectURLKey") == true)
        let coordinator = try Self.open(
            model, pooled, options.merging([NSPersistentStoreDirectURLKey: direct.absoluteString]) { $1 })
        let notes = RemoteNotes(of: coordinator)
        let other = try Self.open(model, pooled, options.merging([NSPersistentStoreDirectURLKey: direct]) { $1 })
        try Self.work(other) { context in
            _ = context.insert("Team", ["name": "Reds"])
            try context.save()
        }
        #expect(await notes.first { _ in true } != nil)
    }

    @Test func indexesThatAreLeftForLaterNeedAURLOfTheServerItself() throws {
        _ = try Self.open(BatchLeague.make(), pooled)
        let model = Self.grownLeague()
        let player = try #require(model.entitiesByName["Player"])
        let height = try #require(player.attributesByName["height"])
        player.indexes = [
            NSFetchIndexDescription(
                name: "byHeight",
                elements: [NSFetchIndexElementDescription(property: height, collationType: .binary)])
        ]
        var options = MigratedStore.automatic
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true
        let coordinator = try Self.open(model, pooled, options)
        let error = thrown { try coordinator.finishDeferredLightweightMigration() }
        #expect(error?.localizedFailureReason?.contains("NSPersistentStoreDirectURLKey") == true)
        options[NSPersistentStoreDirectURLKey] = direct.absoluteString
        try Self.open(model, pooled, options).finishDeferredLightweightMigration()
        let connection = try PostgreSQLConnection(direct.absoluteString)
        let found = try connection.execute("SELECT count(*) FROM pg_indexes WHERE indexname LIKE '%byHeight%'")
        #expect(try found.int64(0, 0) == 1)
    }

    @Test func aContextReadsItsQueryGenerationThroughThePooler() throws {
        let coordinator = try Self.open(LeagueModel.make(), pooled)
        let pinned = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        pinned.persistentStoreCoordinator = coordinator
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            #expect(try pinned.all("Team").isEmpty)
        }
        try Self.work(coordinator) { context in
            _ = context.insert("Team", ["name": "Reds"])
            try context.save()
        }
        try pinned.performAndWait {
            #expect(try pinned.all("Team").isEmpty)
            try pinned.setQueryGenerationFrom(nil)
            #expect(try pinned.all("Team").count == 1)
        }
    }

    @Test func aPoolerThatKeepsSessionsIsTakenAtItsWord() throws {
        let pooler = try PostgreSQLPooler(to: .shared, sessions: 8, mode: .session)
        let url = pooler.url(database: String(direct.path.dropFirst())) + "&pooler=session"
        _ = try Self.open(
            LeagueModel.make(), try #require(URL(string: url)),
            [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let wrong = try #require(URL(string: direct.absoluteString + "&pooler=statement"))
        #expect(thrown { _ = try Self.open(LeagueModel.make(), wrong) }?.code == NSPersistentStoreOpenError)
    }
}
