import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import RandomSeeds
import Synchronization
import Testing

@testable import CoreData

/// Connections that break at any byte, sessions and servers that are killed: a save is carried out wholly or not at
/// all, once, and is reported so.
@Suite struct PostgreSQLFailureTests {
    @Test(arguments: SeededGenerator.seeds(2, full: 40))
    func savesOverConnectionsThatAreCutAreReportedAsTheyWere(seed: UInt64) throws {
        let server = try PostgreSQLServer.shared
        let random = Mutex(SeededGenerator(seed: seed))
        let direct = try server.newDatabase()
        let database = try #require(URLComponents(string: direct)?.path.dropFirst())
        let proxy = try CuttingProxy(to: server) {
            random.withLock { random in
                // Some connections are cut while they are opened.
                Int.random(in: Int.random(in: 0..<10, using: &random) == 0 ? 0...2_000 : 2_000...40_000, using: &random)
            }
        }
        defer { proxy.stop() }
        let ledger = try Ledger(URL(string: direct))
        ledger.fill(by: 4, saves: 40, at: URL(string: proxy.url(database: String(database))))
        #expect(proxy.cutCount > 0)
        try ledger.check("seed \(seed)")
    }

    @Test func savesBesideAServerThatIsStoppedAndSessionsThatAreKilledAreReportedAsTheyWere() throws {
        let server = try PostgreSQLServer(durability: .full)
        let ledger = try Ledger(URL(string: server.newDatabase()))
        let disturbance = Disturbance {
            usleep(300_000)
            if (try? server.stop(.immediate)) != nil { try? server.start() }
        }
        ledger.fill(by: 4, saves: 40, at: ledger.url)
        disturbance.end()
        try ledger.check("a server that is stopped")
    }
}

/// Does something again and again, on a thread of its own.
private final class Disturbance: Sendable {
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while !isEnding.load(ordering: .relaxed) { body() }
            hasEnded.signal()
        }
    }

    /// Waits until nothing is done any more.
    func end() {
        isEnding.store(true, ordering: .relaxed)
        hasEnded.wait()
    }
}
