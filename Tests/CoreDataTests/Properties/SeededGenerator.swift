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

    /// The seeds of a test: one that is said in the environment (`COREDATA_TEST_SEED`), or as many new ones as asked for.
    static func seeds(_ count: Int, full: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["COREDATA_TEST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let isFull = environment["COREDATA_FULL_TESTS"] == "1"
        return (0..<(isFull ? full : count)).map { _ in UInt64.random(in: 1...UInt64(Int64.max)) }
    }
}
