import Foundation
import ModelFormat

extension ModelReader {
    /// The classes of default values that have a spelling in documents.
    static let valueClasses: Set<String> = [
        "NSDate", "NSUUID", "NSURL", "NSDecimalNumber", "NSDecimalNumberPlaceholder", "NSData", "NSMutableData",
    ]

    /// Reads the default value in the spelling of documents.
    ///
    /// What has no spelling there, such as a transformable's object, becomes an archive of its own, and its classes are
    /// not looked at: the reader of that archive has to have a list of its own.
    func readDefault(_ object: ArchivedObject, into attribute: inout Model.Attribute) throws {
        guard let raw = object.fields["NSDefaultValue"], raw != .null, raw != .uid(0) else { return }
        if attribute.type == .binary {
            guard let bytes = try archive.value(raw).bytes else { throw object.unexpected("NSDefaultValue", "data") }
            attribute.defaultValueData = bytes
        } else if attribute.type.hasSpelling, let value = try? archive.value(raw),
            let spelling = value.spelling(as: attribute.type)
        {
            attribute.type == .date
                ? (attribute.defaultDateTimeInterval = spelling) : (attribute.defaultValueString = spelling)
        } else {
            attribute.defaultValueData = try archive.fragment(raw)
        }
    }
}

extension Model.AttributeType {
    /// Whether documents can spell values of the type.
    var hasSpelling: Bool {
        switch self {
        case .undefined, .transformable, .objectID, .composite, .binary: false
        default: true
        }
    }
}

extension ArchivedValue {
    /// The bytes of data, immutable or mutable.
    var bytes: Data? {
        switch self {
        case .data(let bytes): bytes
        case .object(let object): object.fields["NS.data"]?.data
        default: nil
        }
    }

    /// The value as documents spell values of an attribute's type; nil where it is none of that type.
    func spelling(as type: Model.AttributeType) -> String? {
        switch type {
        case .integer16, .integer32, .integer64: integer.map(String.init)
        case .boolean: integer.map { $0 == 0 ? "NO" : "YES" }
        case .double: double?.description
        case .float: double.map { Float($0).description }
        case .decimal: object?.decimal?.description ?? number.map { String(describing: $0) }
        case .string: string
        case .date: seconds.map(spelledSeconds)
        case .uuid: object?.uuid?.uuidString
        case .uri: object?.uri ?? string
        default: nil
        }
    }

    /// The number, whatever its kind.
    private var double: Double? {
        if case .real(let number) = self { number } else { integer.map(Double.init) ?? object?.decimal?.double }
    }

    /// The number as it is kept.
    private var number: (any CustomStringConvertible)? {
        if case .real(let number) = self { number } else { integer }
    }

    /// The seconds since 2001 of a date.
    var seconds: Double? {
        switch self {
        case .date(let seconds): seconds
        case .object(let object): object.seconds
        default: nil
        }
    }
}

/// Seconds as documents spell them: without a fraction where there is none.
func spelledSeconds(_ seconds: Double) -> String {
    Int64(exactly: seconds)?.description ?? seconds.description
}

extension ArchivedObject {
    var decimal: ArchivedDecimal? {
        ArchivedDecimal(self)
    }

    fileprivate var seconds: Double? {
        switch fields["NS.time"] {
        case .real(let seconds): seconds
        case .integer(let seconds): Double(seconds)
        default: nil
        }
    }

    fileprivate var uuid: UUID? {
        guard let bytes = fields["NS.uuidbytes"]?.data.map(Array.init), bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The URI, if it does not depend on another one.
    fileprivate var uri: String? {
        guard className == "NSURL", let base = try? self["NS.base"], base.isNull else { return nil }
        return try? string("NS.relative")
    }
}
