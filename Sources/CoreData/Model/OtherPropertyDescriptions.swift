import FoundationGaps

/// A fetched property: a one-way relationship that a fetch request defines.
///
/// ```swift
/// let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Player")
/// request.predicate = NSPredicate(format: "group == $FETCH_SOURCE.group")
/// let rivals = NSFetchedPropertyDescription()
/// rivals.name = "rivals"
/// rivals.fetchRequest = request
/// ```
///
/// Its value is an array of objects: `player.value(forKey: "rivals") as? [Player]`. The fetch runs when the property is
/// read first. The array is kept until the object is refreshed, so later changes do not show.
///
/// In the predicate `$FETCH_SOURCE` is the object and `$FETCHED_PROPERTY` is this description, with its `userInfo`. The
/// objects may be in another store of the coordinator. The property can't be set, and predicates of a store can't use
/// it. A request that the store can't answer traps at the first read.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    /// What to fetch: the entity, the predicate and the order. The result type does not count; objects are fetched.
    ///
    /// It can't be changed once a coordinator uses the model.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { willSet { requireMutable() } }

    /// Makes a fetched property without a request. It is transient.
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

/// A column of a fetch for dictionaries that is not a property: the result of an expression, such as a sum.
///
/// ```swift
/// let total = NSExpressionDescription()
/// total.name = "total"
/// total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "salary")])
/// total.resultType = .double
///
/// let request = NSFetchRequest<NSDictionary>(entityName: "Player")
/// request.resultType = .dictionaryResultType
/// request.propertiesToFetch = [total]
/// let sum = try context.fetch(request).first?["total"] as? Double
/// ```
///
/// The store computes the result, so no objects are made. Such a fetch sees saved values only. Put it into
/// ``AnyFetchRequest/propertiesToFetch`` or `propertiesToGroupBy`, and not among an entity's properties.
open class NSExpressionDescription: NSPropertyDescription {
    /// What to compute. Nil stands for the property that has the description's name.
    ///
    /// Without an expression, a name that is no property fails the fetch with 134070.
    open var expression: NSExpression? { willSet { requireMutable() } }
    /// The type of the result. Default: undefined.
    ///
    /// It decides the class of the result: with `.dateAttributeType`, a maximum of dates comes as a `Date`. With
    /// `.undefinedAttributeType`, the type follows from the expression as far as it is known.
    open var expressionResultType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the result, spelled the Swift way; the same as ``expressionResultType``.
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

/// An attribute whose value the store computes from other values.
///
/// ```swift
/// let searchName = NSDerivedAttributeDescription()
/// searchName.name = "searchName"
/// searchName.type = .string
/// searchName.derivationExpression = NSExpression(format: "canonical:(lastName)")
/// let size = NSDerivedAttributeDescription()
/// size.name = "size"
/// size.type = .integer64
/// size.derivationExpression = NSExpression(format: "players.@count")
/// ```
///
/// The store computes it whenever a save changes its source. An object that the save writes has the new value at once.
/// Other objects have it after a refresh. Before the first save it is nil. A value that the app sets is replaced at the
/// save.
///
/// Fetches can use it like any attribute, and an index can be over it. A derived attribute is cheaper than computing
/// the value in each fetch.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// What to compute. These expressions work:
    ///
    /// - `now()`: the time of the last save of the row.
    /// - A key path over to-one relationships to a stored attribute: `team.name`.
    /// - `canonical:(…)`, `lowercase:(…)` and `uppercase:(…)` of a string that is reached in this way.
    /// - `relationship.@count` and `relationship.@sum.attribute`.
    ///
    /// Another expression fails the making of a store with ``NSPersistentStoreIncompatibleSchemaError`` (134020). The
    /// expression is a part of the version hash.
    open var derivationExpression: NSExpression? { willSet { requireMutable() } }
    /// What an aggregate takes into account.
    package var filterPredicate: NSPredicate? { willSet { requireMutable() } }

    /// Makes a derived attribute without an expression.
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

/// Several attributes under one name.
///
/// ```swift
/// let street = NSAttributeDescription(), city = NSAttributeDescription()
/// (street.name, street.type) = ("street", .string)
/// (city.name, city.type) = ("city", .string)
/// let address = NSCompositeAttributeDescription()
/// address.name = "address"
/// address.elements = [street, city]
/// ```
///
/// Objects have a dictionary for it. Key paths reach the elements:
///
/// ```swift
/// player.setValue(["street": "Biscayne Boulevard", "city": "Miami"], forKey: "address")
/// player.setValue("Orlando", forKeyPath: "address.city")
/// request.predicate = NSPredicate(format: "address.city == 'Miami'")
/// ```
///
/// Each element is a column of its own in the store. Elements without a value are not in the dictionary. A composite
/// whose elements are all nil is nil. Setting a dictionary sets all elements; those that it lacks become nil.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    /// The attributes that it is made of. Composites may nest.
    ///
    /// Default values, and rules for values, are those of the elements. Traps if two have the same name, and once a
    /// coordinator uses the model.
    open var elements: [NSAttributeDescription] = [] {
        willSet {
            requireMutable()
            requireDistinctNames(newValue)
        }
    }

    /// The name of the definition in the model's document, which several attributes may share.
    package var compositeName: String? { willSet { requireMutable() } }

    /// Makes a composite attribute without elements. Its type is `.composite`.
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
            programmerError("The composite attribute \(place) has two elements named \"\(element.name)\"; rename one.")
        }
    }
}

/// A copy, of the same type.
func copied<Description: NSPropertyDescription>(_ description: Description) -> Description {
    let copy = type(of: description).init()
    copy.assign(from: description)
    return copy
}
