import CoreData

/// Dates as PostgreSQL has them: whole microseconds since 2000, in UTC.
enum PostgreSQLTime {
    /// From the year 2000, where PostgreSQL counts from, to 2001, where the framework does.
    private static let offset: Int64 = 366 * 86_400 * 1_000_000
    /// The dates that a column can have: from 4713 BC to the end of the year 294,276.
    private static let range: Range<Double> = -211_845_110_400..<9_223_339_708_800

    /// The microseconds of a date; nil for one that no column can have.
    ///
    /// - Parameter seconds: Since the reference date.
    static func microseconds(_ seconds: Double) -> Int64? {
        guard range.contains(seconds) else { return nil }
        return Microseconds.nearest(to: seconds).map { $0 + offset }
    }

    /// The microseconds of a date that others are compared with; an infinite one where no column can have the date.
    static func bound(_ seconds: Double) -> Int64 { microseconds(seconds) ?? (seconds < 0 ? .min : .max) }

    /// The seconds since the reference date.
    static func seconds(_ microseconds: Int64) -> Double {
        let (moved, overflow) = microseconds.subtractingReportingOverflow(offset)
        // What lies outside of all dates is "infinity", which no date is.
        return Microseconds.seconds(overflow ? microseconds : moved)
    }

    /// The date that a column has for a date.
    static func stored(_ seconds: Double) -> Double? { microseconds(seconds).map { Self.seconds($0) } }
}
