import Foundation

extension Model {
    /// An attribute, plain, derived or composite.
    ///
    /// Default and bounds are strings in a document and stay so here; a value of the attribute's type comes from
    /// `defaultValue`, and the compiled forms use the same spellings.
    public struct Attribute: Sendable, Hashable, Codable {
        public var name: String
        public var type: AttributeType
        public var isOptional = false
        public var isTransient = false
        public var isReadOnly = false

        /// The default of every type but dates: `0.5`, `YES`, a text, a UUID, a URI.
        public var defaultValueString: String?
        /// The default of a date, in seconds since 1 January 2001 UTC.
        public var defaultDateTimeInterval: String?
        /// A default that no string can say, from a compiled model: the bytes of a binary attribute, a keyed archive of
        /// a transformable's object.
        public var defaultValueData: Data?

        /// The least number, or the least length of a string.
        public var minValueString: String?
        /// The greatest number, or the greatest length of a string.
        public var maxValueString: String?
        /// The earliest date, in seconds since 1 January 2001 UTC.
        public var minDateTimeInterval: String?
        /// The latest date, in seconds since 1 January 2001 UTC.
        public var maxDateTimeInterval: String?
        /// The pattern that a string must match as a whole (ICU syntax).
        public var regularExpressionString: String?
        /// Validation beyond bounds and pattern, as compiled models carry it.
        public var validationRules: [ValidationRule] = []

        /// Whether generated classes declare a scalar: `nil` where the document does not say.
        public var usesScalarValueType: Bool?
        public var valueTransformerName: String?
        /// The class of a transformable attribute's values.
        public var customClass: ClassReference?

        public var isDerived = false
        /// The format of a derived attribute's expression, such as `canonical:(name)` or `pages.@count`.
        public var derivationExpression: String?
        /// The format of the predicate that filters what a derivation aggregates.
        public var derivationFilterPredicate: String?
        /// The name of a composite attribute's definition among the model's `composites`.
        public var compositeName: String?

        public var allowsExternalBinaryDataStorage = false
        public var preservesValueInHistoryOnDeletion = false
        public var allowsCloudEncryption = false
        public var isIndexed = false
        public var isIndexedBySpotlight = false
        public var isStoredInExternalRecord = false
        public var isSyncable = true

        public var userInfo: UserInfo?
        /// The name under which an older version knows the attribute (Xcode's `elementID`).
        public var renamingIdentifier: String?
        public var versionHashModifier: String?
        public var foreign = ForeignContent()

        public init(name: String, type: AttributeType) {
            self.name = name
            self.type = type
        }
    }

    /// The type of an attribute, with the numbers that compiled models, hashes and `NSAttributeType` use.
    public enum AttributeType: UInt, Sendable, Hashable, Codable, CaseIterable {
        case undefined = 0
        case integer16 = 100
        case integer32 = 200
        case integer64 = 300
        case decimal = 400
        case double = 500
        case float = 600
        case string = 700
        case boolean = 800
        case date = 900
        case binary = 1000
        case uuid = 1100
        case uri = 1200
        case transformable = 1800
        case objectID = 2000
        case composite = 2100
    }

    /// One validation predicate of a property.
    public struct ValidationRule: Sendable, Hashable, Codable {
        /// The predicate's format, `SELF` being the value: `length >= 3`.
        public var predicateFormat: String
        /// The failure's error code or text.
        public var warning: Warning

        /// What a failed rule reports.
        public enum Warning: Sendable, Hashable, Codable {
            /// A Core Data error code such as 1670.
            case code(Int)
            /// A text, or the key of a localized one.
            case text(String)
        }

        public init(predicateFormat: String, warning: Warning) {
            self.predicateFormat = predicateFormat
            self.warning = warning
        }
    }
}
