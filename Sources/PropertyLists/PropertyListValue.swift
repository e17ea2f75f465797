import Foundation

/// A value of a binary property list, the references of keyed archives (UIDs) among them.
///
/// `PropertyListSerialization` has no API for UIDs, and it builds whatever a file asks for; this reader's values say
/// everything that a keyed archive says, and their cost is bounded by the file's size.
package indirect enum PropertyListValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer that is too large for `Int64`.
    case unsigned(UInt64)
    case real(Double)
    /// Seconds since 1 January 2001 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A reference to an object of a keyed archive, by its number.
    case uid(Int)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
    /// The text, if the value is one.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The bytes, if the value is data.
    package var data: Data? {
        if case .data(let bytes) = self { bytes } else { nil }
    }

    /// The elements, if the value is an array.
    package var array: [PropertyListValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The keys and values, if the value is a dictionary.
    package var dictionary: [String: PropertyListValue]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    /// The number of an object that a keyed archive refers to, if the value is such a reference.
    package var uid: Int? {
        if case .uid(let number) = self { number } else { nil }
    }
}

extension PropertyListValue {
    /// Reads a binary property list.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no binary property list, is truncated,
    ///   refers to itself, or nests deeper than 128 levels. Time and memory are bounded by the data's size.
    package init(binary data: Data) throws {
        var reader = try BinaryPropertyListReader(Array(data))
        self = try reader.root()
    }

    /// The value as a binary property list. Equal values give equal bytes.
    package var binary: Data {
        var writer = BinaryPropertyListWriter()
        return writer.data(root: self)
    }
}

/// What a damaged, foreign or hostile list ends in: `NSFileReadCorruptFileError` (259) in Cocoa's domain, with a
/// sentence that says what is wrong, as description and as debugging text.
func corruptList(_ sentence: String) -> CocoaError {
    CocoaError(
        .fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: sentence, NSDebugDescriptionErrorKey: sentence])
}
