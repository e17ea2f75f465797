import FoundationGaps

/// The common part of attributes, relationships and fetched properties: a name, whether a value is required, and the
/// rules for values.
///
/// ```swift
/// let age = NSAttributeDescription()
/// age.name = "age"
/// age.type = .integer16
/// age.isOptional = false
/// age.defaultValue = 18
/// age.setValidationPredicates([NSPredicate(format: "SELF >= 16")], withValidationWarnings: ["1620"])
/// ```
///
/// Make instances of the subclasses; an entity accepts no plain property.
///
/// A description can be changed until a coordinator uses its model. From then on every setter but ``userInfo`` traps.
/// An entity keeps its properties. A property does not keep its entity.
open class NSPropertyDescription: NSObject, NSCopying {
    /// The name: the key under which objects have the value.
    ///
    /// It is distinct in the entity. It is a part of the version hash. A name with a dot can't be told from a path into
    /// a composite attribute, so use none.
    open var name = "" { willSet { requireMutable() } }
    /// Whether an object without a value is valid. Default: true.
    ///
    /// A required attribute or to-one relationship without a value fails the save with
    /// `NSValidationMissingMandatoryPropertyError` (1570). A required to-many relationship may be empty, unless
    /// ``NSRelationshipDescription/minCount`` says otherwise. It is a part of the version hash.
    open var isOptional = true { willSet { requireMutable() } }
    /// Whether the value exists only in memory. Default: false.
    ///
    /// A transient value takes part in undo and in change notifications. A refresh resets it to the default. No save
    /// writes it, and no fetch can ask for it: a predicate with its key fails in the store. To compute a transient
    /// value from stored ones, see ``NSManagedObject/awakeFromFetch()``.
    open var isTransient = false { willSet { requireMutable() } }
    /// Values that the program keeps with the property. The framework never reads them itself.
    ///
    /// It can be set while a coordinator uses the model, too, as long as no other thread reads it meanwhile. The
    /// predicate of a fetched property can reach it: `$FETCHED_PROPERTY.userInfo.limit`.
    open var userInfo: [AnyHashable: Any]? = [:]
    /// A text that goes into the version hash. Set it if stored values change their meaning, and nothing else in the
    /// model does.
    ///
    /// An example is a string attribute whose format changes. Then a store that was made with the former model does not
    /// open with this one (134100).
    open var versionHashModifier: String? { willSet { requireMutable() } }
    /// Whether models before fetch indexes ask for an index over the attribute. Default: false.
    ///
    /// A new store makes the index, unless the entity's ``NSEntityDescription/indexes`` have one over the same
    /// attribute. Use `indexes` in new models.
    open var isIndexed = false { willSet { requireMutable() } }
    /// Whether Spotlight is to index the value. Full-text search looks into texts for which it is true
    /// (<doc:FullTextSearch>).
    open var isIndexedBySpotlight = false { willSet { requireMutable() } }
    /// Whether Spotlight's external record is to have the value. Kept for the model's files; nothing here does it.
    open var isStoredInExternalRecord = false { willSet { requireMutable() } }
    /// The rules that a value must fulfil. `SELF` in a predicate is the value.
    ///
    /// Bounds and patterns of a model file are here, too. A save checks them in order, and the first that fails is the
    /// error. Nil is not checked: see ``isOptional``. Relationships to many objects are not checked either; their rules
    /// are counts.
    open private(set) var validationPredicates: [NSPredicate] = []
    /// What the failure of each predicate reports, in the order of ``validationPredicates``.
    ///
    /// An element is an error code, as a number or as a string of digits, or a sentence for the user. Models from files
    /// have numbers.
    open private(set) var validationWarnings: [Any] = []

    /// Whether only the framework sets the value, as with derived attributes and fetched properties.
    package var isReadOnly: Bool {
        get { readOnlyStorage }
        set {
            requireMutable()
            readOnlyStorage = newValue
        }
    }

    /// Unsafe without danger: the entity clears it when it goes or lets the property go.
    unowned(unsafe) var owner: NSEntityDescription?
    package internal(set) var isSealed = false
    private var renamingIdentifierStorage: String?
    private var readOnlyStorage = false

    /// Makes a description without a name, in no entity.
    ///
    /// Make an instance of a subclass, such as `NSAttributeDescription()`. Set its ``name`` and put it into an entity's
    /// ``NSEntityDescription/properties``.
    public required override init() {
        super.init()
    }

    /// The entity that declares the property. Traps for a property that is in none.
    ///
    /// For an inherited property, it is the parent entity that the property comes from.
    open var entity: NSEntityDescription {
        guard let owner else {
            programmerError("The property \"\(name)\" is in no entity; put it into an entity's properties first.")
        }
        return owner
    }

    /// The name under which an older version of the model knows the property. Unless it is set, it is the property's
    /// own name.
    ///
    /// ```swift
    /// let surname = NSAttributeDescription()
    /// (surname.name, surname.type) = ("surname", .string)
    /// surname.renamingIdentifier = "lastName"         // what the store of the older version calls it
    /// ```
    ///
    /// A migration finds the former property by it. Keep it in all later versions: then each of them knows the
    /// property. It is no part of the version hash.
    open var renamingIdentifier: String? {
        get { renamingIdentifierStorage ?? name }
        set {
            requireMutable()
            renamingIdentifierStorage = newValue == name ? nil : newValue
        }
    }

    /// 32 bytes that change with everything in the property that storage depends on. It is a part of the entity's hash.
    ///
    /// Name, type and optionality count. Default values, validation and user info do not. A transient property is no
    /// part of its entity's hash. A property that is in no entity has a hash, too.
    open var versionHash: Data { currentVersionHash }

    /// Sets the rules that a value must fulfil, and what their failures report.
    ///
    /// ```swift
    /// let email = NSAttributeDescription()
    /// email.setValidationPredicates(
    ///     [NSPredicate(format: "SELF CONTAINS '@'"), NSPredicate(format: "length <= 80")],
    ///     withValidationWarnings: ["An address needs an @.", "1660"])
    /// ```
    ///
    /// A warning that is a number is the error's code. Any other warning is the error's sentence. The code then follows
    /// from the attribute's type and the predicate's operator: 1610 and 1620 for numbers, 1630 and 1640 for dates,
    /// 1660, 1670 and 1680 for strings, 1690 for URIs, and otherwise 1550.
    ///
    /// Traps if the two lists have different lengths, and once a coordinator uses the model. The rules are no part of
    /// the version hash.
    ///
    /// - Parameters:
    ///   - validationPredicates: Predicates on the value, `SELF`. Nil removes all rules.
    ///   - validationWarnings: For each predicate the sentence of its failure, or the number of an error code.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidation(validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    func setValidation(_ predicates: [NSPredicate], warnings: [Any]) {
        requireMutable()
        guard predicates.count == warnings.count else {
            programmerError(
                "The property \"\(name)\" got \(predicates.count) validation predicates and \(warnings.count) warnings; give one warning for each predicate."
            )
        }
        validationPredicates = predicates
        validationWarnings = warnings
    }

    // MARK: Copying

    /// A copy with the same content, in no entity. It can be changed.
    ///
    /// Use it to put the same property into two entities. The copy of a relationship has the original's destination and
    /// inverse.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copy.assign(from: self)
        return copy
    }

    /// Takes over everything that another description of the same kind says.
    func assign(from other: NSPropertyDescription) {
        name = other.name
        isOptional = other.isOptional
        isTransient = other.isTransient
        userInfo = other.userInfo
        versionHashModifier = other.versionHashModifier
        isIndexed = other.isIndexed
        isIndexedBySpotlight = other.isIndexedBySpotlight
        isStoredInExternalRecord = other.isStoredInExternalRecord
        validationPredicates = other.validationPredicates
        validationWarnings = other.validationWarnings
        renamingIdentifierStorage = other.renamingIdentifierStorage
        readOnlyStorage = other.readOnlyStorage
    }

    // MARK: Sealing

    func requireMutable() {
        if isSealed { refuseChange(of: "the property \(place)") }
    }

    /// Makes the description immutable.
    func seal() {
        isSealed = true
    }

    /// Whether it is of a kind that entities have.
    var canBeInEntity: Bool {
        self is NSAttributeDescription || self is NSRelationshipDescription || self is NSFetchedPropertyDescription
    }

    /// Entity and name, for messages.
    var place: String {
        [owner?.name, name].compactMap { $0 }.joined(separator: ".")
    }

    /// Whether another property says the same, for example a copy or another load of the same file.
    ///
    /// Properties of entities with different names are not equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return other === self || saysTheSame(as: other)
    }

    /// A hash of the name. Do not change the name of a property that is in a set.
    open override var hash: Int { name.hashValue }

    /// The kind, the entity and the name, for logs.
    open override var description: String {
        "<\(type(of: self))> \(place), isOptional \(isOptional), isTransient \(isTransient)"
    }
}
