import FoundationGaps

// Every decimal that the framework hands out is one that can be put into a set.

extension DecimalNumber {
    /// The number that a row's text stands for; not a number where it stands for none.
    convenience init(text: String) { self.init(decimal: NSDecimalNumber(string: text).decimalValue) }

    /// A number of any class as a decimal.
    convenience init(_ number: NSNumber) { self.init(decimal: number.decimalValue) }
}
