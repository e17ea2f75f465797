import CoreData
import RandomSeeds
import Testing

@Suite("Random models, graphs and edits")
struct RandomGraphTests {
    @Test("after each save the context, a second context and a reopened store hold the graph that was made")
    func graphsSurvive() throws {
        for seed in SeededGenerator.seeds(60, full: 2000) {
            print("random graph: COREDATA_TEST_SEED=\(seed)")
            do {
                var driver = try GraphDriver(seed: seed)
                let context = driver.context
                try context.performAndWait { try driver.run(saves: 4, edits: 25) }
            } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
        }
    }
}
