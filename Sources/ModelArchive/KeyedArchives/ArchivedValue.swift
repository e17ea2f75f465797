import Foundation
import PropertyLists

/// A value of a keyed archive, references followed one step.
enum ArchivedValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 1 January 2001 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    case object(ArchivedObject)
    /// An object of a class that the archive's reader does not know. Nothing of it is looked at.
    case unknown(className: String)

    /// Whether the value is nil.
    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The object, if the value is one that has a class and fields.
    var object: ArchivedObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The text of a string, immutable or mutable, if the value is one.
    var string: String? {
        switch self {
        case .string(let text): text
        case .object(let object): object.fields["NS.string"]?.string
        default: nil
        }
    }

    /// The integer, if the value is one; a truth value counts as 0 or 1, as `NSNumber` does.
    var integer: Int64? {
        switch self {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        default: nil
        }
    }
}

/// An object of a keyed archive that has a class and fields.
struct ArchivedObject {
    let archive: KeyedArchive
    /// What tells the object from others: equal numbers are the same object.
    let number: Int
    let className: String
    let fields: [String: PropertyListValue]

    /// The value of a field; nil where there is none.
    subscript(key: String) -> ArchivedValue {
        get throws {
            guard let raw = fields[key] else { return .null }
            return try archive.value(raw)
        }
    }

    /// The error of a field with a value that is not what it has to be.
    func unexpected(_ key: String, _ expectation: String) -> CocoaError {
        if case .unknown(let name)? = try? self[key] {
            return corruptArchive("“\(key)” of an \(className) is an object of the unknown class “\(name)”.")
        }
        return corruptArchive("The keyed archive is damaged: “\(key)” of an \(className) is no \(expectation).")
    }
}

// MARK: - Fields of one kind

extension ArchivedObject {
    /// The text of a field, or nil where there is none.
    func string(_ key: String) throws -> String? {
        let value = try self[key]
        guard !value.isNull else { return nil }
        guard let text = value.string else { throw unexpected(key, "string") }
        return text
    }

    /// The text of a field that must be there.
    func requiredString(_ key: String) throws -> String {
        guard let text = try string(key) else { throw unexpected(key, "string") }
        return text
    }

    /// The integer of a field, or nil where there is none.
    func integer(_ key: String) throws -> Int? {
        let value = try self[key]
        guard !value.isNull else { return nil }
        guard let number = value.integer else { throw unexpected(key, "integer") }
        return Int(number)
    }

    /// The truth value of a field, false where there is none.
    func flag(_ key: String) throws -> Bool {
        try (integer(key) ?? 0) != 0
    }

    /// The object of a field, or nil where there is none.
    func object(_ key: String) throws -> ArchivedObject? {
        let value = try self[key]
        guard !value.isNull else { return nil }
        guard let object = value.object else { throw unexpected(key, "object") }
        return object
    }
}
