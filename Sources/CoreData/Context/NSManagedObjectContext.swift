import FoundationGaps

/// A workspace of managed objects: it finds them, tracks what changes, and saves the changes together.
///
/// A context belongs to a queue, the main one or its own; it and its objects are used inside ``perform(_:)`` or
/// ``performAndWait(_:)->_`` only (on the main queue, a main-queue context can be used directly). Two contexts never share
/// objects: hand an `NSManagedObjectID` over.
///
/// A context holds unchanged objects weakly and changed ones strongly. An unchanged object that the app no longer holds goes.
/// An object holds those that its relationships lead to, once they were read, until it is a fault again.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    // Unchecked: confined to its queue, as documented; the uniquing table, which deallocations reach from any thread, has
    // a lock of its own.

    /// The queue that the context belongs to.
    open var concurrencyType: NSManagedObjectContextConcurrencyType { queueType }
    /// A name for logs.
    open var name: String?
    /// Whatever the app wants to keep with the context.
    open internal(set) var userInfo = NSMutableDictionary()
    /// Whether delete rules run when pending changes are processed (the default), or at the save.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether a fault whose row is gone becomes a deleted object with nil values; otherwise firing it traps.
    open var shouldDeleteInaccessibleFaults = true
    /// How old a cached row may be to fill a fault, in seconds; what is older is read again from the store.
    ///
    /// Negative, as it is unless set: any age. 0: faults always read. A fetch reads in any case, and objects that are no faults
    /// keep the values that they have; ``refresh(_:mergeChanges:)`` makes them faults. Ages are told apart in steps of 1/64 s.
    open var stalenessInterval: TimeInterval = -1 {
        didSet { (oldestRow, agesRows) = (RowAge(stalenessInterval), stalenessInterval >= 0) }
    }
    @exclusivity(unchecked) private(set) var oldestRow = RowAge.any
    /// Whether rows that are at hand may be too old. Every fault asks: exclusive access is not checked while the program runs.
    @exclusivity(unchecked) private(set) var agesRows = false
    /// Whether unchanged objects are held strongly too.
    open var retainsRegisteredObjects: Bool {
        get { retainsAll }
        set { retainsAll = newValue }
    }
    /// See ``retainsRegisteredObjects``. Every object that is registered asks.
    @exclusivity(unchecked) var retainsAll = false {
        didSet { retained = retainsAll ? Set(uniquing.objects) : [] }
    }

    /// For tools that look into damaged stores: takes what a fault runs into when the store can't be read, and the fault has
    /// no values, or the relationship no members. Without it such a fault traps, for an app must not go on with half a graph.
    package var unreadableFaultHandler: ((any Error) -> Void)?

    /// See ``concurrencyType``.
    let queueType: NSManagedObjectContextConcurrencyType
    /// Whether the context is of a subclass, which may override what the framework calls.
    let isSubclassed: Bool
    let queue: ContextQueue
    /// See ``parent``.
    @exclusivity(unchecked) var parentContext: NSManagedObjectContext?
    /// How many questions the context is asking its parent, one within the other. Other threads read it while this context's waits.
    @exclusivity(unchecked) private(set) var questionsToParent = 0
    /// The contexts that have the same root, this one among them if it is a child.
    var family = ContextFamily()
    /// How many of the family's promotions the context has followed.
    var followedPromotions = 0
    /// The lock behind ``lock()`` and ``unlock()``: only the app takes it.
    let confinementLock = NSRecursiveLock()
    let uniquing = UniquingTable()
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

    // Exclusive access to what every change of an object touches is not checked while the program runs: appending and counting
    // run no other code, and the context is confined to its queue.

    /// Every object with unsaved changes, in the order of its first change; the context keeps them alive.
    @exclusivity(unchecked) var changed: ContiguousArray<NSManagedObject> = []
    /// What changed since pending changes were processed.
    @exclusivity(unchecked) var event: ContiguousArray<NSManagedObject> = []
    /// Counts the events, of which each ends with a notification.
    @exclusivity(unchecked) var eventNumber: UInt64 = 1
    /// The event whose notification is being posted.
    var announcedEvent: UInt64?
    /// What the last change notification told, for the save's to take over.
    var announced = AnnouncedChanges()
    /// Deleted objects whose delete rules have not run.
    @exclusivity(unchecked) var undeleted: [NSManagedObject] = []
    /// The objects that follow all merges.
    let mergeWatch = MergeWatch()
    /// What came from other contexts, or from the store, since pending changes were processed.
    var merged = MergedObjects()
    /// Objects that others deleted, since the last save.
    var mergedDeletions = MergedDeletions()
    /// See ``detectConflicts(for:)``.
    var checked: Set<NSManagedObject> = []
    /// See ``tracksObservedReads``.
    @exclusivity(unchecked) var tracksReads: Bool
    /// See ``automaticallyMergesChangesFromParent``.
    var mergesAutomatically = false
    /// See ``mergePolicy``.
    var conflictPolicy = NSMergePolicy.error
    /// What the changed objects ask of the next save.
    @exclusivity(unchecked) var demands: SaveDemands = []
    /// How many objects are inserted, updated, deleted; kept so that `hasChanges` costs nothing.
    @exclusivity(unchecked) var changeCount = 0
    /// Objects kept alive by ``retainsRegisteredObjects``.
    @exclusivity(unchecked) var retained: Set<NSManagedObject> = []
    /// How many objects have left the context.
    @exclusivity(unchecked) var departures: UInt = 0
    /// Objects that ordered sets keep alive which were handed out for change; see `NSManagedObject.proxy(_:)`.
    var ownersOfProxies: [(owner: NSManagedObject, slot: PropertySlot)] = []
    /// Objects with ordered sets that the app has, and that have to show anew what the relationship has.
    var ownersOfStaleSets: [(owner: NSManagedObject, slot: PropertySlot)] = []
    /// The results of fetches with a batch size, whose rows come page by page.
    @exclusivity(unchecked) var pagedFetches: [FetchPages] = []
    /// What the context is pinned to; see ``setQueryGenerationFrom(_:)``.
    @exclusivity(unchecked) var generation: QueryGeneration?
    /// Notes what changes, for the undo manager; nil: there is none.
    var undoRecorder: UndoRecorder?
    /// What undoing brought back, and what it gave its old values, since pending changes were processed.
    var revived: Set<NSManagedObject> = []
    var restored: Set<NSManagedObject> = []
    /// Whether the end of this turn of the main queue will process pending changes.
    var endOfTurnIsScheduled = false

    /// A context on a queue.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        queueType = ct
        isSubclassed = type(of: self) != NSManagedObjectContext.self
        tracksReads = ct == .mainQueueConcurrencyType
        queue = ct == .mainQueueConcurrencyType ? ContextQueue.main : ContextQueue(label: "NSManagedObjectContext")
        super.init()
    }

    /// A context without a queue, for the thread that makes it.
    @available(*, deprecated, message: "Use init(concurrencyType:) instead.")
    public override convenience init() { self.init(concurrencyType: .confinementConcurrencyType) }

    /// A context on a queue.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    deinit {
        if parentContext != nil { family.leave(ObjectIdentifier(self)) }
        undoRecorder?.end()
        undoRecorder?.manager.removeAllActions(withTarget: self)
        // Objects that go with them need the context as yet.
        (ownersOfProxies, ownersOfStaleSets) = ([], [])
        // An object that the app still holds has no context from now on.
        uniquing.removeAll { $0.leaveContext() }
        // An object whose row is gone, and whose deletion is pending, may be in no table.
        for object in undeleted where object.contextReference != nil { object.leaveContext() }
    }

    /// Where the context fetches from and saves to.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator }
        set {
            precondition(
                parentContext == nil || newValue === coordinator,
                "A child context has its parent's coordinator; set its parent to nil before you give it another.")
            precondition(
                coordinator == nil || newValue === coordinator || uniquing.objects.isEmpty,
                "A context that has objects can't change its coordinator; reset() it first, or make another context.")
            coordinator = newValue
            for child in family.children(of: self) { child.adoptCoordinator(newValue) }
        }
    }

    /// The coordinator, which every operation on stores needs.
    var requiredCoordinator: NSPersistentStoreCoordinator {
        guard let coordinator else {
            preconditionFailure(
                "The context \(name ?? "") has no persistent store coordinator; set persistentStoreCoordinator first.")
        }
        return coordinator
    }

    /// Objects that the next save will insert.
    open var insertedObjects: Set<NSManagedObject> { Set(changed.lazy.filter(\.isNew)) }

    /// Objects that the next save will update.
    open var updatedObjects: Set<NSManagedObject> { Set(changed.lazy.filter(\.isModified)) }

    /// Objects that the next save will delete, and those whose deletion was merged since the last save.
    ///
    /// An object of the latter kind has left the context, and is nothing to save: ``hasChanges`` does not count it. It is among
    /// these objects as long as the app holds it.
    open var deletedObjects: Set<NSManagedObject> {
        Set(changed.lazy.filter(\.isGoing)).union(mergedDeletions.objects)
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

    /// All objects of the context that exist: those that the app, the context or another object holds.
    open var registeredObjects: Set<NSManagedObject> { Set(uniquing.objects) }

    /// Whether there is anything to save.
    open var hasChanges: Bool { hasUnsavedChanges }

    /// Decides what becomes of a fault whose row is gone: true makes it a deleted object with nil values, false traps.
    ///
    /// The standard implementation answers with ``shouldDeleteInaccessibleFaults``.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    // MARK: Inserting and deleting

    /// Takes an object in that was made without a context, and all others without one that its relationships lead to.
    ///
    /// The framework calls this for each object that `NSManagedObject.init(entity:insertInto:)` makes in a context of a subclass.
    ///
    /// - An object that is registered here already stays as it is.
    /// - A deleted object comes back. The relationships that its deletion has ended in other objects stay ended.
    /// - An object whose row was found gone comes back as the store has it, if another context has restored the row. Otherwise it
    ///   becomes a new object with the ID that it had.
    open func insert(_ object: NSManagedObject) { takeIn(object) }

    /// Marks an object for deletion at the next save.
    ///
    /// Its delete rules run when pending changes are processed; an object that was never saved is simply forgotten then.
    open func delete(_ object: NSManagedObject) { noteDeletion(object) }

    /// Chooses the store that an inserted object will be saved to, where several hold its entity.
    ///
    /// If the store is moved before the save, the object goes to the moved one. If it is removed, the save throws
    /// `NSPersistentStoreOperationError` (134070).
    open func assign(_ object: Any, to store: NSPersistentStore) { assignStore(object, to: store) }

    // MARK: Finding objects

    /// The object with an ID: the registered one, or a fault. The store is not asked: whether the row exists shows when the
    /// fault fires.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(with: objectID) }

    /// The registered object with an ID, or nil. The store is not asked.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(for: objectID) }

    /// The object with an ID, its row loaded.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if there is no such row, or the object was deleted here.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try loadedObject(with: objectID)
    }

    /// Gives inserted objects the IDs that they will have in their store.
    ///
    /// - Throws: What the store reports; an entity that no store holds is `NSPersistentStoreOperationError`.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try assignPermanentIDs(for: objects) }

    /// Finds what a request describes, in the stores and among this context's unsaved changes.
    ///
    /// - Returns: Objects, object IDs, dictionaries or a count, as ``AnyFetchRequest/resultType`` says.
    /// - Throws: A predicate or sort descriptor that the store can't answer; what the store reports.
    open func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { try results(request) }

    /// The number of objects that a request would find.
    open func count(for request: AnyFetchRequest) throws -> Int { try resultCount(for: request) }

    /// Has a request carried out.
    ///
    /// - Returns: For an ``NSAsynchronousFetchRequest`` its ``NSAsynchronousFetchResult``, at once, to be filled later; for an
    ///   ``NSFetchRequest`` the same, filled.
    /// - Throws: What the request throws; `NSPersistentStoreUnsupportedRequestTypeError` (134091) for any other.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { try carryOut(request) }

    // MARK: Saving

    /// Writes all changes to the stores, or none; a child context hands them to its ``parent``.
    ///
    /// Pending changes are processed, `willSave` is called, everything is validated; then each store takes its part in one
    /// transaction. On any error the context keeps its changes. A context without changes posts its two notifications all the same.
    ///
    /// Changes of several stores are committed in turn, when all of them are written. A store that can't commit after others
    /// have leaves a part of the save: what the others took is saved as any other save, notification included, and the rest stays
    /// changed, to be saved again.
    ///
    /// - Throws: A validation error (1550 to 1690; several as `NSValidationMultipleErrorsError`), or the only error that an
    ///   overridden validation method throws, as it is,
    ///   `NSManagedObjectMergeError` (133020) where rows changed behind the context's back,
    ///   `NSManagedObjectConstraintMergeError` (133021) for a violated uniqueness constraint, both unless the
    ///   ``mergePolicy`` settles them, what the store reports; `NSPersistentStoreIncompleteSaveError` (134040) where only some stores
    ///   took their part: those that did not are under `NSAffectedStoresErrorKey`, and their objects under
    ///   `NSAffectedObjectsErrorKey`.
    open func save() throws { try saveChanges() }

    /// Runs the delete rules of what was deleted, and posts what changed since the last time
    /// (`NSManagedObjectContextObjectsDidChange`).
    ///
    /// The context does this itself before a fetch and a save, and at the end of each ``perform(_:)``.
    open func processPendingChanges() { processPending() }

    /// Undoes everything since the last save: inserted objects go, changed ones take their stored values, deleted ones come
    /// back. Needs no undo manager; one that there is forgets everything.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange`, with those that went under `NSDeletedObjectsKey`, the others under
    /// `NSRefreshedObjectsKey`.
    open func rollback() { takeBackChanges() }

    /// Forgets every object and every change. Objects that the app still holds are not to be used any longer.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange` with `NSInvalidatedAllObjectsKey`.
    open func reset() { forgetObjects() }

    // MARK: Changes of others

    /// Brings an object up to date with its store.
    ///
    /// - Parameters:
    ///   - object: An object of this context; one of another context stays as it is. One that was never saved has nothing to merge.
    ///     Without merging it becomes a fault that stays inserted, is related to nothing and has the model's defaults when it fires.
    ///   - flag: Whether changes made here are kept, over fresh values; otherwise they are lost and the object becomes a fault.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { bringUpToDate(object, mergeChanges: flag) }

    /// Brings all objects up to date, keeping changes made here.
    open func refreshAllObjects() { bringAllUpToDate() }

    /// Takes over what another context saved: new objects become faults here, changed ones take fresh values under what was
    /// changed here, deleted ones leave.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange`, then `NSManagedObjectContextDidMergeChangesObjectIDs`. An object that
    /// was deleted there leaves this context and loses its changes, unless the store has it again. Call this on the context's
    /// queue, whatever thread the notification came on. The second notification has the IDs of the inserted, updated, deleted and
    /// refreshed objects.
    ///
    /// - Parameter notification: `NSManagedObjectContextDidSave` or `NSManagedObjectContextDidSaveObjectIDs`, of a context of this
    ///   coordinator or of another one with the same store.
    open func mergeChanges(fromContextDidSave notification: Notification) { takeOver(fromContextDidSave: notification) }

    /// Has contexts take over changes of their stores that another process or coordinator wrote.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Object IDs, or their URIs, in arrays or sets, under `NSInsertedObjectsKey`,
    ///     `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and their relatives. `NSInvalidatedAllObjectsKey` has every object
    ///     take fresh values.
    ///   - contexts: Each takes them on its own queue; the call returns when all have.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        takeOver(fromRemoteContextSave: changeNotificationData, into: contexts)
    }

    /// Whether the context takes over what other contexts save to its stores, by itself, each time on its own queue.
    ///
    /// False unless it is set. See ``mergeChanges(fromContextDidSave:)`` for what becomes of objects.
    open var automaticallyMergesChangesFromParent: Bool {
        get { mergesFromParent }
        set { mergesFromParent = newValue }
    }

    /// Has the next save fail, or its merge policy decide, if the row of an object changed that this context leaves as it is.
    ///
    /// For an object whose values the changes of others were computed from. It counts for one save, successful or not rolled back.
    open func detectConflicts(for object: NSManagedObject) { relyOn(for: object) }

    /// How saves settle conflicts: an ``NSMergePolicy``, `NSMergePolicy.error` unless another is set.
    open var mergePolicy: Any {
        get { policy }
        set { policy = newValue }
    }

    /// The query generation that the context is pinned to; nil, as it is at first: none, and each load sees the stores as they are.
    ///
    /// A child context has none: it sees what its parent sees.
    open var queryGenerationToken: NSQueryGenerationToken? { generationToken }

    /// Pins the context to a state of its stores: fetches and faults see that, whatever others save meanwhile.
    ///
    /// The context moves to a newer generation when it saves, when it merges what others saved, and when it is reset; and when this
    /// method is called again. Objects that it has keep their values until they are refreshed or fetched anew as faults.
    ///
    /// A held generation keeps the file's log from being put away. When the log has grown to 256 MB, or to what the pragma
    /// `journal_size_limit` says, the store lets its generations go with a line on standard error, and contexts move on.
    ///
    /// - Parameter generation: ``NSQueryGenerationToken/current`` for the state at the context's next load; another context's
    ///   ``queryGenerationToken`` for the one that that has; nil for none.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if a store can't hold a state (in memory, read-only, without a write-ahead
    ///   log), if 16 generations are held, or if the token's generation is another coordinator's, or has ended.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { try pin(generation) }

    // MARK: Parents

    /// The context that this one is a child of: it fetches from it, and saves to it.
    ///
    /// A child sees the parent's objects with their unsaved changes; its own changes reach the parent when it saves, and a store
    /// when the parents up to the one with the coordinator have saved, too. Children may have children. A child and its parent
    /// may belong to different queues; the child waits for its parent's.
    ///
    /// To be set before the context has any object. Setting it gives the child its parent's coordinator.
    open var parent: NSManagedObjectContext? {
        get { ownParent }
        set { ownParent = newValue }
    }

    // MARK: Undoing

    /// Where the context registers how its changes are undone; nil (the default, as on iOS): nowhere, which is faster.
    ///
    /// What changes between two points at which pending changes are processed is registered together, insertions, deletions with
    /// what their rules did, attributes and relationships; ``processPendingChanges()`` is such a point. The manager's groups decide
    /// what one ``undo()`` takes back: with `groupsByEvent` all of an event. With it off a group must be open whenever pending
    /// changes are processed.
    ///
    /// To change something that can't be undone: process pending changes, disable the manager's registration, change, process
    /// again, enable.
    ///
    /// A context without a manager that gets one can't undo what it changed before.
    open var undoManager: UndoManager? {
        get { recordingManager }
        set { recordingManager = newValue }
    }

    /// Undoes the last changes, as the undo manager groups them; also such that were saved, as changes to what is saved now.
    ///
    /// An insertion that was saved is undone by deleting the object. A deletion that was saved is undone by inserting the very
    /// object again, which keeps its ID. Objects are told by `awake(fromSnapshotEvents:)`; their accessors and validation are not
    /// called. Does nothing without an undo manager.
    open func undo() { undoLast() }

    /// Does again what was undone last. Does nothing without an undo manager.
    open func redo() { redoLast() }

    // MARK: Queue

    /// Runs a block on the context's queue, later, and processes pending changes after it.
    @preconcurrency
    open func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it. May be nested. Does not process pending changes.
    open func performAndWait(_ block: () -> Void) { runAndWait(block) }

    /// Runs a block on the context's queue, waits for it, and returns what it returns.
    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try runAndWait(block) }

    /// Runs a block on the context's queue and processes pending changes after it.
    ///
    /// - Parameters:
    ///   - schedule: Whether the block may run at once where the caller is on the queue already.
    ///   - block: The work. What it throws is thrown here.
    /// - Returns: What the block returns. A managed object should stay in the block: return its ID.
    @preconcurrency
    open func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        try await scheduled(schedule: schedule, block)
    }

    // MARK: Locking

    /// Takes the context's lock; waits while another thread has it.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func lock() { confinementLock.lock() }

    /// Gives the context's lock back.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func unlock() { confinementLock.unlock() }

    /// Takes the context's lock if no other thread has it.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func tryLock() -> Bool { confinementLock.try() }
}

extension NSManagedObjectContext {
    /// See ``hasChanges``.
    var hasUnsavedChanges: Bool { changeCount > 0 }
}

/// The queues that a context can belong to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: the thread that made the context alone uses it.
    @available(*, deprecated, message: "Use another NSManagedObjectContextConcurrencyType instead.")
    case confinementConcurrencyType = 0
    case privateQueueConcurrencyType = 1
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The queues that a context can belong to.
    public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
        public typealias RawValue = NSManagedObjectContextConcurrencyType
        public let rawValue: NSManagedObjectContextConcurrencyType
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        /// A queue of the context's own.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// When an asynchronous ``perform(schedule:_:)`` runs its block.
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
        state.remove([.tracked, .inEvent, .announced])
        state.subtract(.changed)
    }

    /// The object enters a context, which keeps its model.
    func enter(_ context: NSManagedObjectContext) {
        contextStorage = context
        adoptTracking(of: context)
        if state.contains(.ownsModel) {
            state.remove(.ownsModel)
            table.pointee.model?.release()
        }
    }
}
