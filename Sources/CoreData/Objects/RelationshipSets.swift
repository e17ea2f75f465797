import FoundationGaps

/// The members of a to-many relationship as key-value coding gives them: a view that shows later changes.
final class RelationshipSet: NSSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(objects: nil, count: 0)
    }

    required init?(coder: NSCoder) { nil }

    override var count: Int { owner.loadedToMany(slot).count }

    override func member(_ object: Any) -> Any? {
        guard let member = object as? NSManagedObject, owner.contains(member, slot) else { return nil }
        return member
    }

    override func objectEnumerator() -> NSEnumerator { owner.memberObjects(slot).makeEnumerator() }

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: owner.memberObjects(slot)) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: owner.memberObjects(slot)) }
}

/// The members of an ordered relationship: a view that shows later changes.
final class RelationshipOrderedSet: NSOrderedSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(objects: nil, count: 0)
    }

    required init?(coder: NSCoder) { nil }

    required convenience init(arrayLiteral elements: Any...) { RelationshipViews.cannotStandAlone() }

    override var count: Int { owner.loadedToMany(slot).count }

    override func object(at index: Int) -> Any { owner.memberObject(at: index, slot) }

    override func index(of object: Any) -> Int { owner.index(of: object, slot) }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: owner.memberObjects(slot)) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: owner.memberObjects(slot)) }
}

/// What `mutableSetValue(forKey:)` gives: changes go through to the relationship, inverse included.
final class RelationshipMutableSet: NSMutableSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(capacity: 0)
    }

    required init?(coder: NSCoder) { nil }

    required init(capacity numItems: Int) { RelationshipViews.cannotStandAlone() }

    override var count: Int { owner.loadedToMany(slot).count }

    override func member(_ object: Any) -> Any? {
        guard let member = object as? NSManagedObject, owner.contains(member, slot) else { return nil }
        return member
    }

    override func objectEnumerator() -> NSEnumerator { owner.memberObjects(slot).makeEnumerator() }

    override func add(_ object: Any) { owner.insertMember(owner.managedObject(object, slot), slot) }

    override func remove(_ object: Any) { owner.removeMember(owner.managedObject(object, slot), slot) }
}

/// What `mutableOrderedSetValue(forKey:)` gives.
final class RelationshipMutableOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(capacity: 0)
    }

    required init?(coder: NSCoder) { nil }

    override init(capacity numItems: Int) { RelationshipViews.cannotStandAlone() }

    required convenience init(arrayLiteral elements: Any...) { RelationshipViews.cannotStandAlone() }

    override var count: Int { owner.loadedToMany(slot).count }

    override func object(at index: Int) -> Any { owner.memberObject(at: index, slot) }

    override func index(of object: Any) -> Int { owner.index(of: object, slot) }

    override func insert(_ object: Any, at index: Int) {
        owner.edit(slot) { $0.insert(owner.managedObject(object, slot), at: index) }
    }

    override func removeObject(at index: Int) { owner.edit(slot) { $0.remove(at: index) } }

    override func replaceObject(at index: Int, with object: Any) {
        owner.edit(slot) { $0[index] = owner.managedObject(object, slot) }
    }
}

enum RelationshipViews {
    /// The views' classes inherit initialisers that make no sense for them.
    static func cannotStandAlone() -> Never {
        preconditionFailure(
            "A view of a relationship's members belongs to its object; copy it, or make an NSMutableSet instead.")
    }
}

/// What the views ask of their object.
extension NSManagedObject {
    func contains(_ member: NSManagedObject, _ slot: PropertySlot) -> Bool {
        fireIfNeeded()
        return toManyState(slot).contains(member.reference) ?? members(slot).contains(member.reference)
    }

    func memberObject(at index: Int, _ slot: PropertySlot) -> NSManagedObject {
        let members = members(slot)
        precondition(
            members.indices.contains(index),
            "Index \(index) is beyond the \(members.count) members of \"\(slot.name)\" of \(layout.name).")
        guard let context = contextStorage else { preconditionFailure("\(layout.name) is in no context any longer.") }
        return context.object(for: members[index])
    }

    func index(of object: Any, _ slot: PropertySlot) -> Int {
        guard let member = object as? NSManagedObject else { return NSNotFound }
        return members(slot).firstIndex(of: member.reference) ?? NSNotFound
    }

    /// Changes the ordered members as an array.
    func edit(_ slot: PropertySlot, _ change: (inout [NSManagedObject]) -> Void) {
        var members = memberObjects(slot)
        change(&members)
        setMembers(members, slot)
    }

    func managedObject(_ object: Any, _ slot: PropertySlot) -> NSManagedObject {
        guard let object = object as? NSManagedObject else {
            preconditionFailure(
                "Unacceptable type of value for \"\(slot.name)\" of \(layout.name): \(type(of: object)) is no managed object."
            )
        }
        return object
    }
}

extension [NSManagedObject] {
    fileprivate func makeEnumerator() -> NSEnumerator { NSArray(array: self).objectEnumerator() }
}
