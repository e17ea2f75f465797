import FoundationGaps

/// What makes up the value of one property of a destination object.
///
/// ```swift
/// let mapping = NSPropertyMapping()
/// mapping.name = "fullName"
/// mapping.valueExpression = NSExpression(format: "$source.lastName")
/// ```
///
/// An ``NSEntityMapping`` has one for each attribute and each relationship that it sets. A property without a mapping
/// has its default value, and a relationship without one is empty.
open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    ///
    /// A migration with a mapping of no name, or of a property that the entity does not have, throws `NSMigrationError`
    /// (134110).
    open var name: String?

    /// The expression that gives the value; nil leaves the property as it is.
    ///
    /// It may use these variables:
    ///
    /// | variable | value |
    /// |---|---|
    /// | `$source` | the source object |
    /// | `$destination` | the destination object |
    /// | `$manager` | the ``NSMigrationManager`` |
    /// | `$entityMapping` | the ``NSEntityMapping`` |
    /// | `$propertyMapping` | this mapping |
    /// | `$entityPolicy` | the ``NSEntityMigrationPolicy`` |
    ///
    /// `FUNCTION($entityPolicy, "initialsOf:", $source.name)` calls a method of the policy. See
    /// ``NSEntityMigrationPolicy``. A relationship takes destination objects, which `FUNCTION($manager,
    /// "destinationInstancesForEntityMappingNamed:sourceInstances:", "PlayerToAthlete", $source.players)` gives.
    open var valueExpression: NSExpression?

    /// Entries for the app's own use. A compiled mapping model keeps those that a property list can hold.
    ///
    /// Xcode's editor writes none.
    open var userInfo: [AnyHashable: Any]?

    /// Makes a mapping of no property. Set ``name`` and ``valueExpression``.
    public override init() { super.init() }

    /// The name and the expression, for a log.
    open override var description: String {
        "<NSPropertyMapping> (name: \(name ?? "nil"), value: \(valueExpression?.description ?? "nil"))"
    }
}
