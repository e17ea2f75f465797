/// What reserves keys of one tree, worked out once: many small saves ask for it again and again.
struct KeyStatements {
    /// See `SQLStoreTables.keyReservation(in:)`.
    let reservation: SQLiteStatement
    /// See `SQLStoreTables.highestKey`.
    let highest: SQLiteStatement
}

/// Keys of one tree that `Z_MAX` already counts as handed out.
struct KeyReservation {
    static let size = 64
    private var next: Int64 = 1
    private var last: Int64 = 0
    /// The keys that were not handed out yet.
    var left: ClosedRange<Int64>? { next <= last ? next...last : nil }

    /// How often keys were asked for; a tree that got keys once is not expected to get more.
    var uses = 0

    var wantsMore: Bool { uses > 1 && last - next + 1 < Int64(Self.size / 8) }

    mutating func take(_ count: Int) -> Int64? {
        guard last - next + 1 >= Int64(count) else { return nil }
        uses += 1
        defer { next += Int64(count) }
        return next
    }

    /// Takes over a range; what was left of the one before is given up.
    mutating func add(_ range: ClosedRange<Int64>) { (next, last) = (range.lowerBound, range.upperBound) }
}
