import CoreData
import FoundationGaps

/// Constants of a request as values of a type.
extension SQLValue {
    /// The type of the value by itself; nil for NULL.
    var naturalType: PostgreSQLType? {
        switch self {
        case .null: nil
        case .int: .bigint
        case .double: .double
        case .text: .text
        case .blob: .bytes
        }
    }

    /// The same value as one of a type; nil where the type has no such value.
    ///
    /// A text beside a number has the digits of a decimal.
    func converted(to type: PostgreSQLType) -> SQLValue? {
        if isNull { return .null }
        switch type {
        case .smallint: return whole.flatMap { Int16(exactly: $0) == nil ? nil : .int($0) }
        case .integer: return whole.flatMap { Int32(exactly: $0) == nil ? nil : .int($0) }
        case .bigint: return whole.map { .int($0) }
        case .boolean: return whole.flatMap { $0 == 0 || $0 == 1 ? .int($0) : nil }
        case .double, .timestamp: return real.map { .double($0) }
        case .numeric: return digits.map { .text($0) }
        case .text: if case .text = self { return self } else { return nil }
        case .bytes: if case .blob = self { return self } else { return nil }
        case .uuid: if case .blob(let data) = self, data.count == 16 { return self } else { return nil }
        }
    }

    private var whole: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value): value.magnitude < 0x1p53 ? Int64(exactly: value) : nil
        case .text(let text): Int64(text)
        case .null, .blob: nil
        }
    }

    private var real: Double? {
        if case .text(let text) = self { return Double(text) }
        return number
    }

    /// Digits that PostgreSQL reads as a numeric.
    private var digits: String? {
        switch self {
        case .int(let value): return String(value)
        case .double(let value):
            if value.isNaN { return "NaN" }
            return value.isFinite ? "\(value)" : value > 0 ? "Infinity" : "-Infinity"
        case .text(let text): return Double(text) == nil ? nil : text
        case .null, .blob: return nil
        }
    }
}

extension PostgreSQLType {
    /// A constant in a statement's text, where there can be no parameters.
    func literal(_ value: SQLValue) -> SQLExpression {
        switch (self, value) {
        case (_, .null): .form("NULL::\(rawValue)", [])
        case (.boolean, .int(let number)): .truth(number != 0)
        case (.timestamp, .double(let seconds)): .form("@::\(rawValue)", [.constant(.text(Self.date(seconds)))])
        case (.double, .double(let number)) where !number.isFinite:
            .form("@::\(rawValue)", [.constant(.text(number > 0 ? "Infinity" : "-Infinity"))])
        case (.text, _): .constant(value)
        default: .form("@::\(rawValue)", [.constant(value)])
        }
    }

    /// A date with its microseconds, as PostgreSQL reads it whatever the session's settings are.
    ///
    /// - Parameter seconds: Since the reference date.
    static func date(_ seconds: Double) -> String {
        guard (-211_845_110_400..<9_223_339_708_800).contains(seconds),
            let microseconds = Microseconds.nearest(to: seconds)
        else { return seconds > 0 ? "infinity" : "-infinity" }
        let days = microseconds / 86_400_000_000 - (microseconds % 86_400_000_000 < 0 ? 1 : 0)
        let rest = microseconds - days * 86_400_000_000
        let time = [rest / 3_600_000_000, rest / 60_000_000 % 60, rest / 1_000_000 % 60].map(padded)
        let fraction = String(1_000_000 + rest % 1_000_000).dropFirst()
        // A day's number in the Julian calendar: day 0 of the framework is the first of January 2001.
        return "J\(2_451_911 + days) \(time.joined(separator: ":")).\(fraction)+00"
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
