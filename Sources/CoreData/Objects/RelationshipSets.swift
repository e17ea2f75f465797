import FoundationGaps

/// What `mutableSetValue(forKey:)` gives: changes go through to the relationship, inverse included.
///
/// Foundation on Linux casts a set to a Swift `Set` without asking subclasses: cast what `value(forKey:)` gives instead.
final class RelationshipMutableSet: NSMutableSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) {
        preconditionFailure("A relationship's members belong to their object; make an NSMutableSet instead.")
    }

    required init?(coder: NSCoder) { nil }

    override var count: Int { owner.loadedToMany(slot).count }

    override func member(_ object: Any) -> Any? {
        guard let member = object as? NSManagedObject, owner.contains(member, slot) else { return nil }
        return member
    }

    override func objectEnumerator() -> NSEnumerator { MemberEnumerator(owner, slot) }

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: owner.memberObjects(slot)) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: owner.memberObjects(slot)) }

    override func add(_ object: Any) { owner.insertMember(owner.managedObject(object, slot), slot) }

    override func remove(_ object: Any) { owner.removeMember(owner.managedObject(object, slot), slot) }

    // Foundation's own enumerate the set that they change.

    override func removeAllObjects() { owner.setMembers([], slot) }

    override func intersect(_ otherSet: Set<AnyHashable>) { keep { otherSet.contains($0) } }

    override func minus(_ otherSet: Set<AnyHashable>) { keep { !otherSet.contains($0) } }

    override func setSet(_ otherSet: Set<AnyHashable>) {
        owner.setMembers(otherSet.map { owner.managedObject($0.base, slot) }, slot)
    }

    private func keep(_ isKept: (NSManagedObject) -> Bool) {
        for member in owner.memberObjects(slot) where !isKept(member) { remove(member) }
    }
}

/// Walks the members of a relationship, which may not change meanwhile.
final class MemberEnumerator: NSEnumerator {
    private let owner: NSManagedObject
    private let slot: PropertySlot
    private let changeNumber: Int
    private var members: ArraySlice<NSManagedObject>

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        members = owner.memberObjects(slot)[...]
        changeNumber = owner.loadedToMany(slot).changeNumber
    }

    override func nextObject() -> Any? {
        precondition(
            owner.loadedToMany(slot).changeNumber == changeNumber,
            "The relationship \"\(slot.name)\" of \(owner.layout.name) was changed while it was enumerated; enumerate a copy, such as allObjects."
        )
        return members.popFirst()
    }
}

/// The members of a relationship as `value(forKey:)` gives them: a set of Foundation's own class, which every cast
/// understands, kept in step with the relationship for as long as somebody holds it.
extension NSManagedObject {
    func memberView(_ slot: PropertySlot) -> NSObject {
        fireIfNeeded()
        let state = toManyState(slot)
        if let view = state.view {
            _ = loadedToMany(slot)
            if state.isViewStale { updateView(slot, state) }
            keepView(of: state)
            return view
        }
        let objects = memberObjects(slot)
        let view: any MemberView =
            slot.kind == .toMany ? NSMutableSet.of(objects) : NSMutableOrderedSet(array: objects)
        (state.view, state.isViewStale) = (view, objects.count != state.count)
        keepView(of: state)
        return view
    }

    /// Has the context keep the view of a relationship that was changed, until the change is saved or given up: who changes
    /// members and looks at them in turn would else have the set made anew each time.
    private func keepView(of state: ToManyState) {
        guard state.isChanged, let view = state.view else { return }
        contextReference?._withUnsafeGuaranteedRef { $0.changedViews[ObjectIdentifier(view)] = view }
    }

    /// After the change of one member: the view that was handed out shows it.
    func updateView(_ state: ToManyState, _ member: NSManagedObject, isMember: Bool) {
        if let draft = state.draft { if isMember { draft.add(member) } else { draft.remove(member) } }
        guard let view = state.view else { return }
        // A new member comes behind the others.
        if isMember { view.add(member) } else { view.remove(member) }
        if view.count != state.count { state.isViewStale = true }
    }

    /// After a change of many members: the view that was handed out shows it.
    func updateView(_ slot: PropertySlot, _ state: ToManyState) {
        state.draft = nil
        guard let view = state.view else { return }
        let objects = memberObjects(slot)
        view.show(objects)
        // Who comes back by undoing may still be on his way.
        state.isViewStale = objects.count != state.count
    }

    /// Forgets everything but the object's identity.
    ///
    /// A relationship's set that somebody holds stays the relationship's: what this context changed goes from it, and when the
    /// relationship is read next it shows what the store has then.
    func forgetAll() {
        guard let record else { return }
        state.remove(.relatedLate)
        let held = record.hasNoCaches ? [] : heldSets(record)
        record.forgetAll()
        for (slot, state) in held {
            record.setCache(slot.index, state)
            if state.isChanged, let view = state.view { showUnchanged(state, in: view) }
            state.forgetChanges()
            state.outdate()
        }
    }

    /// Has a view show the members that there were without this context's changes, as far as that is known.
    private func showUnchanged(_ state: ToManyState, in view: any MemberView) {
        guard let context = contextStorage else { return }
        func objects(_ references: [ObjectReference]) -> [NSManagedObject] {
            references.compactMap { context.destination(for: $0) }
        }
        if let stored = state.stored { return view.show(objects(stored)) }
        let added = Set(state.added)
        let old = view.shown.compactMap { $0 as? NSManagedObject }.filter { !added.contains($0.reference) }
        view.show(old + objects(state.removed.members))
    }

    private func heldSets(_ record: ChangeRecord) -> [(PropertySlot, ToManyState)] {
        layout.toManySlots.compactMap { slot in
            guard !slot.isTransient, let state = record.cache(slot.index, as: ToManyState.self), state.view != nil
            else {
                return nil
            }
            return (slot, state)
        }
    }
}

/// What `value(forKey:)` hands out for a to-many relationship.
protocol MemberView: NSObject {
    var count: Int { get }
    /// The members that it shows.
    var shown: [Any] { get }
    func show(_ members: [NSManagedObject])
    func add(_ member: Any)
    func remove(_ member: Any)
}

extension NSMutableSet: MemberView {
    var shown: [Any] { allObjects }

    func show(_ members: [NSManagedObject]) { setSet(Set(members.map { AnyHashable($0) })) }
}

extension NSMutableOrderedSet: MemberView {
    var shown: [Any] { array }

    func show(_ members: [NSManagedObject]) {
        removeAllObjects()
        addObjects(from: members)
    }
}

extension NSMutableSet {
    /// A set of objects, without the array of `Any` between that Foundation would look at one by one.
    static func of(_ members: [NSManagedObject]) -> NSMutableSet {
        members.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return NSMutableSet() }
            // References to objects look the same whatever their class.
            return start.withMemoryRebound(to: AnyObject.self, capacity: buffer.count) {
                NSMutableSet(objects: $0, count: buffer.count)
            }
        }
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
        if slot.kind != .orderedToMany { trapOtherKind("an ordered to-many relationship", slot) }
        var members = memberObjects(slot)
        change(&members)
        setMembers(members, slot)
    }

    func managedObject(_ object: Any, _ slot: PropertySlot) -> NSManagedObject {
        guard let object = object as? NSManagedObject else { refuse(object, slot) }
        return object
    }
}
