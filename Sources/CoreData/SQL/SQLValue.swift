import Foundation

/// A value as a SQL database knows it: bound to a parameter, read from a column, passed to a function.
package enum SQLValue: Hashable, Sendable {
    case null
    case int(Int64)
    case double(Double)
    case text(String)
    case blob(Data)

    package var isNull: Bool { if case .null = self { true } else { false } }

    /// The bytes; nil for all that is no blob.
    var blob: Data? { if case .blob(let data) = self { data } else { nil } }

    package init(_ flag: Bool) { self = .int(flag ? 1 : 0) }

    /// The number, whatever its storage class; nil for text, blobs and NULL.
    package var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .null, .text, .blob: nil
        }
    }
}
