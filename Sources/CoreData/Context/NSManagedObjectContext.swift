import FoundationGaps

/// A workspace of managed objects: it finds them, tracks what changes, and saves the changes together.
///
/// ```swift
/// let context = container.newBackgroundContext()
/// try await context.perform {
///     let team = Team(context: context)
///     team.name = "Heat"
///     let request = Player.fetchRequest()
///     request.predicate = NSPredicate(format: "team == nil")
///     for player in try context.fetch(request) { player.team = team }
///     try context.save()      // One transaction: all of it is written, or nothing.
/// }
/// ```
///
/// A context belongs to a queue, the main queue or a queue of its own. Use the context and its objects only inside
/// ``perform(_:)`` or ``performAndWait(_:)->_``. On the main queue, a main-queue context can be used directly. Two
/// contexts never share objects: pass an `NSManagedObjectID` to the other context, and call ``object(with:)`` there.
/// The launch argument `-com.apple.CoreData.ConcurrencyDebug 1` makes every use on a wrong queue trap.
///
/// A context has at most one object for each ID. Two fetches give the same object, with its unsaved changes.
///
/// A context holds unchanged objects weakly and changed objects strongly. An unchanged object that the app does not
/// hold is released. An object holds the objects that its relationships lead to, once they were read, until it is a
/// fault again.
///
/// New contexts have no undo manager, do not merge the saves of other contexts, and fail at conflicts. See
/// ``undoManager``, ``automaticallyMergesChangesFromParent`` and ``mergePolicy``. The articles <doc:Concurrency>,
/// <doc:PendingChanges>, <doc:Conflicts> and <doc:ChildContexts> say more.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    // Unchecked: confined to its queue, as documented; the uniquing table, which deallocations reach from any thread,
    // has a lock of its own.

    /// The queue that the context belongs to.
    ///
    /// It never changes, and any thread may read it.
    open var concurrencyType: NSManagedObjectContextConcurrencyType { queueType }

    /// A name for messages; nil at first.
    ///
    /// The messages of traps have it: about a use on the wrong queue, a missing coordinator, and queues that wait for
    /// each other.
    ///
    /// Persistent history records it as the transaction's ``NSPersistentHistoryTransaction/contextName``.
    open var name: String?

    /// What persistent history calls the author of this context's saves and batches; nil at first.
    ///
    /// ```swift
    /// context.transactionAuthor = "import"
    /// try context.save()
    /// ```
    ///
    /// A reader of history passes over its own transactions by it. It has an effect for stores with
    /// ``NSPersistentHistoryTrackingKey``. A child context's saves have the author of the context that writes to the
    /// store.
    open var transactionAuthor: String?

    /// Values that the app keeps with the context. The framework never reads it, and ``reset()`` leaves it.
    ///
    /// ```swift
    /// background.userInfo["importer"] = "rosters"
    /// ```
    open internal(set) var userInfo = NSMutableDictionary()

    /// Whether delete rules run when pending changes are processed (true, the default), or only at the save (false).
    ///
    /// With false, ``processPendingChanges()`` and fetches see a deleted object's relationships as they were, and
    /// objects that a cascade will delete are still found. See <doc:DeleteRules>.
    open var propagatesDeletesAtEndOfEvent = true

    /// Whether a fault that lost its row becomes a deleted object with nil values (the default), or traps.
    ///
    /// The row of a fault is gone if another context or process has deleted it. With true, the next save leaves this
    /// object out, as there is nothing to delete. Properties that the model requires are nil then, too. Check
    /// `isDeleted` where that may happen:
    ///
    /// ```swift
    /// let player = context.object(with: id) as! Player    // no row is read
    /// let name = player.name                      // The row is read: if it is gone, this is nil ...
    /// if player.isDeleted { print("\(name ?? "It") is no longer in the store") }     // ... and this is true.
    /// ```
    open var shouldDeleteInaccessibleFaults = true

    /// How old a cached row may be to fill a fault, in seconds. An older row is read again from the store.
    ///
    /// The default is negative: any age is allowed. With 0, faults always read their row. Values between are exact to
    /// 1/64 second; the longest is a year. The age counts from the last time that any context of the coordinator read
    /// or wrote the row.
    ///
    /// It matters where other processes write to the store. Saves of the same coordinator's contexts update the cached
    /// rows in any case.
    ///
    /// - A fetch for objects always reads their rows.
    /// - Objects that are not faults keep their values. ``refresh(_:mergeChanges:)`` and ``refreshAllObjects()`` make
    ///   them faults.
    /// - A child context takes what its parent has. The parent's interval counts.
    ///
    /// ```swift
    /// context.stalenessInterval = 0       // Another process writes to the store:
    /// context.refreshAllObjects()         // each object reads its row when it is used next.
    /// ```
    open var stalenessInterval: TimeInterval = -1 {
        didSet { (oldestRow, agesRows) = (RowAge(stalenessInterval), stalenessInterval >= 0) }
    }
    // Exclusive access is not checked at run time, here and below. Each of these properties is read for every fault,
    // new object or change. The context is confined to its queue. What changes a property in place (appending,
    // counting) runs no code of the app. An app's `deinit` runs when an object is released: lists that may have the
    // last reference to an object are replaced, not changed in place.

    /// See ``stalenessInterval``.
    @exclusivity(unchecked) private(set) var oldestRow = RowAge.any
    /// Whether rows that are at hand may be too old.
    @exclusivity(unchecked) private(set) var agesRows = false

    /// Whether the context holds unchanged objects strongly, too. The default is false.
    ///
    /// With true, each object that was ever fetched or reached stays in memory until ``reset()``, or until this is
    /// false again. Use it for a small set of objects that is read often, and never for an import.
    open var retainsRegisteredObjects: Bool {
        get { retainsAll }
        set { retainsAll = newValue }
    }
    /// See ``retainsRegisteredObjects``. Every object that is registered asks.
    @exclusivity(unchecked) var retainsAll = false {
        didSet { held.registered = retainsAll ? Set(uniquing.objects) : [] }
    }

    /// For migrations, and for tools that look into damaged stores: takes what a fault runs into when the store, or a
    /// file of external data, can't be read. The fault has no values then, or the relationship no members. Without it
    /// a fault traps, for an app must not go on with half a graph.
    package var unreadableFaultHandler: ((any Error) -> Void)?

    /// Whether saves write objects that are not valid. A migration validates when all objects are made.
    var skipsValidation = false

    /// See ``concurrencyType``.
    let queueType: NSManagedObjectContextConcurrencyType
    /// Whether the context is of a subclass, which may override what the framework calls.
    let isSubclassed: Bool
    let queue: ContextQueue
    /// See ``parent``.
    @exclusivity(unchecked) var parentContext: NSManagedObjectContext?
    /// How many questions the context is asking its parent, one within the other. Other threads read it while this
    /// context's waits.
    @exclusivity(unchecked) private(set) var questionsToParent = 0
    /// The contexts that have the same root, this one among them if it is a child.
    var family = ContextFamily<NSManagedObjectContext>()
    /// How many of the family's promotions the context has followed.
    var followedPromotions = 0
    /// The lock behind ``lock()`` and ``unlock()``: only the app takes it.
    let confinementLock = NSRecursiveLock()
    let uniquing = UniquingTable<NSManagedObject>()
    /// Makes the context's faults, and the objects of rows.
    let maker = ObjectMaker()
    @exclusivity(unchecked) var coordinator: NSPersistentStoreCoordinator? {
        didSet {
            modelLayout = coordinator.map { UnsafeRawPointer(Unmanaged.passUnretained($0.layouts).toOpaque()) }
            lastEntity = nil
            guard mergesAutomatically, parentContext == nil, coordinator !== oldValue else { return }
            oldValue?.mergingContexts.set(self, isMember: false)
            coordinator?.mergingContexts.set(self, isMember: true)
        }
    }
    /// Which model's objects belong here, to compare with.
    @exclusivity(unchecked) private(set) var modelLayout: UnsafeRawPointer?
    /// The entity of the class that was last asked for.
    @exclusivity(unchecked) var lastEntity: (type: ObjectIdentifier, entity: NSEntityDescription)?

    @exclusivity(unchecked) var unsaved = UnsavedChanges<NSManagedObject>()
    @exclusivity(unchecked) var events = ChangeEvents<NSManagedObject>()
    @exclusivity(unchecked) var undoing = UndoState()
    @exclusivity(unchecked) var held = HeldObjects<NSManagedObject>()
    @exclusivity(unchecked) var merging = MergeState<NSManagedObject>()
    /// See ``tracksObservedReads``.
    @exclusivity(unchecked) var tracksReads: Bool
    /// Whether a store of an app's class may want to know which objects are in use.
    @exclusivity(unchecked) var attendsStores = false
    /// See ``automaticallyMergesChangesFromParent``.
    var mergesAutomatically = false
    /// See ``mergePolicy``.
    var conflictPolicy = NSMergePolicy.error
    /// How many objects have left the context.
    @exclusivity(unchecked) var departures: UInt = 0
    /// What the context is pinned to; see ``setQueryGenerationFrom(_:)``.
    @exclusivity(unchecked) var pinned = PinnedGeneration()
    /// Whether the end of this turn of the main queue will process pending changes.
    var endOfTurnIsScheduled = false

    /// Makes a context on a queue, without a coordinator or a parent.
    ///
    /// Give it one of the two before its first use: set ``persistentStoreCoordinator`` or ``parent``. Operations that
    /// need a store trap without.
    ///
    /// - Parameter ct: `.privateQueueConcurrencyType` for a queue of its own, `.mainQueueConcurrencyType` for the main
    ///   queue. A context of the deprecated `.confinementConcurrencyType` has no queue: `perform` and `performAndWait`
    ///   trap there.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        queueType = ct
        isSubclassed = type(of: self) != NSManagedObjectContext.self
        tracksReads = ct == .mainQueueConcurrencyType
        queue = ct == .mainQueueConcurrencyType ? ContextQueue.main : ContextQueue(label: "NSManagedObjectContext")
        super.init()
    }

    /// A context without a queue, for the thread that makes it.
    ///
    /// It can't be a parent or a child, can't merge automatically, and runs no blocks.
    @available(*, deprecated, message: "Use init(concurrencyType:) instead.")
    public override convenience init() { self.init(concurrencyType: .confinementConcurrencyType) }

    /// Makes a context on a queue, without a coordinator or a parent.
    ///
    /// ```swift
    /// let importer = NSManagedObjectContext(.privateQueue)
    /// importer.persistentStoreCoordinator = container.persistentStoreCoordinator
    /// importer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    /// ```
    ///
    /// - Parameter type: `.mainQueue` or `.privateQueue`.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    deinit {
        if parentContext != nil { family.leave(ObjectIdentifier(self)) }
        undoing.recorder?.end()
        undoing.recorder?.manager.removeAllActions(withTarget: self)
        // Objects that go with them need the context as yet. The others that are held need none: they go after it.
        (held.ownersOfProxies, held.ownersOfStaleSets) = ([], [])
        // An object that the app still holds has no context from now on.
        uniquing.removeAll { $0.leaveContext() }
        // An object that lost its row, with a pending deletion, may be in no table.
        for object in unsaved.deletionsToPropagate where object.contextReference != nil { object.leaveContext() }
    }

    /// The coordinator with the stores that the context fetches from and saves to; nil for a new context.
    ///
    /// Contexts of a container have the container's coordinator. A child context has its parent's.
    ///
    /// Setting another coordinator traps if the context has objects (call ``reset()`` first), or if it is a child (set
    /// ``parent`` to nil first). The context's children get the new coordinator, too. The context retains its
    /// coordinator.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator }
        set {
            require(
                parentContext == nil || newValue === coordinator,
                "A child context has its parent's coordinator; set its parent to nil before you give it another.")
            require(
                coordinator == nil || newValue === coordinator || uniquing.objects.isEmpty,
                "A context that has objects can't change its coordinator; reset() it first, or make another context.")
            coordinator = newValue
            for child in family.children(of: self) { child.adoptCoordinator(newValue) }
        }
    }

    /// The coordinator, which every operation on stores needs.
    @inline(__always)
    var requiredCoordinator: NSPersistentStoreCoordinator {
        guard let coordinator else {
            programmerError(
                "The context \(name ?? "") has no persistent store coordinator; set persistentStoreCoordinator first.")
        }
        return coordinator
    }

    /// Objects that the next save will insert.
    ///
    /// The set is built at each call. Objects that were inserted and then deleted are not in it.
    open var insertedObjects: Set<NSManagedObject> { Set(unsaved.objects.lazy.filter(\.isNew)) }

    /// Objects that the next save will update.
    ///
    /// An object counts as updated when one of its properties was set, also to the value that it had. The save then
    /// writes no row for it. The other end of a changed relationship counts, too.
    open var updatedObjects: Set<NSManagedObject> { Set(unsaved.objects.lazy.filter(\.isModified)) }

    /// Objects that the next save will delete, and objects that merges have deleted since the last save.
    ///
    /// An object of the second kind has left the context, and there is nothing to save: ``hasChanges`` does not count
    /// it. It is in this set as long as the app holds it. Objects that a delete rule will delete are in the set once
    /// pending changes were processed.
    open var deletedObjects: Set<NSManagedObject> {
        Set(unsaved.objects.lazy.filter(\.isGoing)).union(merging.deletions.objects)
    }

    /// The context asks its parent something, and must not be used before it has the answer.
    final func beginQuestion() {
        questionsToParent += 1
        QueueThread.current.beginQuestion(of: self)
    }

    final func endQuestion() {
        questionsToParent -= 1
        QueueThread.current.endQuestion()
        QueueWait.questionEnded()
    }

    /// All objects of the context that the app, the context or another object holds, faults among them.
    ///
    /// Building this set takes time in proportion to their number.
    open var registeredObjects: Set<NSManagedObject> { Set(uniquing.objects) }

    /// Whether there is anything to save. The answer takes the same time for any number of objects.
    ///
    /// It counts inserted, updated and deleted objects, also objects with the values that they had before. A save
    /// without changes does little, but posts its notifications:
    ///
    /// ```swift
    /// if context.hasChanges { try context.save() }
    /// ```
    open var hasChanges: Bool { hasUnsavedChanges }

    /// Decides what becomes of a fault that lost its row: true makes it a deleted object with nil values, false traps.
    ///
    /// The context calls it when a fault without a row fires. The implementation here returns
    /// ``shouldDeleteInaccessibleFaults``. An override may log, or decide by entity:
    ///
    /// ```swift
    /// final class StrictContext: NSManagedObjectContext {
    ///     override func shouldHandleInaccessibleFault(
    ///         _ fault: NSManagedObject, for oid: NSManagedObjectID,
    ///         triggeredByProperty property: NSPropertyDescription?
    ///     ) -> Bool {
    ///         print("no row for \(oid)")
    ///         return oid.entity.name != "Team"
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fault: The object. Reading one of its properties here is not safe.
    ///   - oid: Its ID.
    ///   - property: Always nil here.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    // MARK: Inserting and deleting

    /// Inserts an object that was made without a context, and the objects like it that it leads to.
    ///
    /// ```swift
    /// let draft = Player(entity: Player.entity(), insertInto: nil)   // belongs to no context
    /// draft.name = "Dwyane"
    /// context.insert(draft)                                           // the next save inserts it
    /// ```
    ///
    /// `Player(context:)` does both at once. `awakeFromInsert()` is called for each inserted object. The framework
    /// calls this function for each object that `NSManagedObject.init(entity:insertInto:)` makes in a context of a
    /// subclass.
    ///
    /// - An object that is registered here already stays as it is.
    /// - A deleted object comes back. The relationships that its deletion has ended in other objects stay ended.
    /// - An object that was found without a row comes back as the store has it, if another context has restored the
    ///   row. Otherwise it becomes a new object with the ID that it had.
    ///
    /// An object of another context, of another model, or of an abstract entity traps.
    open func insert(_ object: NSManagedObject) { takeIn(object) }

    /// Marks an object for deletion at the next save.
    ///
    /// ```swift
    /// context.delete(player)
    /// print(player.isDeleted)         // true, until the save
    /// try context.save()              // the row goes; player.managedObjectContext is nil then
    /// ```
    ///
    /// `prepareForDeletion()` of the object is called at once. Its delete rules run when pending changes are processed,
    /// so objects that a cascade deletes show `isDeleted` only after ``processPendingChanges()``. An object that was
    /// never saved simply leaves the context then. The object's attributes can be read until the save.
    ///
    /// Deleting an object twice does nothing the second time. An object of another context traps. ``rollback()`` takes
    /// the deletion back. To delete a great many objects, fetch and delete them in portions, with a save after each.
    /// See <doc:DeleteRules>.
    open func delete(_ object: NSManagedObject) { noteDeletion(object) }

    /// Chooses the store that an inserted object will be saved to, where several stores hold its entity.
    ///
    /// Without this call, the object goes to the first store that can be written to and holds the entity, by its
    /// configuration.
    ///
    /// ```swift
    /// let player = Player(context: context)
    /// if let archive = coordinator.persistentStore(for: url) { context.assign(player, to: archive) }
    /// ```
    ///
    /// If the store is moved before the save, the object goes to the moved store. If it is removed, the save throws
    /// `NSPersistentStoreOperationError` (134070). Relationships can't lead to an object of another store: the save
    /// throws `NSManagedObjectExternalRelationshipError` (133010).
    ///
    /// - Parameters:
    ///   - object: An object that is inserted in this context and not yet saved. Any other traps.
    ///   - store: A store of the context's coordinator.
    open func assign(_ object: Any, to store: NSPersistentStore) { assignStore(object, to: store) }

    // MARK: Finding objects

    /// Returns the object with an ID: the registered object, or a new fault. No SQL runs.
    ///
    /// Whether the row exists shows when the fault fires, see ``shouldDeleteInaccessibleFaults``. This is the usual way
    /// to go on with an object of another context:
    ///
    /// ```swift
    /// let id = player.objectID
    /// try await background.perform {
    ///     guard let player = background.object(with: id) as? Player else { return }
    ///     player.age += 1
    ///     try background.save()
    /// }
    /// ```
    ///
    /// - Parameter objectID: A permanent ID, or the temporary ID of an object of this context or a parent. An ID of
    ///   another coordinator is looked up by its URI. An ID of a store that is not attached to this context's
    ///   coordinator traps: for a URI from elsewhere use
    ///   ``NSPersistentStoreCoordinator/managedObjectID(forURIRepresentation:)``, which returns nil then.
    /// - Returns: An object of the ID's entity. It may be deleted or have unsaved changes.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(with: objectID) }

    /// Returns the object with an ID if the context has it, or nil. No SQL runs, and no fault fires.
    ///
    /// Use it in observers that care only for objects that are in use:
    ///
    /// ```swift
    /// let ids: Set<NSManagedObjectID> = [id]
    /// for object in ids.compactMap({ context.registeredObject(for: $0) }) { print(object.isFault) }
    /// ```
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(for: objectID) }

    /// Returns the object with an ID, with its row loaded: it is not a fault.
    ///
    /// A registered object that is no fault is returned as it is, without a look at the store. Otherwise the row comes
    /// from the coordinator's cache (see ``stalenessInterval``), or from the store, by one `SELECT` over the primary
    /// key. A child asks its parent.
    ///
    /// ```swift
    /// do {
    ///     let player = try context.existingObject(with: id)
    ///     print(player.objectID)
    /// } catch CocoaError.managedObjectReferentialIntegrity {
    ///     print("deleted by another context or process")
    /// }
    /// ```
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if there is no row with the ID, or the object was
    ///   deleted here, with the ID in an array under `NSAffectedObjectsErrorKey`; what the store reports.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try loadedObject(with: objectID)
    }

    /// Gives inserted objects the IDs that they will have in their store, before they are saved.
    ///
    /// An inserted object has a temporary ID until its first save. Call this function where the ID leaves the program
    /// earlier, for example as a URI in a link:
    ///
    /// ```swift
    /// let player = Player(context: context)
    /// try context.obtainPermanentIDs(for: [player])
    /// let link = player.objectID.uriRepresentation()      // stays valid after the save
    /// ```
    ///
    /// At most one small transaction for each tree of entities reserves the primary keys (`UPDATE Z_PRIMARYKEY`). Pass
    /// all objects together. The rows are still written by ``save()``. Objects that have permanent IDs, or belong to
    /// other contexts, are passed over. A child asks the root context, and all contexts between get the same ID.
    ///
    /// - Throws: What the store reports; `NSPersistentStoreOperationError` (134070) for an entity that no writable
    ///   store holds. No object has a new ID then.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try assignPermanentIDs(for: objects) }

    /// Returns what a request finds in the stores and among this context's unsaved changes.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Player>(entityName: "Player")
    /// request.predicate = NSPredicate(format: "salary > %f AND team.name BEGINSWITH[cd] %@", 1e6, "h")
    /// request.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
    /// request.fetchLimit = 20
    /// let players = try context.fetch(request)
    /// ```
    ///
    /// Pending changes are processed first. Then a `SELECT` with the predicate, the order and the limit runs in each
    /// store that holds the entity. A context without changes of the entity takes the result as it is. Otherwise the
    /// context corrects it: changed objects are checked against the predicate and sorted in, and deleted objects are
    /// left out. ``AnyFetchRequest/includesPendingChanges`` turns this off. A fetch for dictionaries always sees the
    /// store alone.
    ///
    /// By default, objects come as faults with their rows at hand: reading a property needs no further SQL. Registered
    /// objects that are not faults keep their values, unless ``AnyFetchRequest/shouldRefreshRefetchedObjects`` is set.
    /// See <doc:Fetching>.
    ///
    /// - Returns: Objects, object IDs, dictionaries or a count, as ``AnyFetchRequest/resultType`` says. Without sort
    ///   descriptors the order is undefined. An entity that no attached store holds gives an empty array.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) for a predicate or sort descriptor that SQL
    ///   can't answer, for example one with a key that the entity does not have; `NSPersistentStoreOperationError`
    ///   (134070) for an unknown property to fetch, and for results that are not of the type `T`; `NSCoreDataError`
    ///   (134060) if the coordinator has no stores; `NSPersistentStoreTimeoutError` (134090) if another process kept
    ///   the store locked; what else the store reports. A request without an entity, or with one that the model lacks,
    ///   traps.
    open func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { try results(request) }

    /// Returns the number of objects that a request would find.
    ///
    /// Without unsaved changes of the entity, this is one `SELECT COUNT` for each store, and no object is made. Unsaved
    /// changes take part as in ``fetch(_:)``. The request's limit and offset count, its result type does not.
    ///
    /// ```swift
    /// let request = Player.fetchRequest()
    /// request.predicate = NSPredicate(format: "team == nil")
    /// label.text = "\(try context.count(for: request)) free agents"
    /// ```
    ///
    /// - Throws: What ``fetch(_:)`` throws. Errors are thrown: the count is never `NSNotFound`.
    open func count(for request: AnyFetchRequest) throws -> Int { try resultCount(for: request) }

    /// Carries a request out.
    ///
    /// ```swift
    /// let request = NSAsynchronousFetchRequest(fetchRequest: Player.fetchRequest()) { result in
    ///     show(result.finalResult ?? [])      // on the context's queue
    /// }
    /// try context.execute(request)            // returns at once
    /// ```
    ///
    /// - Returns: For an ``NSAsynchronousFetchRequest`` its ``NSAsynchronousFetchResult``, at once, to be filled later.
    ///   For an ``NSFetchRequest`` the same, filled.
    /// - Throws: What ``fetch(_:)`` throws, for a fetch request; `NSPersistentStoreUnsupportedRequestTypeError`
    ///   (134091) for requests of other classes.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { try carryOut(request) }

    // MARK: Saving

    /// Writes all changes to the stores, or none. A child context hands them to its ``parent`` instead.
    ///
    /// ```swift
    /// do {
    ///     try context.save()
    /// } catch let error as CocoaError where (1550...1690).contains(error.errorCode) {
    ///     print(error.localizedDescription)       // The user corrects the values; the changes are still there.
    /// } catch CocoaError.managedObjectMerge {
    ///     context.rollback()                      // Another context changed the same rows:
    ///     context.refreshAllObjects()             // start again from the rows as they are now.
    /// }
    /// ```
    ///
    /// A save
    ///
    /// 1. processes pending changes, and posts `NSManagedObjectContextWillSave`;
    /// 2. calls `willSave()` of changed objects, until none of them changes anything more (a trap ends it after 1,000
    ///    rounds);
    /// 3. validates all changed objects;
    /// 4. writes `INSERT`, `UPDATE` and `DELETE` statements in one transaction for each store;
    /// 5. calls `didSave()`, and posts `NSManagedObjectContextDidSave`.
    ///
    /// On any error the context keeps its changes, and nothing is written. An object with the values that it had before
    /// is not written. A context without changes does nothing but write changed metadata and post its notifications.
    /// <doc:PendingChanges> has the order of all notifications. Contexts of one coordinator save one at a time; they
    /// read while another saves.
    ///
    /// Changes of several stores are committed in turn, when all of them are written. If a store can't commit after
    /// another store has committed, a part of the save remains. The committed part is saved, as by any other save, with
    /// its notification. The rest stays changed, and the next save writes it (<doc:Stores>).
    ///
    /// - Throws: All in `NSCocoaErrorDomain`, unless an overridden validation method throws another error:
    ///   - a validation error (1550 to 1690), several as `NSValidationMultipleErrorsError` (1560) with all of them
    ///     under `NSDetailedErrorsKey`. The only error of an overridden validation method is thrown as it is;
    ///   - `NSManagedObjectMergeError` (133020) if rows changed since the context read them,
    ///     `NSManagedObjectConstraintMergeError` (133021) for a violated uniqueness constraint, both unless the
    ///     ``mergePolicy`` settles them, and both with the conflicts under `"conflictList"`;
    ///   - `NSManagedObjectExternalRelationshipError` (133010) for a relationship between objects of two stores;
    ///   - `NSPersistentStoreOperationError` (134070) if no writable store holds an inserted object's entity;
    ///   - `NSPersistentStoreIncompleteSaveError` (134040) if only some stores took their part. The other stores are
    ///     under `NSAffectedStoresErrorKey`, and their objects under `NSAffectedObjectsErrorKey`;
    ///   - what a store reports: `NSPersistentStoreTimeoutError` (134090) if another process kept it locked, 640 if the
    ///     disk is full, 513 if it is read-only.
    open func save() throws { try saveChanges() }

    /// Runs the delete rules of deleted objects, registers the changes for undo, and posts what changed.
    ///
    /// The context does this itself before a fetch and a save, after each block of ``perform(_:)``, and for a
    /// main-queue context at the end of a turn of the main queue. Call it after changes in ``performAndWait(_:)->_``
    /// that observers or delete rules should know of at once:
    ///
    /// ```swift
    /// background.performAndWait {
    ///     retire(player)
    ///     background.processPendingChanges()      // now its cascade is deleted, too, and observers know
    /// }
    /// ```
    ///
    /// The notification is `NSManagedObjectContextObjectsDidChange`. Nothing is posted if nothing changed. See
    /// <doc:PendingChanges>.
    open func processPendingChanges() { processPending() }

    /// Undoes everything since the last save.
    ///
    /// Inserted objects leave the context, changed objects take their stored values, deleted objects come back.
    ///
    /// ```swift
    /// do {
    ///     retire(player)
    ///     try context.save()
    /// } catch {
    ///     context.rollback()      // the context has no changes any longer
    ///     throw error
    /// }
    /// ```
    ///
    /// It needs no undo manager. The context's undo manager, if there is one, forgets all its actions, also actions of
    /// other targets. The stored values are the values that the context has read. The store is not asked for newer
    /// values: after a conflict, refresh the objects, too, or the next save meets the same conflict. Objects that stay
    /// get `awake(fromSnapshotEvents:)` with `.rollback`.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange` at once, also if nothing had changed, with inserted objects under
    /// `NSDeletedObjectsKey`, and the others under `NSRefreshedObjectsKey`. Metadata of stores stay as they were set.
    open func rollback() { takeBackChanges() }

    /// Forgets every object and every change.
    ///
    /// Objects that the app still holds belong to no context after that. Do not use them any longer. Use it between the
    /// portions of an import: objects that hold each other by their relationships are released, too.
    ///
    /// ```swift
    /// let names = try await background.perform {
    ///     let names = try importPlayers(into: background).map(\.name)
    ///     try background.save()
    ///     background.reset()      // values may leave the block, objects may not
    ///     return names
    /// }
    /// ```
    ///
    /// The row cache of the coordinator stays. A context that is pinned to a query generation moves to the current one.
    /// The undo manager forgets the context's actions. Posts `NSManagedObjectContextObjectsDidChange` at once, with the
    /// IDs of all objects in an array under `NSInvalidatedAllObjectsKey`.
    open func reset() { forgetObjects() }

    // MARK: Changes of others

    /// Brings an object up to date with its store, or releases its memory.
    ///
    /// ```swift
    /// context.refresh(player, mergeChanges: false)    // a fault again: what it held is released
    /// print(player.name ?? "")                        // reads the row anew
    /// ```
    ///
    /// With `mergeChanges: true` the row is read at once, and the object's unsaved changes stay on top of the new
    /// values. If the row is gone, the object keeps what it has. A fault stays a fault. With false the unsaved changes
    /// are lost, the object becomes a fault, and its row is read when it is used next. The next change notification has
    /// the object under `NSRefreshedObjectsKey`. A child reads from its parent, not from the store.
    ///
    /// - Parameters:
    ///   - object: An object of this context; an object of another context stays as it is. An object that was never
    ///     saved has nothing to merge. Without merging it becomes a fault that stays inserted, is related to nothing
    ///     and has the model's defaults when it fires.
    ///   - flag: Whether unsaved changes are kept. If they are, a store that can't be read traps.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { bringUpToDate(object, mergeChanges: flag) }

    /// Brings all objects up to date, keeping changes made here.
    ///
    /// Unchanged objects become faults. Changed objects take fresh rows under their unsaved changes. A fault that fires
    /// afterwards takes the coordinator's cached row if ``stalenessInterval`` allows its age. That row has all saves of
    /// this coordinator's contexts. To see what *another process* has saved, set the interval to 0 before, or use
    /// ``mergeChanges(fromRemoteContextSave:into:)``. The next change notification has all objects under
    /// `NSRefreshedObjectsKey`.
    open func refreshAllObjects() { bringAllUpToDate() }

    /// Takes over what another context saved.
    ///
    /// Call it on this context's queue. The notification may have come on another thread.
    ///
    /// ```swift
    /// observation = NotificationCenter.default.addObserver(
    ///     forName: .NSManagedObjectContextDidSave, object: background, queue: nil
    /// ) { notification in
    ///     nonisolated(unsafe) let notification = notification
    ///     viewContext.perform { viewContext.mergeChanges(fromContextDidSave: notification) }
    /// }
    /// ```
    ///
    /// - New objects are registered as faults.
    /// - Changed objects take the new values. Unsaved changes of this context stay on top of them.
    /// - Deleted objects leave this context and lose their changes, unless the store has them again. Delete rules do
    ///   not run; relationships that led to them become nil.
    ///
    /// ``automaticallyMergesChangesFromParent`` does the same without code. Then posts
    /// `NSManagedObjectContextObjectsDidChange`, which includes this context's own pending changes, and
    /// `NSManagedObjectContextDidMergeChangesObjectIDs` with the IDs of the inserted, updated, deleted and refreshed
    /// objects. Rows that contexts of this coordinator saved are in its cache. For a save of another coordinator the
    /// rows of registered objects are read from the store. See <doc:Conflicts>.
    ///
    /// - Parameter notification: `NSManagedObjectContextDidSave` or `NSManagedObjectContextDidSaveObjectIDs`, of a
    ///   context of this coordinator or of another one with the same store. Objects of stores that this coordinator
    ///   does not have are passed over.
    open func mergeChanges(fromContextDidSave notification: Notification) { takeOver(fromContextDidSave: notification) }

    /// Has contexts take over what another process or coordinator has written to their stores.
    ///
    /// ```swift
    /// let message = [player.objectID.uriRepresentation()]         // as another process has sent it
    /// NSManagedObjectContext.mergeChanges(
    ///     fromRemoteContextSave: [NSUpdatedObjectIDsKey: message, NSDeletedObjectIDsKey: [id]], into: [viewContext])
    /// ```
    ///
    /// The rows of registered objects are read from the store again; the cached rows of all other objects are
    /// forgotten. What happens to objects is as in ``mergeChanges(fromContextDidSave:)``.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Objects, their IDs or URIs, in arrays or sets, under `NSInsertedObjectsKey`,
    ///     `NSUpdatedObjectsKey`, `NSDeletedObjectsKey`, `NSRefreshedObjectsKey`, `NSInvalidatedObjectsKey` and the
    ///     same keys for IDs. Refreshed and invalidated objects count as updated. `NSInvalidatedAllObjectsKey`, with
    ///     any value, makes every object take fresh values.
    ///   - contexts: Each merges on its own queue, in turn. The call returns when all have merged.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        takeOver(fromRemoteContextSave: changeNotificationData, into: contexts)
    }

    /// Whether the context merges the saves of other contexts by itself. The default is false.
    ///
    /// ```swift
    /// container.viewContext.automaticallyMergesChangesFromParent = true
    /// ```
    ///
    /// A root context merges each save of the other contexts of its coordinator. A child merges what its siblings and
    /// its parent save and what its parent merges. Each merge is a block of ``perform(_:)`` on the context's own queue,
    /// some time after the save. Saves of other processes are not merged. See ``mergeChanges(fromContextDidSave:)`` for
    /// what becomes of objects.
    ///
    /// A context without a queue traps.
    open var automaticallyMergesChangesFromParent: Bool {
        get { mergesFromParent }
        set { mergesFromParent = newValue }
    }

    /// Makes the next save check the row of an object that this context has read and not changed.
    ///
    /// A save checks only rows that it writes. Call this for an object if the changes were computed from its values:
    ///
    /// ```swift
    /// context.detectConflicts(for: team)
    /// player.salary = team.uniformColor == "red" ? 2e6 : 1e6
    /// try context.save()      // a conflict (133020) if another context has changed the team
    /// ```
    ///
    /// The object's fault fires, if it is one. An inserted object is not checked, as it has no row. The request holds
    /// until a save succeeds, ``rollback()`` or ``reset()``; a save that fails keeps it. It has no effect on a save
    /// without changes. The ``mergePolicy`` settles the conflict.
    ///
    /// - Parameter object: An object of this context. Any other traps.
    open func detectConflicts(for object: NSManagedObject) { relyOn(for: object) }

    /// The policy by which saves settle conflicts: an ``NSMergePolicy``.
    ///
    /// The default is ``NSMergePolicy/error``, which fails the save.
    ///
    /// ```swift
    /// background.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump   // what an import brings is newer
    /// viewContext.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    /// ```
    ///
    /// A value of another class traps. A child's policy settles conflicts with its parent; the parent's policy settles
    /// conflicts with the store. See <doc:Conflicts> for what each policy does.
    open var mergePolicy: Any {
        get { policy }
        set { policy = newValue }
    }

    /// The query generation that the context is pinned to.
    ///
    /// Nil, the default: none, and each load sees the stores as they are.
    ///
    /// Give it to ``setQueryGenerationFrom(_:)`` of another context to pin that context to the same state. A child
    /// context returns nil: it sees what its parent sees. The token keeps the generation as long as it exists.
    open var queryGenerationToken: NSQueryGenerationToken? { pinned.token }

    /// Pins the context to a state of its stores. Its fetches and faults see this state, although other contexts save.
    ///
    /// ```swift
    /// try viewContext.setQueryGenerationFrom(.current)
    /// let players = try viewContext.fetch(Player.fetchRequest())      // the state is taken here
    /// let teams = try viewContext.fetch(Team.fetchRequest())          // the same state again
    /// print(players.count, teams.count)
    /// ```
    ///
    /// The context moves to the current state when it saves, when it merges the saves of other contexts, when it is
    /// reset, and when this function is called again. Objects keep their values until they are refreshed.
    ///
    /// A held generation keeps the store's log (`-wal`) from being emptied. At 256 MB, or at the size in the pragma
    /// `journal_size_limit`, the store ends its generations. A line on standard error says so, and the contexts use the
    /// current state.
    ///
    /// - Parameter generation: ``NSQueryGenerationToken/current`` for the state at the context's next load; another
    ///   context's ``queryGenerationToken`` for its state; nil for none.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if a store can't hold a state (in memory, read-only,
    ///   without a write-ahead log), if 16 generations are held, or if the token's generation is another coordinator's
    ///   or has ended. A child context traps.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { try pin(generation) }

    // MARK: Parents

    /// The context that this context is a child of: it fetches from its parent, and saves to it.
    ///
    /// Nil, the default, for a root context.
    ///
    /// ```swift
    /// let editor = NSManagedObjectContext(.mainQueue)
    /// editor.parent = viewContext
    /// let draft = editor.object(with: id)         // as the view context has it, unsaved changes included
    /// draft.setValue("Flash", forKey: "name")
    /// try editor.save()                           // now the view context has the change
    /// try viewContext.save()                      // now the store has it
    /// ```
    ///
    /// A child and its parent may belong to different queues; the child waits for its parent's queue. Children may have
    /// children. A child retains its parent. See <doc:ChildContexts>.
    ///
    /// Set it before the context has any object, and set the parents of a chain from the top down; otherwise it traps.
    /// Setting it gives the child its parent's coordinator. Nil makes the child a root context without a coordinator.
    open var parent: NSManagedObjectContext? {
        get { ownParent }
        set { ownParent = newValue }
    }

    // MARK: Undoing

    /// The undo manager with which the context registers its changes.
    ///
    /// Nil, the default as on iOS: none, which is faster.
    ///
    /// ```swift
    /// viewContext.undoManager = UndoManager()
    /// player.name = "Flash"
    /// viewContext.undo()      // the name is what it was
    /// viewContext.redo()      // "Flash" again
    /// ```
    ///
    /// The changes between two points at which pending changes are processed are one action: insertions, deletions with
    /// what their rules did, attributes and relationships. The manager's groups decide what one ``undo()`` takes back.
    /// With `groupsByEvent`, the default, a group has all actions of an event. Without it, a group must be open
    /// whenever pending changes are processed, or registering traps.
    ///
    /// To make a change that can't be undone: process pending changes, disable the manager's registration, make the
    /// change, process again, and enable the registration.
    ///
    /// Setting another manager processes pending changes, and the former manager forgets the context's actions. Changes
    /// from before can't be undone with the new manager. See <doc:Undo>.
    open var undoManager: UndoManager? {
        get { recordingManager }
        set { recordingManager = newValue }
    }

    /// Undoes the last group of changes. Does nothing without an undo manager.
    ///
    /// Changes that were saved are undone, too, as new changes to save. An insertion that was saved is undone by
    /// deleting the object. A deletion that was saved is undone by inserting the same object again, which keeps its ID.
    /// Objects get `awake(fromSnapshotEvents:)`; their accessors and validation are not called. Pending changes are
    /// processed before and after.
    open func undo() { undoLast() }

    /// Makes the changes again that ``undo()`` took back last.
    ///
    /// Does nothing without an undo manager, or if nothing was undone. A new change after an undo ends the possibility
    /// to redo.
    open func redo() { redoLast() }

    // MARK: Queue

    /// Runs a block on the context's queue, later, and returns at once.
    ///
    /// ```swift
    /// func startImport() {
    ///     background.perform {
    ///         do {
    ///             _ = try importPlayers(into: background)
    ///             try background.save()
    ///         } catch { print(error) }
    ///     }
    /// }
    /// ```
    ///
    /// Blocks run in the order in which they came. Pending changes are processed after the block. The context is
    /// retained until then. May be called on any thread, also on the queue itself. A context without a queue traps.
    ///
    /// The block cannot throw. Catch the errors of a save inside it, or use ``perform(schedule:_:)``.
    @preconcurrency
    open func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue, and returns when it has run.
    ///
    /// May be nested, and called on any thread: on the context's own queue the block runs at once. It does *not*
    /// process pending changes; call ``processPendingChanges()`` where delete rules and observers should run. In
    /// asynchronous code prefer ``perform(schedule:_:)``, which does not block a thread.
    open func performAndWait(_ block: () -> Void) { runAndWait(block) }

    /// Runs a block on the context's queue, waits for it, and returns what it returns.
    ///
    /// What the block throws is thrown here.
    ///
    /// ```swift
    /// func playerCount() throws -> Int {
    ///     try background.performAndWait { try background.count(for: Player.fetchRequest()) }
    /// }
    /// label.text = "\(try playerCount())"
    /// ```
    ///
    /// Return values or object IDs, not objects: an object is used on its context's queue only. Pending changes are not
    /// processed. <doc:ChildContexts> says what happens when queues wait for each other.
    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try runAndWait(block) }

    /// Runs a block on the context's queue, and returns what it returns. Pending changes are processed after it.
    ///
    /// ```swift
    /// let ids = try await background.perform {
    ///     let players = try importPlayers(into: background)
    ///     try background.save()
    ///     return players.map(\.objectID)
    /// }
    /// ```
    ///
    /// Cancelling the waiting task does not stop the block. A context without a queue traps.
    ///
    /// - Parameters:
    ///   - schedule: With `.immediate`, the default, the block runs at once if the caller is on the queue, as the main
    ///     actor is on that of a main-queue context. With `.enqueued` it always runs after the blocks that wait there.
    ///   - block: The work. What it throws is thrown here. No `await` is possible inside, so no other code uses the
    ///     context before the block has run.
    /// - Returns: What the block returns. A managed object should stay in the block: return its ID.
    @preconcurrency
    nonisolated(nonsending) open func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        try await scheduled(schedule: schedule, block)
    }

    // MARK: Locking

    /// Takes the context's lock; waits while another thread has it.
    ///
    /// The framework itself never takes this lock, so it protects nothing that `perform` does.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func lock() { confinementLock.lock() }

    /// Releases the context's lock.
    ///
    /// A thread calls it once for each of its calls of ``lock()``.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func unlock() { confinementLock.unlock() }

    /// Takes the context's lock if no other thread has it.
    ///
    /// - Returns: Whether this thread has the lock now.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func tryLock() -> Bool { confinementLock.try() }
}

extension NSManagedObjectContext {
    /// See ``hasChanges``.
    var hasUnsavedChanges: Bool { unsaved.count > 0 }
}

/// The queues that a context can belong to.
///
/// Code that an app writes today mostly names the shorter ``NSManagedObjectContext/ConcurrencyType``.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: the thread that made the context alone uses it.
    @available(*, deprecated, message: "Use another NSManagedObjectContextConcurrencyType instead.")
    case confinementConcurrencyType = 0
    /// A queue of the context's own, for work that should not block the main queue. A block runs on any thread.
    case privateQueueConcurrencyType = 1
    /// The main queue, for contexts with objects that the user interface shows. A server seldom needs one.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The queues that a context can belong to, for ``NSManagedObjectContext/init(_:)``.
    ///
    /// ```swift
    /// let worker = NSManagedObjectContext(.privateQueue)
    /// worker.persistentStoreCoordinator = coordinator
    /// ```
    public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
        /// The raw values are Apple's older names.
        public typealias RawValue = NSManagedObjectContextConcurrencyType

        /// The older name of the queue.
        public let rawValue: NSManagedObjectContextConcurrencyType

        /// A queue from its older name.
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        /// A queue of the context's own, for work that should not block the main queue.
        ///
        /// A block of the queue runs on any thread.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)

        /// The main queue, for contexts whose objects the user interface shows.
        ///
        /// A server seldom needs one.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// When an asynchronous ``perform(schedule:_:)`` runs its block.
    ///
    /// ```swift
    /// let count = try await background.perform(schedule: .enqueued) {
    ///     try background.count(for: Player.fetchRequest())    // after all blocks that wait already
    /// }
    /// ```
    public enum ScheduledTaskType: Sendable {
        /// At once if the caller is on the context's queue, else as soon as the queue gets to it.
        case immediate
        /// Always behind what the queue has to do already.
        case enqueued
    }
}

extension NSManagedObject {
    /// The context is going away, or the object left it: it keeps what it has, and its model itself.
    func leaveContext() {
        contextReference?._withUnsafeGuaranteedRef { $0.departures &+= 1 }
        letRelatedGo()
        contextStorage = nil
        if !state.contains(.ownsModel) {
            state.insert(.ownsModel)
            _ = table.pointee.model?.retain()
        }
        state.remove([.tracked, .inEvent, .insertionNotified])
        state.subtract(.changed)
    }

    /// The object joins a context, which keeps its model.
    func joinContext(_ context: NSManagedObjectContext) {
        contextStorage = context
        adoptTracking(of: context)
        if state.contains(.ownsModel) {
            state.remove(.ownsModel)
            table.pointee.model?.release()
        }
    }
}
