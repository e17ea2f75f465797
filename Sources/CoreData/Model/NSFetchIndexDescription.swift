import FoundationGaps

/// How an index is organised.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// In the order of the values.
    case binary = 0
    /// By ranges of numbers, for places on a map and the like.
    case rTree = 1
}

/// An index that a store builds for an entity, so that fetches find objects by some properties without looking at all.
open class NSFetchIndexDescription: NSObject, NSCopying {
    /// The name, distinct in the entity.
    open var name: String { willSet { requireMutable() } }
    /// What is indexed, in order.
    open var elements: [NSFetchIndexElementDescription] {
        get { elementStorage }
        set {
            requireMutable()
            elementStorage.forEach { $0.owner = nil }
            elementStorage = newValue
            elementStorage.forEach { $0.owner = self }
        }
    }
    /// Which objects the index holds; nil: all.
    open var partialIndexPredicate: NSPredicate? { willSet { requireMutable() } }

    /// Unsafe without danger: the entity clears it when it goes or lets the index go.
    unowned(unsafe) var owner: NSEntityDescription?
    private var elementStorage: [NSFetchIndexElementDescription]
    private(set) var isSealed = false

    /// An index.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        elementStorage = elements ?? []
        super.init()
        elementStorage.forEach { $0.owner = self }
    }

    deinit {
        elementStorage.forEach { $0.owner = nil }
    }

    /// The entity of the objects that are indexed, once it is among its `indexes`.
    open var entity: NSEntityDescription? { owner }

    /// A copy with copies of the elements, in no entity.
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

/// One column of an index: a property, or an expression.
open class NSFetchIndexElementDescription: NSObject, NSCopying {
    /// How the index is organised. All elements of an index have the same type.
    open var collationType: NSFetchIndexElementType { willSet { requireMutable() } }
    /// Whether small values come first. Default: true.
    open var isAscending = true { willSet { requireMutable() } }
    /// What is indexed: a property of the entity, or an expression.
    open private(set) var property: NSPropertyDescription?
    /// Unsafe without danger: the index clears it when it goes or lets the element go.
    unowned(unsafe) fileprivate(set) var owner: NSFetchIndexDescription?

    /// An element for an attribute, a to-one relationship or an expression.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        super.init()
    }

    /// The index.
    open var indexDescription: NSFetchIndexDescription? { owner }

    /// The property's name; nil for an expression.
    open var propertyName: String? {
        property is NSExpressionDescription ? nil : property?.name
    }

    /// A copy for the same property, in no index.
    open func copy(with zone: NSZone? = nil) -> Any { copied() }

    func copied() -> NSFetchIndexElementDescription {
        guard let property else { preconditionFailure("An element is made with a property.") }
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
