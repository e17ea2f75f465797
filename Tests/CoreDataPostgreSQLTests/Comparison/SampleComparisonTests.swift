import CoreData
import Foundation
import RandomSeeds
import SQLSamples
import Testing

@testable import CoreDataPostgreSQL

/// Requests that have a text for SQLite, and random ones, find the same in PostgreSQL as in SQLite.
@Suite("PostgreSQL and SQLite agree")
struct SampleComparisonTests {
    @Test("each request of the samples finds the same")
    func samples() throws {
        let server = try PostgreSQLTestServer.shared
        let store = try Self.store("samples", seed: 3, server)
        var comparison = Comparison(store, server)
        try comparison.check(
            try SQLSnapshot.all.filter { !$0.format.contains("random") }.map {
                try ComparedRequest($0.entity, $0.format)
            })
        // Only MATCHES with a pattern of the row is refused.
        #expect(comparison.refused.values.reduce(0, +) == 1)
        #expect(comparison.equal >= 200)
    }

    @Test("each random request finds the same", arguments: SeededGenerator.seeds(3, full: 20))
    func random(seed: UInt64) throws {
        let server = try PostgreSQLTestServer.shared
        let store = try Self.store("random\(seed)", seed: seed, server)
        var writer = SQLPredicateWriter(random: SQLRandom(seed: seed))
        var requests: [ComparedRequest] = []
        while requests.count < 300 {
            let entity = writer.random.one(["Team", "Player", "Person", "Coach"])
            let format = writer.predicate(entity, depth: 3)
            requests.append(try ComparedRequest(entity, format))
        }
        var comparison = Comparison(store, server)
        try comparison.check(requests, "(COREDATA_TEST_SEED=\(seed))")
        #expect(comparison.refused.isEmpty)
    }

    static func store(_ name: String, seed: UInt64, _ server: PostgreSQLTestServer) throws -> ComparedStore {
        try ComparedStore(SQLTestModel.model, name: name, server: server) { context in
            var graph = SampleGraph(SQLRandom(seed: seed))
            graph.fill(context, ["Team": 12, "Coach": 12, "Player": 40])
        }
    }
}
