import FoundationGaps

/// Keeps the results of a fetch request in sections, and tells how they change.
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
/// With a ``delegate``, or a reader of ``changes()``, the controller follows its context: whatever is inserted,
/// changed, deleted, undone, rolled back, refreshed or merged from elsewhere is told whenever the context processes
/// pending changes. Without either it shows what the last ``performFetch()`` found. It is used on its context's queue.
///
/// Where the results depend on other objects, by a key path through a relationship for example, or the request has a
/// limit or an offset, the controller fetches anew after each change that matters, and compares; at Apple such changes
/// go unnoticed. All else costs the time that it takes to compare with a few neighbours. If the store can't be read
/// then, the content stays as it is until the next change; ``performFetch()`` throws what is wrong.
///
/// ``NSManagedObjectContext/reset()`` tells the ``delegate`` nothing, as at Apple: the app knows that all objects are
/// gone. The results are fetched anew; show them again. A reader of ``changes()`` is told that the old objects went and
/// the new ones came.
///
/// Unlike at Apple the result type is not constrained to `NSFetchRequestResult`, as with ``NSFetchRequest``.
open class NSFetchedResultsController<ResultType>: AnyFetchedResultsController {
    private let ownRequest: NSFetchRequest<ResultType>
    /// Whether the controller stands for another one; see ``NSFetchedResultsControllerDelegate``.
    private let isStandIn: Bool
    private var standIn: NSFetchedResultsController<any NSFetchRequestResult>?
    private var typedObjects: (version: Int, objects: [ResultType])?

    /// A controller, without results until ``performFetch()``.
    ///
    /// - Parameters:
    ///   - fetchRequest: What to show; it must have sort descriptors. An empty array leaves the order to the store, and
    ///     puts new objects at the end. The controller keeps this very request.
    ///   - context: Where to fetch.
    ///   - sectionNameKeyPath: What gives an object's section; nil: there is one section. May be a property that the
    ///     class computes; results must be sorted so that a section's objects are neighbours.
    ///   - name: A file that keeps the sections for the program's next start; nil: none. See
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

    /// A controller of an empty request and a context without stores, for subclasses that have results of their own.
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

    /// The request. What is changed in it counts from the next ``performFetch()`` on; a controller with a cache wants
    /// ``deleteCache(withName:)`` called before that.
    open var fetchRequest: NSFetchRequest<ResultType> {
        isStandIn ? NSFetchRequest<ResultType>(copying: core.request) : ownRequest
    }

    /// Where the results come from.
    open var managedObjectContext: NSManagedObjectContext { core.context }

    /// What gives an object's section.
    open var sectionNameKeyPath: String? { core.sectionKeyPath }

    /// The name of the file that keeps the sections.
    open var cacheName: String? { core.cacheName }

    /// The object that is told of changes. It is held weakly. Without a delegate and without a reader of ``changes()``,
    /// changes are not followed. What was missed is told with the first change after that.
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    // MARK: Fetching

    /// Fetches, and cuts the results into sections.
    ///
    /// - Throws: What the fetch throws; `NSPersistentStoreOperationError` (134070) if the request does not yield
    ///   objects or the results are not sorted by section. The content is as it was then.
    open func performFetch() throws { try core.performFetch() }

    /// The results, in their order; nil before the first ``performFetch()``.
    open var fetchedObjects: [ResultType]? {
        guard let sections = core.visibleObjects else { return nil }
        if let typedObjects, typedObjects.version == core.version { return typedObjects.objects }
        let objects = sections().typed(as: ResultType.self)
        typedObjects = (core.version, objects)
        return objects
    }

    /// The object at a place. Traps if there is none.
    open func object(at indexPath: IndexPath) -> ResultType {
        let object = core.object(at: indexPath)
        guard let typed = object as? ResultType else {
            preconditionFailure(
                "The results are \(type(of: object)), not \(ResultType.self); make the controller with a request for its entity's class."
            )
        }
        return typed
    }

    /// Where an object is; nil if it is no result.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        (object as? NSManagedObject).flatMap { core.indexPath(for: $0) }
    }

    // MARK: Sections

    /// The sections, in their order; nil before the first ``performFetch()``. Without a section key path there is one.
    open var sections: [any NSFetchedResultsSectionInfo]? { core.sectionInfos }

    /// The titles of the sections, each once, in their order. Empty without a section key path.
    open var sectionIndexTitles: [String] { core.indexTitles.map(\.title) }

    /// The title of a section in an index: what the delegate says, else the capital first letter of the name.
    ///
    /// Override it for other titles.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        isStandIn ? core.indexTitle(ofSection: sectionName) : core.titleByDelegate(ofSection: sectionName)
    }

    /// The first section with a title. Traps unless the title is at that place of ``sectionIndexTitles``.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - sectionIndex: Where it is among ``sectionIndexTitles``.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        core.section(title: title, at: sectionIndex)
    }

    // MARK: Caches

    /// Removes the file that keeps sections under a name; nil: the files of all names.
    ///
    /// To be called before the request of a controller that has a cache is changed; without that ``performFetch()``
    /// traps. Otherwise a file is never trusted blindly: one that does not fit the request, the model or the results is
    /// made anew. Files are in the folder `SectionCaches` of the program's own folder among the user's caches, and
    /// caches only: what can't be written there is computed the next time.
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
                preconditionFailure(
                    "The results are \(Swift.type(of: object)), not \(T.self); make the controller with a request for its entity's class."
                )
            }
            return typed
        }
    }
}
