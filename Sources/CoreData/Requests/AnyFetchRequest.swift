import FoundationGaps

/// Everything that a fetch request says, except the type of its results.
///
/// ```swift
/// func count(_ request: AnyFetchRequest) throws -> Int {
///     request.includesSubentities = false
///     return try context.count(for: request)
/// }
/// ```
///
/// It is the superclass of each `NSFetchRequest<…>`. A function that takes any fetch request takes this class. A
/// request that belongs to a model, such as a template, traps when it is changed: change a copy.
open class AnyFetchRequest: NSPersistentStoreRequest {
    private var entityStorage: NSEntityDescription?
    private var entityNameStorage: String?
    /// A request that belongs to a model (a template, or a fetched property's) is not to be changed.
    package var isFrozen = false

    /// The entity of the objects to fetch.
    ///
    /// ```swift
    /// request.entity = Team.entity()
    /// ```
    ///
    /// A request that was made with an entity's name has none until a context looks the name up in its model. A name
    /// that the model lacks traps then, with the names that it has.
    open var entity: NSEntityDescription? {
        get { entityStorage }
        set {
            willChange()
            entityStorage = newValue
        }
    }

    /// The name of the entity whose objects are fetched: that of ``entity``, or the name that the request was made
    /// with.
    open var entityName: String? { entityStorage?.name ?? entityNameStorage }

    /// The condition for an object to be a result. Nil, the default: every object of the entity.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(format: "team.name == %@ AND age > %d", "Boston Celtics", 30)
    /// let veterans = try context.fetch(request)
    /// ```
    ///
    /// The store evaluates it as SQL, here `LEFT JOIN ZTEAM t1 … WHERE t1.ZNAME = ? AND t0.ZAGE > ?`. The values become
    /// parameters. If SQL can't express a part, or the entity lacks a key, the fetch throws
    /// `NSPersistentStoreUnsupportedRequestTypeError` (134091) and names the part. Unsaved objects of the context are
    /// compared in memory. See <doc:Predicates>.
    open var predicate: NSPredicate? { didSet { willChange() } }

    /// The order of the results. Nil, the default, or empty: no order that code can rely on.
    ///
    /// ```swift
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "team.name", ascending: true),
    ///     NSSortDescriptor(key: "lastName", ascending: true),
    /// ]
    /// ```
    ///
    /// Keys are stored properties, or key paths through to-one relationships. The SQL here is `ORDER BY t1.ZNAME,
    /// t0.ZLASTNAME`. A descriptor with a comparator block makes the fetch throw
    /// `NSPersistentStoreUnsupportedRequestTypeError` (134091). Unsaved objects are sorted in, unless
    /// ``includesPendingChanges`` is false.
    open var sortDescriptors: [NSSortDescriptor]? { didSet { willChange() } }

    /// The greatest number of results. 0, the default: no limit.
    ///
    /// ```swift
    /// request.sortDescriptors = [NSSortDescriptor(key: "salary", ascending: false)]
    /// request.fetchLimit = 1
    /// let bestPaid = try context.fetch(request).first
    /// ```
    ///
    /// The SQL is `ORDER BY t0.ZSALARY DESC, t0.Z_PK DESC LIMIT ?`: the key decides between equal rows. Without sort
    /// descriptors it is open which objects these are. Unsaved changes count: a new object may push out a saved one.
    open var fetchLimit = 0 { didSet { willChange() } }
    /// How many results to leave out at the start. The default is 0.
    ///
    /// ```swift
    /// request.fetchLimit = 20
    /// request.fetchOffset = 40        // the third page of 20
    /// let page = try context.fetch(request)
    /// ```
    ///
    /// The database still walks the rows before it. For a long list a ``fetchBatchSize`` is cheaper.
    open var fetchOffset = 0 { didSet { willChange() } }
    /// How many rows are loaded at a time while the results are walked. 0, the default: all at once.
    ///
    /// ```swift
    /// request.fetchBatchSize = 100
    /// for player in try context.fetch(request) { print(player.lastName ?? "") }   // one query for each 100 players
    /// ```
    ///
    /// The result is an array of faults, and all of them exist. The first fault of a page that fires reads the rows of
    /// the page, in one query. Pages that have not been used for long are released, except objects that the app changed
    /// or holds by itself. ``returnsObjectsAsFaults`` has no effect then. Prefetched relationships come with each page.
    /// ``NSManagedObjectContext/results(of:)`` does not even make the objects.
    open var fetchBatchSize = 0 { didSet { willChange() } }
    /// Whether the rows of the result come page by page. Objects that are to be refreshed have to be there at once.
    var isPaged: Bool { fetchBatchSize > 0 && !shouldRefreshRefetchedObjects }
    /// The kind of results: objects, the default, their IDs, dictionaries, or a count.
    ///
    /// The request's generic type must fit; otherwise the fetch throws `NSPersistentStoreOperationError` (134070).
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
    /// request.resultType = .managedObjectIDResultType
    /// let ids = try context.fetch(request)        // IDs may go to other threads
    /// ```
    ///
    /// Dictionaries show the store: unsaved changes of the context do not count for them.
    open var resultType = NSFetchRequestResultType.managedObjectResultType { didSet { willChange() } }

    /// Whether objects of subentities are results, too. The default is true.
    ///
    /// ```swift
    /// request.includesSubentities = false     // no objects of entities below Player
    /// ```
    ///
    /// All entities of a tree share one table. If the entity has subentities, the SQL then has `WHERE t0.Z_ENT = ?`.
    open var includesSubentities = true { didSet { willChange() } }
    /// Whether the unsaved changes of the context count. The default is true.
    ///
    /// ```swift
    /// request.includesPendingChanges = false
    /// let saved = try context.count(for: request)         // what the store has
    /// ```
    ///
    /// With false, deleted objects that are not saved yet are results, and new objects are not.
    open var includesPendingChanges = true { didSet { willChange() } }
    /// Whether the rows are read with the fetch. The default is true.
    ///
    /// With false, the fetch reads keys alone. Each object is a fault that reads its row when it fires. This saves time
    /// if code needs the IDs, or few of the objects.
    open var includesPropertyValues = true { didSet { willChange() } }
    /// Whether the results are faults. The default is true.
    ///
    /// The rows of faults are in the row cache, so firing one does not ask the store. With false, the objects are not
    /// faults: `awakeFromFetch()` has been called, and their values stay if the rows leave the cache.
    open var returnsObjectsAsFaults = true { didSet { willChange() } }
    /// Whether objects that the context has already take the values of the rows that were read. The default is false.
    ///
    /// ```swift
    /// request.shouldRefreshRefetchedObjects = true        // another process may have written to the store
    /// let players = try context.fetch(request)
    /// ```
    ///
    /// Unsaved changes stay. Without it, objects that are not faults keep their values.
    open var shouldRefreshRefetchedObjects = false { didSet { willChange() } }
    /// Relationships that have their objects loaded with the results, as key paths. Nil, the default: none.
    ///
    /// ```swift
    /// request.relationshipKeyPathsForPrefetching = ["team", "team.players"]
    /// for player in try context.fetch(request) { print(player.team?.name ?? "") }     // no query for each team
    /// ```
    ///
    /// Each relationship takes one query, or two if it is many-to-many, whatever the number of results.
    open var relationshipKeyPathsForPrefetching: [String]? { didSet { willChange() } }

    /// What is read of each object: names or property descriptions, and for dictionaries also expression descriptions.
    ///
    /// ```swift
    /// request.propertiesToFetch = ["lastName", "team"]
    /// for player in try context.fetch(request) { print(player.lastName ?? "") }      // no other column is read
    /// ```
    ///
    /// A fetch for dictionaries has these columns, and all stored attributes if it is nil. A fetch for objects gives
    /// partial faults. Reading a property that was fetched leaves the object a fault. Any other use, such as a change,
    /// fires the fault, which reads the whole row. If another context saved the row in between, the fetched values
    /// stay, and a save sees the conflict.
    ///
    /// Whole objects are read in these cases:
    ///
    /// - It is nil or empty.
    /// - ``returnsObjectsAsFaults`` is false, or ``shouldRefreshRefetchedObjects`` is true.
    /// - The context has unsaved changes of the entity.
    ///
    /// A fetch for objects that names anything but stored attributes and to-one relationships throws
    /// `NSPersistentStoreOperationError` (134070).
    open var propertiesToFetch: [Any]? { didSet { willChange() } }

    /// Whether equal dictionaries come once. The default is false. It has an effect for dictionaries alone.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Player")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["group"]
    /// request.returnsDistinctResults = true
    /// let groups = try context.fetch(request).compactMap { $0["group"] as? String }
    /// ```
    ///
    /// The SQL is `SELECT DISTINCT t0.ZGROUP FROM ZPLAYER t0`.
    open var returnsDistinctResults = false { didSet { willChange() } }
    /// The properties by which dictionaries are grouped, as names or descriptions. Nil, the default: no groups.
    ///
    /// Each other column of ``propertiesToFetch`` must be an expression over the group, such as a count.
    ///
    /// ```swift
    /// let count = NSExpressionDescription()
    /// count.name = "count"
    /// count.expression = NSExpression(format: "count(SELF)")
    /// count.expressionResultType = .integer64AttributeType
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Player")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["group", count]
    /// request.propertiesToGroupBy = ["group"]
    /// request.havingPredicate = NSPredicate(format: "$count > 10")      // by a column's name
    /// let sizes = try context.fetch(request)
    /// ```
    open var propertiesToGroupBy: [Any]? { didSet { willChange() } }

    /// The condition for a group to be a result; nil, the default: every group.
    ///
    /// ```swift
    /// request.propertiesToGroupBy = ["group"]
    /// request.havingPredicate = NSPredicate(format: "count(SELF) > 10")
    /// ```
    ///
    /// It becomes SQL's `HAVING COUNT(t0.Z_PK) > ?`. `$name` means a column of ``propertiesToFetch``. ``predicate``
    /// chooses the objects before they are grouped. Without groups the fetch throws
    /// `NSPersistentStoreUnsupportedRequestTypeError` (134091). See ``propertiesToGroupBy``.
    open var havingPredicate: NSPredicate? { didSet { willChange() } }

    /// The stores to ask; nil, the default: all of the coordinator's. See ``NSPersistentStoreRequest/affectedStores``.
    open override var affectedStores: [NSPersistentStore]? { didSet { willChange() } }

    /// Always `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    package init(entityName: String?) {
        entityNameStorage = entityName
        _ = NSFetchRequestExpression.isRegistered
        super.init()
    }

    private func willChange() {
        require(
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
