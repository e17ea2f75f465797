import CSwiftRuntime
import FoundationGaps

/// An object of the graph: an instance of an entity, with the values of the entity's properties.
///
/// ```swift
/// let player = Player(context: context)           // inserted: the next save writes its row
/// player.lastName = "Bird"
/// player.team = team                              // the team's players have the player, too
/// try context.save()
/// ```
///
/// An object belongs to one context. Use it only on that context's queue (<doc:Concurrency>). To give it to another
/// context, pass its ``objectID``, and call ``NSManagedObjectContext/object(with:)`` there.
///
/// A fetch returns *faults*: objects that know their ID and have no values. The first property that is read loads the
/// row. <doc:ObjectLife> describes the states, the methods that a subclass can override, and what keeps an object in
/// memory.
///
/// Subclasses are usually generated from the model. Without a subclass, `NSManagedObject` itself serves each entity:
/// use ``value(forKey:)`` and ``setValue(_:forKey:)``.
///
/// Override the methods for the stages of an object's life, key-value coding and validation as you need. Do not
/// override `init(entity:insertInto:)` for defaults: it runs for every instance, also for faults. Use
/// ``awakeFromInsert()``.
///
/// A subclass may override the properties that say what state an object is in, such as ``isDeleted``. The framework
/// itself goes by the real state.
open class NSManagedObject: NSObject, NSFetchRequestResult, ContextInsertable {
    /// The context; nil for an object that was never inserted, was deleted, or outlived its context. Nothing keeps the
    /// context. When it goes, it clears this in all of its objects; see ``leaveContext()``.
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
    /// What keeps the destinations of to-one relationships alive that were read. Exclusive access is not checked at run
    /// time: what is let go is handed out, and released after the change.
    @exclusivity(unchecked) final var heldDestinations = HeldDestinations<NSManagedObject>()

    /// Makes an object of an entity, and inserts it into a context.
    ///
    /// ```swift
    /// let entity = NSEntityDescription.entity(forEntityName: "Player", in: context)!
    /// let player = NSManagedObject(entity: entity, insertInto: context)
    /// player.setValue("Bird", forKey: "lastName")
    /// ```
    ///
    /// Where each class has one entity, `Player(context: context)` is shorter. Use this initialiser if several entities
    /// have the same class.
    ///
    /// An object without a context has the model's defaults. It can be related to other objects without a context. Once
    /// one of them is inserted, all objects that it leads to are inserted, too. Until then no save writes it.
    ///
    /// Traps for an abstract entity when the object is inserted, and for an entity that is in no model. A model that no
    /// coordinator uses can't be changed any more once it has an object.
    ///
    /// - Parameters:
    ///   - entity: An entity of the context's model, not abstract. An entity of another model stands for the entity of
    ///     the same name in the context's model. ``entity()`` may give such an entity if several containers have equal
    ///     models.
    ///   - context: The context that the object is inserted into. Nil for an object that is inserted later with
    ///     ``NSManagedObjectContext/insert(_:)``.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        table = NSManagedObject.table(of: entity, in: context)
        key = 0
        store = ObjectReference.unassignedStore
        state = table.pointee.layout._withUnsafeGuaranteedRef { $0.stateOfNewObjects }
        super.init()
        guard let context, !context.isSubclassed else {
            // Released when the object joins a context, which keeps the model too, or when it goes away.
            _ = table.pointee.model?.retain()
            // A subclass may override the insertion, and need not insert the object.
            context?.insert(self)
            return
        }
        state.remove(.ownsModel)
        require(
            !table.pointee.layout._withUnsafeGuaranteedRef { $0.isAbstract },
            "Can't insert an object of the abstract entity \(layout.name); insert one of its subentities.")
        context.insertNew(self)
    }

    /// Makes an object of the entity that this class stands for, without a context.
    ///
    /// ```swift
    /// let player = Player()           // it has the model's defaults
    /// player.lastName = "Bird"
    /// context.insert(player)          // from now on a save writes it
    /// ```
    ///
    /// Traps if no model in use has an entity of the class, or if a model has several: see ``entity()``.
    /// `Player(context:)` looks in the context's model instead, so prefer it in programs with several models.
    public convenience override init() { self.init(entity: Self.entity(), insertInto: nil) }

    /// Makes an instance of a class that is known at run time only. The framework calls it for faults.
    ///
    /// It goes through the method table to `init(entity:insertInto:)` of the very class. Apps call
    /// `init(entity:insertInto:)`.
    public convenience init(_coreDataEntity entity: NSEntityDescription) {
        self.init(entity: entity, insertInto: nil)
    }

    /// Makes an inserted instance of a class that is known at run time only.
    ///
    /// ``ContextInsertable/init(context:)`` calls it. Apps call `init(entity:insertInto:)` or `init(context:)`.
    public convenience init(_coreDataEntity entity: NSEntityDescription, in context: NSManagedObjectContext) {
        self.init(entity: entity, insertInto: context)
    }

    deinit {
        // Beside this object, only the cache has the row, if two references are all.
        let leavesRow = row.map { coredata_retain_count($0) <= 2 } ?? false
        let manyAreGone = contextReference?._withUnsafeGuaranteedRef { $0.uniquing.depart(self, leavesRow) } ?? false
        if let row {
            let row = Unmanaged<RowSnapshot>.fromOpaque(row)
            let bytes = leavesRow ? row._withUnsafeGuaranteedRef { $0.largeByteCount } : 0
            row.release()
            if bytes > 0 { contextReference?._withUnsafeGuaranteedRef { $0.coordinator?.noteUnused(bytes: bytes) } }
        }
        if manyAreGone { contextReference?._withUnsafeGuaranteedRef { $0.coordinator?.sweepSoon() } }
        if let recordReference { releaseDeep(recordReference.toOpaque()) }
        if let held = heldDestinations.takeAll() { releaseDeep(held) }
        if state.contains(.ownsModel) { table.pointee.model?.release() }
        if state.contains(.observed) { WatcherTable.shared.remove(self) }
        if state.contains(.registeredWithStore) { tellStoreOfEnd() }
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

    /// Takes the row of an object that has none yet. The row is retained: the caller's reference becomes the object's.
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
            programmerError(
                "The entity \(entity.name ?? "?") belongs to no model, or its model has gone; put it into a model's entities, and keep the model."
            )
        }
        return table
    }

    // MARK: Hooks

    /// Called once, after the object was inserted and has the model's defaults.
    ///
    /// Use it for defaults that a model can't express:
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     @NSManaged var id: UUID?
    ///     @NSManaged var date: Date?
    ///
    ///     override func awakeFromInsert() {
    ///         super.awakeFromInsert()
    ///         id = UUID()
    ///         date = Date()
    ///     }
    /// }
    /// ```
    ///
    /// The code that makes the object sets its values after this call, so they replace yours. If a graph of objects
    /// without a context is inserted, the call comes when all of them are in the context.
    ///
    /// Undo and redo do not call it. When a child context saves, the parent's instance gets a call of its own, before
    /// it takes the child's values. See <doc:ChildContexts>.
    open func awakeFromInsert() {}

    /// Called each time a fault has loaded its row. Use it to compute transient values.
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     @NSManaged var points: Int32
    ///     @NSManaged var summary: String?         // transient in the model
    ///
    ///     override func awakeFromFetch() {
    ///         super.awakeFromFetch()
    ///         summary = "\(points) points"
    ///     }
    /// }
    /// ```
    ///
    /// Values that are set here do not mark the object as changed. If the object changes later, the save writes such a
    /// value of a stored property, too.
    ///
    /// Do not set relationships here: the object at the other end would be marked as changed. The method is not called
    /// if the row is gone.
    open func awakeFromFetch() {}

    /// Called when values of the object changed together, and not by its properties. Compute again what depends on
    /// them.
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     var cachedTitle: String?
    ///
    ///     override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    ///         super.awake(fromSnapshotEvents: flags)
    ///         cachedTitle = nil
    ///     }
    /// }
    /// ```
    ///
    /// It is called after undo and redo, ``NSManagedObjectContext/rollback()``, a refresh that keeps changes, a merge,
    /// and a conflict that a merge policy settled. A refresh without changes makes a fault: see ``didTurnIntoFault()``.
    ///
    /// - Parameter flags: What happened; see ``NSSnapshotEventType``.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called before a save, for each object that it inserts, updates or deletes. Validation comes afterwards.
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     @NSManaged var changed: Date?
    ///
    ///     override func willSave() {
    ///         super.willSave()
    ///         guard !isDeleted, hasPersistentChangedValues else { return }
    ///         let now = Date()
    ///         if abs(changed?.timeIntervalSince(now) ?? .infinity) > 1 { changed = now }
    ///     }
    /// }
    /// ```
    ///
    /// The method may change this object and others. The save then calls it again for all changed objects, until a
    /// round changes nothing. Compare before you set: after 1,000 rounds the program ends with a message.
    ///
    /// It is not called for unchanged objects. For values that must not cause another round, use
    /// ``setPrimitiveValue(_:forKey:)``.
    open func willSave() {}

    /// Called after a successful save, for each object that it inserted, updated or deleted.
    ///
    /// ```swift
    /// final class Attachment: NSManagedObject {
    ///     var fileToDelete: URL?
    ///
    ///     override func didSave() {
    ///         super.didSave()
    ///         guard let file = fileToDelete, managedObjectContext == nil else { return }
    ///         try? FileManager.default.removeItem(at: file)
    ///     }
    /// }
    /// ```
    ///
    /// A deleted object has no context at this point, and ``isDeleted`` is false again. The notification
    /// `NSManagedObjectContextDidSave` comes after all these calls. In a child context, the call means that the parent
    /// has the changes: no store has them yet. If the save fails, it is not called.
    ///
    /// Values that you set here are changes for the next save.
    open func didSave() {}

    /// Called when the object is about to be deleted. Its values and relationships are as before.
    ///
    /// ```swift
    /// final class Attachment: NSManagedObject {
    ///     @NSManaged var path: String?
    ///     var fileToDelete: URL?
    ///
    ///     override func prepareForDeletion() {
    ///         super.prepareForDeletion()
    ///         fileToDelete = path.map { URL(fileURLWithPath: $0) }
    ///     }
    /// }
    /// ```
    ///
    /// ``NSManagedObjectContext/delete(_:)`` calls it, and so does the delete rule cascade. The deletion may still be
    /// undone, rolled back or denied at the save, so do nothing here that can't be taken back.
    ///
    /// It is not called when another context's deletion is merged. For a fault whose row is gone it is called while all
    /// values are nil.
    open func prepareForDeletion() {}

    /// Called before a refresh makes the object a fault. The values are still there.
    ///
    /// `refresh(_:mergeChanges: false)` calls it, ``NSManagedObjectContext/refreshAllObjects()`` for unchanged objects,
    /// and a fetch with a batch size when it drops a page. It is called neither when the object leaves memory, nor by
    /// ``NSManagedObjectContext/reset()``. Use `deinit` for cleaning up.
    ///
    /// Do not change managed properties here: the object forgets them right after the call.
    open func willTurnIntoFault() {}

    /// Called after a refresh has made the object a fault. Reading a property would load the row again.
    ///
    /// Empty what the class itself keeps beside the managed properties:
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     var cachedTitle: String?
    ///
    ///     override func didTurnIntoFault() {
    ///         super.didTurnIntoFault()
    ///         cachedTitle = nil
    ///     }
    /// }
    /// ```
    ///
    /// The calls are those of ``willTurnIntoFault()``.
    open func didTurnIntoFault() {}

    // MARK: Key-value coding

    /// The value of a property by its name. Reading it fires a fault.
    ///
    /// ```swift
    /// let age = player.value(forKey: "age") as? Int
    /// let players = team.value(forKey: "players") as? Set<Player>
    /// ```
    ///
    /// | property | value |
    /// |---|---|
    /// | number, Boolean | `NSNumber`; a decimal is an `NSDecimalNumber` |
    /// | string, date, data, UUID, URI | `String`, `Date`, `Data`, `UUID`, `URL` |
    /// | transformable, undefined | the object itself |
    /// | composite | a dictionary of the elements that have values |
    /// | to-one relationship | the object, or nil |
    /// | to-many relationship | an `NSSet` or `NSOrderedSet`, which shows later changes, too |
    /// | fetched property | an array of objects |
    ///
    /// If the class has a property of this name that Objective-C would see (`@objc`), that property gives the value.
    /// Managed accessors that the plug-in generates are not called: both read the same value.
    ///
    /// A key that the model does not know is looked up among the class's own properties, if the plug-in compiled the
    /// class. Then come `objectID`, `entity`, `isInserted` and the like. Any other key goes to
    /// ``value(forUndefinedKey:)``, which traps.
    open func value(forKey key: String) -> Any? {
        guard let slot = layout.slot(named: key) else { return undeclaredValue(forKey: key) }
        if let property = customProperty(key) { return property.get(self) }
        willAccessValue(forKey: key)
        defer { didAccessValue(forKey: key) }
        return boxedValue(slot)
    }

    /// Sets a property by its name. The inverse of a relationship follows at once.
    ///
    /// ```swift
    /// player.setValue("Larry", forKey: "firstName")
    /// player.setValue(33, forKey: "age")                  // any integer type will do
    /// player.setValue(team, forKey: "team")
    /// team.setValue(NSSet(array: [player]), forKey: "players")
    /// ```
    ///
    /// The object counts as updated from then on, even if the value is the one that it had.
    ///
    /// Traps for a value of the wrong class, and for a number that does not fit the attribute. `NSNull` is a wrong
    /// class, too: set nil. A to-many relationship takes a set, an ordered one takes an ordered set; neither takes an
    /// array. Nil empties it. A fetched property can't be set.
    ///
    /// Nil for a property that the class declares as a number without `?` goes to ``setNilValueForKey(_:)``. An unknown
    /// key goes to ``setValue(_:forUndefinedKey:)``, which traps.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let slot = layout.slot(named: key) else { return setUndeclaredValue(value, forKey: key) }
        if let set = customProperty(key)?.set { return set(self, value) }
        if value == nil, layout.members?.scalars.contains(key) ?? false { return setNilValueForKey(key) }
        setBoxedValue(value, slot)
    }

    /// Called when ``setValue(_:forKey:)`` sets nil for a property that the class declares as a number without `?`.
    ///
    /// Traps, unless the class overrides it and says what nil means:
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     @NSManaged var points: Int32
    ///
    ///     override func setNilValueForKey(_ key: String) {
    ///         if key == "points" { points = 0 } else { super.setNilValueForKey(key) }
    ///     }
    /// }
    /// ```
    ///
    /// The plug-in tells the framework what the class declares. Without it, nil is stored, and the property reads as
    /// zero.
    open func setNilValueForKey(_ key: String) {
        programmerError(
            "Could not set nil as the value for the key \"\(key)\" of \(layout.name): \(type(of: self)) declares it as a number that can't be nil. Set a number, or override setNilValueForKey(_:)."
        )
    }

    /// Called by ``value(forKey:)`` for a key that neither the model nor the class has. Traps, unless the class
    /// overrides it.
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     @NSManaged var points: Int32
    ///
    ///     override func value(forUndefinedKey key: String) -> Any? {
    ///         key == "isWon" ? NSNumber(value: points > 100) : super.value(forUndefinedKey: key)
    ///     }
    /// }
    /// ```
    ///
    /// Predicates and sort descriptors in memory, and section key paths, get such values as well. The store does not
    /// know them: a fetch that uses the key fails.
    open func value(forUndefinedKey key: String) -> Any? {
        programmerError(
            "The entity \(layout.name) has no property \"\(key)\"; it has \(propertyList). Correct the key, or override value(forUndefinedKey:)."
        )
    }

    /// Called by ``setValue(_:forKey:)`` for a key that neither the model nor the class can set. Traps, unless the
    /// class overrides it.
    ///
    /// Override it to ignore unknown keys of an import. For dictionaries from outside, it is safer to set the known
    /// keys only:
    ///
    /// ```swift
    /// let record: [String: Any] = ["lastName": "Bird", "shoeSize": 14]
    /// for (key, value) in record where player.entity.attributesByName[key] != nil {
    ///     player.setValue(value, forKey: key)
    /// }
    /// ```
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        programmerError(
            "The entity \(layout.name) has no property \"\(key)\"; it has \(propertyList). Correct the key, or override setValue(_:forUndefinedKey:)."
        )
    }

    /// The value itself, past the class's own accessors. Use it in a custom accessor.
    ///
    /// ```swift
    /// final class Game: NSManagedObject {
    ///     var title: String {
    ///         get {
    ///             willAccessValue(forKey: "title")
    ///             defer { didAccessValue(forKey: "title") }
    ///             return primitiveValue(forKey: "title") as? String ?? "untitled"
    ///         }
    ///         set {
    ///             willChangeValue(forKey: "title")
    ///             setPrimitiveValue(newValue, forKey: "title")
    ///             didChangeValue(forKey: "title")
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The classes of the values are those of ``value(forKey:)``. Here it loads the row of a fault, and so calls
    /// ``awakeFromFetch()``. On Apple's platforms only ``willAccessValue(forKey:)`` fires the fault, so call that
    /// first.
    ///
    /// A to-many relationship gives an `NSMutableSet` or `NSMutableOrderedSet` of its own, which an accessor may
    /// change. With ``didChangeValue(forKey:)``, or another method that announces a change, its members become the
    /// relationship's. Until then the relationship has the members that it had.
    ///
    /// Traps for a key that the model does not know.
    open func primitiveValue(forKey key: String) -> Any? {
        if isProbe { return sample(forKey: key) }
        let slot = declaredSlot(key)
        return slot.kind.isToMany ? memberDraft(slot) : boxedValue(slot)
    }

    /// Sets the value itself: no observer is told, and the object does not count as changed.
    ///
    /// ```swift
    /// player.willChangeValue(forKey: "name")
    /// player.setPrimitiveValue("Larry Bird", forKey: "name")
    /// player.didChangeValue(forKey: "name")
    /// ```
    ///
    /// Surround it with these two calls, unless the change is to go unnoticed. Without them ``isUpdated`` and
    /// ``changedValues()`` do not tell of it, and undo does not know it. If the object changes in another way, the save
    /// writes this value as well.
    ///
    /// For a relationship, `didChangeValue(forKey:)` has the inverse follow. In an object without a context, the
    /// inverse follows at once. Traps for an unknown key and for a value of the wrong class.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { setPrimitive(value, declaredSlot(key)) }

    /// Says that a custom accessor is about to read a primitive value. Fires the fault if the value is not at hand.
    ///
    /// On a main-queue context it also tells Swift's Observation of the read
    /// (``NSManagedObjectContext/tracksObservedReads``).
    ///
    /// - Parameter key: The property. Nil only fires the fault. For a key that the model does not know, it does the
    ///   same.
    open func willAccessValue(forKey key: String?) {
        guard let key, let index = layout.indexByName[key] else { return fireIfNeeded() }
        fireIfNeeded(index)
        noteRead(index)
    }

    /// Says that a custom accessor has read its value. The counterpart of ``willAccessValue(forKey:)``.
    ///
    /// The standard implementation does nothing. Call it all the same, as on Apple's platforms: a subclass may override
    /// it.
    open func didAccessValue(forKey key: String?) {}

    /// Says that a custom accessor is about to change a property. Fires a fault, and marks the object as changed.
    ///
    /// Set the primitive value next, then call ``didChangeValue(forKey:)``; see ``primitiveValue(forKey:)`` for an
    /// example. The old value is noted here for undo and for ``changedValuesForCurrentEvent()``, so call it before the
    /// change.
    ///
    /// For a key that the model does not know, observers are told, and the context keeps no note of it: see
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

    /// Says that a custom accessor has changed a property. Observers are told now.
    ///
    /// If the accessor has set the primitive value of a relationship, the inverse follows now. The same holds if it
    /// changed the members that ``primitiveValue(forKey:)`` gave. An object of another context among them traps.
    open func didChangeValue(forKey key: String) {
        if let index = layout.indexByName[key] { applyPrimitive(layout.slots[index]) }
        didTellObservers(of: key, .byAccessor)
    }

    /// Says that a custom accessor is about to change members of an unordered relationship.
    ///
    /// ```swift
    /// extension Team {
    ///     func sign(_ player: Player) {
    ///         let added: Set<AnyHashable> = [player]
    ///         willChangeValue(forKey: "players", withSetMutation: .union, using: added)
    ///         (primitiveValue(forKey: "players") as? NSMutableSet)?.add(player)
    ///         didChangeValue(forKey: "players", withSetMutation: .union, using: added)
    ///     }
    /// }
    /// ```
    ///
    /// Traps for a key that the model does not know.
    ///
    /// - Parameters:
    ///   - inKey: The relationship.
    ///   - inMutationKind: `.union` for members that come, `.minus` for members that go, `.intersect` and `.set` for
    ///     others.
    ///   - inObjects: The objects that come, go or stay.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        fireIfNeeded()
        noteChange(declaredSlot(inKey).index)
        willTellObservers(of: inKey, KeyMutation(inMutationKind, inObjects))
    }

    /// Says that a custom accessor has changed members of an unordered relationship.
    ///
    /// The framework carries out the announced change now: the relationship has it, and the inverse follows. Observers
    /// are told. The parameters are those of the call before. The announcement decides, and not what the accessor did
    /// to the primitive value.
    ///
    /// - Parameters:
    ///   - inKey: The relationship.
    ///   - inMutationKind: How the members change.
    ///   - inObjects: The objects that come, go or stay.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        mutateMembers(declaredSlot(inKey), inMutationKind, inObjects)
        didTellObservers(of: inKey, KeyMutation(inMutationKind, inObjects))
    }

    /// Says that a custom accessor is about to change members of an ordered relationship.
    ///
    /// ```swift
    /// extension Team {
    ///     func insert(_ player: Player, at index: Int) {
    ///         let place = IndexSet(integer: index)
    ///         willChange(.insertion, valuesAt: place, forKey: "roster")
    ///         (primitiveValue(forKey: "roster") as? NSMutableOrderedSet)?.insert(player, at: index)
    ///         didChange(.insertion, valuesAt: place, forKey: "roster")
    ///     }
    /// }
    /// ```
    ///
    /// Change the primitive value after the call. Traps for a key that the model does not know.
    open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        fireIfNeeded()
        let slot = declaredSlot(key)
        noteReplacement(ofMembers: slot)
        noteChange(slot.index)
        willTellObservers(of: key, KeyMutation(kind: changeKind, indexes: indexes, isAutomatic: false))
    }

    /// Says that a custom accessor has changed members of an ordered relationship.
    ///
    /// What the primitive value holds becomes the relationship, and the inverse follows. Observers are told of the kind
    /// and the indexes. Use the same parameters as in ``willChange(_:valuesAt:forKey:)``.
    open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        applyPrimitive(declaredSlot(key))
        didTellObservers(of: key, KeyMutation(kind: changeKind, indexes: indexes, isAutomatic: false))
    }

    /// The key paths of the properties that a property is computed from. Observers of it are told when one of them
    /// changes.
    ///
    /// ```swift
    /// final class Person: NSManagedObject {
    ///     @NSManaged var firstName: String?
    ///     @NSManaged var lastName: String?
    ///     var fullName: String { "\(firstName ?? "") \(lastName ?? "")" }
    ///
    ///     override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ///         key == "fullName" ? ["firstName", "lastName"] : super.keyPathsForValuesAffectingValue(forKey: key)
    ///     }
    /// }
    /// ```
    ///
    /// Default: none. A key path may cross to-one relationships. Unlike on Apple's platforms, methods such as
    /// `keyPathsForValuesAffectingFullName()` are not looked for.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    /// Whether observers of a property are told of every change. Default: true.
    ///
    /// With false, they are told only of changes that an accessor announces with ``willChangeValue(forKey:)`` and
    /// ``didChangeValue(forKey:)``. Return false for a key whose custom accessor makes its announcements itself, so
    /// that observers are not told twice.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    /// Whether announced changes of properties outside the model leave the object unchanged for its context. Default:
    /// true.
    ///
    /// With false, ``willChangeValue(forKey:)`` with a key that the model does not know marks the object as updated.
    /// The next save then calls ``willSave()`` for it and validates it. Its row is not written, as no stored value
    /// changed.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Key paths and collections

    /// The value at the end of a path of keys joined by dots. Nil on the way gives nil.
    ///
    /// ```swift
    /// player.value(forKeyPath: "team.name")
    /// team.value(forKeyPath: "players.lastName")          // a set with the different names
    /// team.value(forKeyPath: "players.@avg.age")          // an NSNumber
    /// ```
    ///
    /// Each key is read with ``value(forKey:)``, so faults on the way fire. A to-many relationship gives a set of what
    /// its members give; an ordered one gives an ordered set. `@count`, `@sum`, `@avg`, `@min`, `@max` and the
    /// operators for unions take the collection before them.
    ///
    /// The objects are computed with in memory. For many rows, a fetch with an ``NSExpressionDescription`` lets the
    /// store compute.
    open func value(forKeyPath keyPath: String) -> Any? { FoundationGaps.value(of: self, forKeyPath: keyPath) }

    /// Sets the property at the end of a path of keys.
    ///
    /// ```swift
    /// player.setValue("Heat", forKeyPath: "team.name")
    /// team.setValue("A", forKeyPath: "players.group")     // each player of the team
    /// ```
    ///
    /// Does nothing if there is nil on the way. An element of a composite attribute can be set by its path
    /// (`address.city`). Traps as ``setValue(_:forKey:)`` does.
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { set(value, atKeyPath: keyPath) }

    /// The values of several properties by their names; nil comes as `NSNull`.
    ///
    /// ```swift
    /// let row = player.dictionaryWithValues(forKeys: ["firstName", "lastName", "age"])
    /// let everything = player.dictionaryWithValues(forKeys: Array(player.entity.attributesByName.keys))
    /// ```
    ///
    /// Each value is read with ``value(forKey:)``. Relationships come as objects and sets, so name attributes only
    /// where the result goes to JSON or a log.
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] { values(ofKeys: keys) }

    /// Sets several properties by their names; `NSNull` sets nil. The order is not defined.
    ///
    /// ```swift
    /// player.setValuesForKeys(["firstName": "Larry", "lastName": "Bird", "group": NSNull()])
    /// ```
    ///
    /// Each value is set with ``setValue(_:forKey:)``, which traps for unknown keys and wrong classes. So use it for
    /// dictionaries of your own, and not for data from outside.
    open func setValuesForKeys(_ keyedValues: [String: Any]) { setValues(ofKeys: keyedValues) }

    /// The members of an unordered to-many relationship, as a set whose changes go through to the relationship.
    ///
    /// ```swift
    /// let players = team.mutableSetValue(forKey: "players")
    /// players.add(player)                 // player.team is the team, and a team that it had before loses it
    /// players.minus([player])
    /// ```
    ///
    /// The set has no members of its own: it asks the relationship at each use. Changing the relationship while the set
    /// is enumerated traps; enumerate `allObjects` instead. Don't cast it to a Swift `Set`: on Linux the result is
    /// empty. Cast what ``value(forKey:)`` gives.
    ///
    /// Traps for an ordered relationship and for any other property.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { mutableMembers(key) }

    /// The members of an ordered relationship, as an ordered set whose changes go through to the relationship.
    ///
    /// ```swift
    /// let roster = team.mutableOrderedSetValue(forKey: "roster")
    /// roster.insert(player, at: 0)
    /// roster.moveObjects(at: IndexSet(integer: 2), to: 0)
    /// ```
    ///
    /// An object that is a member already stays where it is when it is inserted again. An index beyond the members
    /// traps. So does a property that is no ordered relationship.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { mutableOrderedMembers(key) }

    /// An array that stands for a property that holds an array: its changes become changes of the property.
    ///
    /// ```swift
    /// let tags = player.mutableArrayValue(forKey: "tags")     // a transformable attribute with an array
    /// tags.add("guard")
    /// ```
    ///
    /// Each use reads the whole property, and each change sets it to a new array. A relationship does not take an
    /// array: change it with ``mutableSetValue(forKey:)`` or ``mutableOrderedSetValue(forKey:)``.
    open func mutableArrayValue(forKey key: String) -> NSMutableArray { mutableElements(key) }

    // MARK: Observing

    /// Tells an observer of the changes of a property, or of what a key path across to-one relationships leads to.
    ///
    /// ```swift
    /// final class Display: KeyValueObserver {
    ///     func observeValue(
    ///         forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    ///         context: UnsafeMutableRawPointer?
    ///     ) {
    ///         label.text = change?[.newKey] as? String
    ///     }
    /// }
    /// let display = Display()
    /// player.addObserver(display, forKeyPath: "team.name", options: [.new], context: nil)
    /// ```
    ///
    /// Observers are told of changes by accessors and key-value coding, of changes of the inverse relationship, and of
    /// refreshing and rolling back. The call comes at once, on the queue of the object's context. The observer is held
    /// weakly. The observation ends with the object.
    ///
    /// Where a closure will do, `observe(_:options:changeHandler:)` is shorter and ends by itself.
    ///
    /// - Parameters:
    ///   - observer: The object that is told.
    ///   - keyPath: The property's name, or names with dots between them.
    ///   - options: What is told, and when.
    ///   - context: A value that the observer gets with each change. Two observations of one property differ by it.
    open func addObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        beginObservation(by: observer, keyPath, options, context)
    }

    /// Ends an observation: the last one that this observer began for this key path.
    ///
    /// Does nothing if there is none. On Apple's platforms that raises an exception.
    open func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
        endObservation(by: observer, keyPath)
    }

    /// Ends an observation: the last one that this observer began for this key path with this context.
    ///
    /// Does nothing if there is none. Use it in a class whose superclass may observe the same key path.
    open func removeObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        endObservation(by: observer, keyPath, context)
    }

    // MARK: Validation

    /// Checks a value for a property. It sets nothing; it may replace the value.
    ///
    /// ```swift
    /// var value = "Bird" as AnyObject?
    /// do {
    ///     try player.validateValue(&value, forKey: "lastName")
    ///     player.setValue(value, forKey: "lastName")
    /// } catch let error as CocoaError {
    ///     print(error.validationKey ?? "", error.localizedDescription)
    /// }
    /// ```
    ///
    /// The standard implementation checks what the model demands: that a required value is there, the predicates, and
    /// the number of members. Then it calls a method `validateLastName(_:)` of the class, if there is one and the
    /// plug-in compiled the class.
    ///
    /// A save calls this method for each property of an inserted or changed object, if the class overrides it or has
    /// such methods. A value that was replaced is set then. Put rules about several properties into
    /// ``validateForInsert()`` and ``validateForUpdate()``.
    ///
    /// - Throws: The first error that was found. It belongs to `NSCocoaErrorDomain`, with a code of 1550 to 1690
    ///   (<doc:Validation>). Its `userInfo` has the object, the key and the value, and the predicate if one failed.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try validate(value.pointee, declaredSlot(key))
        try layout.members?.validations[key]?(self, value)
    }

    /// Checks a value for the property at the end of a path of keys.
    ///
    /// It goes to the object before the last key, and calls ``validateValue(_:forKey:)`` there. With nil on the way, no
    /// value is wrong. The path may cross to-one relationships.
    ///
    /// - Throws: What ``validateValue(_:forKey:)`` of that object throws.
    open func validateValue(
        _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String
    ) throws {
        try validate(ioValue, atKeyPath: inKeyPath)
    }

    /// Checks an inserted object at a save. The standard implementation checks every property.
    ///
    /// ```swift
    /// enum GameError: Error { case endsBeforeItBegins }
    ///
    /// final class Game: NSManagedObject {
    ///     @NSManaged var start: Date?
    ///     @NSManaged var end: Date?
    ///
    ///     override func validateForInsert() throws {
    ///         try super.validateForInsert()
    ///         if let start, let end, end < start { throw GameError.endsBeforeItBegins }
    ///     }
    /// }
    /// ```
    ///
    /// Call `super` first, and override ``validateForUpdate()`` with the same rule. An error of your own comes out of
    /// `save()` as it is, unless several objects fail.
    ///
    /// - Throws: The only error, or `NSValidationMultipleErrorsError` (1560) with all of them under
    ///   `NSDetailedErrorsKey`.
    open func validateForInsert() throws { try validateProperties() }

    /// Checks a changed object at a save. The standard implementation checks every property, also unchanged ones.
    ///
    /// So an object that was saved under looser rules fails when it changes, until all its values are valid. The other
    /// end of a changed relationship counts as changed, too. For rules of your own, see ``validateForInsert()``.
    ///
    /// - Throws: The only error, or `NSValidationMultipleErrorsError` (1560) with all of them under
    ///   `NSDetailedErrorsKey`.
    open func validateForUpdate() throws { try validateProperties() }

    /// Checks a deleted object at a save. The standard implementation checks relationships with the delete rule deny.
    ///
    /// ```swift
    /// enum TeamError: Error { case isPlaying }
    ///
    /// final class Club: NSManagedObject {
    ///     @NSManaged var isPlaying: Bool
    ///
    ///     override func validateForDelete() throws {
    ///         try super.validateForDelete()
    ///         if isPlaying { throw TeamError.isPlaying }
    ///     }
    /// }
    /// ```
    ///
    /// After an error the object is still marked as deleted. ``NSManagedObjectContext/insert(_:)`` brings it back. It
    /// is not called for an object whose row was found gone.
    ///
    /// - Throws: `NSValidationRelationshipDeniedDeleteError` (1600), or 1560 for several relationships
    ///   (<doc:DeleteRules>).
    open func validateForDelete() throws { try validateDeletion() }

    // MARK: Identity

    /// Class, address, entity, ID and values, for logs. Nothing is loaded for it.
    ///
    /// ```swift
    /// print(player)       // <Player: 0x7f…> (entity: Player; id: x-coredata://…/Player/p1; data: {…})
    /// ```
    ///
    /// A fault shows `<fault>` instead of its values. A relationship that was not read shows `<relationship fault:
    /// 'players'>`.
    open override var description: String { describe() }

    /// Whether the other object is this very object. Asking fires no fault.
    ///
    /// In one context there is one object for each ID, so this is enough. To compare objects of two contexts, compare
    /// their ``objectID``. Contexts rely on this method, so subclasses can't override it.
    public final override func isEqual(_ object: Any?) -> Bool {
        // Sets ask this of objects with colliding hashes, which are mostly two. An `Any` that holds an object begins
        // with its address: where that is another one, nothing has to be retained, nor a type looked up. Anything else
        // may begin with it by chance.
        let start = withUnsafeBytes(of: object) { $0.load(as: UInt.self) }
        guard start == UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) else { return false }
        return object.map { type(of: $0) is AnyClass } ?? false
    }

    /// A hash of the object's address. It does not change when values change, nor when the object is saved.
    ///
    /// So a managed object can stay in a `Set` while it is edited. Contexts rely on it, and subclasses can't override
    /// it.
    public final override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }

    // MARK: State

    /// The context that the object belongs to.
    ///
    /// Nil for an object that was made without a context, after a deletion was saved, after
    /// ``NSManagedObjectContext/rollback()`` of an insertion, and after ``NSManagedObjectContext/reset()``. An object
    /// does not keep its context alive: when the context goes, this is nil, too.
    open var managedObjectContext: NSManagedObjectContext? { contextStorage }

    /// The description of the object's entity. Asking does not fire a fault.
    ///
    /// ```swift
    /// for (name, attribute) in player.entity.attributesByName { print(name, attribute.type) }
    /// ```
    ///
    /// It is the object's own entity, also if the object was fetched with a parent entity. For the entity of a class,
    /// see ``entity()``.
    open var entity: NSEntityDescription { layout.entity }

    /// The object's identity, the same in every context. Asking does not fire a fault.
    ///
    /// ```swift
    /// let id = player.objectID
    /// try await background.perform {
    ///     let copy = try background.existingObject(with: id) as! Player
    ///     copy.age += 1
    ///     try background.save()
    /// }
    /// ```
    ///
    /// An ID may be passed to other threads; an object must not be. An inserted object has a temporary ID, and the save
    /// replaces it by a permanent one. Do not use the ID of an object that was never in a context. To get a permanent
    /// ID earlier, call ``NSManagedObjectContext/obtainPermanentIDs(for:)``.
    open var objectID: NSManagedObjectID { ownID }

    /// Whether the next save will insert the object.
    ///
    /// False after that save. An object that was inserted and then deleted before its first save is not inserted any
    /// more. Asking does not fire a fault.
    open var isInserted: Bool { isNew }

    /// Whether the object counts as changed since it was loaded or saved.
    ///
    /// ```swift
    /// player.age = player.age
    /// print(player.isUpdated, player.hasPersistentChangedValues)      // true false
    /// ```
    ///
    /// Setting any property makes it true, also to the value that the property had. The save then calls ``willSave()``
    /// and validates the object, and writes no row. Changing a relationship marks both ends. False for inserted and
    /// deleted objects.
    open var isUpdated: Bool { isModified }

    /// Whether the next save will delete the object.
    ///
    /// ```swift
    /// context.delete(player)
    /// print(player.isDeleted)                                         // true
    /// try context.save()
    /// print(player.isDeleted, player.managedObjectContext == nil)     // false true
    /// ```
    ///
    /// After the save it is false again, and the object has no context: check ``managedObjectContext`` to find out
    /// whether an object is gone. An object that a delete rule will delete is marked when pending changes are
    /// processed.
    ///
    /// It is also true for a fault whose row was found gone. See
    /// ``NSManagedObjectContext/shouldDeleteInaccessibleFaults``.
    open var isDeleted: Bool { isGoing }

    /// Whether the object is inserted, updated or deleted, and not saved yet.
    ///
    /// It counts as changed also if every value is the one that was saved. ``hasPersistentChangedValues`` tells whether
    /// there is anything to write. Asking does not fire a fault.
    open var hasChanges: Bool { isChanged }

    /// Whether the values of the object are not loaded. Asking does not load them.
    ///
    /// ```swift
    /// let player = try context.existingObject(with: id)
    /// context.refresh(player, mergeChanges: false)
    /// print(player.isFault)                   // true
    /// _ = player.value(forKey: "age")         // loads the row
    /// print(player.isFault)                   // false
    /// ```
    ///
    /// The row of a fault may be in the coordinator's row cache already: then no statement is sent to the database. A
    /// new object is never a fault.
    open var isFault: Bool { isUnfired }

    /// 0 for an object that has its values, 1 for a fault.
    ///
    /// A number of its own exists for code from Apple's platforms. Use ``isFault``.
    open var faultingState: Int { isFault ? 1 : 0 }

    /// Whether a save would write anything for this object's row or its relationships.
    ///
    /// Transient properties do not count, nor do values equal to the saved ones. An inserted object that has any value
    /// counts, and a default of the model is a value. Use it in ``willSave()`` to leave out objects that are only
    /// marked as changed.
    open var hasPersistentChangedValues: Bool { hasValuesToStore }

    // MARK: Values

    /// The values that differ from the saved ones, by name. `NSNull` stands for nil.
    ///
    /// ```swift
    /// player.age = 34
    /// print(player.changedValues())       // ["age": 34]
    /// ```
    ///
    /// Transient properties are not in it, nor is a value that was set to what it was. A value that was set by
    /// ``setPrimitiveValue(_:forKey:)`` alone is not in it: ``willChangeValue(forKey:)`` must have announced it. In an
    /// inserted object, the model's defaults do not count. Elements of a composite attribute come by their paths
    /// (`address.city`).
    ///
    /// Asking fires no fault. For the values before the change, see ``committedValues(forKeys:)``.
    open func changedValues() -> [String: Any] { valuesChanged() }

    /// The values that changed since pending changes were last processed, as they were before. `NSNull` stands for nil.
    ///
    /// ```swift
    /// let observer = NotificationCenter.default.addObserver(
    ///     forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    /// ) { note in
    ///     let updated = note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
    ///     for object in updated { print(object.changedValuesForCurrentEvent()) }
    /// }
    /// ```
    ///
    /// Unlike ``changedValues()``, it has the old values. While the change notification is posted, it is about the
    /// changes that the notification tells of. Transient properties are not in it, nor is a value that is back where it
    /// was.
    open func changedValuesForCurrentEvent() -> [String: Any] { valuesChangedInEvent() }

    /// The values as they were loaded or last saved, by name. `NSNull` stands for nil.
    ///
    /// ```swift
    /// let before = player.committedValues(forKeys: ["age"])["age"] as? Int ?? 0
    /// if player.age < before { player.age = Int16(before) }
    /// ```
    ///
    /// An object that was never saved gives an empty dictionary. A fault loads its row. Relationships give the saved
    /// members, also after the object was deleted. A transient property gives its default.
    ///
    /// - Parameter keys: The properties. Nil: all stored ones; transient and fetched properties are left out. Traps for
    ///   a key that the model does not know.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { valuesCommitted(forKeys: keys) }

    /// Whether the members or the destination of a relationship are still to be loaded. Asking does not load them.
    ///
    /// ```swift
    /// if team.hasFault(forRelationshipNamed: "players") { print("reading team.players will ask the store") }
    /// ```
    ///
    /// - To-many: true until the members are known. An inserted object knows them.
    /// - To-one: true if this object is a fault, or if the destination is a fault or not in the context yet. False for
    ///   nil.
    ///
    /// Traps for a key that the model does not know.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isUnloaded(forRelationshipNamed: key) }

    /// The IDs of a relationship's members, without making objects of them.
    ///
    /// ```swift
    /// let count = team.objectIDs(forRelationshipNamed: "players").count
    /// ```
    ///
    /// Use it for large relationships of which you need the IDs or the number only. It loads this object's row and the
    /// members' IDs, but not the members' rows. Unsaved changes are included. The order is that of an ordered
    /// relationship. A to-one relationship gives one ID or none.
    ///
    /// The array is empty for an object without a context. Traps for a key that the model does not know.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        relatedIDs(forRelationshipNamed: key)
    }

    // MARK: Class

    /// The entity that the class stands for, in a model that a coordinator uses.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Player>()
    /// request.entity = Player.entity()
    /// ```
    ///
    /// It is looked up by the class that models name for their entities. If several models have such an entity, the
    /// model that a coordinator used last counts. Where the program has several models, use
    /// `NSEntityDescription.entity(forEntityName:in:)`.
    ///
    /// Traps if no model in use has an entity of this class, or if a model has several. The framework calls an override
    /// in ``ContextInsertable/init(context:)``, ``init()`` and ``fetchRequest()``.
    open class func entity() -> NSEntityDescription {
        EntityLookup.shared.reading { EntityLookup.entity(for: self, in: $0) }
    }

    /// A request for all objects of the entity that the class stands for, those of subentities included.
    ///
    /// ```swift
    /// let request: NSFetchRequest<Player> = Player.fetchRequest()     // the typed one of a generated class
    /// request.fetchLimit = 10
    /// ```
    ///
    /// Generated classes have a typed method of this name, which is used where the type is known. The result of this
    /// one can't be cast to `NSFetchRequest<Player>`: on Linux such a cast always fails. See ``entity()`` for when it
    /// traps.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(entityName: entity().name ?? "")
    }
}

/// Marks an object as unsafe to share between threads, whatever its subclass adds. Unchecked has no effect here: the
/// conformance is unavailable.
@available(*, unavailable, message: "A managed object belongs to its context's queue; hand its objectID over instead.")
extension NSManagedObject: @unchecked Sendable {}
