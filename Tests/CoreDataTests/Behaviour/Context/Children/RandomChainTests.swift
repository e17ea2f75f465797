import CoreData
import RandomSeeds
import Testing

@Suite("Random chains of child contexts")
struct RandomChainTests {
    @Test("every context of a chain has the graph that was made in it, on top of what its parent has")
    func chainsAgree() throws {
        for seed in SeededGenerator.seeds(100, full: 5000) {
            print("random chain: COREDATA_TEST_SEED=\(seed)")
            do {
                var driver = try ChainDriver(seed: seed)
                try driver.run(steps: 20)
            } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
        }
    }
}
