import CSwiftRuntime
import FoundationGaps

/// An object of the graph: an instance of an entity, with the entity's properties.
///
/// An object belongs to one context and is used on that context's queue only. It begins as a *fault*, which knows its
/// identity and nothing else, and loads its row when a property is first read.
///
/// Subclasses are usually generated from the model. They may override the life cycle's hooks (``awakeFromInsert()`` and
/// so on), key-value coding and the validation methods; they should not override `init(entity:insertInto:)`, which runs
/// for every instance, faults included.
open class NSManagedObject: NSObject, NSFetchRequestResult, ContextInsertable {
    /// The context; nil for an object that was never inserted, was deleted, or outlived its context.
    var contextReference: Unmanaged<NSManagedObjectContext>?
    /// The layout's table, which outlives the object: its context keeps the model, or the object itself does
    /// (`ObjectState.ownsModel`).
    let table: UnsafePointer<LayoutTable>
    /// The key of the object's reference.
    var key: Int64
    /// The row as this context sees it, retained. An unfired fault may have it too, ready to be read.
    private(set) var row: UnsafeMutableRawPointer?
    /// What this context knows beyond the row, retained.
    private(set) var recordReference: Unmanaged<ChangeRecord>?
    /// The number of the object's store.
    var store: Int32
    var state: ObjectState
    /// What keeps the destinations of to-one relationships alive that were read.
    @exclusivity(unchecked) final var heldDestinations = HeldDestinations()

    /// Makes an object of an entity, and inserts it into a context.
    ///
    /// - Parameters:
    ///   - entity: An entity of the context's model, not abstract. One of another model, as `entity()` may give where
    ///     several containers have the same model, stands for the one of its name in the context's.
    ///   - context: Where the object will live and be saved; nil for one that is inserted later
    ///     (`NSManagedObjectContext.insert(_:)`).
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        table = NSManagedObject.table(of: entity, in: context)
        key = 0
        store = ObjectReference.unassignedStore
        state = table.pointee.layout._withUnsafeGuaranteedRef { $0.stateOfNewObjects }
        super.init()
        guard let context, !context.isSubclassed else {
            // Released when the object enters a context, which keeps the model too, or when it goes away.
            _ = table.pointee.model?.retain()
            // A subclass may override the insertion, and need not insert the object.
            context?.insert(self)
            return
        }
        state.remove(.ownsModel)
        precondition(
            !table.pointee.layout._withUnsafeGuaranteedRef { $0.isAbstract },
            "Can't insert an object of the abstract entity \(layout.name); insert one of its subentities.")
        context.insertNew(self)
    }

    /// Makes an object of the entity that this class stands for, without a context.
    ///
    /// Traps where no model in use has an entity of the class: see ``entity()``.
    public convenience override init() { self.init(entity: Self.entity(), insertInto: nil) }

    /// What the runtime makes instances with: it goes through the vtable to `init(entity:insertInto:)` of the very
    /// class.
    public convenience init(_coreDataEntity entity: NSEntityDescription) {
        self.init(entity: entity, insertInto: nil)
    }

    /// What ``ContextInsertable/init(context:)`` makes instances with, in the same way.
    public convenience init(_coreDataEntity entity: NSEntityDescription, in context: NSManagedObjectContext) {
        self.init(entity: entity, insertInto: context)
    }

    deinit {
        // Beside this object, only the cache has the row, if two references are all.
        let leavesRow = row.map { coredata_retain_count($0) <= 2 } ?? false
        let manyAreGone = contextReference?._withUnsafeGuaranteedRef { $0.uniquing.depart(self, leavesRow) } ?? false
        if let row { Unmanaged<RowSnapshot>.fromOpaque(row).release() }
        if manyAreGone { contextReference?._withUnsafeGuaranteedRef { $0.coordinator?.sweepSoon() } }
        if let recordReference { releaseDeep(recordReference.toOpaque()) }
        if let held = heldDestinations.takeAll() { releaseDeep(held) }
        if state.contains(.ownsModel) { table.pointee.model?.release() }
        if state.contains(.observed) { WatcherTable.shared.remove(self) }
    }

    /// The slots of the object's entity.
    package final var layout: EntityLayout { table.pointee.layout.takeUnretainedValue() }

    /// The context that the object belongs to.
    final var contextStorage: NSManagedObjectContext? {
        @inline(__always) get { contextReference?.takeUnretainedValue() }
        set { contextReference = newValue.map { .passUnretained($0) } }
    }

    /// The row as this context sees it; a partial fault has none as yet.
    final var snapshot: RowSnapshot? {
        get { state.contains(.partial) ? nil : rowAtHand }
        set {
            let old = row
            row = newValue.map { Unmanaged.passRetained($0).toOpaque() }
            state.remove(.partial)
            if let old { Unmanaged<RowSnapshot>.fromOpaque(old).release() }
        }
    }

    /// The row as this context sees it, or the part of it that a partial fault has.
    final var rowAtHand: RowSnapshot? { row.map { Unmanaged<RowSnapshot>.fromOpaque($0).takeUnretainedValue() } }

    /// Takes over a reference to the row of an object that has none yet.
    final func adopt(_ row: Unmanaged<RowSnapshot>) { self.row = row.toOpaque() }

    /// What this context knows beyond the row.
    final var record: ChangeRecord? {
        @inline(__always) get { recordReference?.takeUnretainedValue() }
        set {
            let old = recordReference
            recordReference = newValue.map { .passRetained($0) }
            old?.release()
        }
    }

    /// Gives the object, which has none, an empty record.
    final func makeRecord() {
        recordReference = .passRetained(ChangeRecord.make(slotCount: table.pointee.count))
    }

    private static func table(
        of entity: NSEntityDescription, in context: NSManagedObjectContext?
    ) -> UnsafePointer<LayoutTable> {
        if let context, let own = context.modelLayout, entity.layoutTable?.pointee.modelLayout != own,
            let same = context.coordinator?.layouts.layout(named: entity.name ?? "")?.entity.layoutTable
        {
            return same
        }
        // A model that no coordinator uses is complete with its first object.
        if entity.layoutTable == nil { entity.modelStorage?.seal() }
        guard let table = entity.layoutTable else {
            preconditionFailure(
                "The entity \(entity.name ?? "?") belongs to no model; add it to a model's entities before you make an object of it."
            )
        }
        return table
    }

    // MARK: Hooks

    /// Called once when the object is first inserted into a context: the place for defaults that the model can't say.
    open func awakeFromInsert() {}

    /// Called each time a fault loads its row. Changes made here do not make the object dirty.
    open func awakeFromFetch() {}

    /// Called when the values of an object changed together: the place to compute anew what is derived from them.
    ///
    /// - Parameter flags: Whether the object was refreshed or its changes were rolled back.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called before a save for each object that will be saved or deleted. It may change values; then it is asked
    /// again.
    open func willSave() {}

    /// Called after a save for each object that was saved or deleted.
    open func didSave() {}

    /// Called when the object is about to be deleted, while its relationships are still as they were.
    open func prepareForDeletion() {}

    /// Called before the object forgets its values.
    open func willTurnIntoFault() {}

    /// Called after the object forgot its values.
    open func didTurnIntoFault() {}

    // MARK: Key-value coding

    /// The value of a property; for a key that the entity does not have, ``value(forUndefinedKey:)``.
    ///
    /// Numbers come as `NSNumber` (decimals as `NSDecimalNumber`), to-many relationships as `NSSet` or `NSOrderedSet`,
    /// which show later changes too. Reading fires a fault.
    open func value(forKey key: String) -> Any? {
        guard let slot = layout.slot(named: key) else { return undeclaredValue(forKey: key) }
        if let property = customProperty(key) { return property.get(self) }
        willAccessValue(forKey: key)
        defer { didAccessValue(forKey: key) }
        return boxedValue(slot)
    }

    /// Sets a property, keeping inverse relationships in step. A value of the wrong class traps.
    ///
    /// Nil for a property that the class declares as a number which can't be nil goes to ``setNilValueForKey(_:)``.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let slot = layout.slot(named: key) else { return setUndeclaredValue(value, forKey: key) }
        if let set = customProperty(key)?.set { return set(self, value) }
        if value == nil, layout.members?.scalars.contains(key) ?? false { return setNilValueForKey(key) }
        setBoxedValue(value, slot)
    }

    /// Called when nil is set by ``setValue(_:forKey:)`` for a property with a type that is a number and can't be nil.
    /// Traps, unless a subclass says what nil means.
    open func setNilValueForKey(_ key: String) {
        preconditionFailure(
            "Could not set nil as the value for the key \"\(key)\" of \(layout.name): \(type(of: self)) declares it as a number that can't be nil. Set a number, or override setNilValueForKey(_:)."
        )
    }

    /// Called for a key that the entity does not have. Traps, unless a subclass answers.
    open func value(forUndefinedKey key: String) -> Any? {
        preconditionFailure("The entity \(layout.name) has no property \"\(key)\"; it has \(propertyList).")
    }

    /// Called for a key that the entity does not have. Traps, unless a subclass takes the value.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        preconditionFailure("The entity \(layout.name) has no property \"\(key)\"; it has \(propertyList).")
    }

    /// The value itself, past custom accessors and change tracking; it does not fire a fault's hooks.
    ///
    /// The members of a to-many relationship come as an `NSMutableSet` or `NSMutableOrderedSet` of their own. An
    /// accessor may change it: with ``didChangeValue(forKey:)``, or another method that announces the change, its
    /// members become the relationship's. Until then the relationship has the members that it had.
    open func primitiveValue(forKey key: String) -> Any? {
        if isProbe { return sample(forKey: key) }
        let slot = declaredSlot(key)
        return slot.kind.isToMany ? memberDraft(slot) : boxedValue(slot)
    }

    /// Sets the value itself, without a notice. Surround it with ``willChangeValue(forKey:)`` and
    /// ``didChangeValue(forKey:)``: the latter has the inverse of a relationship follow.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { setPrimitive(value, declaredSlot(key)) }

    /// Fires the fault; call it before a primitive read in a custom accessor. nil: only fires.
    open func willAccessValue(forKey key: String?) {
        guard let key, let index = layout.indexByName[key] else { return fireIfNeeded() }
        fireIfNeeded(index)
        noteRead(index)
    }

    /// The counterpart of ``willAccessValue(forKey:)``.
    open func didAccessValue(forKey key: String?) {}

    /// Announces a change in a custom accessor: marks the object as changed.
    ///
    /// A key that the model does not know changes nothing that the context keeps; see
    /// ``contextShouldIgnoreUnmodeledPropertyChanges``.
    open func willChangeValue(forKey key: String) {
        fireIfNeeded()
        willTellObservers(of: key, .byAccessor)
        if let index = layout.indexByName[key] {
            noteReplacement(ofMembers: layout.slots[index])
            noteChange(index)
        } else if !type(of: self).contextShouldIgnoreUnmodeledPropertyChanges {
            contextStorage?.noteChange(of: self)
        }
    }

    /// The counterpart of ``willChangeValue(forKey:)``: tells observers.
    ///
    /// Where the accessor has set the primitive value of a relationship, or changed the members that
    /// ``primitiveValue(forKey:)`` gave it, the inverse follows now.
    open func didChangeValue(forKey key: String) {
        if let index = layout.indexByName[key] { settlePrimitive(layout.slots[index]) }
        didTellObservers(of: key, .byAccessor)
    }

    /// Announces in a custom accessor that the members of an unordered relationship change.
    ///
    /// - Parameters:
    ///   - inKey: The relationship.
    ///   - inMutationKind: How they change.
    ///   - inObjects: The objects that come, go or stay.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        fireIfNeeded()
        noteChange(declaredSlot(inKey).index)
        willTellObservers(of: inKey, KeyMutation(inMutationKind, inObjects))
    }

    /// The counterpart of ``willChangeValue(forKey:withSetMutation:using:)``: the relationship has the change from now
    /// on, its inverse too, and observers are told.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        mutateMembers(declaredSlot(inKey), inMutationKind, inObjects)
        didTellObservers(of: inKey, KeyMutation(inMutationKind, inObjects))
    }

    /// Announces in a custom accessor that members of an ordered relationship change, in the primitive value that the
    /// accessor then changes.
    open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        fireIfNeeded()
        let slot = declaredSlot(key)
        noteReplacement(ofMembers: slot)
        noteChange(slot.index)
        willTellObservers(of: key, KeyMutation(kind: changeKind, indexes: indexes, isAutomatic: false))
    }

    /// The counterpart of ``willChange(_:valuesAt:forKey:)``: the relationship has the change from now on, its inverse
    /// too, and observers are told.
    open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        settlePrimitive(declaredSlot(key))
        didTellObservers(of: key, KeyMutation(kind: changeKind, indexes: indexes, isAutomatic: false))
    }

    /// The key paths of the properties that a property is computed from: its observers are told when one of them
    /// changes.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    /// Whether observers of a property are told of every change, or only of those that an accessor announces with
    /// ``willChangeValue(forKey:)`` and ``didChangeValue(forKey:)``.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    /// Whether announcing a change of a property that the model does not know leaves the object unchanged for its
    /// context.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Key paths and collections

    /// The value at the end of a path of keys joined by dots, which may cross relationships and end in a collection
    /// operator (`players.@avg.age`). Nil on the way gives nil.
    open func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property at the end of a path of keys, an element of a composite attribute too; does nothing if there
    /// is nil on the way.
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { set(value, atKeyPath: keyPath) }

    /// The values of several properties by their names; nil comes as `NSNull`.
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] { values(ofKeys: keys) }

    /// Sets several properties by their names; `NSNull` sets nil.
    open func setValuesForKeys(_ keyedValues: [String: Any]) { setValues(ofKeys: keyedValues) }

    /// The members of a to-many relationship as a set that passes its changes on to the relationship.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { mutableMembers(key) }

    /// The members of an ordered relationship as an ordered set that passes its changes on to the relationship.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { mutableOrderedMembers(key) }

    /// An array that stands for a property that holds an array: its changes become changes of the property.
    open func mutableArrayValue(forKey key: String) -> NSMutableArray { mutableElements(key) }

    // MARK: Observing

    /// Tells an observer of the changes of a property, or of what a key path across to-one relationships leads to.
    ///
    /// Changes by accessors and key-value coding are told, those of the other side of a relationship, and refreshing
    /// and rolling back. Use `observe(_:options:changeHandler:)` where a closure will do.
    ///
    /// - Parameters:
    ///   - observer: The object that is told. It is held weakly.
    ///   - keyPath: The property's name, or names with dots between them.
    ///   - options: What is told, and when.
    ///   - context: What the observer is given back with each change; two observations of one property differ by it.
    open func addObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        beginObservation(by: observer, keyPath, options, context)
    }

    /// Ends an observation, the last of that observer and key path. Does nothing if there is none.
    open func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
        endObservation(by: observer, keyPath)
    }

    /// Ends an observation, the last of that observer, key path and context. Does nothing if there is none.
    open func removeObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        endObservation(by: observer, keyPath, context)
    }

    // MARK: Validation

    /// Checks a value before it is set or saved; it may replace it.
    ///
    /// The standard implementation checks what the model asks for, then calls a method `validateName(_:)` for the key
    /// `name`, if the class has one (and the plug-in compiles its sources). Override `validateForInsert()` and so
    /// on for rules that take several properties.
    ///
    /// - Throws: An error of `NSCocoaErrorDomain` with one of the codes 1550 to 1690, the object, key and value in its
    ///   `userInfo`.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try validate(value.pointee, declaredSlot(key))
        try layout.members?.validations[key]?(self, value)
    }

    /// Checks a value for the property at the end of a path of keys; see ``validateValue(_:forKey:)``. Nothing is wrong
    /// with a value where there is nil on the way.
    ///
    /// - Throws: What ``validateValue(_:forKey:)`` of the object there throws.
    open func validateValue(
        _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String
    ) throws {
        try validate(ioValue, atKeyPath: inKeyPath)
    }

    /// Checks an inserted object at save: every property, then whatever an override adds.
    open func validateForInsert() throws { try validateProperties() }

    /// Checks a changed object at save: every property, then whatever an override adds.
    open func validateForUpdate() throws { try validateProperties() }

    /// Checks a deleted object at save: that no relationship denies it.
    open func validateForDelete() throws { try validateDeletion() }

    // MARK: Identity

    open override var description: String { describe() }

    /// Managed objects are equal if they are the same object. Not to be overridden: contexts rely on it.
    public final override func isEqual(_ object: Any?) -> Bool {
        // Sets ask this of objects with colliding hashes, which are mostly two. An `Any` that holds an object begins
        // with its address: where that is another one, nothing has to be retained, nor a type looked up. Anything else
        // may begin with it by chance.
        let start = withUnsafeBytes(of: object) { $0.load(as: UInt.self) }
        guard start == UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) else { return false }
        return object.map { type(of: $0) is AnyClass } ?? false
    }

    /// Not to be overridden: contexts rely on it.
    public final override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }

    // MARK: State

    /// The context that the object belongs to.
    open var managedObjectContext: NSManagedObjectContext? { contextStorage }

    /// The description of the object's entity.
    open var entity: NSEntityDescription { layout.entity }

    /// The object's identity. Asking does not fire a fault.
    open var objectID: NSManagedObjectID { ownID }

    /// Whether the object will be inserted at the next save.
    open var isInserted: Bool { isNew }

    /// Whether the object was changed since it was loaded or saved.
    open var isUpdated: Bool { isModified }

    /// Whether the object will be deleted at the next save. False again once it was.
    open var isDeleted: Bool { isGoing }

    /// Whether the object was inserted, changed or deleted since the last save.
    open var hasChanges: Bool { isChanged }

    /// Whether the values of the object are still to be loaded. Asking does not load them.
    open var isFault: Bool { isUnfired }

    /// 0 for an object with its values, otherwise for a fault.
    open var faultingState: Int { isFault ? 1 : 0 }

    /// Whether anything changed that a save would write.
    open var hasPersistentChangedValues: Bool { hasValuesToStore }

    // MARK: Values

    /// The values that differ from those that were loaded or saved last, by name; `NSNull` for nil.
    ///
    /// Transient properties are not among them. Nor is what was set by ``setPrimitiveValue(_:forKey:)`` alone: a change
    /// counts once ``willChangeValue(forKey:)`` has announced it. What an inserted object was given by the model is no
    /// change.
    open func changedValues() -> [String: Any] { valuesChanged() }

    /// The values that changed since pending changes were last processed, as they were before, by name; `NSNull` for
    /// nil.
    ///
    /// While the change notification is posted, it is about the event that the notification tells of. Transient
    /// properties are not among them, nor is a value that is back where it was.
    open func changedValuesForCurrentEvent() -> [String: Any] { valuesChangedInEvent() }

    /// The values as they were loaded or last saved, by name; `NSNull` for nil. None for an object that was never
    /// saved.
    ///
    /// - Parameter keys: The properties to look at; nil: all that are stored.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { valuesCommitted(forKeys: keys) }

    /// Whether a relationship's members (or destination) are still to be loaded. Asking does not load them.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isUnloaded(forRelationshipNamed: key) }

    /// The IDs of a relationship's members, without making the objects.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        relatedIDs(forRelationshipNamed: key)
    }

    // MARK: Class

    /// The entity that the class stands for, looked up in the models that coordinators use.
    ///
    /// Traps where no model has an entity of this class. Of several models the one used last counts. The framework
    /// calls an override in ``ContextInsertable/init(context:)``, ``init()`` and ``fetchRequest()``.
    open class func entity() -> NSEntityDescription {
        EntityLookup.entity(for: self, in: EntityLookup.shared.layouts)
    }

    /// A request for all objects of the entity that the class stands for. Generated classes have a typed one.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? "")
    }
}

/// Marks an object as unsafe to share between threads, whatever its subclass adds.
@available(*, unavailable, message: "A managed object belongs to its context's queue; hand its objectID over instead.")
extension NSManagedObject: @unchecked Sendable {}
