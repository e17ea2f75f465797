import Foundation

/// Values of attributes with external storage that stay in a database, as rows have them: a byte 3, the number of the
/// value's bytes in 8 bytes, and what the store finds the value by in 12 or 28 bytes.
///
/// Rows that have the same bytes have the same value.
package enum DistantData {
    package static let lead: UInt8 = 3

    /// How many bytes the value has; nil where the row has the value itself, or names a file.
    package static func count(in raw: Data) -> Int? {
        guard raw.first == lead, raw.count == 21 || raw.count == 37 else { return nil }
        return raw.dropFirst().prefix(8).reduce(0) { $0 << 8 | Int($1) }
    }
}
