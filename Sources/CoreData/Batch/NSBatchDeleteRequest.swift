import FoundationGaps

/// A request that deletes many rows of a store, without objects.
///
/// ```swift
/// let old = NSFetchRequest<NSManagedObject>(entityName: "Player")
/// old.predicate = NSPredicate(format: "age > 40 AND team == nil")
/// let request = NSBatchDeleteRequest(fetchRequest: old)
/// request.resultType = .resultTypeObjectIDs
/// let result = try context.execute(request) as? NSBatchDeleteResult
/// let ids = result?.result as? [NSManagedObjectID] ?? []
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
/// ```
///
/// All rows are deleted in one transaction, or none. The model's delete rules count:
///
/// - Cascade deletes the rows that the relationship leads to, and goes on from there.
/// - Nullify takes the deleted rows out of the relationships at the other end. If such a to-one relationship is not
///   optional, the request fails with `NSValidationMissingMandatoryPropertyError` (1570).
/// - Deny fails the request with `NSValidationRelationshipDeniedDeleteError` (1600) if the relationship leads to a row
///   that stays.
/// - No Action leaves the other end as it is.
///
/// Objects are not validated, and no hook is called. No context learns of the deletion by itself: merge the IDs, as in
/// the example. SQLite stores and stores in memory have batches. Any other store refuses the request with
/// `NSPersistentStoreUnsupportedRequestTypeError` (134091).
open class NSBatchDeleteRequest: NSPersistentStoreRequest, NSCopying {
    /// Which objects are deleted. Its result type does not matter; its predicate, order, limit and offset do.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { NSFetchRequest(copying: fetch) }

    /// What the result holds. The default is ``NSBatchDeleteRequestResultType/resultTypeStatusOnly``.
    open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

    let fetch: AnyFetchRequest
    /// The IDs that the request was made with; nil for one with a fetch request.
    let objectIDs: [NSManagedObjectID]?

    /// A request for what a fetch request finds.
    ///
    /// At Apple the argument has the type `NSFetchRequest<NSFetchRequestResult>`. Here it may be a fetch request of any
    /// type.
    public init(fetchRequest fetch: AnyFetchRequest) {
        self.fetch = NSFetchRequest<any NSFetchRequestResult>(copying: fetch)
        objectIDs = nil
        super.init()
        affectedStores = fetch.affectedStores
    }

    /// A request for objects with these IDs, of one entity or of several. IDs of objects that are not saved, or gone,
    /// are passed over.
    public init(objectIDs objects: [NSManagedObjectID]) {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: objects.first?.entity.name ?? "")
        fetch.predicate = NSPredicate(format: "SELF IN %@", objects)
        self.fetch = fetch
        objectIDs = objects
        super.init()
    }

    private init(copying other: NSBatchDeleteRequest) {
        (fetch, objectIDs) = (other.fetch, other.objectIDs)
        super.init()
        (resultType, affectedStores) = (other.resultType, other.affectedStores)
    }

    /// Always `.batchDeleteRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// A request for the same objects.
    open func copy(with zone: NSZone? = nil) -> Any { NSBatchDeleteRequest(copying: self) }
}

/// What the result of a batch deletion holds. The numbers are Apple's.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// `true`.
    case resultTypeStatusOnly = 0
    /// The IDs of the deleted rows as `[NSManagedObjectID]`. Those that delete rules added come last.
    case resultTypeObjectIDs = 1
    /// How many rows were deleted, as an `Int`. Those that delete rules added count.
    case resultTypeCount = 2
}

/// What ``NSManagedObjectContext/execute(_:)`` returns for an ``NSBatchDeleteRequest``.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// A `Bool`, `[NSManagedObjectID]` or an `Int`, as ``resultType`` says.
    open internal(set) var result: Any?
    /// What was asked for.
    open internal(set) var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly
}
