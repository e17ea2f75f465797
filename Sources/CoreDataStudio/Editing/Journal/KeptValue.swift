import CoreData
import Digests
import Foundation
import StoreBrowsing

/// A value as the journal has it: exact, with the type that it had.
struct KeptValue: Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable {
        case none, integer, double, decimal, string, date, uuid, url, data
    }

    var kind: Kind
    /// The value; nil for a large one, which lies in a file of its own.
    var text: String?
    /// The SHA-256 digest of a large value.
    var digest: String?

    /// As many bytes as a value has in the journal itself.
    static let mostBytes = 4 << 10

    private init(_ kind: Kind, _ text: String? = nil, digest: String? = nil) {
        (self.kind, self.text, self.digest) = (kind, text, digest)
    }

    /// - Returns: Nil for a value that no text stands for, such as that of an unknown class.
    init?(_ value: Any?) {
        guard let kept = Self.kept(value) else { return nil }
        self = kept
    }

    private static func kept(_ value: Any?) -> KeptValue? {
        guard let value, !(value is NSNull) else { return KeptValue(Kind.none) }
        return switch value {
        case let number as NSDecimalNumber: KeptValue(.decimal, number.stringValue)
        case let number as Decimal: KeptValue(.decimal, number.description)
        case let date as Date: KeptValue(.date, "\(date.timeIntervalSinceReferenceDate)")
        case let uuid as UUID: KeptValue(.uuid, uuid.uuidString)
        case let url as URL: KeptValue(.url, url.absoluteString)
        case let text as String: large(.string, Data(text.utf8)) ?? KeptValue(.string, text)
        case let data as Data: large(.data, data) ?? KeptValue(.data, data.base64EncodedString())
        case let number as NSNumber: ofNumber(number)
        default: nil
        }
    }

    private static func ofNumber(_ number: NSNumber) -> KeptValue {
        let isDouble = ["d", "f"].contains(String(cString: number.objCType))
        return isDouble
            ? KeptValue(.double, "\(number.doubleValue)") : KeptValue(.integer, String(number.int64Value))
    }

    private static func large(_ kind: Kind, _ bytes: Data) -> KeptValue? {
        bytes.count > mostBytes ? KeptValue(kind, digest: Digest.sha256(bytes).hexadecimal) : nil
    }

    /// The bytes of a value that is large.
    static func largeBytes(_ value: Any?) -> Data? {
        let bytes = (value as? Data) ?? (value as? String).map { Data($0.utf8) }
        return bytes.flatMap { $0.count > mostBytes ? $0 : nil }
    }

    // MARK: Back

    /// Why a value can't be taken.
    struct Mismatch: Error {}

    /// The value for an attribute.
    ///
    /// - Parameter files: Gives the bytes of a large value, by its digest.
    /// - Throws: `Mismatch` for a value of another type than the attribute has, or one that is damaged.
    func object(for type: NSAttributeType, _ files: (String) -> Data?) throws -> Any? {
        if kind == .none { return nil }
        let bytes = try digest.map { digest in
            guard let data = files(digest), Digest.sha256(data).hexadecimal == digest else { throw Mismatch() }
            return data
        }
        guard let value = value(for: type, bytes) else { throw Mismatch() }
        return value
    }

    private func value(for type: NSAttributeType, _ bytes: Data?) -> Any? {
        switch (type, kind) {
        case (.integer16AttributeType, .integer): integer(Int64(Int16.min)...Int64(Int16.max))
        case (.integer32AttributeType, .integer): integer(Int64(Int32.min)...Int64(Int32.max))
        case (.integer64AttributeType, .integer): integer(.min ... .max)
        case (.booleanAttributeType, .integer): text.flatMap(Int64.init).map { NSNumber(value: $0 != 0) }
        case (.doubleAttributeType, .double), (.doubleAttributeType, .integer), (.floatAttributeType, .integer):
            text.flatMap(Double.init).map { NSNumber(value: $0) }
        case (.floatAttributeType, .double): text.flatMap(Float.init).map { NSNumber(value: $0) }
        case (.decimalAttributeType, .decimal): text.map { NSDecimalNumber(string: $0) }
        case (.dateAttributeType, .date):
            text.flatMap(Double.init).map { Date(timeIntervalSinceReferenceDate: $0) }
        case (.UUIDAttributeType, .uuid): text.flatMap(UUID.init(uuidString:))
        case (.URIAttributeType, .url): text.flatMap(URL.init(string:))
        case (.stringAttributeType, .string): bytes.map { String(validating: $0, as: UTF8.self) } ?? text
        case (.binaryDataAttributeType, .data), (.transformableAttributeType, .data):
            bytes ?? text.flatMap { Data(base64Encoded: $0) }
        default: nil
        }
    }

    private func integer(_ range: ClosedRange<Int64>) -> NSNumber? {
        text.flatMap(Int64.init).flatMap { range.contains($0) ? NSNumber(value: $0) : nil }
    }
}
