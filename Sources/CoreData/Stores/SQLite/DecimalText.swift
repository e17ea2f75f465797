import Foundation

/// Decimals as text, the form that snapshots keep them in.
enum DecimalText {
    /// The description that `NSDecimalNumber` gives of the number in a database's text: no exponent, no trailing zeros.
    ///
    /// What is no decimal stays as it is.
    static func plain(_ text: String) -> String {
        if !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
            var digits = Substring(text)
            while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
            if digits.utf8.last == UInt8(ascii: ".") { digits.removeLast() }
            return String(digits)
        }
        guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else { return text }
        return NSDecimalNumber(decimal: value).description(withLocale: nil)
    }

    /// The number that holds all digits of a decimal's text: an integer where it is one that fits, else a double; nil
    /// where neither does.
    ///
    /// SQLite itself turns doubles without a fraction into integers, so a large one has to be exact from the start.
    static func number(_ text: String) -> SQLValue? {
        if let integer = Int64(text) { return .int(integer) }
        return double(text).map { .double($0) }
    }

    private static func double(_ text: String) -> Double? {
        let digits = text.utf8.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        let trailing =
            text.utf8.contains(UInt8(ascii: ".")) ? 0 : significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        guard significant.count - trailing <= 15 else { return nil }
        return Double(text)
    }
}
