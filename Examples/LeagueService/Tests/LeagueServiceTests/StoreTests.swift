import CoreData
import Dispatch
import Foundation
import PostgreSQLServer
import Testing

@testable import LeagueService

@Suite("The store")
struct StoreTests {
    @Test(
        "A store is a file or a PostgreSQL database",
        arguments: [
            ("League.sqlite", true), ("/tmp/a b/League.sqlite", true), ("file:///tmp/League.sqlite", true),
            ("postgresql://league@db/league", true), ("postgres://db/league", true), ("", false),
            ("mysql://db/league", false),
            ("https://db/league", false),
        ])
    func location(_ text: String, isOne: Bool) {
        #expect(((try? StoreLocation(text)) != nil) == isOne)
    }

    @Test("No password is in the name of a location")
    func password() throws {
        #expect(try StoreLocation("postgresql://league:secret@db/league").name == "PostgreSQL, database league")
    }

    @Test(
        "What begins like the URL of a database is no path, and the refusal has no password",
        arguments: ["postgresql:/league:secret@db/league", "Postgres:league:secret@db/league", "postgresql:"])
    func slashes(_ text: String) throws {
        let error = #expect(throws: ServiceError.self) { try StoreLocation(text) }
        #expect(error?.description.contains("two slashes") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("The pool's size limits the connections to the database")
    func poolSize() throws {
        let place = try TestedPlace(.postgresql)
        let store = try LeagueStore(at: StoreLocation(place.text), poolSize: 2, author: "test")
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            for _ in 0..<20 {
                let context = store.newContext()
                context.performAndWait {
                    _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team"))
                }
            }
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try PostgreSQLServer.shared.program("psql"))
        process.arguments = [
            place.text, "-Atc",
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        ]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let count = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // A store with history may have another connection, which hears of changes.
        #expect((1...3).contains(count))
        try store.close()
    }
}
