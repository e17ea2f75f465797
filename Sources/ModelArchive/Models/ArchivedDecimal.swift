import Foundation
import PropertyLists

/// A decimal number as archives hold it: an integer of up to 38 digits, scaled by a power of ten.
///
/// Digits and scale are kept as they are, so that `0.0` stays `0.0`.
struct ArchivedDecimal: Hashable {
    private var mantissa: UInt128
    private var exponent: Int
    private var isNegative: Bool

    private static let exponents = -128...127
}

// MARK: - Text

extension ArchivedDecimal: LosslessStringConvertible {
    /// The number of a text such as `-12.50` or `1e3`.
    init?(_ description: String) {
        var text = Substring(description)
        isNegative = text.hasPrefix("-")
        if isNegative || text.hasPrefix("+") { text.removeFirst() }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let power = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
        let digits = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count == 2 ? digits[1] : ""
        let all = digits[0] + fraction
        guard !all.isEmpty, all.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let mantissa = UInt128(all), Self.exponents.contains(power),
            Self.exponents.contains(power - fraction.count)
        else { return nil }
        self.mantissa = mantissa
        exponent = power - fraction.count
    }

    /// All digits, without a power of ten.
    var description: String {
        var digits = String(mantissa)
        if exponent > 0, mantissa != 0 {
            digits += String(repeating: "0", count: exponent)
        } else if exponent < 0 {
            digits = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
        }
        return (isNegative ? "-" : "") + digits
    }

    /// The nearest binary number.
    var double: Double? {
        Double(description)
    }
}

// MARK: - Archives

extension ArchivedDecimal {
    /// The number of an archived `NSDecimalNumber`; nil for what is none, and for one that is not a number.
    init?(_ object: ArchivedObject) {
        guard object.className.hasPrefix("NSDecimalNumber"), let bytes = object.fields["NS.mantissa"]?.data,
            bytes.count <= 16, let exponent = try? object.integer("NS.exponent"), Self.exponents.contains(exponent),
            let isNegative = try? object.flag("NS.negative"), let byteOrder = try? object.integer("NS.mantissa.bo"),
            let length = try? object.integer("NS.length"), !(isNegative && length == 0)
        else { return nil }
        let isLittleEndian = byteOrder == 1
        mantissa = (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | UInt128($1) }
        self.exponent = exponent
        self.isNegative = isNegative
    }

    /// The fields of an archived `NSDecimalNumber`.
    var fields: [String: PropertyListValue] {
        let length = (128 - mantissa.leadingZeroBitCount + 15) / 16
        return [
            "NS.mantissa": .data(Data(mantissa.littleEndianBytes)),
            "NS.mantissa.bo": .integer(1),
            "NS.exponent": .integer(Int64(exponent)),
            "NS.length": .integer(Int64(length)),
            "NS.negative": .boolean(isNegative && mantissa != 0),
            "NS.compact": .boolean(false),
        ]
    }
}
