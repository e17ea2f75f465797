import Foundation

/// A value of the binary property list that a keyed archive is, references to its objects among them.
///
/// `PropertyListSerialization` has no interface to those references, and on Linux it ends the process on some damaged
/// lists.
indirect enum ArchiveValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since the reference date.
    case date(Double)
    case data(Data)
    case string(String)
    case reference(Int)
    case array([ArchiveValue])
    case dictionary([String: ArchiveValue])

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var reference: Int? {
        if case .reference(let number) = self { number } else { nil }
    }

    var array: [ArchiveValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    var dictionary: [String: ArchiveValue]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    /// The number as Cocoa would convert it to a double; nil for what is no number.
    var number: NSNumber? {
        switch self {
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        default: nil
        }
    }
}
