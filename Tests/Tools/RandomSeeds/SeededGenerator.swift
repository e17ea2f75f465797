import Foundation

/// SplitMix64: the same numbers for the same seed everywhere, so that a failing run can be repeated.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// True in so many of 100 cases.
    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// A number that looks like chance, and is the same for the same value.
    public static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

extension SeededGenerator {
    /// The seeds of a random test.
    ///
    /// They are 1, 2, 3 and so on, the same in each run: the change that brought a failure is the one that sees it.
    /// `./test --full` uses more of them, and then as many new ones (`COREDATA_TEST_SEEDS=new`). It reports failures of
    /// the new ones apart. `COREDATA_TEST_SEED` repeats a single seed.
    ///
    /// - Parameters:
    ///   - count: How many in a normal run.
    ///   - full: How many in a full one.
    public static func seeds(_ count: Int, full: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["COREDATA_TEST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let wanted = environment["COREDATA_FULL_TESTS"] == "1" ? full : count
        if environment["COREDATA_TEST_SEEDS"] == "new" {
            return (0..<wanted).map { _ in UInt64.random(in: 1...UInt64(Int64.max)) }
        }
        return (1...UInt64(wanted)).map(\.self)
    }

    /// The seed of a random test that needs one; see ``seeds(_:full:)``.
    public static var seed: UInt64 { seeds(1, full: 1)[0] }
}
