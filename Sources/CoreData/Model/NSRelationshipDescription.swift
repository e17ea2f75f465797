import FoundationGaps

/// What happens to the destinations of a relationship when the source is deleted.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: their inverse keeps pointing at what is gone.
    case noActionDeleteRule = 0
    /// Their inverse is cleared.
    case nullifyDeleteRule = 1
    /// They are deleted too.
    case cascadeDeleteRule = 2
    /// The deletion fails at save while there are any.
    case denyDeleteRule = 3
}

/// A relationship: a property with a value that is an object of another entity, or a set of them.
///
/// It knows destination and inverse without keeping them; their model does.
open class NSRelationshipDescription: NSPropertyDescription {
    /// The entity of the objects at the other end.
    open var destinationEntity: NSEntityDescription? {
        get { destination?.entity }
        set {
            requireMutable()
            destination = newValue?.handle
        }
    }
    private var destination: EntityHandle?
    /// The relationship in the other direction. Set it on both sides.
    open weak var inverseRelationship: NSRelationshipDescription? { willSet { requireMutable() } }
    /// The greatest number of objects: 1 is a to-one relationship, 0 has no limit. Default: 0.
    open var maxCount = 0 { willSet { requireMutable() } }
    /// The least number of objects. It counts only if the relationship has any object, or must have one.
    open var minCount = 0 { willSet { requireMutable() } }
    /// What becomes of the objects at the other end when the source is deleted. Default: nullify.
    open var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { requireMutable() } }
    /// Whether a to-many relationship keeps an order.
    open var isOrdered = false { willSet { requireMutable() } }

    /// Whether there may be more than one object at the other end: `maxCount` is not 1.
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
