import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import RandomSeeds
import Testing

@testable import CoreData

/// A server that ends in the midst of saves, and a replica that takes its place.
@Suite struct PostgreSQLFailoverTests {
    /// A server and two replicas. A commit is acknowledged when one of them has it.
    private struct Cluster {
        let primary: PostgreSQLServer
        let replicas: [PostgreSQLServer]

        var all: [PostgreSQLServer] { [primary] + replicas }

        init() throws {
            let primary = try PostgreSQLServer(
                settings: ["synchronous_commit": "on", "wal_retrieve_retry_interval": "200"])
            self.primary = primary
            replicas = try (0..<2).map { _ in try primary.makeReplica() }
            for replica in replicas { try replica.follow(all) }
            for server in all { try server.configure(["synchronous_standby_names": "ANY 1 (*)"]) }
        }

        /// Ends the primary as in a crash.
        func fail() throws { try primary.stop(.immediate) }

        /// The replica with all that was acknowledged takes the place of the primary.
        func promote() throws {
            let positions = try replicas.map { try Self.position(of: $0) }
            try replicas[positions[0] >= positions[1] ? 0 : 1].promote()
        }

        private static func position(of replica: PostgreSQLServer) throws -> Int64 {
            let connection = try PostgreSQLConnection(replica.url)
            defer { connection.close() }
            let query = "SELECT (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0')::bigint"
            return try connection.execute(query).int64(0, 0) ?? 0
        }
    }

    @Test(arguments: SeededGenerator.seeds(1, full: 12))
    func whenAReplicaTakesThePlaceOfItsServerNothingAcknowledgedIsLost(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cluster = try Cluster()
        let database = String(try #require(URL(string: try cluster.primary.newDatabase())).path.dropFirst())
        let url = URL(string: PostgreSQLServer.url(ofAll: cluster.all, database: database))
        let replicas = cluster.all.map { $0.url(database: database) }
        let ledger = try Ledger(url, replicas: replicas)
        // A replica that lacks the database still can't be connected to.
        try wait { replicas.allSatisfy { (try? PostgreSQLConnection($0).execute("TABLE \"_coredata\"")) != nil } }
        let reader = try coordinator(url, replicas)
        #expect(try count(reader) >= 0)
        let writers = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            ledger.fill(by: 4, saves: 250, at: url)
            writers.signal()
        }
        try wait { ledger.acknowledgedCount > Int.random(in: 30...100, using: &random) }
        var seen = try count(reader)
        try cluster.fail()
        // What was seen stays, while no server takes saves.
        for _ in 0..<20 {
            let now = try count(reader)
            #expect(now >= seen, "seed \(seed)")
            seen = now
        }
        try cluster.promote()
        let before = ledger.acknowledgedCount
        try wait { ledger.acknowledgedCount > before + 50 }
        writers.wait()
        #expect(try count(reader) >= seen, "seed \(seed)")
        try ledger.check("a replica in the place of its server, seed \(seed)")
    }

    private func coordinator(_ url: URL?, _ replicas: [String]) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        let options: [AnyHashable: Any] = [
            NSPersistentStoreReplicaURLsKey: replicas, NSPersistentStoreReplicaMaxStalenessKey: 0.2,
        ]
        try coordinator.addPersistentStore(type: .postgreSQL, at: try #require(url), options: options)
        return coordinator
    }

    /// How many teams the store has, as another program sees it that saves nothing.
    private func count(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team"))
        }
    }

    private func wait(_ isSo: () throws -> Bool) throws {
        let limit = Date(timeIntervalSinceNow: 120)
        while try !isSo() {
            guard Date() < limit else {
                Issue.record("It took two minutes.")
                return
            }
            usleep(2_000)
        }
    }
}
