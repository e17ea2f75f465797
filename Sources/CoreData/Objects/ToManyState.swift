import FoundationGaps

/// The members of one to-many relationship of one object: those in the store, and this context's changes to them.
///
/// The store is asked for its members when the members are needed. Until then additions and removals are kept beside,
/// so that adding one member to a hundred thousand loads none of them.
final class ToManyState {
    // Exclusive access is not checked at run time: no method calls foreign code while it changes a property. Members
    // that are let go are released after the change, for an app's `deinit` may run then.

    /// The members that the store has, in order where the relationship is ordered; nil until they are asked for.
    @exclusivity(unchecked) private(set) var stored: [ObjectReference]?
    @exclusivity(unchecked) private var storedSet: Set<ObjectReference>?
    @exclusivity(unchecked) private(set) var removed = ReferenceSet()
    /// In the order of their addition. Those from ``indexed`` on are not in the set yet, and may be there twice.
    @exclusivity(unchecked) private var additions: [ObjectReference] = []
    @exclusivity(unchecked) private var additionSet = ReferenceSet()
    @exclusivity(unchecked) private var indexed = 0
    /// All members in an order that was set by hand.
    @exclusivity(unchecked) private var order: GapList<ObjectReference>?

    /// How many members there are, where the store's are known and changed; nil until the count is asked for.
    @exclusivity(unchecked) private var knownCount: Int?

    /// Counts the changes, for code that enumerates the members.
    @exclusivity(unchecked) private(set) var changeNumber = 0

    /// The rows of members that were prefetched: as long as they are held here, the row cache has them.
    private var prefetchedRows: [RowSnapshot] = []
    /// The object that has the rows.
    private weak var coordinator: NSPersistentStoreCoordinator?
    /// What keeps the objects between here and what was prefetched alive.
    private var prefetchedObjects: [AnyObject] = []

    private let isOrdered: Bool
    /// What `value(forKey:)` handed out, while other code holds it.
    weak var view: (any MemberView)?
    /// The same, held here for the next read.
    @exclusivity(unchecked) var keptView: NSObject?
    /// Whether the view has to be filled anew at its next read.
    var isViewStale = false
    /// Whether the view shows no members because the object's deletion ended the relationship.
    private var showsNone = false
    /// How many objects had left the context when the view was filled.
    var viewDepartures: UInt = 0
    /// The members as objects, which are kept alive here.
    @exclusivity(unchecked) private(set) var held = HeldMembers<NSManagedObject>()
    /// What `primitiveValue(forKey:)` handed out: members that an accessor may change before it announces the change.
    var draft: (any MemberView)?
    /// The members before a primitive value was set: the inverses still go by them.
    var beforePrimitive: [ObjectReference]?

    /// - Parameter stored: The store's members if they are known: none for an inserted object.
    init(stored: [ObjectReference]? = nil, isOrdered: Bool) {
        self.stored = stored
        self.isOrdered = isOrdered
    }

    deinit {
        letRowsGo()
        (view as? RelationshipMutableOrderedSet)?.detach()
    }

    var isChanged: Bool { !additions.isEmpty || !removed.isEmpty || order != nil }

    /// Whether the store's members are known.
    var isLoaded: Bool { stored != nil }

    /// Takes the members that the store has. This context's changes stay, as far as the store does not have them
    /// already. Members that came since follow an order that was set by hand.
    func load(_ members: [ObjectReference]) {
        if stored == nil, let order = order?.elements {
            let (known, here) = (Set(order), Set(members))
            self.order = GapList(
                order.filter { here.contains($0) || isAddition($0) }
                    + members.filter { !known.contains($0) && !removed.contains($0) })
        }
        stored = members
        storedSet = nil
        if isChanged { forgetWhatIsStored() }
        reconsider()
        letRowsGo()
        prefetchedObjects = []
    }

    /// A member that the store has was not added, and one that the store lacks was not removed: that was not known
    /// before.
    private func forgetWhatIsStored() {
        setAdditions(added.filter { !storedMembers.contains($0) || removed.contains($0) })
        if !removed.isEmpty { removed = ReferenceSet(removed.members.filter(storedMembers.contains)) }
    }

    /// Keeps the rows of members at hand, until the relationship is forgotten or read anew.
    func keep(_ rows: [RowSnapshot], of coordinator: NSPersistentStoreCoordinator) {
        prefetchedRows = rows
        self.coordinator = coordinator
    }

    private func letRowsGo() {
        guard hasRows else { return }
        let count = prefetchedRows.count
        prefetchedRows = []
        coordinator?.noteUnused(rows: count)
    }

    /// Whether the rows of the members that the store has are kept.
    var hasRows: Bool { !prefetchedRows.isEmpty }

    /// Keeps the objects through which a prefetched key path goes on from the members.
    func keepAlive(_ objects: AnyObject) { prefetchedObjects.append(objects) }

    /// The members now, in order. The store's must have been loaded.
    var members: [ObjectReference] {
        if let order = order?.elements { return order }
        let kept = removed.isEmpty ? stored ?? [] : (stored ?? []).filter { !removed.contains($0) }
        guard !added.isEmpty else { return kept }
        let known = storedMembers
        return kept + added.filter { !known.contains($0) || removed.contains($0) }
    }

    var count: Int {
        if let order { return order.count }
        guard isChanged else { return stored?.count ?? 0 }
        if removed.isEmpty, stored?.isEmpty ?? true { return added.count }
        if let knownCount { return knownCount }
        knownCount = members.count
        return members.count
    }

    /// Whether `member` is one now, or nil where only the store knows.
    func contains(_ member: ObjectReference) -> Bool? {
        if isAddition(member) { return true }
        if removed.contains(member) { return false }
        return stored == nil ? nil : storedMembers.contains(member)
    }

    /// - Returns: Whether anything changed.
    @discardableResult
    func add(_ member: ObjectReference) -> Bool {
        guard insert(member) else { return false }
        changeNumber &+= 1
        knownCount = knownCount.map { $0 + 1 }
        return true
    }

    private func insert(_ member: ObjectReference) -> Bool {
        if order == nil, removed.isEmpty, stored?.isEmpty ?? true { return addNew(member) }
        if order?.elements.contains(member) ?? false { return false }
        order?.elements.append(member)
        if removed.contains(member) {
            // In an ordered relationship it comes back at the end, not at its old place.
            if !isOrdered {
                removed.remove(member)
                // Where the store's members are not known, it counts as added too: it may not be among them.
                if stored != nil, storedMembers.contains(member) { return true }
            }
        } else if stored != nil, storedMembers.contains(member) {
            return false
        }
        return addNew(member)
    }

    private func addNew(_ member: ObjectReference) -> Bool {
        index()
        guard additionSet.insert(member) else { return false }
        additions.append(member)
        indexed += 1
        return true
    }

    /// Adds a member. Its own side has just come to point here.
    ///
    /// It is hardly a member already. To find out takes a set, which is made at the first question, after many more
    /// additions perhaps.
    ///
    /// - Returns: Whether anything changed, as far as that is known.
    func addInverse(_ member: ObjectReference) -> Bool {
        guard order == nil, removed.isEmpty, stored?.isEmpty ?? true, !isHolding else { return add(member) }
        changeNumber &+= 1
        knownCount = nil
        additions.append(member)
        return true
    }

    /// - Returns: Whether anything changed.
    @discardableResult
    func remove(_ member: ObjectReference) -> Bool {
        guard removeReference(member) else { return false }
        changeNumber &+= 1
        knownCount = knownCount.map { $0 - 1 }
        return true
    }

    private func removeReference(_ member: ObjectReference) -> Bool {
        order?.elements.removeAll { $0 == member }
        if removeAddition(member) {
            // It may be in the store all the same: that was not known when it was added.
            if stored == nil || storedMembers.contains(member) { removed.insert(member) }
            return true
        }
        if stored != nil, !storedMembers.contains(member) { return false }
        return removed.insert(member)
    }

    // MARK: Order

    /// Makes an object the member at an index. The store's must have been loaded.
    ///
    /// - Returns: Whether it was none.
    func insert(_ member: ObjectReference, at index: Int) -> Bool {
        if contains(member) ?? true { return false }
        beginOrder()
        order?.insert(member, at: index)
        if !removed.remove(member) || !storedMembers.contains(member) { _ = addNew(member) }
        changeNumber &+= 1
        return true
    }

    /// - Parameter index: Where the member is, unless it has moved since.
    /// - Returns: Where it was; nil where it is no member.
    func remove(_ member: ObjectReference, near index: Int) -> Int? {
        beginOrder()
        guard let place = order?.place(of: member, near: index) else { return nil }
        order?.remove(at: place)
        if !removeAddition(member) || storedMembers.contains(member) { removed.insert(member) }
        changeNumber &+= 1
        return place
    }

    /// Moves a member to another index.
    func move(from index: Int, to target: Int) {
        beginOrder()
        if let member = order?.remove(at: index) { order?.insert(member, at: target) }
        changeNumber &+= 1
    }

    private func beginOrder() {
        if order == nil { order = GapList(members) }
        knownCount = nil
    }

    /// Sets all members in their order. The store's must have been loaded.
    func setOrder(_ members: [ObjectReference]) {
        changeNumber &+= 1
        reconsider()
        let wanted = Set(members)
        removed = ReferenceSet(storedMembers.subtracting(wanted))
        setAdditions(members.filter { !storedMembers.contains($0) })
        order = GapList(members)
    }

    /// Sets all members; the order counts where the relationship is ordered. The store's must have been loaded.
    func assign(_ members: [ObjectReference]) {
        if isOrdered { return members == self.members ? () : setOrder(members) }
        let (before, after) = (Set(self.members), Set(members))
        before.subtracting(after).forEach { remove($0) }
        for member in members where !before.contains(member) { add(member) }
    }

    /// After a save: what was changed is what the store has.
    func commit() {
        (draft, beforePrimitive) = (nil, nil)
        keepingMembers {
            let saved = stored.map { _ in members }
            forgetChanges()
            if let saved { load(saved) }
        }
    }

    /// Runs `body`, which changes references but no members: what is held stays as right, or as stale, as it was.
    private func keepingMembers(_ body: () -> Void) {
        let (wasLoaded, wasStale, wasCurrent) = (isLoaded, isViewStale, held.isCurrent)
        body()
        guard wasLoaded else { return }
        held.isCurrent = wasCurrent
        isViewStale = wasStale
    }

    /// Follows references that were replaced by permanent ones, or back.
    func replace(_ assignment: KeyAssignment) {
        guard isChanged else { return }
        func new(_ old: ObjectReference) -> ObjectReference { assignment.replacement(of: old) ?? old }
        keepingMembers {
            reconsider()
            setAdditions(additions.map(new))
            if !removed.isEmpty { removed = ReferenceSet(removed.members.map(new)) }
            order = (order?.elements.map(new)).map { GapList($0) }
        }
    }

    /// Has the store's members be asked for anew; this context's changes stay.
    ///
    /// - Parameter forgettingOrder: Whether an order that was set by hand goes.
    func outdate(forgettingOrder: Bool = false) {
        if forgettingOrder { order = nil }
        stored = nil
        storedSet = nil
        reconsider()
        letRowsGo()
        prefetchedObjects = []
    }

    /// Forgets members that are gone from the store.
    func drop(_ gone: Set<ObjectReference>) {
        if let stored { load(stored.filter { !gone.contains($0) }) }
        reconsider()
        setAdditions(additions.filter { !gone.contains($0) })
        gone.forEach { removed.remove($0) }
        order?.elements.removeAll { gone.contains($0) }
    }

    /// Forgets that a member was added or removed.
    func forgetChange(of member: ObjectReference) {
        reconsider()
        if removeAddition(member) {
            order?.elements.removeAll { $0 == member }
        }
        if removed.remove(member) { order?.elements.append(member) }
    }

    func forgetChanges() {
        reconsider()
        (draft, beforePrimitive) = (nil, nil)
        setAdditions([])
        removed = ReferenceSet()
        order = nil
    }

    /// Notes that more changed than one member.
    func reconsider() {
        knownCount = nil
        isViewStale = true
        held.isCurrent = false
        (view as? RelationshipMutableOrderedSet)?.noteStale()
    }

    /// Has what was handed out show no members, though there are some: the object's deletion ended the relationship.
    func showNone() {
        draft?.show([])
        draft = nil
        // An ordered set looks for itself when it is read.
        if isOrdered { return reconsider() }
        guard let view else { return }
        view.show([])
        (isViewStale, showsNone) = (true, true)
    }

    /// Whether ``showNone()`` emptied an unordered set that nothing has filled since. The caller is to fill it.
    func takeShowsNone() -> Bool {
        defer { showsNone = false }
        return showsNone
    }

    // MARK: Objects

    /// Whether the members are kept alive.
    var isHolding: Bool { held.isHolding }

    /// Keeps the members alive.
    ///
    /// - Parameter departures: How many objects have left the context.
    func hold(_ objects: [NSManagedObject], departures: UInt) {
        let old = held.hold(GapList(objects), areAll: objects.count == count, at: changeNumber, departures)
        withExtendedLifetime(old) {}
    }

    /// The members as they are held, if that is what they are now. The context is only compared: nothing has to keep
    /// it.
    @inline(__always)
    func heldObjects(
        _ departures: UInt, in context: Unmanaged<NSManagedObjectContext>?
    ) -> [NSManagedObject]? {
        held.members(at: changeNumber, departures, in: context?.toOpaque())
    }

    /// One of the members as they are held, if all are. Nothing has to keep the context.
    func heldObject(
        _ index: Int, _ departures: UInt, in context: Unmanaged<NSManagedObjectContext>?
    ) -> NSManagedObject? {
        held.member(index, at: changeNumber, departures, in: context?.toOpaque())
    }

    /// After the change of one member: what is held follows.
    func follow(_ member: NSManagedObject, isMember: Bool, at index: Int?) {
        guard isHolding else { return }
        held.follow(member, isMember: isMember, at: index, isOrdered: isOrdered, number: changeNumber)
        if held.isCrowded(count) {
            let old = held.drop { contains($0.reference) ?? true }
            withExtendedLifetime(old) {}
        }
    }

    /// After a move: what is held follows.
    func followMove(from index: Int, to target: Int) { held.followMove(from: index, to: target, number: changeNumber) }

    /// The members as a set of a class's objects. Nothing has to keep the context.
    func heldSet<Object: NSManagedObject>(_ departures: UInt, in context: Unmanaged<NSManagedObjectContext>?) -> Set<
        Object
    >? {
        let type = ObjectIdentifier(Object.self)
        return held.typed(type, at: changeNumber, departures, in: context?.toOpaque()).map {
            unsafeDowncast($0, to: TypedSet<Object>.self).set
        }
    }

    func keep<Object: NSManagedObject>(_ set: Set<Object>) { held.keep(TypedSet(set), at: changeNumber) }

    /// Whether every member is one of a class's objects, for all of the relationship's are.
    func areMembers<Object: NSManagedObject>(_ type: Object.Type, _ find: () -> Bool) -> Bool {
        held.areMembers(ObjectIdentifier(type), find)
    }

    /// Lets go of the members. A set that the app has stays as it is.
    func letMembersGo() {
        held = HeldMembers()
        draft = nil
        keptView = nil
    }

    // MARK: Additions

    /// Members that were added, in the order of their addition.
    var added: [ObjectReference] {
        index()
        return additions
    }

    /// Calls `body` with each member that was added, with some perhaps twice.
    func forEachAddition(_ body: (ObjectReference) throws -> Void) rethrows { try additions.forEach(body) }

    private func isAddition(_ member: ObjectReference) -> Bool {
        index()
        return additionSet.contains(member)
    }

    /// - Returns: Whether the member was among them.
    private func removeAddition(_ member: ObjectReference) -> Bool {
        index()
        guard additionSet.remove(member) else { return false }
        if let place = additions.place(of: member, near: additions.count - 1) { additions.remove(at: place) }
        indexed = additions.count
        return true
    }

    private func setAdditions(_ members: [ObjectReference]) {
        additions = members
        additionSet = ReferenceSet()
        indexed = 0
    }

    /// Enters in the set what was added without a look into it, and lets go of what was there before.
    private func index() {
        guard indexed < additions.count else { return }
        var end = indexed
        for place in indexed..<additions.count where additionSet.insert(additions[place]) {
            additions[end] = additions[place]
            end += 1
        }
        additions.removeLast(additions.count - end)
        indexed = end
    }

    private var storedMembers: Set<ObjectReference> {
        if let storedSet { return storedSet }
        let set = Set(stored ?? [])
        storedSet = set
        return set
    }
}

extension [ObjectReference] {
    /// Where a reference is: most often where it is looked for first.
    fileprivate func place(of member: ObjectReference, near index: Int) -> Int? {
        indices.contains(index) && self[index] == member ? index : firstIndex(of: member)
    }
}

/// The members as a Swift set of a class's objects.
private final class TypedSet<Object: NSManagedObject>: TypedMembers<NSManagedObject> {
    /// Exclusive access is not checked at run time: objects are hashed and compared by their addresses, and the caller
    /// keeps an object that is removed.
    @exclusivity(unchecked) private(set) var set: Set<Object>

    init(_ set: Set<Object>) {
        self.set = set
        super.init(ObjectIdentifier(Object.self))
    }

    override func change(_ member: NSManagedObject, isMember: Bool) {
        guard let member = member as? Object else { return }
        if isMember { set.insert(member) } else { set.remove(member) }
    }
}

extension NSManagedObject: HeldMember {
    var contextAddress: UnsafeMutableRawPointer? { contextReference?.toOpaque() }
}

extension GapList<NSManagedObject> {
    init(_ objects: [NSManagedObject]) { self.init(objects, standIn: NSManagedObject.standIn.object) }
}

extension NSManagedObject {
    /// Fills gaps in lists of objects, which count references to it and do nothing else with it.
    fileprivate static let standIn = StandIn()

    fileprivate final class StandIn: Sendable {
        // References to objects of Swift classes look the same whatever their class.
        var object: NSManagedObject { unsafeBitCast(self, to: NSManagedObject.self) }
    }
}
