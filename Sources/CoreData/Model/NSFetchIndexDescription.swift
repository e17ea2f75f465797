import FoundationGaps

/// How an index is organised. All elements of one index have the same type.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// In the order of the values. It helps `==`, `IN`, ranges, prefixes and sorting.
    case binary = 0
    /// By ranges of numbers, for places on a map and the like.
    ///
    /// ```swift
    /// let latitude = NSAttributeDescription(), longitude = NSAttributeDescription()
    /// let elements = [latitude, longitude].map { NSFetchIndexElementDescription(property: $0, collationType: .rTree) }
    /// let byPlace = NSFetchIndexDescription(name: "byPlace", elements: elements)
    /// ```
    ///
    /// It helps a fetch that bounds an attribute on both sides, such as `latitude BETWEEN {48, 49}`. All elements must
    /// be attributes of the entity. Making a store needs an SQLite library with R-trees, and fails with 134020
    /// otherwise.
    case rTree = 1
}

/// An index that a store builds for an entity, so that fetches find objects without reading all rows.
///
/// ```swift
/// let lastName = NSAttributeDescription(), age = NSAttributeDescription()
/// let player = NSEntityDescription()
/// player.properties = [lastName, age]
/// let byName = NSFetchIndexDescription(
///     name: "byName",
///     elements: [
///         NSFetchIndexElementDescription(property: lastName, collationType: .binary),
///         NSFetchIndexElementDescription(property: age, collationType: .binary),
///     ])
/// player.indexes = [byName]
/// ```
///
/// An index over several elements helps predicates on the first one, on the first two, and so on. Every index makes
/// saves slower and the file larger. To-one relationships have an index anyway.
///
/// Indexes are made with the store. A store that exists keeps the indexes that it has. An index over something that a
/// column can't be, such as a transient attribute or a function like `canonical:`, is left out. See <doc:Fetching>.
open class NSFetchIndexDescription: NSObject, NSCopying {
    /// The name, distinct in the entity. It becomes a part of the name of the database's index.
    open var name: String { willSet { requireMutable() } }
    /// What is indexed, in order. The first element counts most.
    ///
    /// An element belongs to one index: use new elements for each. Traps once a coordinator uses the model.
    open var elements: [NSFetchIndexElementDescription] {
        get { elementStorage }
        set {
            requireMutable()
            elementStorage.forEach { $0.owner = nil }
            elementStorage = newValue
            elementStorage.forEach { $0.owner = self }
        }
    }
    /// A predicate that says which objects the index holds; nil: all.
    ///
    /// ```swift
    /// let team = NSAttributeDescription()
    /// let element = NSFetchIndexElementDescription(property: team, collationType: .binary)
    /// let free = NSFetchIndexDescription(name: "free", elements: [element])
    /// free.partialIndexPredicate = NSPredicate(format: "team == nil")
    /// ```
    ///
    /// Such an index is smaller. The database uses it for fetches whose predicate contains the condition. A condition
    /// that SQL can't express without functions makes an index of all rows.
    open var partialIndexPredicate: NSPredicate? { willSet { requireMutable() } }

    /// Unsafe without danger: the entity clears it when it goes or lets the index go.
    unowned(unsafe) var owner: NSEntityDescription?
    private var elementStorage: [NSFetchIndexElementDescription]
    private(set) var isSealed = false

    /// Makes an index. Put it into an entity's ``NSEntityDescription/indexes``.
    ///
    /// - Parameters:
    ///   - name: The name, distinct in the entity.
    ///   - elements: What is indexed, in order. Nil: nothing as yet.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        elementStorage = elements ?? []
        super.init()
        elementStorage.forEach { $0.owner = self }
    }

    deinit {
        elementStorage.forEach { $0.owner = nil }
    }

    /// The entity whose ``NSEntityDescription/indexes`` the index is in; nil for none.
    open var entity: NSEntityDescription? { owner }

    /// A copy with copies of the elements, in no entity. The elements have the same properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(name: name, elements: elementStorage.map { $0.copied() })
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    func requireMutable() {
        if isSealed { refuseChange(of: "the index \"\(name)\"") }
    }

    func seal() {
        isSealed = true
    }
}

/// One part of an index: a property or an expression, and the direction.
///
/// ```swift
/// let length = NSExpressionDescription()
/// length.expression = NSExpression(format: "price * count")
/// let element = NSFetchIndexElementDescription(property: length, collationType: .binary)
/// element.isAscending = false
/// ```
open class NSFetchIndexElementDescription: NSObject, NSCopying {
    /// How the index is organised. See ``NSFetchIndexElementType``.
    open var collationType: NSFetchIndexElementType { willSet { requireMutable() } }
    /// Whether small values come first. Default: true.
    ///
    /// It matters for an index of several elements, if a fetch sorts by them in different directions.
    open var isAscending = true { willSet { requireMutable() } }
    /// What is indexed: a property of the entity, or an ``NSExpressionDescription``.
    open private(set) var property: NSPropertyDescription?
    /// Unsafe without danger: the index clears it when it goes or lets the element go.
    unowned(unsafe) fileprivate(set) var owner: NSFetchIndexDescription?

    /// Makes an element of an index.
    ///
    /// - Parameters:
    ///   - property: An attribute or a to-one relationship of the entity, or an ``NSExpressionDescription`` with
    ///     arithmetic over the entity's own attributes.
    ///   - collationType: How the index is organised; the same for all elements of an index.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        super.init()
    }

    /// The index that has the element; nil for none.
    open var indexDescription: NSFetchIndexDescription? { owner }

    /// The property's name; nil for an expression.
    open var propertyName: String? {
        property is NSExpressionDescription ? nil : property?.name
    }

    /// A copy for the same property, in no index.
    open func copy(with zone: NSZone? = nil) -> Any { copied() }

    func copied() -> NSFetchIndexElementDescription {
        guard let property else {
            programmerError(
                "An element of a fetch index has no property; make it with init(property:collationType:).")
        }
        return copied(for: property)
    }

    func copied(for property: NSPropertyDescription) -> NSFetchIndexElementDescription {
        let copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
        copy.isAscending = isAscending
        return copy
    }

    private func requireMutable() {
        owner?.requireMutable()
    }
}
