import FoundationGaps

/// A request that inserts many rows straight into a store, without objects in a context.
///
/// ```swift
/// let request = NSBatchInsertRequest(entityName: "Player", objects: [
///     ["lastName": "Bird", "age": 30],
///     ["lastName": "Parish", "age": 34],
/// ])
/// request.resultType = .objectIDs
/// let result = try context.execute(request) as? NSBatchInsertResult
/// let ids = result?.result as? [NSManagedObjectID] ?? []
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [context])
/// ```
///
/// All rows are inserted in one transaction, or none. The rows come from an array, or one by one from a handler, which
/// keeps the memory flat. Attributes that a dictionary leaves out get the model's defaults. Derived attributes are
/// computed by the store.
///
/// - Values are not validated, and no hook such as `willSave()` is called. A value of the wrong type and an unknown key
///   fail the request.
/// - To-one relationships may be set in dictionaries, to an object ID or to a saved object, if the other end is a
///   to-many relationship or missing. To-many relationships can't be set.
/// - A row whose values in a uniqueness constraint another row has is settled by the context's
///   ``NSManagedObjectContext/mergePolicy``; see ``NSManagedObjectContext/execute(_:)`` and the article <doc:Batches>.
///
/// No context learns of the rows by itself: merge the IDs, as in the example. SQLite stores and stores in memory have
/// batches. Any other store refuses the request with `NSPersistentStoreUnsupportedRequestTypeError` (134091).
open class NSBatchInsertRequest: NSPersistentStoreRequest, NSCopying {
    /// The entity of the rows; nil while the request has only its name. A context looks that up when it executes the
    /// request.
    open internal(set) var entity: NSEntityDescription?

    /// The name of the rows' entity.
    open var entityName: String { entity?.name ?? givenName }
    private let givenName: String

    /// The rows, each as values by the names of properties. `NSNull` stands for nil.
    ///
    /// Keys are names of attributes and of to-one relationships. A composite attribute's value is a dictionary; its
    /// elements may also be given by their paths, such as `"address.city"`.
    open var objectsToInsert: [[String: Any]]?

    /// Fills the dictionary of the next row, and returns false; returns true when there are no more rows.
    ///
    /// ```swift
    /// var rows = ["Bird", "Parish", "McHale"].makeIterator()
    /// let request = NSBatchInsertRequest(entityName: "Player") { (dictionary: NSMutableDictionary) in
    ///     guard let name = rows.next() else { return true }
    ///     dictionary["lastName"] = name
    ///     return false
    /// }
    /// ```
    ///
    /// The dictionary is empty at each call. It is called within the transaction, on the context's queue. What is in
    /// the dictionary when the handler returns true is not inserted.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

    /// Sets the attributes of the next row's object, and returns false; returns true when there are no more rows.
    ///
    /// The object is of the entity's class, and has the model's defaults. It is in no context, is used for one row
    /// and is never saved. It can't be related to other objects. It is called within the transaction, on the
    /// context's queue.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?

    /// See ``BatchRowBuilder``.
    var rowHandler: ((BatchRowBuilder) throws -> Bool)?

    /// What the result holds. The default is ``NSBatchInsertRequestResultType/statusOnly``.
    open var resultType = NSBatchInsertRequestResultType.statusOnly

    /// A request without an entity. It can't be executed: use another initialiser.
    @available(*, deprecated, message: "Use init(entityName:objects:) or another initialiser.")
    public convenience override init() { self.init(entityName: "", objects: []) }

    /// A request for rows that are at hand.
    public init(entityName: String, objects dictionaries: [[String: Any]]) {
        givenName = entityName
        objectsToInsert = dictionaries
        super.init()
    }

    /// A request for rows that are at hand.
    public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        givenName = entity.name ?? ""
        self.entity = entity
        objectsToInsert = dictionaries
        super.init()
    }

    private init(_ name: String, _ entity: NSEntityDescription?) {
        (givenName, self.entity) = (name, entity)
        super.init()
    }

    /// A request for rows that come one by one as dictionaries: see ``dictionaryHandler``.
    public convenience init(
        entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entityName, nil)
        dictionaryHandler = handler
    }

    /// A request for rows that come one by one as dictionaries: see ``dictionaryHandler``.
    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity.name ?? "", entity)
        dictionaryHandler = handler
    }

    /// A request for rows that come one by one as objects: see ``managedObjectHandler``.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(entityName, nil)
        managedObjectHandler = handler
    }

    /// A request for rows that come one by one as objects: see ``managedObjectHandler``.
    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity.name ?? "", entity)
        managedObjectHandler = handler
    }

    /// Always `.batchInsertRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// A request for the same rows. Handlers are the same, and go on where they are.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(entityName, entity)
        (copy.objectsToInsert, copy.dictionaryHandler) = (objectsToInsert, dictionaryHandler)
        (copy.managedObjectHandler, copy.resultType) = (managedObjectHandler, resultType)
        (copy.rowHandler, copy.affectedStores) = (rowHandler, affectedStores)
        return copy
    }
}

/// What the result of a batch insertion holds. The numbers are Apple's.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnly = 0
    /// The IDs of the rows as `[NSManagedObjectID]`, in the order in which they came. A row that took the place of one
    /// with the same unique values has that row's ID; a row that was left out has none.
    case objectIDs = 1
    /// How many rows were inserted or changed, as an `Int`.
    case count = 2
}

/// What ``NSManagedObjectContext/execute(_:)`` returns for an ``NSBatchInsertRequest``.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// A `Bool`, `[NSManagedObjectID]` or an `Int`, as ``resultType`` says.
    open internal(set) var result: Any?
    /// What was asked for.
    open internal(set) var resultType = NSBatchInsertRequestResultType.statusOnly
}
