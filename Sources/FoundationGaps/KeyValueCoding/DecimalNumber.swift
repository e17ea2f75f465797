import Foundation

/// An `NSDecimalNumber` that can be a member of a set or a key of a dictionary.
///
/// Foundation's own on Linux recurses endlessly in `hash`, which ends the process; a decimal that key-value coding
/// hands out may well be put into a set. The hash is that of the `NSNumber` which it equals.
package final class DecimalNumber: NSDecimalNumber, @unchecked Sendable {
    // Unchecked, as its superclass: immutable, no stored properties of its own.

    package override init(decimal: Decimal) { super.init(decimal: decimal) }

    // These two stand here and not where they are used: the compiler lets another module's `self.init` to an overridden
    // initialiser of a `package` class call a wrong entry of the method table, in release builds.

    /// The number that a row's text stands for; not a number where it stands for none.
    package convenience init(text: String) { self.init(decimal: NSDecimalNumber(string: text).decimalValue) }

    /// A number of any class as a decimal.
    package convenience init(_ number: NSNumber) { self.init(decimal: number.decimalValue) }

    /// Decodes the keyed form of Cocoa's `NSDecimalNumber`. Foundation's own decoder gets the digits wrong, and traps
    /// on a negative length.
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
