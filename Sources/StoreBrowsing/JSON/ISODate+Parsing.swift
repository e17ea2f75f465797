extension ISODate {
    /// The seconds since 1 January 2001 of an ISO 8601 date: `2026-11-25`, `2026-11-25T22:30`,
    /// `2026-11-25T22:30:05.125Z` or `2026-11-25T22:30:05+01:00`. Without a time it is midnight; without an offset,
    /// UTC. Nil for any other text.
    package static func seconds(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { seconds($0) }
    }

    /// The same for bytes.
    package static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var reader = DateReader(text)
        return reader.seconds()
    }
}

/// Reads a date from its beginning to its end.
private struct DateReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    private var next: UInt8? { place < text.count ? text[place] : nil }

    mutating func seconds() -> Double? {
        guard let year = number(4), take("-"), let month = number(2, 1...12), take("-"),
            let day = number(2, 1...Self.length(ofMonth: month, year))
        else { return nil }
        var (whole, fraction) = (Self.days(year, month, day) * 86_400, 0.0)
        if place < text.count {
            guard take("T") || take("t") || take(" "), let time = time(), let offset = offset() else { return nil }
            whole += time.whole - offset
            fraction = time.fraction
        }
        return place == text.count ? Double(whole) + fraction : nil
    }

    private mutating func time() -> (whole: Int, fraction: Double)? {
        guard let hour = number(2, 0...23), take(":"), let minute = number(2, 0...59) else { return nil }
        guard take(":") else { return (hour * 3600 + minute * 60, 0) }
        guard let second = number(2, 0...59) else { return nil }
        let whole = hour * 3600 + minute * 60 + second
        guard take(".") || take(",") else { return (whole, 0) }
        return fraction().map { (whole, $0) }
    }

    /// The digits behind the point.
    private mutating func fraction() -> Double? {
        let start = place
        var (value, divisor) = (0, 1)
        while let digit = next.flatMap(Self.digit) {
            // Fifteen digits are all that a number of seconds can hold.
            if place - start < 15 { (value, divisor) = (value * 10 + digit, divisor * 10) }
            place += 1
        }
        return place > start ? Double(value) / Double(divisor) : nil
    }

    /// The seconds by which the clock is ahead of UTC.
    private mutating func offset() -> Int? {
        if place == text.count || take("Z") || take("z") { return 0 }
        let isBehind = take("-")
        guard isBehind || take("+"), let hours = number(2, 0...23) else { return nil }
        _ = take(":")
        let minutes = place < text.count ? number(2, 0...59) : 0
        return minutes.map { (isBehind ? -1 : 1) * (hours * 3600 + $0 * 60) }
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard let next, next == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private mutating func number(_ digits: Int, _ range: ClosedRange<Int> = 0...9999) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = next.flatMap(Self.digit) else { return nil }
            value = value * 10 + digit
            place += 1
        }
        return range.contains(value) ? value : nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from 1 January 2001 to a day. Years here begin in March, so that a leap day comes last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
    }
}
