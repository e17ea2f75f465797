import FoundationGaps
import ModelFormat

extension NSAttributeType {
    init(_ type: Model.AttributeType) {
        self =
            switch type {
            case .undefined: .undefinedAttributeType
            case .integer16: .integer16AttributeType
            case .integer32: .integer32AttributeType
            case .integer64: .integer64AttributeType
            case .decimal: .decimalAttributeType
            case .double: .doubleAttributeType
            case .float: .floatAttributeType
            case .string: .stringAttributeType
            case .boolean: .booleanAttributeType
            case .date: .dateAttributeType
            case .binary: .binaryDataAttributeType
            case .uuid: .UUIDAttributeType
            case .uri: .URIAttributeType
            case .transformable: .transformableAttributeType
            case .objectID: .objectIDAttributeType
            case .composite: .compositeAttributeType
            }
    }
}

extension Model.AttributeType {
    init(_ type: NSAttributeType) {
        self =
            switch type {
            case .undefinedAttributeType: .undefined
            case .integer16AttributeType: .integer16
            case .integer32AttributeType: .integer32
            case .integer64AttributeType: .integer64
            case .decimalAttributeType: .decimal
            case .doubleAttributeType: .double
            case .floatAttributeType: .float
            case .stringAttributeType: .string
            case .booleanAttributeType: .boolean
            case .dateAttributeType: .date
            case .binaryDataAttributeType: .binary
            case .UUIDAttributeType: .uuid
            case .URIAttributeType: .uri
            case .transformableAttributeType: .transformable
            case .objectIDAttributeType: .objectID
            case .compositeAttributeType: .composite
            }
    }
}

extension NSDeleteRule {
    init(_ rule: Model.DeleteRule) {
        self =
            switch rule {
            case .noAction: .noActionDeleteRule
            case .nullify: .nullifyDeleteRule
            case .cascade: .cascadeDeleteRule
            case .deny: .denyDeleteRule
            }
    }
}

extension Model.DeleteRule {
    init(_ rule: NSDeleteRule) {
        self =
            switch rule {
            case .noActionDeleteRule: .noAction
            case .nullifyDeleteRule: .nullify
            case .cascadeDeleteRule: .cascade
            case .denyDeleteRule: .deny
            }
    }
}

// MARK: - User info

extension Model.UserInfo {
    /// As the descriptions have it; of entries with the same key the first counts.
    var dictionary: [AnyHashable: Any] {
        Dictionary(entries.map { (AnyHashable($0.key), $0.value.object) }) { first, _ in first }
    }

    /// - Returns: nil for nothing. Entries with a key that is no text, or a value that no property list can hold, have
    ///   no place in a model's files and are left out.
    init?(_ dictionary: [AnyHashable: Any]?) {
        guard let dictionary, !dictionary.isEmpty else { return nil }
        let entries = dictionary.compactMap { key, value in
            (key.base as? String).flatMap { key in
                Model.UserInfoValue(value).map { Entry(key: key, value: $0) }
            }
        }
        self.init(entries.sorted { $0.key < $1.key })
    }
}

extension Model.UserInfoValue {
    var object: Any {
        switch self {
        case .string(let text): text
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .boolean(let flag): NSNumber(value: flag)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): bytes
        case .array(let values): values.map(\.object)
        case .dictionary(let values): values.mapValues(\.object)
        }
    }

    init?(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let bytes as Data: self = .data(bytes)
        case let values as [Any]: self = .array(values.compactMap(Model.UserInfoValue.init))
        case let values as [String: Any]: self = .dictionary(values.compactMapValues(Model.UserInfoValue.init))
        case let number as NSNumber: self = Self.number(number)
        default: return nil
        }
    }

    private static func number(_ number: NSNumber) -> Model.UserInfoValue {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): .boolean(number.boolValue)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): .real(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }
}
