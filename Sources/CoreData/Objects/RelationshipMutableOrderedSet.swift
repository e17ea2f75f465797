import FoundationGaps

/// What `mutableOrderedSetValue(forKey:)` gives, and `value(forKey:)` of an ordered relationship: changes go through to
/// the relationship, inverse included.
///
/// Its own storage is kept equal to the relationship, for those of Foundation's methods that read nothing else and
/// can't be overridden. One member that changes is changed in the relationship first, and the storage follows. A change
/// of many is made in the storage first, by Foundation. Its methods may call each other; what came of it is what the
/// relationship then gets.
final class RelationshipMutableOrderedSet: NSMutableOrderedSet {
    /// The object that has the relationship. Its members' state clears this when it goes, by ``detach()``.
    private unowned(unsafe) var owner: NSManagedObject?
    private let slot: PropertySlot
    /// Whether the context keeps the owner alive, for the app may hold nothing but the set.
    var ownerIsKept = false
    /// Whether the own storage is changed.
    private var isChanging = false
    private var isStale = false

    init(_ owner: NSManagedObject, _ slot: PropertySlot, _ members: [NSManagedObject]) {
        self.owner = owner
        self.slot = slot
        var members = members as [AnyObject]
        super.init(objects: &members, count: members.count)
    }

    override init(capacity numItems: Int) {
        programmerError("A relationship's members belong to their object; make an NSMutableOrderedSet instead.")
    }

    required convenience init(arrayLiteral elements: Any...) { self.init(capacity: elements.count) }

    required init?(coder: NSCoder) { nil }

    // MARK: Life

    /// It is no relationship's any longer, and a plain set.
    func detach() { owner = nil }

    /// The relationship may have other members than the storage: that is looked at when the context is through with
    /// what it does.
    func noteStale() {
        guard !isStale, let owner else { return }
        isStale = true
        owner.contextReference?._withUnsafeGuaranteedRef { $0.held.ownersOfStaleSets.append((owner, slot)) }
    }

    /// - Returns: Whether it was noted as stale.
    func takeStale() -> Bool {
        defer { isStale = false }
        return isStale
    }

    /// Whether the own storage alone is to be read and changed.
    private var isAlone: Bool { isChanging || owner == nil }

    private func bringUpToDate() { if !isAlone { owner?.bringUpToDate(self, slot) } }

    func alone(_ body: () -> Void) {
        let wasChanging = isChanging
        isChanging = true
        body()
        isChanging = wasChanging
    }

    /// Changes the relationship, or the storage where that alone is changed.
    private func change(_ relationship: (NSManagedObject) -> Void, storage: () -> Void) {
        guard !isAlone, let owner else { return storage() }
        withExtendedLifetime(owner) {
            owner.bringUpToDate(self, slot)
            relationship(owner)
        }
    }

    // MARK: Reading

    override var count: Int {
        bringUpToDate()
        return super.count
    }

    override func object(at index: Int) -> Any {
        bringUpToDate()
        return super.object(at: index)
    }

    override func index(of object: Any) -> Int {
        isAlone ? super.index(of: object) : owner?.index(of: object, slot) ?? NSNotFound
    }

    override func contains(_ object: Any) -> Bool {
        if isAlone { return super.contains(object) }
        guard let owner, let object = object as? NSManagedObject else { return false }
        return owner.contains(object, slot)
    }

    override subscript(index: Int) -> Any {
        get { object(at: index) }
        set { setObject(newValue, at: index) }
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: array) }

    // MARK: Changing one member

    override func add(_ object: Any) {
        change {
            $0.insertMember($0.managedObject(object, slot), slot)
        } storage: {
            super.add(object)
        }
    }

    override func remove(_ object: Any) {
        change {
            $0.removeMember($0.managedObject(object, slot), slot)
        } storage: {
            super.remove(object)
        }
    }

    override func insert(_ object: Any, at index: Int) {
        change {
            $0.insertMember($0.managedObject(object, slot), at: index, slot)
        } storage: {
            super.insert(object, at: index)
        }
    }

    override func removeObject(at index: Int) {
        change {
            $0.removeMember(at: index, slot)
        } storage: {
            super.removeObject(at: index)
        }
    }

    override func replaceObject(at index: Int, with object: Any) {
        change {
            $0.replaceMember(at: index, with: $0.managedObject(object, slot), slot)
        } storage: {
            super.replaceObject(at: index, with: object)
        }
    }

    override func setObject(_ object: Any, at index: Int) {
        change {
            if index == count { return $0.insertMember($0.managedObject(object, slot), slot) }
            $0.replaceMember(at: index, with: $0.managedObject(object, slot), slot)
        } storage: {
            super.setObject(object, at: index)
        }
    }

    override func exchangeObject(at first: Int, withObjectAt second: Int) {
        change {
            let (front, back) = first < second ? (first, second) : (second, first)
            if front == back { return }
            $0.moveMember(from: back, to: front, slot)
            $0.moveMember(from: front + 1, to: back, slot)
        } storage: {
            super.exchangeObject(at: first, withObjectAt: second)
        }
    }

    /// After a move in the relationship: the storage follows.
    func follow(moveFrom index: Int, to target: Int) {
        alone {
            let member = super.object(at: index)
            super.removeObject(at: index)
            super.insert(member, at: target)
        }
    }

    // MARK: Changing many

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        change { super.add(objects, count: count) }
    }

    override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }

    override func insert(_ objects: [Any], at indexes: IndexSet) { change { super.insert(objects, at: indexes) } }

    override func moveObjects(at indexes: IndexSet, to index: Int) {
        guard indexes.count == 1, let first = indexes.first else {
            return change { super.moveObjects(at: indexes, to: index) }
        }
        change {
            $0.moveMember(from: first, to: index, slot)
        } storage: {
            super.moveObjects(at: indexes, to: index)
        }
    }

    override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
        change { super.replaceObjects(in: range, with: objects, count: count) }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        change { super.replaceObjects(at: indexes, with: objects) }
    }

    override func removeObjects(in range: NSRange) { change { super.removeObjects(in: range) } }

    override func removeObjects(at indexes: IndexSet) { change { super.removeObjects(at: indexes) } }

    override func removeObjects(in array: [Any]) { change { super.removeObjects(in: array) } }

    override func removeAllObjects() { change { super.removeAllObjects() } }

    /// Foundation's own never returns (Swift 6.3 on Linux) where a member goes.
    override func intersect(_ other: NSOrderedSet) { intersectSet(other.set) }

    override func minus(_ other: NSOrderedSet) { change { super.minus(other) } }

    override func union(_ other: NSOrderedSet) { change { super.union(other) } }

    override func intersectSet(_ other: Set<AnyHashable>) { change { super.intersectSet(other) } }

    override func minusSet(_ other: Set<AnyHashable>) { change { super.minusSet(other) } }

    override func unionSet(_ other: Set<AnyHashable>) { change { super.unionSet(other) } }

    // MARK: Sorting

    override func sort(comparator: (Any, Any) -> ComparisonResult) { change { super.sort(comparator: comparator) } }

    override func sort(options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult) {
        change { super.sort(options: options, usingComparator: comparator) }
    }

    override func sortRange(
        _ range: NSRange, options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
    ) {
        change { super.sortRange(range, options: options, usingComparator: comparator) }
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) { change { super.sort(using: sortDescriptors) } }

    // MARK: How

    /// Lets Foundation change the own storage, and gives the relationship what came of it.
    private func change(_ body: () -> Void) {
        guard !isAlone, let owner else { return body() }
        withExtendedLifetime(owner) {
            let before = owner.memberObjects(slot)
            owner.bringUpToDate(self, slot)
            var after: [NSManagedObject] = []
            alone {
                body()
                after = array.map { owner.managedObject($0, slot) }
            }
            if !after.elementsEqual(before, by: ===) { owner.setMembers(after, slot) }
        }
    }
}
