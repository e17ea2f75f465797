import RandomSeeds
import Testing

/// Two windows of one studio, another studio, and another process.
@Suite("Random edits beside another process") struct RandomEditingTests {
    /// `COREDATA_FULL_TESTS` raises the runs to 500.
    @Test("After each save the store has what the windows show; what others saved is kept, or a conflict is told")
    func randomEdits() async throws {
        var tally = EditingRun.Tally()
        for seed in SeededGenerator.seeds(6, full: 500) {
            let run = try EditingRun(seed)
            do { try await run.carryOut() } catch { Issue.record("\(error)") }
            tally.add(run.tally)
        }
        print("random edits:", tally.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
    }
}
