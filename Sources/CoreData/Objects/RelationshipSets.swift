import FoundationGaps

/// What `mutableSetValue(forKey:)` gives: changes go through to the relationship, inverse included.
///
/// Foundation on Linux casts a set to a Swift `Set` without asking subclasses: cast what `value(forKey:)` gives
/// instead.
final class RelationshipMutableSet: NSMutableSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) {
        programmerError("A relationship's members belong to their object; make an NSMutableSet instead.")
    }

    required init?(coder: NSCoder) { nil }

    override var count: Int { owner.isTornDown(slot) ? 0 : owner.loadedToMany(slot).count }

    override func member(_ object: Any) -> Any? {
        guard let member = object as? NSManagedObject, !owner.isTornDown(slot), owner.contains(member, slot) else {
            return nil
        }
        return member
    }

    override func objectEnumerator() -> NSEnumerator { MemberEnumerator(owner, slot) }

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: owner.shownMembers(slot)) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: owner.shownMembers(slot)) }

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
        members = owner.isTornDown(slot) ? [] : owner.readMembers(slot)[...]
        changeNumber = owner.loadedToMany(slot).changeNumber
    }

    override func nextObject() -> Any? {
        require(
            owner.loadedToMany(slot).changeNumber == changeNumber,
            "The relationship \"\(slot.name)\" of \(owner.layout.name) was changed while it was enumerated; enumerate a copy, such as allObjects."
        )
        return members.popFirst()
    }
}

/// The members of a relationship as `value(forKey:)` gives them, kept in step with the relationship: an `NSSet` of
/// Foundation's own class, which every cast understands and no app can change, or a ``RelationshipMutableOrderedSet``.
/// Changes of the latter are the relationship's.
extension NSManagedObject {
    func memberView(_ slot: PropertySlot) -> NSObject {
        fireIfNeeded()
        let state = toManyState(slot)
        if let view = state.keptView ?? state.view {
            if !state.isLoaded { _ = loadedToMany(slot) }
            if state.isViewStale || state.viewDepartures != departures { refreshView(slot, state) }
            state.keptView = view
            return view
        }
        let objects = readMembers(slot)
        let view: any MemberView =
            slot.kind == .toMany
            ? NSMutableSet.of(objects).frozen() : RelationshipMutableOrderedSet(self, slot, objects)
        (state.view, state.keptView, state.isViewStale) = (view, view, objects.count != state.count)
        state.viewDepartures = departures
        return view
    }

    /// Has a view show what the relationship has, where objects left the context or more changed than single members.
    private func refreshView(_ slot: PropertySlot, _ state: ToManyState) {
        if !state.isViewStale, state.heldObjects(departures, in: contextReference) != nil {
            state.viewDepartures = departures
            return
        }
        updateView(slot, state)
    }

    /// An ordered relationship's members for changing them: this object is kept alive along.
    func proxy(_ slot: PropertySlot) -> NSMutableOrderedSet {
        guard let set = memberView(slot) as? RelationshipMutableOrderedSet else { return NSMutableOrderedSet() }
        if let context = contextStorage, !set.ownerIsKept {
            set.ownerIsKept = true
            context.held.ownersOfProxies.append((self, slot))
            context.scheduleEndOfTurn()
        }
        return set
    }

    /// After the change of one member: what was handed out shows it.
    func followChange(_ state: ToManyState, _ member: NSManagedObject, isMember: Bool, at index: Int? = nil) {
        state.follow(member, isMember: isMember, at: index)
        if let draft = state.draft { draft.follow(member, isMember: isMember, at: index) }
        guard let view = state.view else { return }
        // A new member comes behind the others, unless it is said where.
        view.follow(member, isMember: isMember, at: index)
        if view.count != state.count { state.isViewStale = true }
    }

    /// After a change of many members: the view that was handed out shows it.
    func updateView(_ slot: PropertySlot, _ state: ToManyState) {
        state.draft = nil
        guard let view = state.view else { return }
        let objects = shownMembers(slot)
        view.show(objects)
        // An object that undo brings back may not be registered yet.
        state.isViewStale = objects.count != state.count
        state.viewDepartures = departures
    }

    /// Has the sets that the app got show no members where the object's deletion ended the relationship.
    func showTornDownRelationships() {
        guard let record else { return }
        for slot in layout.toManySlots where isTornDown(slot) {
            record.cache(slot.index, as: ToManyState.self)?.showNone()
        }
    }

    /// Has those sets show the members again: the deletion was taken back.
    func showRelationshipsAgain() {
        guard let record else { return }
        for slot in layout.toManySlots where slot.kind == .toMany {
            guard let state = record.cache(slot.index, as: ToManyState.self), state.takeShowsNone() else { continue }
            updateView(slot, state)
        }
    }

    /// The members that a set of the relationship shows.
    func shownMembers(_ slot: PropertySlot) -> [NSManagedObject] { isTornDown(slot) ? [] : memberObjects(slot) }

    /// Has an ordered set that the app has show what the relationship has, in case the app enumerates it.
    func bringUpToDate(_ set: RelationshipMutableOrderedSet, _ slot: PropertySlot) {
        let state = loadedToMany(slot)
        if isTornDown(slot) {
            state.isViewStale = true
            return set.show([])
        }
        // It was handed out before the object forgot all that it knew.
        if state.view == nil { (state.view, state.isViewStale) = (set, true) }
        if state.view !== set { return set.show(memberObjects(slot)) }
        if state.isViewStale || state.viewDepartures != departures { refreshView(slot, state) }
    }

    /// Has an ordered set show what the relationship has, without firing this object.
    fileprivate func showStaleSet(_ slot: PropertySlot) {
        guard let context = contextStorage, let state = record?.cache(slot.index, as: ToManyState.self),
            let view = state.view as? RelationshipMutableOrderedSet, view.takeStale(), state.isViewStale
        else { return }
        if !state.isLoaded { state.load(context.storedMembers(of: self, slot)) }
        let objects = isTornDown(slot) ? [] : state.members.compactMap { context.destination(for: $0) }
        view.show(objects)
        state.isViewStale = objects.count != state.count
        state.viewDepartures = departures
        _ = view.takeStale()
    }

    /// The members as a Swift set of their class.
    func typedMembers<Object: NSManagedObject>(_ slot: PropertySlot) -> Set<Object> {
        fireIfNeeded()
        let state = toManyState(slot)
        if let set: Set<Object> = state.heldSet(departures, in: contextReference) { return set }
        let objects = readMembers(slot)
        let set = Set(objects.lazy.compactMap { $0 as? Object })
        if objects.count == state.count { state.keep(set) }
        return set
    }

    /// The members as a Swift array of their class, in order where the relationship is ordered.
    func typedMembers<Object: NSManagedObject>(_ slot: PropertySlot) -> [Object] {
        let objects = readMembers(slot)
        let areMembers = toManyState(slot).areMembers(Object.self) {
            layout.model[slot.destination].selfAndDescendants.allSatisfy { $0.managedClass is Object.Type }
        }
        // An array of objects looks the same whatever their class.
        return areMembers ? unsafeBitCast(objects, to: [Object].self) : objects.compactMap { $0 as? Object }
    }

    /// Forgets everything but the object's identity.
    ///
    /// A set that other code holds stays the relationship's. It loses this context's changes. When the relationship is
    /// read next, the set shows what the store has then.
    func forgetAll() {
        guard let record else { return }
        state.remove(.relatedLate)
        let held = record.hasNoCaches ? [] : heldSets(record)
        record.forgetAll()
        for (slot, state) in held {
            record.setCache(slot.index, state)
            let showedNone = state.takeShowsNone()
            if let view = state.view {
                // The store's members may have been forgotten while the view showed none.
                if showedNone, !state.isLoaded, let context = contextStorage {
                    state.load(context.storedMembers(of: self, slot))
                }
                if state.isChanged || showedNone { showUnchanged(state, in: view) }
            }
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
            guard let state = record.cache(slot.index, as: ToManyState.self) else { return nil }
            // What is kept here alone goes.
            state.letMembersGo()
            return slot.isTransient || state.view == nil ? nil : (slot, state)
        }
    }
}

/// What `value(forKey:)` hands out for a to-many relationship, or `primitiveValue(forKey:)` for change.
protocol MemberView: NSObject {
    var count: Int { get }
    /// The members that it shows.
    var shown: [Any] { get }
    func show(_ members: [NSManagedObject])
    /// Shows one member more or less; more at an index, or behind the others.
    func follow(_ member: NSManagedObject, isMember: Bool, at index: Int?)
}

extension NSMutableSet: MemberView {
    var shown: [Any] { allObjects }

    func show(_ members: [NSManagedObject]) {
        thawed {
            removeAllObjects()
            for member in members { add(member) }
        }
    }

    func follow(_ member: NSManagedObject, isMember: Bool, at index: Int?) {
        thawed { if isMember { add(member) } else { remove(member) } }
    }

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

    // An `NSMutableSet` has no storage beyond that of an `NSSet`, and what the app gets must be of exactly that class:
    // Foundation takes the members of no other set for a Swift `Set`. So the framework's own set shows itself to the
    // app as an `NSSet`, which can't be changed, and is an `NSMutableSet` for the moments in which the framework
    // changes it.

    /// Makes an `NSSet` of it, for code outside the framework.
    func frozen() -> Self {
        require(
            Self.instanceSize(Self.immutable) == Self.instanceSize(Self.mutable),
            "NSMutableSet has storage of its own in this version of Foundation, which this version of CoreData does not know; take a newer version of CoreData."
        )
        shownClass = Self.immutable
        return self
    }

    private func thawed(_ change: () -> Void) {
        let isFrozen = shownClass == Self.immutable
        if isFrozen { shownClass = Self.mutable }
        change()
        if isFrozen { shownClass = Self.immutable }
    }

    private static var immutable: UnsafeRawPointer { unsafeBitCast(NSSet.self as AnyClass, to: UnsafeRawPointer.self) }
    private static var mutable: UnsafeRawPointer {
        unsafeBitCast(NSMutableSet.self as AnyClass, to: UnsafeRawPointer.self)
    }

    /// How large the objects of a class are: behind kind, superclass, flags and address point in the class's metadata.
    private static func instanceSize(_ type: UnsafeRawPointer) -> UInt32 {
        type.load(fromByteOffset: 24, as: UInt32.self)
    }

    /// The first word of every object.
    private var shownClass: UnsafeRawPointer {
        get { Unmanaged.passUnretained(self).toOpaque().load(as: UnsafeRawPointer.self) }
        set { Unmanaged.passUnretained(self).toOpaque().storeBytes(of: newValue, as: UnsafeRawPointer.self) }
    }
}

extension NSMutableOrderedSet: MemberView {
    var shown: [Any] { array }

    func show(_ members: [NSManagedObject]) {
        changingStorage {
            removeAllObjects()
            for member in members { add(member) }
        }
    }

    func follow(_ member: NSManagedObject, isMember: Bool, at index: Int?) {
        changingStorage {
            switch (isMember, index) {
            case (true, let index?): insert(member, at: index < count ? index : count)
            case (true, nil): add(member)
            case (false, let index?) where index < count && object(at: index) as AnyObject === member:
                removeObject(at: index)
            case (false, _): remove(member)
            }
        }
    }

    /// Changes the set, and not the relationship that it belongs to.
    private func changingStorage(_ change: () -> Void) {
        if let own = self as? RelationshipMutableOrderedSet { own.alone(change) } else { change() }
    }
}

extension NSManagedObjectContext {
    /// Ordered sets that the app has let go of no longer keep their objects alive.
    func releaseProxies() {
        if held.ownersOfProxies.isEmpty { return }
        // Objects are released after the change of the list: an app's `deinit` may run then.
        let owners = held.ownersOfProxies
        held.ownersOfProxies = owners.filter { owner, slot in
            owner.record?.cache(slot.index, as: ToManyState.self)?.isProxyInUse ?? false
        }
        withExtendedLifetime(owners) {}
    }

    /// Has ordered sets that the app has show what their relationships have, where that was to be asked for anew.
    func showStaleSets() {
        if held.ownersOfStaleSets.isEmpty { return }
        let stale = held.ownersOfStaleSets
        held.ownersOfStaleSets = []
        for (owner, slot) in stale where owner.contextStorage === self { owner.showStaleSet(slot) }
    }
}

extension ToManyState {
    /// Whether other code holds the ordered set. If not, the ordered set releases its object.
    fileprivate var isProxyInUse: Bool {
        if keptView == nil { return view != nil }
        if !isKnownUniquelyReferenced(&keptView) { return true }
        (keptView as? RelationshipMutableOrderedSet)?.ownerIsKept = false
        return false
    }
}

/// What the views ask of their object.
extension NSManagedObject {
    func contains(_ member: NSManagedObject, _ slot: PropertySlot) -> Bool {
        fireIfNeeded()
        return toManyState(slot).contains(member.reference) ?? members(slot).contains(member.reference)
    }

    func memberObject(at index: Int, _ slot: PropertySlot) -> NSManagedObject {
        let state = loadedToMany(slot)
        require(
            (0..<state.count).contains(index),
            "Index \(index) is beyond the \(state.count) members of \"\(slot.name)\" of \(layout.name); check the index against count first."
        )
        if let held = state.heldObject(index, departures, in: contextReference) { return held }
        guard let context = contextStorage else {
            programmerError(
                "An object of \(layout.name) is in no context any longer, and the members of \"\(slot.name)\" are unknown; keep the context as long as its objects are used."
            )
        }
        return context.object(for: state.members[index])
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
