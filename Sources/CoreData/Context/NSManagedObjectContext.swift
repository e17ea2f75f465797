import FoundationGaps

/// A workspace of managed objects: it finds them, tracks what changes, and saves the changes together.
///
/// A context belongs to a queue, the main one or its own; it and its objects are used inside ``perform(_:)`` or
/// ``performAndWait(_:)->_`` only (on the main queue, a main-queue context can be used directly). Two contexts never share
/// objects: hand an `NSManagedObjectID` over.
///
/// A context holds unchanged objects weakly and changed ones strongly: what nobody looks at any longer is let go. An object holds
/// those that its relationships lead to, once they were read, until it is a fault again.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    // Unchecked: confined to its queue, as documented; the uniquing table, which deallocations reach from any thread, has
    // a lock of its own.

    /// The queue that the context belongs to.
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    /// A name for logs.
    public var name: String?
    /// Whatever the app wants to keep with the context.
    public let userInfo = NSMutableDictionary()
    /// Whether delete rules run when pending changes are processed (the default), or at the save.
    public var propagatesDeletesAtEndOfEvent = true
    /// Whether a fault whose row is gone becomes a deleted object with nil values; otherwise firing it traps.
    public var shouldDeleteInaccessibleFaults = true
    /// How old a cached row may be to fill a fault, in seconds; what is older is read again from the store.
    ///
    /// Negative, as it is unless set: any age. 0: faults always read. A fetch reads in any case, and objects that are no faults
    /// keep the values that they have; ``refresh(_:mergeChanges:)`` makes them faults. Ages are told apart in steps of 1/64 s.
    public var stalenessInterval: TimeInterval = -1 {
        didSet { (oldestRow, agesRows) = (RowAge(stalenessInterval), stalenessInterval >= 0) }
    }
    @exclusivity(unchecked) private(set) var oldestRow = RowAge.any
    /// Whether rows that are at hand may be too old. Every fault asks: exclusive access is not checked while the program runs.
    @exclusivity(unchecked) private(set) var agesRows = false
    /// Whether unchanged objects are held strongly too.
    @exclusivity(unchecked) public var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? Set(uniquing.objects) : [] }
    }

    /// For tools that look into damaged stores: takes what a fault runs into when the store can't be read, and the fault has
    /// no values, or the relationship no members. Without it such a fault traps, for an app must not go on with half a graph.
    package var unreadableFaultHandler: ((any Error) -> Void)?

    let queue: ContextQueue
    /// See ``parent``.
    @exclusivity(unchecked) var parentContext: NSManagedObjectContext?
    /// The contexts that have the same root, this one among them if it is a child.
    var family = ContextFamily()
    /// How many of the family's promotions the context has followed.
    var followedPromotions = 0
    /// Taken and given back by who asks for it, by nobody else.
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
    // hand control to nobody, and the context is confined to its queue.

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
    /// Who follows all that is merged.
    let mergeWatch = MergeWatch()
    /// What came from other contexts, or from the store, since pending changes were processed.
    var merged = MergedObjects()
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
        concurrencyType = ct
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
        // Whoever still holds an object has one without a context.
        uniquing.removeAll { $0.leaveContext() }
    }

    /// Where the context fetches from and saves to.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
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
    public var insertedObjects: Set<NSManagedObject> { Set(changed.lazy.filter(\.isInserted)) }

    /// Objects that the next save will update.
    public var updatedObjects: Set<NSManagedObject> { Set(changed.lazy.filter(\.isUpdated)) }

    /// Objects that the next save will delete.
    public var deletedObjects: Set<NSManagedObject> { Set(changed.lazy.filter(\.isDeleted)) }

    /// All objects that the context knows and somebody holds.
    public var registeredObjects: Set<NSManagedObject> { Set(uniquing.objects) }

    /// Whether there is anything to save.
    public var hasChanges: Bool { changeCount > 0 }

    /// Decides what becomes of a fault whose row is gone: true makes it a deleted object with nil values, false traps.
    ///
    /// The standard implementation answers with ``shouldDeleteInaccessibleFaults``.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }
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
        state.remove([.tracked, .inEvent])
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
