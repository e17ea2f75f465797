import FoundationGaps

extension NSManagedObject: KeyValueCoding {
    /// The members of a to-many relationship as a set whose changes go through to the relationship.
    public func mutableSetValue(forKey key: String) -> NSMutableSet {
        let slot = declaredSlot(key)
        precondition(
            slot.kind == .toMany,
            "\"\(key)\" of \(layout.name) is no unordered to-many relationship; use mutableOrderedSetValue(forKey:) for an ordered one."
        )
        return RelationshipMutableSet(self, slot)
    }

    /// The members of an ordered relationship as an ordered set whose changes go through to the relationship.
    public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        let slot = declaredSlot(key)
        precondition(slot.kind == .orderedToMany, "\"\(key)\" of \(layout.name) is no ordered to-many relationship.")
        return RelationshipMutableOrderedSet(self, slot)
    }

    /// The value of a property, or a new one.
    public subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }

    /// What a key that the model does not know means: the pseudo-keys of predicates, else the class's own affair.
    func undeclaredValue(forKey key: String) -> Any? {
        switch key {
        case _ where isProbe: sample(forKey: key)
        case "self": self
        case "objectID": objectID
        case "entity": entity
        default: value(forUndefinedKey: key)
        }
    }
}
