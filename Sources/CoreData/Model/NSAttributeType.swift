/// The types of attributes, with Apple's numbers.
///
/// | type | class of the values by key | a typed property can be |
/// |---|---|---|
/// | integer 16, 32, 64 | `NSNumber` | `Int16`, `Int32`, `Int64`, `Int` |
/// | double, float | `NSNumber` | `Double`, `Float` |
/// | decimal | `NSDecimalNumber` | `NSDecimalNumber`, `Decimal` |
/// | Boolean | `NSNumber` | `Bool` |
/// | string | `String` | `String` |
/// | date | `Date` | `Date`, `TimeInterval` |
/// | binary data | `Data` | `Data` |
/// | UUID, URI | `UUID`, `URL` | `UUID`, `URL` |
/// | transformable | any object | the class of the values |
/// | composite | `[String: Any]` | a dictionary |
///
/// In code, ``NSAttributeDescription/type`` with its shorter names reads better.
public enum NSAttributeType: UInt, Sendable, CaseIterable {
    /// No type. Use it for transient attributes, which may then hold any object.
    ///
    /// No store keeps the values of an attribute without a type.
    case undefinedAttributeType = 0
    /// Integers from -32,768 to 32,767. Setting a number beyond them traps.
    case integer16AttributeType = 100
    /// Integers from -2,147,483,648 to 2,147,483,647. Setting a number beyond them traps.
    case integer32AttributeType = 200
    /// Integers of 64 bits. Use it for counts and for numbers from other systems.
    case integer64AttributeType = 300
    /// Decimal numbers, as `NSDecimalNumber`. Use it for money.
    ///
    /// A new value has up to 38 digits. The column of a store keeps about 15 of them: after the save, longer numbers
    /// are rounded.
    case decimalAttributeType = 400
    /// Floating-point numbers of 64 bits. Infinities are stored; not-a-number becomes nil.
    case doubleAttributeType = 500
    /// Floating-point numbers of 32 bits. Infinities are stored; not-a-number becomes nil.
    case floatAttributeType = 600
    /// Strings. Limits of length and patterns are validation predicates of the attribute.
    case stringAttributeType = 700
    /// True or false. Any number that is not 0 is set as true.
    case booleanAttributeType = 800
    /// Points in time. A store keeps the seconds since 2001 as a double.
    ///
    /// No time zone is stored.
    case dateAttributeType = 900
    /// Bytes. For large values see ``NSAttributeDescription/allowsExternalBinaryDataStorage``.
    case binaryDataAttributeType = 1000
    /// UUIDs. A store keeps their 16 bytes.
    case UUIDAttributeType = 1100
    /// URLs. A store keeps their text.
    case URIAttributeType = 1200
    /// Any object that a value transformer turns into data.
    ///
    /// See ``NSAttributeDescription/valueTransformerName``. Changing such an object in place does not mark the managed
    /// object as changed: set a new one.
    case transformableAttributeType = 1800
    /// Object IDs, as the result type of an ``NSExpressionDescription``.
    ///
    /// Do not use it for a stored attribute: use a relationship. Its values read back as data.
    case objectIDAttributeType = 2000
    /// Several attributes under one name. See ``NSCompositeAttributeDescription``.
    case compositeAttributeType = 2100

    /// The class of the values, as models name it; nil where the type has none of its own.
    var valueClassName: String? {
        switch self {
        case .undefinedAttributeType, .transformableAttributeType, .compositeAttributeType: nil
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .objectIDAttributeType: "NSManagedObjectID"
        }
    }
}

extension NSAttributeDescription {
    /// The types of attributes, spelled the Swift way.
    ///
    /// ```swift
    /// let age = NSAttributeDescription()
    /// age.type = .integer16                           // the same as attributeType = .integer16AttributeType
    /// ```
    ///
    /// Each type has a case of ``NSAttributeType`` as its raw value.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        /// The raw value of a type: a case of ``NSAttributeType``.
        public typealias RawValue = NSAttributeType
        /// The case of ``NSAttributeType`` that means the same.
        public let rawValue: NSAttributeType

        /// Makes the type that means the same as a case of ``NSAttributeType``.
        public init(rawValue: NSAttributeType) {
            self.rawValue = rawValue
        }

        /// No type; for transient attributes alone. See ``NSAttributeType/undefinedAttributeType``.
        public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
        /// Integers of 16 bits. See ``NSAttributeType/integer16AttributeType``.
        public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
        /// Integers of 32 bits. See ``NSAttributeType/integer32AttributeType``.
        public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
        /// Integers of 64 bits. See ``NSAttributeType/integer64AttributeType``.
        public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
        /// Decimal numbers. See ``NSAttributeType/decimalAttributeType``.
        public static let decimal = AttributeType(rawValue: .decimalAttributeType)
        /// Floating-point numbers of 64 bits. See ``NSAttributeType/doubleAttributeType``.
        public static let double = AttributeType(rawValue: .doubleAttributeType)
        /// Floating-point numbers of 32 bits. See ``NSAttributeType/floatAttributeType``.
        public static let float = AttributeType(rawValue: .floatAttributeType)
        /// Strings. See ``NSAttributeType/stringAttributeType``.
        public static let string = AttributeType(rawValue: .stringAttributeType)
        /// True or false. See ``NSAttributeType/booleanAttributeType``.
        public static let boolean = AttributeType(rawValue: .booleanAttributeType)
        /// Points in time. See ``NSAttributeType/dateAttributeType``.
        public static let date = AttributeType(rawValue: .dateAttributeType)
        /// Bytes. See ``NSAttributeType/binaryDataAttributeType``.
        public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
        /// UUIDs. See ``NSAttributeType/UUIDAttributeType``.
        public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
        /// URLs. See ``NSAttributeType/URIAttributeType``.
        public static let uri = AttributeType(rawValue: .URIAttributeType)
        /// Objects that a value transformer turns into data. See ``NSAttributeType/transformableAttributeType``.
        public static let transformable = AttributeType(rawValue: .transformableAttributeType)
        /// Object IDs, for results of expressions. See ``NSAttributeType/objectIDAttributeType``.
        public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
        /// Several attributes under one name. See ``NSAttributeType/compositeAttributeType``.
        public static let composite = AttributeType(rawValue: .compositeAttributeType)
    }
}
