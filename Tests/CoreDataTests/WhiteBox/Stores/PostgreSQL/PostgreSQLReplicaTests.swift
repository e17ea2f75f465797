import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@testable import CoreData

/// Stores whose reads a replica answers: a server that follows another one by streaming replication.
@Suite(.serialized) final class PostgreSQLReplicaTests {
    private struct Pair {
        let primary: PostgreSQLServer
        let replica: PostgreSQLServer

        init() throws {
            primary = try PostgreSQLServer()
            replica = try primary.makeReplica()
        }
    }

    private static let pair = Result { try Pair() }

    private let (primary, replica): (PostgreSQLServer, PostgreSQLServer)
    private let database: String
    private let url: URL

    init() throws {
        let pair = try Self.pair.get()
        (primary, replica) = (pair.primary, pair.replica)
        let string = try primary.newDatabase()
        url = try #require(URL(string: string))
        database = String(url.path.dropFirst())
        try work(open(replicas: [])) { context in
            _ = context.insert("Team", ["name": "Old"])
            try context.save()
        }
    }

    deinit { try? replica.run("SELECT pg_wal_replay_resume()") }

    // MARK: Help

    private var replicaURL: String { replica.url(database: database) }

    /// - Parameter staleness: So long that it never ends, unless a test says otherwise.
    private func open(
        replicas: [Any]? = nil, staleness: Double = 3_600, _ options: [AnyHashable: Any] = [:]
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        var options = options
        options[NSPersistentStoreReplicaURLsKey] = replicas ?? [replicaURL]
        options[NSPersistentStoreReplicaMaxStalenessKey] = staleness
        try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        return coordinator
    }

    private func work<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) rethrows -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func names(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        try work(coordinator) { try $0.all("Team").compactMap { $0.string("name") }.sorted() }
    }

    private func add(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws {
        try work(coordinator) { context in
            _ = context.insert("Team", ["name": name])
            try context.save()
        }
    }

    /// Another program's change, which tells nothing.
    private func renameSilently(to name: String) throws {
        let connection = try PostgreSQLConnection(url.absoluteString)
        defer { connection.close() }
        var values = PostgreSQLParameters()
        try values.append(text: name)
        try connection.execute("UPDATE \"Team\" SET \"name\" = $1, \"_version\" = \"_version\" + 1", values)
    }

    /// Waits until the replica has what the primary has.
    private func catchUp() throws {
        let (leader, follower) = (
            try PostgreSQLConnection(primary.url), try PostgreSQLConnection(replica.url)
        )
        let position = try #require(try leader.execute("SELECT pg_current_wal_insert_lsn()::text").string(0, 0))
        var values = PostgreSQLParameters()
        try values.append(text: position)
        let limit = Date(timeIntervalSinceNow: 60)
        while Date() < limit {
            let query = "SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn"
            if try follower.execute(query, values).bool(0, 0) == true { return }
            usleep(2_000)
        }
        Issue.record("The replica does not catch up.")
    }

    /// Has the replica stay as it is, so that what is read there shows. The coordinator has read from it before.
    private func freezeReplica(for coordinator: NSPersistentStoreCoordinator) throws {
        // The first read goes to the primary: only then it is known how new the replica must be.
        _ = try names(coordinator)
        try catchUp()
        _ = try names(coordinator)
        try replica.run("SELECT pg_wal_replay_pause()")
        let connection = try PostgreSQLConnection(replica.url)
        while try connection.execute("SELECT pg_get_wal_replay_pause_state()").string(0, 0) != "paused" {
            usleep(1_000)
        }
    }

    // MARK: Where reads go

    @Test func readsGoToTheReplica() throws {
        let coordinator = try open()
        try freezeReplica(for: coordinator)
        try renameSilently(to: "New")
        #expect(try names(coordinator) == ["Old"])
        #expect(try names(open(replicas: [])) == ["New"])
    }

    @Test func readsAreNoOlderThanTheOptionAllows() throws {
        let coordinator = try open(staleness: 0.2)
        try freezeReplica(for: coordinator)
        try renameSilently(to: "New")
        usleep(250_000)
        #expect(try names(coordinator) == ["New"])
    }

    @Test func aCoordinatorReadsItsOwnSavesAndBatches() throws {
        let coordinator = try open()
        try freezeReplica(for: coordinator)
        try add("Reds", coordinator)
        #expect(try names(coordinator) == ["Old", "Reds"])
        try work(coordinator) { context in
            _ = try context.execute(NSBatchInsertRequest(entityName: "Team", objects: [["name": "Blues"]]))
        }
        #expect(try names(coordinator) == ["Blues", "Old", "Reds"])
        try replica.run("SELECT pg_wal_replay_resume()")
        try catchUp()
        #expect(try names(coordinator) == ["Blues", "Old", "Reds"])
    }

    @Test func whatWasReadFromThePrimaryIsNotOlderInTheNextRead() throws {
        let coordinator = try open(staleness: 0.2)
        try freezeReplica(for: coordinator)
        try renameSilently(to: "New")
        usleep(250_000)
        for _ in 0..<20 { #expect(try names(coordinator) == ["New"]) }
    }

    @Test func aCoordinatorThatIsToldOfACommitReadsIt() async throws {
        let options: [AnyHashable: Any] = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
        let coordinator = try open(options)
        let notes = RemoteNotes(of: coordinator)
        try freezeReplica(for: coordinator)
        try add("Reds", open(replicas: [], options))
        #expect(await notes.first { _ in true } != nil)
        #expect(try names(coordinator) == ["Old", "Reds"])
    }

    @Test func aCoordinatorThatHasReadHistoryReadsItsRows() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let coordinator = try open(options)
        try freezeReplica(for: coordinator)
        try add("Reds", open(replicas: [], options))
        let transactions = try work(coordinator) {
            try $0.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
        }
        #expect(transactions.count == 1)
        #expect(try names(coordinator) == ["Old", "Reds"])
    }

    @Test func aContextThatSavesAgainAfterAConflictReadsTheRowThatWasInItsWay() throws {
        let coordinator = try open()
        try freezeReplica(for: coordinator)
        try work(coordinator) { context in
            let team = try #require(try context.all("Team").first)
            #expect(team.string("name") == "Old")
            try renameSilently(to: "Theirs")
            team.setValue("Mine", forKey: "name")
            #expect(thrown { try context.save() } != nil)
            context.rollback()
            context.refreshAllObjects()
            #expect(try context.all("Team").first?.string("name") == "Theirs")
            team.setValue("Mine", forKey: "name")
            try context.save()
        }
        #expect(try names(coordinator) == ["Mine"])
    }

    // MARK: Servers that are away

    @Test func readsGoOnWithoutTheReplicaAndReturnToIt() throws {
        let coordinator = try open()
        _ = try names(coordinator)
        try replica.stop(.immediate)
        for _ in 0..<5 { #expect(try names(coordinator) == ["Old"]) }
        try add("Reds", coordinator)
        #expect(try names(coordinator) == ["Old", "Reds"])
        try replica.start()
        try catchUp()
        let connection = try PostgreSQLConnection(replica.url)
        let sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'coredata'"
        var values = PostgreSQLParameters()
        try values.append(text: database)
        let limit = Date(timeIntervalSinceNow: 60)
        while try connection.execute(sessions, values).int64(0, 0) == 0, Date() < limit {
            #expect(try names(coordinator) == ["Old", "Reds"])
            usleep(10_000)
        }
        #expect(try connection.execute(sessions, values).int64(0, 0) ?? 0 > 0)
    }

    @Test func readsGoOnWithoutThePrimary() throws {
        let coordinator = try open(staleness: 0.1)
        _ = try names(coordinator)
        try catchUp()
        try primary.stop(.immediate)
        defer { try? primary.start() }
        for _ in 0..<5 {
            usleep(50_000)
            #expect(try names(coordinator) == ["Old"])
        }
    }

    @Test func aServerWithAnotherStoreIsNotRead() throws {
        let other = try primary.newDatabase()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        try coordinator.addPersistentStore(type: .postgreSQL, at: try #require(URL(string: other)))
        try add("Others", coordinator)
        try catchUp()
        let name = try #require(URL(string: other)?.path.dropFirst())
        let own = try open(replicas: [replica.url(database: String(name))])
        for _ in 0..<5 { #expect(try names(own) == ["Old"]) }
    }

    // MARK: Options

    @Test func valuesThatAreNoURLsOrSecondsAreRefused() throws {
        for replicas in [[1] as [Any], ["http://example.com"], ["postgresql://a/b?nothing=1"]] {
            #expect(thrown { _ = try self.open(replicas: replicas) }?.code == NSPersistentStoreOpenError)
        }
        for staleness in [0, -1.5] {
            #expect(thrown { _ = try self.open(staleness: staleness) }?.code == NSPersistentStoreOpenError)
        }
        let text: [AnyHashable: Any] = [NSPersistentStoreDirectURLKey: 7]
        #expect(thrown { _ = try self.open(text) }?.code == NSPersistentStoreOpenError)
    }
}
