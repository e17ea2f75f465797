/// Times in whole microseconds.
///
/// A product with a million would not do: for dates after 2137 it has more digits than a double, and is rounded twice.
package enum Microseconds {
    /// The microsecond that is nearest to a time; nil for one that 64 bits do not hold.
    package static func nearest(to seconds: Double) -> Int64? {
        guard abs(seconds) < 9_223_372_036_000 else { return nil }
        let whole = seconds.rounded(.towardZero)
        return Int64(whole) * 1_000_000 + Int64(((seconds - whole) * 1_000_000).rounded())
    }

    /// The time of a microsecond.
    ///
    /// The microsecond that is nearest to it is the same again.
    package static func seconds(_ microseconds: Int64) -> Double {
        if microseconds.magnitude <= 1 << 53 { return Double(microseconds) / 1_000_000 }
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Double(whole) + Double(rest) / 1_000_000
    }
}
