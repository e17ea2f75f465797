import Foundation
import ModelDocument

extension Field<Model.Attribute> {
    /// The fields of attributes.
    static let all: [Field] =
        [
            .name("name", "Name", \.name),
            Field("type", "Type") { attribute, _ in
                .text(attribute.type.word)
            } write: { attribute, value, _ in
                attribute.changeType(to: try value.choice(Model.AttributeType.words, for: "type"))
            },
            .flag("isOptional", "Optional", \.isOptional),
            .flag("isTransient", "Transient", \.isTransient),
        ] + values + kinds + storage

    private static let values: [Field] = [
        bound("defaultValue", "Default Value", \.defaultValueString, \.defaultDateTimeInterval),
        bound("minimum", "Minimum", \.minValueString, \.minDateTimeInterval),
        bound("maximum", "Maximum", \.maxValueString, \.maxDateTimeInterval),
        .text("regularExpression", "Regular Expression", \.regularExpressionString),
        .flag("usesScalar", "Use Scalar Type", \.usesScalarValueType),
    ]

    private static let kinds: [Field] = [
        .text("transformer", "Transformer", \.valueTransformerName),
        .className("customClass", "Custom Class", \.customClass),
        .module("customModule", "Module", \.customClass),
        .flag("isDerived", "Derived", \.isDerived),
        .text("derivation", "Derivation", \.derivationExpression),
        Field("composite", "Composite") { attribute, context in
            .optional(context.names.compositeID(attribute.compositeName))
        } write: { attribute, value, context in
            attribute.compositeName = try context.names.compositeName(value, field: "composite")
        },
        .derived("compositeName") { attribute, _ in .optional(attribute.compositeName) },
    ]

    private static let storage: [Field] = [
        .flag("allowsExternalStorage", "Allows External Storage", \.allowsExternalBinaryDataStorage),
        .flag("preservesAfterDeletion", "Preserve After Deletion", \.preservesValueInHistoryOnDeletion),
        .flag("allowsCloudEncryption", "Allows Cloud Encryption", \.allowsCloudEncryption),
        .flag("isIndexed", "Indexed", \.isIndexed),
        .flag("isIndexedBySpotlight", "Index in Spotlight", \.isIndexedBySpotlight),
        .flag("isStoredInExternalRecord", "Store in External Record", \.isStoredInExternalRecord),
        .flag("isSyncable", "Synchronized", \.isSyncable),
        .text("renamingIdentifier", "Renaming ID", \.renamingIdentifier),
        .text("versionHashModifier", "Hash Modifier", \.versionHashModifier),
    ]

    /// A value as a text; of dates an ISO date, where documents have seconds since 2001.
    private static func bound(
        _ name: String, _ title: String, _ text: WritableKeyPath<Model.Attribute, String?> & Sendable,
        _ date: WritableKeyPath<Model.Attribute, String?> & Sendable
    ) -> Field {
        Field(name, title) { attribute, _ in
            guard attribute.type == .date else { return .optional(attribute[keyPath: text]) }
            return .optional(attribute[keyPath: date].map(DateText.iso(fromInterval:)))
        } write: { attribute, value, _ in
            // A default may be the empty text, which is another thing than none.
            let new =
                name == "defaultValue" && attribute.type == .string ? value.text : try value.optionalText(for: name)
            guard attribute.type == .date else { return attribute[keyPath: text] = new }
            attribute[keyPath: date] = try new.map { try DateText.interval(from: $0, field: name) }
        }
    }
}

/// Dates as requests and as documents spell them.
enum DateText {
    /// An ISO date for seconds since 2001; what is no number stays as it is.
    static func iso(fromInterval text: String) -> String {
        guard let interval = Double(text), abs(interval) < 1e11 else { return text }
        let isWhole = interval == interval.rounded()
        return Date(timeIntervalSinceReferenceDate: interval)
            .formatted(.iso8601.time(includingFractionalSeconds: !isWhole))
    }

    /// Seconds since 2001 for an ISO date or a number.
    static func interval(from text: String, field: String) throws -> String {
        if Double(text) != nil { return text }
        let styles: [Date.ISO8601FormatStyle] = [
            .iso8601, .iso8601.time(includingFractionalSeconds: true), .iso8601.year().month().day(),
        ]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else {
            throw StudioError(
                .invalidEdit, "‘\(text)’ is no date: write one like 2026-01-31 or 2026-01-31T12:00:00Z.")
        }
        let interval = date.timeIntervalSinceReferenceDate
        return interval == interval.rounded() ? String(Int(interval)) : String(interval)
    }
}

extension Model.AttributeType {
    /// The type as records spell it.
    var word: String {
        switch self {
        case .undefined: "undefined"
        case .integer16: "integer16"
        case .integer32: "integer32"
        case .integer64: "integer64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .boolean: "boolean"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .objectID: "objectID"
        case .composite: "composite"
        }
    }

    static let words = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.word) })

    fileprivate var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }
    fileprivate var isNumber: Bool { isInteger || [.decimal, .double, .float].contains(self) }
}

extension Model.Attribute {
    /// Makes the attribute one of another type as Xcode does: what only the old type has goes, and numbers begin with
    /// zero as their default.
    mutating func changeType(to newType: Model.AttributeType) {
        guard newType != type else { return }
        let keepsNumbers = type.isNumber && newType.isNumber
        if !keepsNumbers { (defaultValueString, minValueString, maxValueString) = (nil, nil, nil) }
        if newType != .date { (defaultDateTimeInterval, minDateTimeInterval, maxDateTimeInterval) = (nil, nil, nil) }
        if newType != .string { regularExpressionString = nil }
        if newType != .transformable { (valueTransformerName, customClass) = (nil, nil) }
        if newType != .composite { compositeName = nil }
        if newType != .binary { allowsExternalBinaryDataStorage = false }
        if newType.isNumber, !keepsNumbers { defaultValueString = newType.isInteger ? "0" : "0.0" }
        switch newType {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: usesScalarValueType = true
        case .date, .uuid: usesScalarValueType = false
        default: usesScalarValueType = nil
        }
        type = newType
    }
}
