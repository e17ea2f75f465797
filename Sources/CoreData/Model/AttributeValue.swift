import FoundationGaps

/// Attribute values between their classes and the spellings of documents.
enum AttributeValue {
    /// The value as the class that the runtime uses for the type; nil where the type can't hold it.
    static func canonical(_ value: Any, type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            number(value)
        case .decimalAttributeType: decimal(value)
        case .stringAttributeType: value as? String
        case .dateAttributeType: value as? Date
        case .binaryDataAttributeType: value as? Data
        case .UUIDAttributeType: value as? UUID
        case .URIAttributeType: value as? URL
        case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
            value
        }
    }

    private static func number(_ value: Any) -> NSNumber? {
        if let decimal = value as? NSDecimalNumber, !(decimal is DecimalNumber) { return DecimalNumber(decimal) }
        if let number = value as? NSNumber { return number }
        // Types that Foundation does not bridge by itself.
        if let decimal = value as? Decimal { return DecimalNumber(decimal: decimal) }
        return nil
    }

    private static func decimal(_ value: Any) -> NSDecimalNumber? {
        if let decimal = value as? DecimalNumber { return decimal }
        if let decimal = value as? Decimal { return DecimalNumber(decimal: decimal) }
        return number(value).map { DecimalNumber($0) }
    }

    /// The value that a document spells.
    ///
    /// - Returns: nil where the text says nothing of that type, or where documents can't spell the type.
    static func value(spelled text: String, type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            integer(text).map { NSNumber(value: $0) }
        case .doubleAttributeType: real(text).map { NSNumber(value: $0) }
        case .floatAttributeType: (Float(text) ?? real(text).map { Float($0) }).map { NSNumber(value: $0) }
        case .booleanAttributeType: boolean(text).map { NSNumber(value: $0) }
        case .decimalAttributeType:
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { DecimalNumber(decimal: $0) }
        case .stringAttributeType, .undefinedAttributeType: text
        case .dateAttributeType: Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .UUIDAttributeType: UUID(uuidString: text)
        case .URIAttributeType: URL(string: text)
        case .binaryDataAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
            nil
        }
    }

    // Xcode keeps a default's text when the attribute's type is changed: integers may be spelled `0.0` and `NO`.

    private static func integer(_ text: String) -> Int64? {
        Int64(text) ?? real(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }

    private static func real(_ text: String) -> Double? {
        Double(text) ?? boolean(text).map { $0 ? 1 : 0 }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "YES", "true", "1": true
        case "NO", "false", "0": false
        default: Double(text).map { $0 != 0 }
        }
    }

    /// How a document spells a value; nil where it can't.
    static func spelling(of value: Any, type: NSAttributeType) -> String? {
        switch (type, canonical(value, type: type)) {
        case (.booleanAttributeType, let number as NSNumber): number.boolValue ? "YES" : "NO"
        case (.integer16AttributeType, let number as NSNumber), (.integer32AttributeType, let number as NSNumber),
            (.integer64AttributeType, let number as NSNumber):
            String(number.int64Value)
        case (.floatAttributeType, let number as NSNumber): number.floatValue.description
        case (.doubleAttributeType, let number as NSNumber): number.doubleValue.description
        case (.decimalAttributeType, let number as NSDecimalNumber): number.decimalValue.description
        case (.stringAttributeType, let text as String), (.undefinedAttributeType, let text as String): text
        case (.dateAttributeType, let date as Date): seconds(date.timeIntervalSinceReferenceDate)
        case (.UUIDAttributeType, let uuid as UUID): uuid.uuidString
        case (.URIAttributeType, let url as URL): url.absoluteString
        default: nil
        }
    }

    /// Seconds without a fraction where there is none, as documents have them.
    private static func seconds(_ seconds: Double) -> String {
        Int64(exactly: seconds)?.description ?? seconds.description
    }
}
