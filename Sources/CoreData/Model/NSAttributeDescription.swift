import FoundationGaps

/// An attribute: a property with values that are numbers, texts, dates, data and the like.
open class NSAttributeDescription: NSPropertyDescription {
    /// The type of the values.
    open var attributeType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the values, spelled the Swift way.
    open var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }

    /// The value of new objects; nil: none.
    ///
    /// Any number will do for a number, be it `Int`, `Double` or `NSNumber`; once a coordinator uses the model, numbers
    /// are `NSNumber`, decimals `NSDecimalNumber`. A value that the attribute's type can't hold stops the program then.
    open var defaultValue: Any? { willSet { requireMutable() } }

    /// The name of a value transformer (`ValueTransformer.setValueTransformer(_:forName:)`) that turns the values of a
    /// transformable attribute into data.
    open var valueTransformerName: String? { willSet { requireMutable() } }
    /// Whether a store may keep large data in files of their own.
    open var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }
    /// Whether the history of a deletion keeps the value.
    open var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }
    /// Whether a cloud keeps the value encrypted. Kept for the model's files; there is no cloud here.
    open var allowsCloudEncryption = false { willSet { requireMutable() } }

    /// A default of a class that no document can spell, as a keyed archive: kept for the model's files.
    package var defaultValueArchive: Data? { willSet { requireMutable() } }
    private var valueClassNameStorage: String?

    /// The class of the values, as models name it. It follows from the type; for transformable attributes it can be
    /// set.
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
            fatalError(
                "Unacceptable default value for the attribute \(place): it wants \(attributeValueClassName ?? "an object") and got \(Swift.type(of: value)) (\(value))."
            )
        }
        return canonical
    }
}
