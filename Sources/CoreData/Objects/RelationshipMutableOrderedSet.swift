import FoundationGaps

/// What `mutableOrderedSetValue(forKey:)` gives: changes go through to the relationship, inverse included.
///
/// Its own storage is kept equal to the relationship, for those of Foundation's methods that read nothing else and can't
/// be overridden. A change is made in that storage first, by Foundation, whose methods may call each other; what came of
/// it is what the relationship then gets.
final class RelationshipMutableOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot
    /// Whether Foundation is at work in the own storage.
    private var isChanging = false

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        var members = owner.memberObjects(slot) as [AnyObject]
        super.init(objects: &members, count: members.count)
    }

    override init(capacity numItems: Int) {
        preconditionFailure("A relationship's members belong to their object; make an NSMutableOrderedSet instead.")
    }

    required convenience init(arrayLiteral elements: Any...) { self.init(capacity: elements.count) }

    required init?(coder: NSCoder) { nil }

    // MARK: Reading

    override var count: Int { isChanging ? super.count : owner.loadedToMany(slot).count }

    override func object(at index: Int) -> Any {
        isChanging ? super.object(at: index) : owner.memberObject(at: index, slot)
    }

    override func index(of object: Any) -> Int {
        isChanging ? super.index(of: object) : owner.index(of: object, slot)
    }

    override func contains(_ object: Any) -> Bool {
        isChanging ? super.contains(object) : (object as? NSManagedObject).map { owner.contains($0, slot) } ?? false
    }

    override subscript(index: Int) -> Any {
        get { object(at: index) }
        set { setObject(newValue, at: index) }
    }

    // MARK: Changing one member

    override func add(_ object: Any) {
        if isChanging { return super.add(object) }
        // Adding is what is done to long relationships: it looks at no other member.
        alone { super.add(object) }
        owner.insertMember(owner.managedObject(object, slot), slot)
    }

    override func remove(_ object: Any) {
        if isChanging { return super.remove(object) }
        alone { super.remove(object) }
        owner.removeMember(owner.managedObject(object, slot), slot)
    }

    override func insert(_ object: Any, at index: Int) { change { super.insert(object, at: index) } }

    override func removeObject(at index: Int) { change { super.removeObject(at: index) } }

    override func replaceObject(at index: Int, with object: Any) {
        change { super.replaceObject(at: index, with: object) }
    }

    override func setObject(_ object: Any, at index: Int) { change { super.setObject(object, at: index) } }

    override func exchangeObject(at first: Int, withObjectAt second: Int) {
        change { super.exchangeObject(at: first, withObjectAt: second) }
    }

    // MARK: Changing many

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        change { super.add(objects, count: count) }
    }

    override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }

    override func insert(_ objects: [Any], at indexes: IndexSet) { change { super.insert(objects, at: indexes) } }

    override func moveObjects(at indexes: IndexSet, to index: Int) {
        change { super.moveObjects(at: indexes, to: index) }
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
        if isChanging { return body() }
        let before = owner.memberObjects(slot)
        alone {
            if !array.elementsEqual(before, by: { $0 as AnyObject === $1 }) {
                super.removeAllObjects()
                super.addObjects(from: before)
            }
            body()
        }
        let after = array.map { owner.managedObject($0, slot) }
        if !after.elementsEqual(before, by: ===) { owner.setMembers(after, slot) }
    }

    private func alone(_ body: () -> Void) {
        isChanging = true
        body()
        isChanging = false
    }
}
