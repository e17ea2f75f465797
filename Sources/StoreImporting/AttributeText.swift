import CoreData
import Foundation
import StoreBrowsing

/// How a text becomes the value of an attribute.
package enum AttributeText {
    case integer(ClosedRange<Int64>)
    case boolean
    case double
    case float
    case decimal
    case string
    case date
    case binary
    case uuid
    case uri

    /// - Returns: Nil for a type that no text stands for, such as a transformable.
    package init?(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType: self = .integer(Int64(Int16.min)...Int64(Int16.max))
        case .integer32AttributeType: self = .integer(Int64(Int32.min)...Int64(Int32.max))
        case .integer64AttributeType: self = .integer(.min ... .max)
        case .booleanAttributeType: self = .boolean
        case .doubleAttributeType: self = .double
        case .floatAttributeType: self = .float
        case .decimalAttributeType: self = .decimal
        case .stringAttributeType: self = .string
        case .dateAttributeType: self = .date
        case .binaryDataAttributeType: self = .binary
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .uri
        default: return nil
        }
    }

    /// What a text has to be, after "is no".
    package var expectation: String {
        switch self {
        case .integer(let range): "whole number from \(range.lowerBound) to \(range.upperBound)"
        case .boolean: "Boolean: true, false, yes, no, 1 or 0"
        case .double, .float: "number"
        case .decimal: "decimal number of 38 digits at most"
        case .string: "UTF-8 text"
        case .date: "ISO 8601 date, such as 2026-11-25 or 2026-11-25T22:30:05Z"
        case .binary: "base64"
        case .uuid: "UUID"
        case .uri: "URL"
        }
    }

    /// The value as a row holds it; nil where it is none of the type's.
    @inline(__always)
    func slot(_ value: InputValue) -> Slot? {
        switch value {
        case .null: .null
        case .text(let bytes): slot(bytes)
        case .number(let bytes): isNumeric ? slot(bytes) : nil
        case .bool(let flag): if case .boolean = self { .int(flag ? 1 : 0) } else { nil }
        case .list: nil
        }
    }

    private var isNumeric: Bool {
        switch self {
        case .integer, .boolean, .double, .float, .decimal: true
        case .string, .date, .binary, .uuid, .uri: false
        }
    }

    private func slot(_ bytes: UnsafeBufferPointer<UInt8>) -> Slot? {
        switch self {
        case .string: String(validating: bytes, as: UTF8.self).map { .string($0) }
        case .integer(let range): NumberText.integer(bytes).flatMap { range.contains($0) ? .int($0) : nil }
        case .boolean: NumberText.boolean(bytes).map { .int($0 ? 1 : 0) }
        case .double: NumberText.double(bytes).map { .double($0) }
        case .float: NumberText.double(bytes).flatMap { Self.float($0) }
        case .date: ISODate.seconds(bytes).map { .double($0) }
        case .decimal: NumberText.decimal(bytes).map { .object($0) }
        case .binary: Data(base64Encoded: Data(bytes)).map { .data($0) }
        case .uuid: UUID(uuidString: String(decoding: bytes, as: UTF8.self)).map { .uuid($0) }
        case .uri: String(validating: bytes, as: UTF8.self).flatMap(URL.init(string:)).map { .object($0 as NSURL) }
        }
    }

    /// The nearest number that a Float holds.
    private static func float(_ value: Double) -> Slot? {
        let float = Float(value)
        return float.isFinite ? .double(Double(float)) : nil
    }

    /// The value as an object has it; nil for a text that is none of the type's.
    package func object(_ text: String) -> Any? {
        var text = text
        return text.withUTF8 { slot(.text($0)).flatMap { object($0) } }
    }

    /// The value as an object has it; nil for null.
    func object(_ slot: Slot) -> Any? {
        switch slot {
        case .int(let value): if case .boolean = self { NSNumber(value: value != 0) } else { NSNumber(value: value) }
        case .double(let value):
            if case .date = self { Date(timeIntervalSinceReferenceDate: value) } else { NSNumber(value: value) }
        case .string(let text): text
        case .data(let data): data
        case .uuid(let uuid): uuid
        case .object(let url as NSURL): url as URL
        case .object(let object): object
        case .unset, .null, .reference: nil
        }
    }
}
