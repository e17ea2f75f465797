import CoreData
import Foundation

/// Dates as ISO 8601: proleptic Gregorian, to the nearest millisecond, halves away from zero.
package enum ISODate {
    /// The text of a number of seconds since 1 January 2001; nil for no number, and far outside any calendar.
    package static func text(_ value: SQLValue, style: DateStyle = .utc) -> String? {
        let milliseconds: Int128?
        switch value {
        case .int(let seconds): milliseconds = Int128(seconds) * 1000
        case .double(let seconds): milliseconds = self.milliseconds(seconds)
        case .null, .text, .blob: milliseconds = nil
        }
        return milliseconds.map { style == .utc ? text(milliseconds: $0) : localText(milliseconds: $0) }
    }

    /// The date by the clock of this computer's time zone on that day, with its offset:
    /// `2015-09-19T17:29:20.734+02:00`.
    package static func localText(milliseconds: Int128, zone: TimeZone = .current) -> String {
        let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
        let offset = zone.secondsFromGMT(for: date)
        let minutes = abs(offset) / 60
        let zone = (offset < 0 ? "-" : "+") + pad(minutes / 60, 2) + ":" + pad(minutes % 60, 2)
        return text(milliseconds: milliseconds + Int128(offset) * 1000).dropLast() + zone
    }

    /// The nearest whole millisecond, computed exactly.
    package static func milliseconds(_ seconds: Double) -> Int128? {
        guard let whole = Int128(exactly: seconds.rounded(.towardZero)), whole.magnitude < 1 << 80 else { return nil }
        return whole * 1000 + Int128(rounded(fraction: seconds - seconds.rounded(.towardZero)))
    }

    /// The same for a number of seconds of which 10¹¹ is more than the magnitude.
    package static func smallMilliseconds(_ seconds: Double) -> Int64 {
        let whole = seconds.rounded(.towardZero)
        return Int64(whole) * 1000 + Int64(rounded(fraction: seconds - whole))
    }

    /// The whole milliseconds of a fraction of a second, which is exact, and so are product and error together.
    private static func rounded(fraction: Double) -> Double {
        let product = fraction * 1000
        let error = (-product).addingProduct(fraction, 1000)
        var rounded = product.rounded(.toNearestOrAwayFromZero)
        let isTie = abs(product - product.rounded(.towardZero)) == 0.5
        if isTie, error != 0, (error < 0) != (product < 0) { rounded = product.rounded(.towardZero) }
        return rounded
    }

    package static func text(milliseconds: Int128) -> String {
        let day = milliseconds.flooredQuotient(86_400_000)
        let rest = Int(milliseconds - day * 86_400_000)
        let (year, month, dayOfMonth) = date(daysSince2001: day)
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { pad($0, 2) }.joined(separator: ":")
        return "\(yearText(year))-\(pad(month, 2))-\(pad(dayOfMonth, 2))T\(time).\(pad(rest % 1000, 3))Z"
    }

    /// Four digits, and with a sign outside of 0 to 9999.
    private static func yearText(_ year: Int128) -> String {
        let digits = String(year.magnitude)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return (0...9999).contains(year) ? padded : (year < 0 ? "-" : "+") + padded
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Year, month and day. The calendar repeats every 400 years of 146,097 days; years here begin in March, so that a
    /// leap day comes last.
    private static func date(daysSince2001: Int128) -> (year: Int128, month: Int, day: Int) {
        let days = daysSince2001 + 730_791  // since 1 March of the year 0
        let era = days.flooredQuotient(146_097)
        let (year, month, day) = date(dayOfEra: Int(days - era * 146_097))
        return (Int128(year) + era * 400, month, day)
    }

    /// The same for a number of days that an `Int` holds with room to spare.
    package static func date(smallDaysSince2001: Int) -> (year: Int, month: Int, day: Int) {
        let days = smallDaysSince2001 + 730_791
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let (year, month, day) = date(dayOfEra: days - era * 146_097)
        return (year + era * 400, month, day)
    }

    private static func date(dayOfEra: Int) -> (year: Int, month: Int, day: Int) {
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int128 {
    /// The quotient rounded down, also below zero.
    fileprivate func flooredQuotient(_ divisor: Int128) -> Int128 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
