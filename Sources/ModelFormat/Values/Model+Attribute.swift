import Foundation

extension Model {
    /// An attribute, plain, derived or composite.
    ///
    /// ```swift
    /// var salary = Model.Attribute(name: "salary", type: .double)
    /// salary.defaultValueString = "0.0"
    /// salary.minValueString = "0"
    /// salary.usesScalarValueType = true
    /// ```
    ///
    /// Default and bounds are strings, as in a document. Compiled models use the same spellings. In a document it is
    /// the element `attribute`.
    public struct Attribute: Sendable, Hashable, Codable {
        /// The name: unique among all properties of the entity and its parents, with a small first letter.
        ///
        /// A store derives the column's name from it: `ZLASTNAME`.
        public var name: String

        /// The type of the values. In a document it is `attributeType`, with the spelling of
        /// ``AttributeType/documentName``.
        public var type: AttributeType

        /// Whether a value may be missing. A save of an object without a required value fails with 1570.
        ///
        /// In a document it is `optional="YES"`.
        public var isOptional = false

        /// Whether the value is not stored. The table has no column for it.
        ///
        /// In a document it is `transient="YES"`.
        public var isTransient = false

        /// Whether the property is read-only. Only compiled models say so: `contents()` throws for it.
        ///
        /// It is part of the version hash.
        public var isReadOnly = false

        /// The default of every type but dates: `0.5`, `YES`, a text, a UUID, a URI.
        ///
        /// A new object has this value. `nil`: the value is nil. The text must be a value of the type: see the code
        /// `invalid-default` of the diagnostics.
        public var defaultValueString: String?

        /// The default of a date, in seconds since 1 January 2001 UTC.
        ///
        /// It is a decimal number as text: `725846400`.
        public var defaultDateTimeInterval: String?

        /// A default that no string can say, from a compiled model.
        ///
        /// It is the bytes of a binary attribute, or a keyed archive of a transformable's object. `contents()` throws
        /// for it.
        public var defaultValueData: Data?

        /// The least number, or the least length of a string.
        ///
        /// A save of a smaller number fails with 1620, of a shorter string with 1670. It has no meaning for other
        /// types.
        public var minValueString: String?

        /// The greatest number, or the greatest length of a string.
        ///
        /// A save of a greater number fails with 1610, of a longer string with 1660. It has no meaning for other types.
        public var maxValueString: String?

        /// The earliest date, in seconds since 1 January 2001 UTC.
        ///
        /// A save of an earlier date fails with 1640.
        public var minDateTimeInterval: String?

        /// The latest date, in seconds since 1 January 2001 UTC.
        ///
        /// A save of a later date fails with 1630.
        public var maxDateTimeInterval: String?

        /// The pattern that a string must match as a whole (ICU syntax).
        ///
        /// A save of a string that does not match fails with 1680.
        public var regularExpressionString: String?

        /// Validation beyond bounds and pattern, as compiled models carry it.
        ///
        /// ``allValidationRules`` has these and the rules of bounds and pattern. `contents()` throws for a rule:
        /// documents have none.
        public var validationRules: [ValidationRule] = []

        /// Whether generated classes declare a scalar, such as `Int64` instead of `NSNumber?`.
        ///
        /// `nil` where the document does not say; it counts as false.
        public var usesScalarValueType: Bool?

        /// The name of the value transformer of a transformable attribute, such as `NSSecureUnarchiveFromData`.
        ///
        /// `nil` where the document names none.
        public var valueTransformerName: String?

        /// The class of a transformable attribute's values. In a document it is `customClassName`.
        ///
        /// Generated classes declare this type.
        public var customClass: ClassReference?

        /// Whether the store computes the value, by ``derivationExpression``.
        ///
        /// In a document it is `derived="YES"`. The attribute is read-only then.
        public var isDerived = false

        /// The format of a derived attribute's expression, such as `canonical:(name)` or `pages.@count`.
        ///
        /// It is part of the version hash.
        public var derivationExpression: String?

        /// The format of the predicate that filters what a derivation aggregates.
        ///
        /// Only compiled models have one: `contents()` throws for it.
        public var derivationFilterPredicate: String?

        /// The name of a composite attribute's definition in ``Model/composites``. In a document it is `composite`.
        ///
        /// Only attributes of the type ``AttributeType/composite`` have one.
        public var compositeName: String?

        /// Whether a store may keep large data in a file beside the store's. For binary and transformable attributes.
        ///
        /// It is part of the version hash.
        public var allowsExternalBinaryDataStorage = false

        /// Whether persistent history keeps the value of a deleted object. There is no history in this release.
        ///
        /// It is part of the version hash. In a document it is `preserveAfterDeletion`.
        public var preservesValueInHistoryOnDeletion = false

        /// Whether CloudKit encrypts the value. In a document it is `allowsCloudEncryption`.
        ///
        /// It has no effect here, and is kept for Apple's systems.
        public var allowsCloudEncryption = false

        /// Whether a store has an index of this attribute, in models before fetch indexes.
        ///
        /// A store builds it like a fetch index of this attribute alone.
        public var isIndexed = false

        /// Whether Spotlight indexes the value. In a document it is `spotlightIndexingEnabled`.
        ///
        /// It has no effect here, and is kept for Apple's systems.
        public var isIndexedBySpotlight = false

        /// Whether an external record has the value. In a document it is `storedInTruthFile`.
        ///
        /// It has no effect here, and is kept for Apple's systems.
        public var isStoredInExternalRecord = false

        /// Whether sync services may use the attribute. Documents say `syncable="YES"`; compiled models do not have it.
        public var isSyncable = true

        /// Keys and values of the app's own. `nil` if the document has no `userInfo` element.
        ///
        /// `CoreData` gives them to the app in the description's `userInfo`. Generated classes have the text of the key
        /// `documentation` as a comment.
        public var userInfo: UserInfo?

        /// The name under which an older version knows the attribute. In a document it is `elementID`.
        ///
        /// Comparisons and merges follow it.
        public var renamingIdentifier: String?

        /// A text that goes into the version hash.
        ///
        /// It tells two versions apart that are otherwise alike, such as when a value has another unit.
        public var versionHashModifier: String?

        /// What the element says beyond these properties.
        ///
        /// It is written with the element again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// A required attribute of a type, without a default.
        public init(name: String, type: AttributeType) {
            self.name = name
            self.type = type
        }
    }

    /// The type of an attribute.
    ///
    /// The numbers are those of `NSAttributeType`, of compiled models and of version hashes. ``documentName`` is the
    /// spelling in documents: `Integer 64`.
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
    ///
    /// ```swift
    /// let rule = Model.ValidationRule(predicateFormat: "length >= 3", warning: .code(1670))
    /// ```
    public struct ValidationRule: Sendable, Hashable, Codable {
        /// The predicate's format, in which `SELF` is the value: `length >= 3`.
        ///
        /// The value is valid if the predicate is true.
        public var predicateFormat: String

        /// The error code or the text of a failure.
        ///
        /// A code is one of those of validation errors, such as 1670.
        public var warning: Warning

        /// What a failed rule reports: a number or a text.
        ///
        /// A compiled model has a number or a text for each rule.
        public enum Warning: Sendable, Hashable, Codable {
            /// A Core Data error code such as 1670.
            case code(Int)
            /// A text, or the key of a localized one.
            case text(String)
        }

        /// A rule of a format and what it reports. The format is not parsed here.
        public init(predicateFormat: String, warning: Warning) {
            self.predicateFormat = predicateFormat
            self.warning = warning
        }
    }
}
