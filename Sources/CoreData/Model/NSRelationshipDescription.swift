import FoundationGaps

/// What happens to the destinations of a relationship when the source is deleted.
///
/// The rule belongs to the relationship of the deleted object. It runs when pending changes are processed, and not at
/// once (<doc:DeleteRules>). It is no part of the version hash.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing happens: the inverse relationship keeps leading to a missing row.
    ///
    /// Code has to clean up itself. A *new* relationship to a deleted object is not saved: 1550.
    case noActionDeleteRule = 0
    /// The inverse relationship of the destinations forgets the source. The default.
    ///
    /// Without an inverse, nothing changes in the destinations.
    case nullifyDeleteRule = 1
    /// The destinations are deleted too, with their own rules. Circles come to an end.
    ///
    /// Use it from an owner to its parts. ``NSManagedObject/prepareForDeletion()`` is called for each of them.
    case cascadeDeleteRule = 2
    /// The save fails while there are destinations that are not deleted.
    ///
    /// The error is `NSValidationRelationshipDeniedDeleteError` (1600), one for each such relationship.
    case denyDeleteRule = 3
}

/// A relationship: a property with a value that is an object of another entity, or a set of them.
///
/// ```swift
/// let team = NSEntityDescription(), player = NSEntityDescription()
/// let players = NSRelationshipDescription(), playersTeam = NSRelationshipDescription()
/// (players.name, playersTeam.name) = ("players", "team")
/// players.destinationEntity = player
/// playersTeam.destinationEntity = team
/// playersTeam.maxCount = 1                        // to-one
/// players.inverseRelationship = playersTeam       // both sides
/// playersTeam.inverseRelationship = players
/// team.properties = [players]
/// player.properties = [playersTeam]
/// ```
///
/// With an inverse, setting one side sets the other side at once. Give every relationship an inverse: without one, an
/// object that led to a deleted object still leads there. <doc:RelationshipGuide> shows the kinds of relationships in
/// use.
///
/// A relationship does not keep its destination and its inverse. The model keeps them.
open class NSRelationshipDescription: NSPropertyDescription {
    /// The entity of the objects at the other end. Objects of its subentities may be there, too.
    ///
    /// It must be in the same model: a coordinator traps otherwise. It is a part of the version hash.
    open var destinationEntity: NSEntityDescription? {
        get { destination?.entity }
        set {
            requireMutable()
            destination = newValue?.handle
        }
    }
    private var destination: EntityHandle?
    /// The relationship in the other direction; nil: none.
    ///
    /// Set it on both sides. A relationship may be its own inverse, as `friends` of an entity `Person`. The inverse
    /// belongs to the destination entity or to a parent of it.
    open weak var inverseRelationship: NSRelationshipDescription? { willSet { requireMutable() } }
    /// The greatest number of members. 1 is a to-one relationship, and 0 means no limit. Default: 0.
    ///
    /// More members than a limit fail the save with `NSValidationRelationshipExceedsMaximumCountError` (1590). It is a
    /// part of the version hash.
    open var maxCount = 0 { willSet { requireMutable() } }
    /// The least number of members. Default: 0.
    ///
    /// Fewer members fail the save with `NSValidationRelationshipLacksMinimumCountError` (1580). An optional
    /// relationship may be empty all the same. A to-one relationship is checked by ``NSPropertyDescription/isOptional``
    /// alone. It is a part of the version hash.
    open var minCount = 0 { willSet { requireMutable() } }
    /// What happens to the destinations when the source is deleted. Default: nullify.
    ///
    /// ```swift
    /// let players = NSRelationshipDescription()
    /// players.deleteRule = .cascadeDeleteRule         // a team takes its players with it
    /// ```
    open var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { requireMutable() } }
    /// Whether a to-many relationship keeps an order. Default: false.
    ///
    /// Its values are ordered sets: change them with ``NSManagedObject/mutableOrderedSetValue(forKey:)``, or with the
    /// generated methods. Keeping the order costs a column in the store. Where the order follows from a value, sort
    /// instead. It is a part of the version hash.
    open var isOrdered = false { willSet { requireMutable() } }

    /// Whether there may be more than one member: ``maxCount`` is not 1.
    open var isToMany: Bool { maxCount != 1 }

    override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSRelationshipDescription else { return }
        destinationEntity = other.destinationEntity
        inverseRelationship = other.inverseRelationship
        maxCount = other.maxCount
        minCount = other.minCount
        deleteRule = other.deleteRule
        isOrdered = other.isOrdered
    }
}
