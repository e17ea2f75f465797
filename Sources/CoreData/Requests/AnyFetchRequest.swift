import FoundationGaps

/// Everything that a fetch request says but the type of its results.
///
/// What takes "any fetch request" takes this superclass of all `NSFetchRequest<…>`.
open class AnyFetchRequest: NSPersistentStoreRequest {
    private var entityStorage: NSEntityDescription?
    private var entityNameStorage: String?
    /// A request that belongs to a model (a template, or a fetched property's) is not to be changed.
    package var isFrozen = false

    /// The entity whose objects are looked for.
    ///
    /// A request made by name has none until a context resolves it in its model.
    open var entity: NSEntityDescription? {
        get { entityStorage }
        set {
            willChange()
            entityStorage = newValue
        }
    }

    /// The name of the entity whose objects are looked for.
    open var entityName: String? { entityStorage?.name ?? entityNameStorage }

    /// What an object must fulfil; nil: nothing.
    open var predicate: NSPredicate? { didSet { willChange() } }
    /// The order of the results; nil or empty: none that one can rely on.
    open var sortDescriptors: [NSSortDescriptor]? { didSet { willChange() } }
    /// The greatest number of results; 0: no limit.
    open var fetchLimit = 0 { didSet { willChange() } }
    /// How many results to leave out at the start.
    open var fetchOffset = 0 { didSet { willChange() } }
    /// How many rows are loaded at a time while the results are walked; 0: all at once.
    ///
    /// The results are faults, as many as there are; the first of a page that is read brings the rows of the page, in one
    /// query. Rows of pages not read for long are let go, but for those of objects that the app changed or holds by itself.
    /// ``returnsObjectsAsFaults`` has no say then, and what is prefetched comes with each page.
    open var fetchBatchSize = 0 { didSet { willChange() } }
    /// Whether the rows of the result come page by page. Objects that are to be refreshed have to be there at once.
    var isPaged: Bool { fetchBatchSize > 0 && !shouldRefreshRefetchedObjects }
    /// What comes back: objects, their IDs, dictionaries, or a count.
    open var resultType = NSFetchRequestResultType.managedObjectResultType { didSet { willChange() } }
    /// Whether objects of subentities are results too.
    open var includesSubentities = true { didSet { willChange() } }
    /// Whether the unsaved changes of the context count.
    open var includesPendingChanges = true { didSet { willChange() } }
    /// Whether rows are loaded with the objects; without them every object is a fault that loads when it is read.
    open var includesPropertyValues = true { didSet { willChange() } }
    /// Whether objects come as faults, their rows in the row cache. Without it their values are at hand.
    open var returnsObjectsAsFaults = true { didSet { willChange() } }
    /// Whether objects that are already registered take the values of the rows just read.
    open var shouldRefreshRefetchedObjects = false { didSet { willChange() } }
    /// Relationships to load along with the results.
    open var relationshipKeyPathsForPrefetching: [String]? { didSet { willChange() } }
    /// What is read of each object: names, property descriptions; for dictionary results expression descriptions too.
    ///
    /// A fetch for dictionaries has these columns. One for objects gives partial faults: no more than these attributes and
    /// to-one relationships is read at first, and reading one of them leaves the object a fault. Whatever else is asked of the
    /// object, a change included, fires the fault, which reads its whole row. Should that have been changed by others
    /// meanwhile, what was fetched stays as it was, and a save sees the conflict. nil or empty: everything is read, as it is where
    /// ``returnsObjectsAsFaults`` is false, with ``shouldRefreshRefetchedObjects``, and where unsaved changes take part.
    ///
    /// A fetch for objects that names anything else throws `NSPersistentStoreOperationError` (134070).
    open var propertiesToFetch: [Any]? { didSet { willChange() } }
    /// Whether equal dictionaries come once.
    open var returnsDistinctResults = false { didSet { willChange() } }
    /// The columns by which dictionary results are grouped.
    open var propertiesToGroupBy: [Any]? { didSet { willChange() } }
    /// What a group must fulfil.
    open var havingPredicate: NSPredicate? { didSet { willChange() } }

    open override var affectedStores: [NSPersistentStore]? { didSet { willChange() } }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    package init(entityName: String?) {
        entityNameStorage = entityName
        _ = NSFetchRequestExpression.isRegistered
        super.init()
    }

    private func willChange() {
        precondition(
            !isFrozen,
            "A fetch request of a model can't be changed (entity \(entityName ?? "?")); change a copy of it instead.")
    }

    /// Takes over everything that `other` says.
    package func assign(from other: AnyFetchRequest) {
        entityStorage = other.entityStorage
        entityNameStorage = other.entityNameStorage
        affectedStores = other.affectedStores
        predicate = other.predicate
        sortDescriptors = other.sortDescriptors
        fetchLimit = other.fetchLimit
        fetchOffset = other.fetchOffset
        fetchBatchSize = other.fetchBatchSize
        resultType = other.resultType
        includesSubentities = other.includesSubentities
        includesPendingChanges = other.includesPendingChanges
        includesPropertyValues = other.includesPropertyValues
        returnsObjectsAsFaults = other.returnsObjectsAsFaults
        shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
        relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
        propertiesToFetch = other.propertiesToFetch
        returnsDistinctResults = other.returnsDistinctResults
        propertiesToGroupBy = other.propertiesToGroupBy
        havingPredicate = other.havingPredicate
    }
}
