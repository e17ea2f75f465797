import FoundationGaps

/// When a row was last known to be what its store has, on a clock that only goes forward, in steps of 1/64 s.
struct ReadTime: Comparable {
    fileprivate let ticks: UInt32

    static func < (a: ReadTime, b: ReadTime) -> Bool { a.ticks < b.ticks }

    /// Of a row that no store has given.
    static let unknown = ReadTime(ticks: 0)

    static var now: ReadTime {
        ReadTime(ticks: UInt32(truncatingIfNeeded: clock - start) &+ 1)
    }

    /// 1/64 s since the machine was started, whether or not it slept. A `ContinuousClock` says the same and takes
    /// longer for it.
    private static var clock: Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int(time.tv_sec) << 6 | Int(time.tv_nsec) / (1_000_000_000 / 64)
    }

    private static let start = clock
}

/// How old a row of the cache may be to be used. See ``NSManagedObjectContext/stalenessInterval``.
struct RowAge {
    /// Nil: any age.
    private let ticks: UInt32?

    static let any = RowAge(-1)

    /// - Parameter interval: In seconds; negative for any age. What is longer than a year is a year.
    init(_ interval: TimeInterval) { ticks = interval < 0 ? nil : UInt32(min(interval, 365 * 86_400) * 64) }

    /// Whether a row is new enough. An age below the clock's step is taken for none: the row is read again.
    func allows(_ row: RowSnapshot) -> Bool {
        guard let ticks else { return true }
        return ticks > 0 && ReadTime.now.ticks &- row.readTime.ticks <= ticks
    }
}
