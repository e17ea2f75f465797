import FoundationGaps
import Synchronization

/// What a results controller is, whatever the type of its results: the sections, and how they follow the context.
///
/// Changes come by the context's own notifications, when it processes pending changes. Objects that changed, and such
/// that have changed since without notification, are looked at together: then all others are in order, and a place
/// among them is found by halving.
final class ResultsCore: @unchecked Sendable {
    // Unchecked: confined to the context's queue, like the context; readers of changes on other threads keep it and no
    // more.

    let context: NSManagedObjectContext
    let request: AnyFetchRequest
    let sectionKeyPath: String?
    let cacheName: String?
    weak var owner: (any ResultsOwner)?
    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            delegateLacks = []
            knownMethods = []
        }
    }
    /// What the delegate was found to have no methods for; said by default implementations.
    var delegateLacks: DelegateMethods = []
    /// What the delegate was asked for once.
    var knownMethods: DelegateMethods = []
    let readers = ResultsReaders()

    /// What was fetched, and followed since; nil before the first fetch.
    var query: ResultsQuery?
    var sections: ResultSections?
    /// The content before a change, while the delegate is told that it is going to change.
    var outgoing: ResultSections? { didSet { contentDidChange() } }
    /// Counts the states of the content.
    private(set) var version = 0
    private var infos: [any NSFetchedResultsSectionInfo]?

    /// Objects that changed and are to be looked at, each once, in the order in which they were told.
    var touched: [NSManagedObject] = []
    var touchedIdentities: Set<ObjectIdentifier> = []
    /// What brings the results up to date. A later case includes the earlier ones.
    enum Update: Int {
        /// A look at the objects that changed.
        case changes
        /// A fetch, because only the store can tell what the results are.
        case fetch
        /// A fetch, because the context has forgotten all objects.
        case fetchAfterReset
    }

    private(set) var update = Update.changes
    /// Whether the last fetch failed. It is tried again at the next change.
    var fetchFailed = false
    /// Whether the results follow a change at present: what comes meanwhile waits.
    var isFollowing = false
    /// Results that had temporary IDs when they were told.
    var unsaved: [NSManagedObject] = []
    /// What the section cache on disk was made for; nil: it is not ours.
    var cacheKey: String?
    /// Whether sections changed since the cache was written.
    var cacheIsStale = false
    private var observers: [any NSObjectProtocol] = []

    init(
        _ request: AnyFetchRequest, _ context: NSManagedObjectContext, sectionKeyPath: String?, cacheName: String?
    ) {
        _ = ResultsQuery.checked(request.sortDescriptors, request)
        self.request = request
        self.context = context
        self.sectionKeyPath = sectionKeyPath
        self.cacheName = cacheName
        observe(.NSManagedObjectContextObjectsDidChange) { $0.contextDidChange($1) }
        observe(.NSManagedObjectContextDidSave) { $0.contextDidSave($1) }
        context.merging.watch.add(self)
    }

    deinit {
        observers.forEach { NotificationCenter.default.removeObserver($0) }
        context.merging.watch.remove(ObjectIdentifier(self))
    }

    private func observe(
        _ name: Notification.Name, _ handler: @escaping @Sendable (ResultsCore, Notification) -> Void
    ) {
        let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
            [weak self] note in self.map { handler($0, note) }
        }
        observers.append(token)
    }

    /// Whether changes are followed: for a delegate, or for readers of a sequence.
    var isTracking: Bool { delegate != nil || !readers.isEmpty }

    /// Whether the delegate or a reader is told IDs.
    var tellsIDs: Bool {
        if !readers.isEmpty { return true }
        guard delegate != nil else { return false }
        return !delegateLacks.contains(.snapshots) || sectionKeyPath == nil && !delegateLacks.contains(.differences)
    }

    /// Notes that less than this does not bring the results up to date.
    func demand(_ wanted: Update) { if wanted.rawValue > update.rawValue { update = wanted } }

    /// Notes that a look at the objects that change is enough from now on.
    func isUpToDate() { update = .changes }

    // MARK: Fetching

    func performFetch() throws {
        _ = ResultsQuery.checked(request.sortDescriptors, request)
        let query = try ResultsQuery(request, sectionKeyPath: sectionKeyPath, in: context)
        let cache = openCache(query)
        let new = try fetchSections(query, cache)
        writeCache(new)
        // What came with the fetch is in it.
        forgetTouched()
        isUpToDate()
        fetchFailed = false
        let old = sections
        self.query = query
        show(new)
        unsaved = []
        if tellsIDs { keepIDs() }
        if let sections { readers.tell { sections.change(from: old, touched: [], query) } }
        tellSnapshot()
        releaseUnwantedIDs()
    }

    func fetchSections(_ query: ResultsQuery, _ cache: SectionCache? = nil) throws -> ResultSections {
        var objects = try context.fetch(query.request)
        if query.needsSorting(in: context) { objects = objects.sorted(by: query.descriptors) }
        if let known = cache?.contents,
            let sections = ResultSections(objects, names: known.names, counts: known.counts, query)
        {
            cacheIsStale = false
            return sections
        }
        cacheIsStale = true
        return try ResultSections(objects, query)
    }

    /// Shows other sections.
    func show(_ new: ResultSections) {
        sections = new
        contentDidChange()
    }

    func contentDidChange() {
        version += 1
        infos = nil
    }

    /// Lets go of what shares the arrays of the content that is to change.
    func prepareToChange() { infos = nil }

    func forgetTouched() {
        touched = []
        touchedIdentities = []
    }

    // MARK: Content

    private var visible: ResultSections? { outgoing ?? sections }

    /// A way to make the array of the results; nil before the first fetch.
    var visibleObjects: (() -> [NSManagedObject])? { visible.map { sections in { sections.objects } } }

    func object(at indexPath: IndexPath) -> NSManagedObject {
        guard let list = (outgoing ?? sections)?.list else {
            programmerError("The results controller has no objects yet; call performFetch() first.")
        }
        require(
            indexPath.count == 2 && list.indices.contains(indexPath.section)
                && list[indexPath.section].objects.indices.contains(indexPath.item),
            "There is no object at \(Array(indexPath)): the results have \(list.count) sections with \(list.prefix(20).map(\.objects.count)) objects. Use index paths of the controller's present content."
        )
        return list[indexPath.section].objects[indexPath.item]
    }

    func indexPath(for object: NSManagedObject) -> IndexPath? {
        if outgoing != nil { return outgoing?.place(of: object)?.indexPath }
        return sections?.place(of: object)?.indexPath
    }

    var sectionInfos: [any NSFetchedResultsSectionInfo]? {
        if let infos { return infos }
        guard let list = visible?.list else { return nil }
        let new = list.map { ResultsSectionInfo(name: $0.name, members: $0.objects, core: self) }
        infos = Array(new)
        return infos
    }

    // MARK: Index titles

    func indexTitle(ofSection name: String) -> String? {
        if let owner { owner.sectionIndexTitle(forSectionName: name) } else { titleByDelegate(ofSection: name) }
    }

    func titleByDelegate(ofSection name: String) -> String? {
        guard let delegate else { return Self.standardIndexTitle(name) }
        return delegate.controller(controller, sectionIndexTitleForSectionName: name)
    }

    static func standardIndexTitle(_ name: String) -> String? { name.first.map { String($0).uppercased() } }

    /// Each title with its first section.
    var indexTitles: [(title: String, section: Int)] {
        guard sectionKeyPath != nil, let list = visible?.list else { return [] }
        var seen: Set<String> = []
        return list.indices.compactMap { index in
            indexTitle(ofSection: list[index].name).flatMap { seen.insert($0).inserted ? ($0, index) : nil }
        }
    }

    func section(title: String, at index: Int) -> Int {
        let titles = indexTitles
        require(
            titles.indices.contains(index) && titles[index].title == title,
            "\"\(title)\" is not at \(index) of sectionIndexTitles, which are \(titles.map(\.title)). Give a title with its own index."
        )
        return titles[index].section
    }
}
