import CoreData
import RandomSeeds
import Testing

@Suite("Random undo")
struct RandomUndoTests {
    @Test("undoing and redoing any edits, saved in between or not, gives the graph that there was")
    func undoGivesEarlierStates() throws {
        for seed in SeededGenerator.seeds(100, full: 5000) {
            print("random undo: COREDATA_TEST_SEED=\(seed)")
            do {
                var driver = try UndoDriver(seed: seed)
                let context = driver.context
                try context.performAndWait { try driver.run(steps: 25) }
            } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
        }
    }
}
