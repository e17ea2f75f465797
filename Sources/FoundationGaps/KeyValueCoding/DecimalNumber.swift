import Foundation

/// An `NSDecimalNumber` that can be a member of a set or a key of a dictionary.
///
/// Foundation's own on Linux recurses endlessly in `hash`, which ends the process; a decimal that key-value coding
/// hands out may well be put into a set. The hash is that of the `NSNumber` which it equals.
package final class DecimalNumber: NSDecimalNumber, @unchecked Sendable {
    // Sendable as its superclass: immutable, no stored properties of its own.

    package override init(decimal: Decimal) { super.init(decimal: decimal) }

    /// Decodes the keyed form of Cocoa's `NSDecimalNumber`. Foundation's own decoder gets the digits wrong, and traps on
    /// a negative length.
    package required init?(coder: NSCoder) {
        guard let decimal = ArchivedDecimalNumber.decode(coder) else { return nil }
        super.init(decimal: decimal)
    }

    package required convenience init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        self.init(decimal: NSNumber(bytes: buffer, objCType: type).decimalValue)
    }

    package required convenience init(floatLiteral value: Double) { self.init(decimal: Decimal(value)) }
    package required convenience init(integerLiteral value: Int) { self.init(decimal: Decimal(value)) }
    package required convenience init(booleanLiteral value: Bool) { self.init(decimal: value ? 1 : 0) }

    package override var hash: Int { NSNumber(value: doubleValue).hash }
}
