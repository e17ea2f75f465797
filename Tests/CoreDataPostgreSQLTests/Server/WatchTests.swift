import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Synchronization
import Testing

@testable import CoreDataPostgreSQL

/// The connection that hears of other clients' commits.
@Suite("Hearing of commits")
struct WatchTests {
    /// What a watch has told, in its order.
    private final class Told: Sendable {
        private let numbers = Mutex<[Int64?]>([])

        func add(_ number: Int64?) { numbers.withLock { $0.append(number) } }

        func has(_ number: Int64?) -> Bool { numbers.withLock { $0.contains(number) } }

        /// Waits until something was told.
        func comes(_ number: Int64?) -> Bool {
            let end = Date(timeIntervalSinceNow: 60)
            while Date() < end {
                if has(number) { return true }
                usleep(10_000)
            }
            return false
        }
    }

    @Test(
        "a connection that has fallen silent is opened anew, and that there may have been commits is told",
        .timeLimit(.minutes(5)))
    func silence() throws {
        let server = try PostgreSQLServer.shared
        let direct = try server.newDatabase()
        let database = String(try #require(URLComponents(string: direct)?.path.dropFirst()))
        let proxy = try CuttingProxy(to: server)
        defer { proxy.stop() }
        let told = Told()
        let place = try PostgreSQLPlace(try #require(URL(string: proxy.url(database: database))))
        let watch = try PostgreSQLWatch(
            place, channel: "commits", pings: .init(idle: .milliseconds(200), timeout: .milliseconds(500))
        ) { told.add($0) }
        defer { watch.end() }
        let sender = try PostgreSQLConnection(direct)
        defer { sender.close() }
        try sender.execute("NOTIFY commits, '1'")
        #expect(told.comes(1))
        // Signs of life keep the connection, and tell nothing.
        usleep(1_000_000)
        proxy.silence()
        try sender.execute("NOTIFY commits, '2'")
        #expect(told.comes(nil))
        try sender.execute("NOTIFY commits, '3'")
        #expect(told.comes(3))
        #expect(!told.has(2))
    }

    @Test("a connection that answers is kept, however long nothing is told")
    func quiet() throws {
        let direct = try PostgreSQLServer.shared.newDatabase()
        let told = Told()
        let watch = try PostgreSQLWatch(
            PostgreSQLPlace(try #require(URL(string: direct))), channel: "commits",
            pings: .init(idle: .milliseconds(20), timeout: .seconds(30))
        ) { told.add($0) }
        defer { watch.end() }
        let sender = try PostgreSQLConnection(direct)
        defer { sender.close() }
        for number in 1...20 {
            usleep(50_000)
            try sender.execute("NOTIFY commits, '\(number)'")
        }
        #expect(told.comes(20))
        #expect(!told.has(nil))
    }
}
