import FoundationGaps

/// A fetched property: a weak relationship in one direction, defined by a fetch request.
///
/// Its value is an array that is fetched when it is first read, and again after a refresh. `$FETCH_SOURCE` in the
/// request's predicate is the object, `$FETCHED_PROPERTY` this description.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    /// What to fetch; not to be changed once a coordinator uses the model.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { willSet { requireMutable() } }

    public required init() {
        super.init()
        isTransient = true
        isReadOnly = true
    }

    override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        fetchRequest = (other as? NSFetchedPropertyDescription)?.fetchRequest.map { NSFetchRequest(copying: $0) }
    }

    override func seal() {
        super.seal()
        fetchRequest?.isFrozen = true
    }
}

/// A column of a fetch for dictionaries that is no property: the result of an expression, such as a sum.
open class NSExpressionDescription: NSPropertyDescription {
    /// What to compute. Nil stands for the property that has the description's name.
    open var expression: NSExpression? { willSet { requireMutable() } }
    /// The type of the result.
    open var expressionResultType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the result, spelled the Swift way.
    open var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }

    override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSExpressionDescription else { return }
        expression = other.expression
        expressionResultType = other.expressionResultType
    }
}

/// An attribute with a value that the store computes from others whenever an object is saved.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// What to compute, for instance `canonical:(name)`, `pages.@count` or `now()`.
    open var derivationExpression: NSExpression? { willSet { requireMutable() } }
    /// What an aggregate takes into account.
    package var filterPredicate: NSPredicate? { willSet { requireMutable() } }

    public required init() {
        super.init()
        isReadOnly = true
    }

    override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSDerivedAttributeDescription else { return }
        derivationExpression = other.derivationExpression
        filterPredicate = other.filterPredicate
    }
}

/// Several attributes under one name; objects have a dictionary for it, and key paths reach the elements.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    /// The attributes it is made of; composites may nest. Traps if two have the same name.
    open var elements: [NSAttributeDescription] = [] {
        willSet {
            requireMutable()
            requireDistinctNames(newValue)
        }
    }

    /// The name of the definition in the model's document, which several attributes may share.
    package var compositeName: String? { willSet { requireMutable() } }

    public required init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSCompositeAttributeDescription else { return }
        elements = other.elements.map(copied)
        compositeName = other.compositeName
    }

    override func seal() {
        super.seal()
        elements.forEach { $0.seal() }
    }

    private func requireDistinctNames(_ elements: [NSAttributeDescription]) {
        var names = Set<String>()
        for element in elements where !names.insert(element.name).inserted {
            fatalError("The composite attribute \(place) has two elements named \"\(element.name)\"; rename one.")
        }
    }
}

/// A copy, of the same type.
func copied<Description: NSPropertyDescription>(_ description: Description) -> Description {
    let copy = type(of: description).init()
    copy.assign(from: description)
    return copy
}
