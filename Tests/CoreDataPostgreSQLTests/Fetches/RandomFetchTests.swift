import CoreData
import RandomSeeds
import SQLSamples
import Testing

/// Random fetches through contexts over a store of SQLite and one of PostgreSQL: objects with their values, IDs,
/// counts and dictionaries; orders and parts; with and without unsaved changes; of one store and of two.
///
/// A full run makes 10,000 of them.
@Suite("Random fetches give the same in both stores")
struct RandomFetchTests {
    private static let fetches = 100

    @Test("each random fetch of items and tags gives the same", arguments: SeededGenerator.seeds(2, full: 70))
    func items(seed: UInt64) throws {
        let sample = FetchSample.items(seed, stores: seed % 3 == 2 ? 2 : 1)
        try check(sample, ItemFetchWriter(sample, SQLRandom(seed: seed &+ 77)), seed)
    }

    @Test("each random fetch of people and teams gives the same", arguments: SeededGenerator.seeds(2, full: 30))
    func people(seed: UInt64) throws {
        let sample = FetchSample.people(seed, stores: seed % 3 == 2 ? 2 : 1)
        try check(sample, PersonFetchWriter(sample, SQLRandom(seed: seed &+ 77)), seed)
    }

    private func check(_ sample: FetchSample, _ writer: some RandomFetchWriter, _ seed: UInt64) throws {
        let (sqlite, postgreSQL) = (try StoreSide(.sqlite, sample), try StoreSide(.postgreSQL, sample))
        try #require(sqlite.serials.count == postgreSQL.serials.count)
        var writer = writer
        var (failures, empty) = (0, 0)
        for number in 0..<Self.fetches {
            let fetch = writer.fetch()
            let (wanted, found) = (FetchAnswer(fetch, sqlite), FetchAnswer(fetch, postgreSQL))
            switch wanted {
            case .error: failures += 1
            case .rows(let rows): if rows.isEmpty { empty += 1 }
            }
            let difference = FetchAnswer.difference(wanted, found, fetch)
            #expect(difference == nil, "fetch \(number), COREDATA_TEST_SEED=\(seed): \(fetch.description)")
        }
        // Most fetches have an answer, and most answers have rows.
        #expect(failures < Self.fetches / 5)
        #expect(empty < Self.fetches / 2)
    }
}
