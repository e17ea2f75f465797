import CoreData
import RandomSeeds
import Testing

@Suite("Random results")
struct RandomResultsTests {
    @Test(
        "what is told of any edits leads to what a fetch finds: object by object, by differences, snapshots and changes",
        .timeLimit(.minutes(30)))
    func replays() async throws {
        for seed in SeededGenerator.seeds(75, full: 5000) {
            print("random results: COREDATA_TEST_SEED=\(seed)")
            do {
                let driver = try ResultsDriver(seed: seed)
                try driver.run(steps: 20)
                try await replayChanges(driver)
            } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
        }
    }

    /// Reads changes until each state of the list was there; one that is lost leaves the reader waiting.
    private func replayChanges(_ driver: ResultsDriver) async throws {
        var content: [FetchedResultsSection] = []
        var iterator = try #require(driver.changes).makeAsyncIterator()
        for state in driver.states {
            while content != state, !(content.isEmpty && state.allSatisfy(\.objectIDs.isEmpty)) {
                try #require(await iterator.next()).apply(to: &content)
            }
        }
    }
}
