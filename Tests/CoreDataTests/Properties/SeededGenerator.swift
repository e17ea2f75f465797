import Foundation

/// SplitMix64: the same numbers for the same seed everywhere, so that a failing run can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// The seeds of a random test.
    ///
    /// They are 1, 2, 3 and so on: the same in each run, so that a failure is told by the change that brought it. `./test --full` uses more of
    /// them, and then as many new ones (`COREDATA_TEST_SEEDS=new`), whose failures it reports apart. `COREDATA_TEST_SEED` repeats a single one.
    ///
    /// - Parameters:
    ///   - count: How many in a normal run.
    ///   - full: How many in a full one.
    static func seeds(_ count: Int, full: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["COREDATA_TEST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let wanted = environment["COREDATA_FULL_TESTS"] == "1" ? full : count
        if environment["COREDATA_TEST_SEEDS"] == "new" {
            return (0..<wanted).map { _ in UInt64.random(in: 1...UInt64(Int64.max)) }
        }
        return (1...UInt64(wanted)).map(\.self)
    }
}
