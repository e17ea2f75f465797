/// How far a migration is, told in steps that are worth telling.
struct MigrationProgress {
    private var expected = 0
    private var done = 0
    private var told: Float = 0
    /// What the last stage, which is not counted, leaves to be told.
    private static let counted: Float = 0.95

    /// Notes how many objects will be worked off.
    mutating func expect(_ counts: [Int]) { expected = counts.reduce(0, +) }

    /// Notes objects that were worked off.
    ///
    /// - Returns: The fraction to tell; nil: it has hardly changed.
    mutating func advance(_ count: Int) -> Float? {
        done += count
        let fraction = expected == 0 ? Self.counted : min(1, Float(done) / Float(expected)) * Self.counted
        guard fraction - told >= 0.001 else { return nil }
        told = fraction
        return fraction
    }
}
