import FoundationGaps

/// Keeps the results of a fetch request in sections, and tells a delegate how they change.
///
/// ```swift
/// let request = NSFetchRequest<Player>(entityName: "Player")
/// request.sortDescriptors = [
///     NSSortDescriptor(key: "team.name", ascending: true), NSSortDescriptor(key: "lastName", ascending: true),
/// ]
/// let controller = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "team.name", cacheName: nil)
/// controller.delegate = self
/// try controller.performFetch()
/// ```
///
/// With a ``delegate``, or a reader of ``changes()``, the controller follows its context. Each time the context
/// processes pending changes, the controller compares the objects that changed with its results. It finds insertions,
/// edits, deletions, undo, rollback, refreshes, and merges of other contexts' saves. Without a delegate and a reader it
/// shows what the last ``performFetch()`` found.
///
/// Use a controller on its context's queue. It holds its context and its request strongly, and its delegate weakly.
///
/// Most changes cost some comparisons with neighbours. In these cases the controller runs its request again, and
/// compares:
///
/// - A predicate, a sort descriptor or the sections follow a key path through a relationship, and an object there
///   changed. At Apple the controller misses this change.
/// - The request has a limit or an offset, or `includesPendingChanges` is false.
/// - A derived attribute decides, or a predicate that only the store can evaluate.
///
/// If the store can't be read then, the content stays as it is, and a line goes to standard error. The controller tries
/// again at the next change. ``performFetch()`` throws the error.
///
/// ``NSManagedObjectContext/reset()`` tells the ``delegate`` nothing, as at Apple. The controller fetches again, and
/// the app shows the new results. A reader of ``changes()`` gets the difference: the old objects went and the new ones
/// came.
///
/// Unlike at Apple the result type is not constrained to `NSFetchRequestResult`, as with ``NSFetchRequest``.
open class NSFetchedResultsController<ResultType>: AnyFetchedResultsController {
    private let ownRequest: NSFetchRequest<ResultType>
    /// Whether the controller stands for another one; see ``NSFetchedResultsControllerDelegate``.
    private let isStandIn: Bool
    private var standIn: NSFetchedResultsController<any NSFetchRequestResult>?
    private var typedObjects: (version: Int, objects: [ResultType])?

    /// Makes a controller. It has no results until ``performFetch()``.
    ///
    /// ```swift
    /// let request = Player.fetchRequest()
    /// request.sortDescriptors = [NSSortDescriptor(key: "lastName", ascending: true)]
    /// let controller = NSFetchedResultsController(
    ///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    /// ```
    ///
    /// A request whose sort descriptors are nil traps, here and in ``performFetch()``.
    ///
    /// - Parameters:
    ///   - fetchRequest: What to show. An empty array of sort descriptors leaves the order to the store, and puts new
    ///     objects at the end. The controller keeps this very request, not a copy.
    ///   - context: The context that fetches, and whose changes the controller follows.
    ///   - sectionNameKeyPath: The key path of the section's name; nil: there is one section. It may be a property that
    ///     the class computes. Sort by what it comes from first, so that the objects of a section are neighbours.
    ///   - name: The name of a file that keeps the sections for the program's next start; nil: no file. See
    ///     ``deleteCache(withName:)``.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        ownRequest = fetchRequest
        isStandIn = false
        super.init(ResultsCore(fetchRequest, context, sectionKeyPath: sectionNameKeyPath, cacheName: name))
        core.owner = self
    }

    /// Makes a controller with an empty request and a context without stores, for subclasses that have results of their
    /// own.
    ///
    /// A test can override ``fetchedObjects`` and ``sections``, for example. ``performFetch()`` of this controller
    /// traps, unless the subclass overrides it: the context has no coordinator.
    public init() {
        ownRequest = NSFetchRequest<ResultType>()
        // Every controller has an order.
        ownRequest.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        isStandIn = false
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        super.init(ResultsCore(ownRequest, context, sectionKeyPath: nil, cacheName: nil))
        core.owner = self
    }

    /// A controller that stands for another one.
    fileprivate init(for core: ResultsCore) {
        ownRequest = NSFetchRequest<ResultType>(copying: core.request)
        isStandIn = true
        super.init(core)
    }

    // MARK: What was asked for

    /// The request. A change in it counts from the next ``performFetch()`` on.
    ///
    /// ```swift
    /// controller.fetchRequest.predicate = NSPredicate(format: "age > 30")
    /// try controller.performFetch()
    /// ```
    ///
    /// Until then the controller follows changes by the old request. With a cache, call ``deleteCache(withName:)``
    /// before the change. A delegate's `controller` that stands for another one has a copy of the request.
    open var fetchRequest: NSFetchRequest<ResultType> {
        isStandIn ? NSFetchRequest<ResultType>(copying: core.request) : ownRequest
    }

    /// The context that fetches, and whose changes the controller follows. It never changes.
    ///
    /// All members of the controller are used on this context's queue.
    open var managedObjectContext: NSManagedObjectContext { core.context }

    /// The key path that gives the name of an object's section; nil: there is one section without a name.
    ///
    /// A number becomes its digits, nil the empty name, and any other value its description. The key path may be a
    /// property that the class computes:
    ///
    /// ```swift
    /// let byInitial = NSFetchedResultsController(
    ///     fetchRequest: NSFetchRequest<Person>(entityName: "Person"), managedObjectContext: context,
    ///     sectionNameKeyPath: "sectionTitle", cacheName: nil)
    /// ```
    open var sectionNameKeyPath: String? { core.sectionKeyPath }

    /// The name of the file that keeps the names and sizes of the sections; nil: there is none.
    ///
    /// It has no effect without a section key path. The file saves ``performFetch()`` the reading of each object's
    /// section. See ``deleteCache(withName:)``.
    open var cacheName: String? { core.cacheName }

    /// The object that hears of changes. The controller holds it weakly.
    ///
    /// ```swift
    /// controller.delegate = nil       // The controller no longer follows its context.
    /// ```
    ///
    /// Without a delegate and without a reader of ``changes()`` the controller does not follow its context. If a
    /// delegate comes later, the first change after that tells also what the controller missed. The controller looks
    /// anew for the methods that a delegate has each time you set one.
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    // MARK: Fetching

    /// Fetches, and cuts the results into sections.
    ///
    /// ```swift
    /// try controller.performFetch()
    /// for section in controller.sections ?? [] {
    ///     print(section.name, section.numberOfObjects)
    /// }
    /// ```
    ///
    /// Call it once before you use the results, and again after you change the request. It tells the delegate of no
    /// single changes. A delegate that takes snapshots gets one, and a reader of ``changes()`` gets the difference to
    /// the old results.
    ///
    /// - Throws: What ``NSManagedObjectContext/fetch(_:)`` throws. `NSPersistentStoreOperationError` (134070) if the
    ///   request's result type is not objects, or if the objects of a section are not neighbours. The old content stays
    ///   then.
    open func performFetch() throws { try core.performFetch() }

    /// All results in their order; nil before the first ``performFetch()``.
    ///
    /// ```swift
    /// let names = controller.fetchedObjects?.map { $0.lastName ?? "" }
    /// ```
    ///
    /// The array is made when it is first read after a change. Results of another class than the controller's type
    /// trap. For one object of a long list, ``object(at:)`` is cheaper.
    open var fetchedObjects: [ResultType]? {
        guard let sections = core.visibleObjects else { return nil }
        if let typedObjects, typedObjects.version == core.version { return typedObjects.objects }
        let objects = sections().typed(as: ResultType.self)
        typedObjects = (core.version, objects)
        return objects
    }

    /// The object at a section and an item.
    ///
    /// ```swift
    /// let first = controller.object(at: IndexPath(item: 0, section: 0))
    /// ```
    ///
    /// An index path counts in the controller's present content. Inside
    /// ``NSFetchedResultsControllerDelegate/controllerWillChangeContent(_:)`` this is the old content, after it the new
    /// one. An index path without an object traps with a sentence that lists the sections and their sizes.
    open func object(at indexPath: IndexPath) -> ResultType {
        let object = core.object(at: indexPath)
        guard let typed = object as? ResultType else {
            programmerError(
                "The results are \(type(of: object)), not \(ResultType.self); make the controller with a request for its entity's class."
            )
        }
        return typed
    }

    /// The section and the item of an object; nil if the object is no result.
    ///
    /// ```swift
    /// if let path = controller.indexPath(forObject: player) { print("row \(path.row) of section \(path.section)") }
    /// ```
    ///
    /// An object of another context is no result, even with the same ID. Take it to the controller's context with
    /// ``NSManagedObjectContext/object(with:)`` first.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        (object as? NSManagedObject).flatMap { core.indexPath(for: $0) }
    }

    // MARK: Sections

    /// The sections in their order; nil before the first ``performFetch()``.
    ///
    /// ```swift
    /// let counts = controller.sections?.map(\.numberOfObjects) ?? []
    /// ```
    ///
    /// Without a section key path there is one section with an empty name, also if it has no objects. With a key path,
    /// sections without objects do not exist. Each element shows its section as it was when this array was read; read
    /// the array again after a change.
    open var sections: [any NSFetchedResultsSectionInfo]? { core.sectionInfos }

    /// The titles for an index of the sections, each once, in the order of the sections. Empty without a section key
    /// path.
    ///
    /// Names `"Celtics"`, `"Clippers"` and `"Heat"` give the titles `["C", "H"]`. ``section(forSectionIndexTitle:at:)``
    /// leads from a title to its first section. Sections whose title is nil are left out.
    open var sectionIndexTitles: [String] { core.indexTitles.map(\.title) }

    /// The title of a section in an index: what the delegate says, else the first letter of the name, as a capital.
    ///
    /// The empty name has no title: nil. Override the method in a subclass for other titles; ``sectionIndexTitles`` and
    /// ``NSFetchedResultsSectionInfo/indexTitle`` call it.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        isStandIn ? core.indexTitle(ofSection: sectionName) : core.titleByDelegate(ofSection: sectionName)
    }

    /// The index of the first section that has a title.
    ///
    /// ```swift
    /// for (index, title) in controller.sectionIndexTitles.enumerated() {
    ///     print(title, controller.section(forSectionIndexTitle: title, at: index))
    /// }
    /// ```
    ///
    /// It traps unless the title is at that place of ``sectionIndexTitles``.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - sectionIndex: The place of the title in ``sectionIndexTitles``.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        core.section(title: title, at: sectionIndex)
    }

    // MARK: Caches

    /// Deletes the file that keeps sections under a name; nil: the files of all names.
    ///
    /// ```swift
    /// NSFetchedResultsController<Player>.deleteCache(withName: "players by group")
    /// controller.fetchRequest.predicate = NSPredicate(format: "age > 30")
    /// try controller.performFetch()
    /// ```
    ///
    /// Call it before you change the request of a controller with a cache. Without it the next ``performFetch()``
    /// traps, as at Apple. It is needed for nothing else: a file that does not fit the request, the model or the
    /// results is made anew.
    ///
    /// The files are in the folder `SectionCaches` of the program's folder among the user's caches, on Linux
    /// `$XDG_CACHE_HOME/PROGRAM/SectionCaches`. A file that can't be written or deleted causes no error.
    open class func deleteCache(withName name: String?) { SectionCache.delete(name) }
}

/// What the typed controllers have in common.
protocol ResultsOwner: AnyObject {
    var core: ResultsCore { get }
    /// The controller as delegates see it.
    var erased: NSFetchedResultsController<any NSFetchRequestResult> { get }
    func sectionIndexTitle(forSectionName sectionName: String) -> String?
}

extension NSFetchedResultsController: ResultsOwner {
    var erased: NSFetchedResultsController<any NSFetchRequestResult> {
        if let own = self as? NSFetchedResultsController<any NSFetchRequestResult> { return own }
        if let standIn { return standIn }
        let new = NSFetchedResultsController<any NSFetchRequestResult>(for: core)
        standIn = new
        return new
    }
}

extension ResultsCore {
    /// The controller as delegates see it, also when the app has let go of its own.
    var controller: NSFetchedResultsController<any NSFetchRequestResult> { owner?.erased ?? .init(for: self) }
}

extension [NSManagedObject] {
    /// The objects as a controller's results.
    fileprivate func typed<T>(as type: T.Type) -> [T] {
        if T.self == NSManagedObject.self { return unsafeBitCast(self, to: [T].self) }
        // The same type under another name.
        if T.self == (any NSFetchRequestResult).self {
            return unsafeBitCast(map { $0 as any NSFetchRequestResult }, to: [T].self)
        }
        // Checked to be of the class: then the arrays have the same form.
        if let type = T.self as? NSManagedObject.Type, allAre(type) { return unsafeBitCast(self, to: [T].self) }
        return map { object in
            guard let typed = object as? T else {
                programmerError(
                    "The results are \(Swift.type(of: object)), not \(T.self); make the controller with a request for its entity's class."
                )
            }
            return typed
        }
    }
}
