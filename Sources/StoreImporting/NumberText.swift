import CoreData
import Foundation

/// Numbers and Booleans as texts, read from their bytes: most values of a file are numbers.
enum NumberText {
    private static let (zero, nine) = (UInt8(ascii: "0"), UInt8(ascii: "9"))

    /// A whole number, with a sign or without.
    static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let first = text.first else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        let start = isNegative || first == UInt8(ascii: "+") ? 1 : 0
        // A few digits can't overflow.
        guard text.count > start, text.count <= 24 else { return nil }
        var value: Int64 = 0
        for place in start..<text.count {
            let byte = text[place]
            guard byte >= zero, byte <= nine else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(byte &- zero)
            let (sum, overflow2) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflow || overflow2 { return nil }
            value = sum
        }
        return value
    }

    /// A finite number: `12`, `-0.5`, `1e-3`.
    static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        if let short = shortDouble(text) { return short }
        guard isNumber(text), let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    /// The powers of ten that a Double holds exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// A number of 15 digits at most without an exponent: both parts are exact, and their quotient is rounded once.
    private static func shortDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let first = text.first, text.count <= 16 else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        var (value, digits, decimals) = (Int64(0), 0, -1)
        for place in (isNegative ? 1 : 0)..<text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "."), decimals < 0, digits > 0 {
                decimals = digits
            } else if byte >= zero, byte <= nine {
                value = value * 10 + Int64(byte &- zero)
                digits += 1
            } else {
                return nil
            }
        }
        guard digits > 0, digits <= 15, decimals < digits else { return nil }
        let magnitude = decimals < 0 ? Double(value) : Double(value) / powers[digits - decimals]
        return isNegative ? -magnitude : magnitude
    }

    /// A decimal number that loses no digit.
    static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> NSDecimalNumber? {
        guard isNumber(text), significantDigits(text) <= 38,
            let value = Decimal(string: String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return NSDecimalNumber(decimal: value)
    }

    private static func significantDigits(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        return mantissa.filter { $0 >= zero && $0 <= nine }.drop { $0 == zero }.count
    }

    static func boolean(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        switch String(decoding: text.prefix(6), as: UTF8.self).lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// Whether a text is a sign, digits with a point between or before them, and an exponent; all but the digits may
    /// be missing.
    private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var (place, digits) = (0, 0)
        func take(_ marks: UInt8...) -> Bool {
            guard place < text.count, marks.contains(text[place]) else { return false }
            place += 1
            return true
        }
        func takeDigits() -> Int {
            let start = place
            while place < text.count, text[place] >= zero, text[place] <= nine { place += 1 }
            return place - start
        }
        _ = take(UInt8(ascii: "-"), UInt8(ascii: "+"))
        digits = takeDigits()
        if take(UInt8(ascii: ".")) { digits += takeDigits() }
        guard digits > 0 else { return false }
        if take(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "-"), UInt8(ascii: "+"))
            guard takeDigits() > 0 else { return false }
        }
        return place == text.count
    }
}
