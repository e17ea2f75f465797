import FoundationGaps

/// A store that is asked for objects as they are needed: a web service, or a database of the app's own.
///
/// A subclass answers the framework's questions. Override:
///
/// | member | what it does |
/// |---|---|
/// | ``loadMetadata()`` | sets ``NSPersistentStore/metadata``, with ``NSStoreUUIDKey`` and ``NSStoreTypeKey`` |
/// | ``execute(_:with:)`` | runs a fetch, or a save |
/// | ``newValuesForObject(with:with:)`` | the values of one object |
/// | ``newValue(forRelationship:forObjectWith:with:)`` | the objects at the other end of a relationship |
/// | ``obtainPermanentIDs(for:)`` | IDs for new objects |
///
/// Register the class with ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``. All calls come one at a time,
/// on the queue of the context that asks, while the context waits.
///
/// A fetch makes faults. Their values are asked for object by object, when they are first read, and stay in the row
/// cache. A store that has read all values with the fetch keeps them until then:
///
/// ```swift
/// final class ServiceStore: NSIncrementalStore, @unchecked Sendable {
///     private var records: [String: [String: Any]] = [:]
///
///     override func loadMetadata() throws {
///         metadata = [NSStoreUUIDKey: "League service", NSStoreTypeKey: "Service"]
///     }
///
///     override func execute(
///         _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
///     ) throws -> Any {
///         guard let fetch = request as? NSFetchRequest<any NSFetchRequestResult>, let context else { return [] }
///         return try read(fetch).map { record -> NSManagedObject in
///             let id = newObjectID(for: fetch.entity!, referenceObject: record["id"]!)
///             records["\(record["id"]!)"] = record
///             return context.object(with: id)
///         }
///     }
///
///     private func read(_ fetch: NSFetchRequest<any NSFetchRequestResult>) throws -> [[String: Any]] { [] }
/// }
/// ```
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    // Unchecked like its superclass.

    /// Makes the store for a coordinator. See
    /// ``NSPersistentStore/init(persistentStoreCoordinator:configurationName:at:options:)``.
    public override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        prepareToken()
    }

    override class func kind(type: String) -> (any StoreKind)? { IncrementalClassKind(type: type, storeClass: self) }
    override var givesReferencesOnly: Bool { true }

    // MARK: To be overridden

    /// Sets ``NSPersistentStore/metadata`` to what the store says of itself: its UUID under ``NSStoreUUIDKey`` and its
    /// type under ``NSStoreTypeKey``.
    ///
    /// If the metadata have ``NSStoreModelVersionHashesKey``, the coordinator refuses a store of another version of the
    /// model (134100).
    ///
    /// - Throws: What makes the store impossible to open.
    open override func loadMetadata() throws { missingOverride("loadMetadata()") }

    /// Carries out a request.
    ///
    /// | request | result |
    /// |---|---|
    /// | ``NSFetchRequest`` of objects | an array of `context.object(with:)`, or of object IDs, in order |
    /// | of object IDs | an array of `NSManagedObjectID` |
    /// | of a count | an array with one `NSNumber`, or the number |
    /// | of dictionaries | an array of dictionaries |
    /// | ``NSSaveChangesRequest`` | an empty array |
    ///
    /// A fetch request comes as an `NSFetchRequest<any NSFetchRequestResult>`. Its predicate, order, limit and offset
    /// are the store's to apply. A save request with nil for all sets asks to save the metadata.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The context that asks.
    /// - Throws: Any error. It is thrown by the fetch or by the save, and nothing has changed.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        missingOverride("execute(_:with:)")
    }

    /// Returns the values of an object, for a fault that is fired.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) for an object that does not exist any longer. Any
    ///   other error means that its values can't be read now.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode { missingOverride("newValuesForObject(with:with:)") }

    /// Returns the ID at the other end of a to-one relationship, or `NSNull`; of a to-many relationship an array or a
    /// set of IDs, in their order if the relationship is ordered.
    ///
    /// To-one relationships that the node of the object has are not asked for.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any { missingOverride("newValue(forRelationship:forObjectWith:with:)") }

    /// Returns IDs for new objects, made with ``newObjectID(for:referenceObject:)``, in the order of the objects.
    ///
    /// It is called before a save, and by ``NSManagedObjectContext/obtainPermanentIDs(for:)``. The objects are not in
    /// the store yet.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        missingOverride("obtainPermanentIDs(for:)")
    }

    /// Called when a context begins to use objects of the store: as faults, or with values. An override may ask the
    /// service to report their changes.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called some time after a context has let objects go, on any thread. The objects may be in use by other contexts.
    ///
    /// There is one call for each call of ``managedObjectContextDidRegisterObjects(with:)`` with the same ID.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Returns the UUID of a new store at a URL, for stores whose ``loadMetadata()`` sets none. It is a new UUID,
    /// unless overridden.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    // MARK: To be called

    /// The ID of the object that the store identifies in this way. The same arguments give equal IDs.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, and not a parent of it.
    ///   - data: A number, a string, or another value that can be hashed.
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        namedObjectID(for: entity, data)
    }

    /// What the store identifies an object by.
    ///
    /// - Parameter objectID: An ID of an object of this store. Any other ID traps.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any { referenceData(of: objectID) }

    private func missingOverride(_ method: String) -> Never {
        programmerError(
            "\(Swift.type(of: self)) does not override \(method), which a subclass of NSIncrementalStore must.")
    }

    // MARK: The framework's

    /// The coordinator's lock.
    package var writeLock = NSRecursiveLock()
    var openedModel: StoreModel?
    /// Asks in the place of a context, where the coordinator asks on its own.
    var ownContext: NSManagedObjectContext?
}
