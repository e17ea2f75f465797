import FoundationGaps

/// An attribute: a property whose values are numbers, strings, dates, data and the like.
///
/// ```swift
/// let age = NSAttributeDescription()
/// age.name = "age"
/// age.type = .integer16
/// age.defaultValue = 18
/// ```
///
/// The ``type`` decides which values the attribute takes and how a store keeps them. Setting a value of another class
/// traps. Subclasses are attributes that the store computes (``NSDerivedAttributeDescription``) and attributes made of
/// others (``NSCompositeAttributeDescription``).
open class NSAttributeDescription: NSPropertyDescription {
    /// The type of the values. Default: `.undefinedAttributeType`.
    ///
    /// ``type`` is the same in Swift's spelling. The type is a part of the version hash.
    open var attributeType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the values, spelled the Swift way. Default: `.undefined`, which no store keeps.
    ///
    /// ```swift
    /// let birthday = NSAttributeDescription()
    /// birthday.name = "birthday"
    /// birthday.type = .date
    /// ```
    ///
    /// ``NSAttributeType`` lists the types with the classes of their values.
    open var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }

    /// The value that new objects have; nil: none.
    ///
    /// ```swift
    /// let group = NSAttributeDescription()
    /// group.type = .string
    /// group.defaultValue = "A"
    /// ```
    ///
    /// Objects have it before ``NSManagedObject/awakeFromInsert()``. A number may be an `Int`, a `Double` or an
    /// `NSNumber`. Once a coordinator uses the model, it is an `NSNumber`, and a decimal is an `NSDecimalNumber`. A
    /// value of a class that the type can't hold traps at that point.
    ///
    /// A transient attribute has it again after a refresh. The default is no part of the version hash. Changing it
    /// changes no stored object.
    open var defaultValue: Any? { willSet { requireMutable() } }

    /// The name of the value transformer of a transformable attribute. Nil: the secure transformer for keyed archives.
    ///
    /// ```swift
    /// ValueTransformer.setValueTransformer(
    ///     NSSecureUnarchiveFromDataTransformer(), forName: NSValueTransformerName("Roster"))
    /// let roster = NSAttributeDescription()
    /// roster.type = .transformable
    /// roster.valueTransformerName = "Roster"
    /// ```
    ///
    /// Register the transformer before the store is used: the first use of the attribute traps without it. Stored data
    /// that the transformer does not accept reads as nil, and standard error says so. A value that gives no data fails
    /// the save with 1550.
    open var valueTransformerName: String? { willSet { requireMutable() } }
    /// Whether a store may keep large data in files of their own. Default: false.
    ///
    /// A value of more than 100 KB then lies in a file beside the store. The file goes with its row. A PostgreSQL
    /// database sends values of more than 2,000 bytes when an object is asked for them. Use it for pictures and
    /// documents, so that the rows stay small. A predicate can compare such an attribute with nil only; any other
    /// comparison fails the fetch. It is a part of the version hash.
    open var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }
    /// Whether persistent history keeps the value when the object is deleted. Default: false.
    ///
    /// Persistent history does not exist here yet. The value is kept for the model's files and is a part of the version
    /// hash.
    open var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }
    /// Whether a cloud keeps the value encrypted. Kept for the model's files; there is no cloud here.
    open var allowsCloudEncryption = false { willSet { requireMutable() } }

    /// A default of a class that no document can spell, as a keyed archive: kept for the model's files.
    package var defaultValueArchive: Data? { willSet { requireMutable() } }
    private var valueClassNameStorage: String?

    /// The class of the values, as models name it: `NSString`, `NSNumber` and so on.
    ///
    /// It follows from the type. For a transformable attribute it can be set, for example to the name of your class.
    /// The class is used for messages and for generated code. Values are not checked against it.
    open var attributeValueClassName: String? {
        get { valueClassNameStorage ?? attributeType.valueClassName }
        set {
            requireMutable()
            valueClassNameStorage = newValue == attributeType.valueClassName ? nil : newValue
        }
    }

    /// The class of the values where it is not the type's own.
    var customValueClassName: String? { valueClassNameStorage }

    override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSAttributeDescription else { return }
        attributeType = other.attributeType
        defaultValue = other.defaultValue
        valueTransformerName = other.valueTransformerName
        allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
        preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
        allowsCloudEncryption = other.allowsCloudEncryption
        defaultValueArchive = other.defaultValueArchive
        valueClassNameStorage = other.valueClassNameStorage
    }

    override func seal() {
        if !isSealed, let value = defaultValue { defaultValue = value is NSNull ? nil : canonicalDefault(value) }
        super.seal()
    }

    /// The default as the type's own class.
    private func canonicalDefault(_ value: Any) -> Any {
        guard let canonical = AttributeValue.canonical(value, type: attributeType) else {
            programmerError(
                "Unacceptable default value for the attribute \(place): it wants \(attributeValueClassName ?? "an object") and got \(Swift.type(of: value)) (\(value)). Set a default of the wanted class."
            )
        }
        return canonical
    }
}
