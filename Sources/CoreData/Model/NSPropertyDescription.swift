import FoundationGaps

/// The common part of attributes, relationships and fetched properties: a name in an entity, whether a value is needed,
/// and what a value must fulfil.
///
/// A description can be changed until a coordinator uses its model; from then on every setter but ``userInfo`` traps.
///
/// An entity keeps its properties; a property knows its entity without keeping it.
open class NSPropertyDescription: NSObject, NSCopying {
    /// The name: the key under which objects have the value.
    open var name = "" { willSet { requireMutable() } }
    /// Whether an object without a value is valid. Default: true.
    open var isOptional = true { willSet { requireMutable() } }
    /// Whether the value lives in memory only. Default: false.
    open var isTransient = false { willSet { requireMutable() } }
    /// Anything that the program wants to say about the property. It can be set while a coordinator uses the model,
    /// too, as long as no other thread reads it meanwhile.
    open var userInfo: [AnyHashable: Any]? = [:]
    /// Changes the version hash where nothing else that storage depends on has changed: a value's format, say.
    open var versionHashModifier: String? { willSet { requireMutable() } }
    /// Whether an index is wanted. Superseded by `NSEntityDescription.indexes`; stores no longer look at it.
    open var isIndexed = false { willSet { requireMutable() } }
    /// Whether Spotlight is to index the value. Kept for the model's files; nothing here does it.
    open var isIndexedBySpotlight = false { willSet { requireMutable() } }
    /// Whether Spotlight's external record is to have the value. Kept for the model's files; nothing here does it.
    open var isStoredInExternalRecord = false { willSet { requireMutable() } }
    /// What a value must fulfil; `SELF` is the value. Bounds and pattern of a model document are here too.
    open private(set) var validationPredicates: [NSPredicate] = []
    /// What a failure of each predicate reports: an error code as `NSNumber`, or a text.
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

    public required override init() {
        super.init()
    }

    /// The entity that declares the property: for an inherited one the entity that it is inherited from.
    ///
    /// Traps for a property that is in no entity.
    open var entity: NSEntityDescription {
        guard let owner else {
            fatalError("The property \"\(name)\" is in no entity; put it into an entity's properties first.")
        }
        return owner
    }

    /// The name under which an older version of the model knows the property; its own name unless it is set.
    open var renamingIdentifier: String? {
        get { renamingIdentifierStorage ?? name }
        set {
            requireMutable()
            renamingIdentifierStorage = newValue == name ? nil : newValue
        }
    }

    /// 32 bytes that change with whatever the property's storage depends on, a part of its entity's hash.
    ///
    /// A property that is in no entity has one, too.
    open var versionHash: Data { currentVersionHash }

    /// Sets what a value must fulfil.
    ///
    /// - Parameters:
    ///   - validationPredicates: Predicates on the value, `SELF`.
    ///   - validationWarnings: For each predicate the text of its failure, or the number of an error code. Traps unless
    ///     there are as many.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidation(validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    func setValidation(_ predicates: [NSPredicate], warnings: [Any]) {
        requireMutable()
        guard predicates.count == warnings.count else {
            fatalError(
                "The property \"\(name)\" got \(predicates.count) validation predicates and \(warnings.count) warnings; give one warning for each predicate."
            )
        }
        validationPredicates = predicates
        validationWarnings = warnings
    }

    // MARK: Copying

    /// A copy with the same content, in no entity.
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

    /// Whether another property says the same, be it a copy or another load of the same file.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return other === self || saysTheSame(as: other)
    }

    open override var hash: Int { name.hashValue }

    open override var description: String {
        "<\(type(of: self))> \(place), isOptional \(isOptional), isTransient \(isTransient)"
    }
}
