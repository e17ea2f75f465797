import Foundation

/// A decimal on its way into an archive, in the keyed form of Cocoa's `NSDecimalNumber`.
///
/// Foundation's archiver on Linux ends the process over an `NSDecimalNumber`, and its decoder is wrong.
final class ArchivedDecimalNumber: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    private let decimal: Decimal

    init(_ decimal: Decimal) { self.decimal = decimal }

    /// The archive names Cocoa's class, of which decoding makes a ``DecimalNumber``.
    override var classForKeyedArchiver: AnyClass? { NSDecimalNumber.self }

    init?(coder: NSCoder) {
        guard let decimal = Self.decode(coder) else { return nil }
        self.decimal = decimal
    }

    func encode(with coder: NSCoder) {
        let digits = decimal.isNaN ? 0 : UInt128(decimal.significand.magnitude.description) ?? 0
        let exponent: Int32 = decimal.isNaN ? 0 : Int32(clamping: decimal.exponent)
        coder.encode(exponent, forKey: "NS.exponent")
        coder.encode(Int32((128 - digits.leadingZeroBitCount + 15) / 16), forKey: "NS.length")
        coder.encode(decimal.isNaN || decimal.isSignMinus, forKey: "NS.negative")
        coder.encode(false, forKey: "NS.compact")
        coder.encode(Int32(1), forKey: "NS.mantissa.bo")
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: digits >> UInt128($0 * 8)) }
        bytes.withUnsafeBufferPointer { coder.encodeBytes($0.baseAddress, length: $0.count, forKey: "NS.mantissa") }
    }

    override func isEqual(_ object: Any?) -> Bool { (object as? ArchivedDecimalNumber)?.decimal == decimal }
    override var hash: Int { decimal.hashValue }

    /// The decimal of an archive; nil if its parts don't make one.
    static func decode(_ coder: NSCoder) -> Decimal? {
        let exponent = coder.decodeInt32(forKey: "NS.exponent")
        let isNegative = coder.decodeBool(forKey: "NS.negative")
        guard coder.decodeInt32(forKey: "NS.length") > 0 else { return isNegative ? .nan : 0 }
        guard (-128...127).contains(exponent), let digits = digits(coder) else { return nil }
        return Decimal(string: "\(isNegative ? "-" : "")\(digits)e\(exponent)")
    }

    private static func digits(_ coder: NSCoder) -> UInt128? {
        let isLittleEndian = coder.decodeInt32(forKey: "NS.mantissa.bo") == 1
        return coder.withDecodedUnsafeBytes(forKey: "NS.mantissa") { bytes in
            guard let bytes, bytes.count <= 16 else { return nil }
            return (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | UInt128($1) }
        }
    }
}
