import FoundationGaps

/// A request that changes the values of many rows in a store, without objects.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Player")
/// request.predicate = NSPredicate(format: "team.name == %@", "Boston Celtics")
/// request.propertiesToUpdate = ["salary": NSExpression(format: "salary * 2"), "uniformNumber": 0]
/// request.resultType = .updatedObjectIDsResultType
/// let result = try context.execute(request) as? NSBatchUpdateResult
/// let ids = result?.result as? [NSManagedObjectID] ?? []
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
/// ```
///
/// The SQL is one statement, `UPDATE ZPLAYER AS … SET Z_OPT = Z_OPT + 1, ZSALARY = … WHERE …`, so all rows change or
/// none. Each row gets its next version: a context with unsaved changes of an older one has a conflict when it saves
/// (<doc:Conflicts>). Values are not validated, and no hook is called. No context learns of the change by itself: merge
/// the IDs, as in the example, or refresh the objects.
///
/// SQLite stores and stores in memory have batches. Any other store refuses the request with
/// `NSPersistentStoreUnsupportedRequestTypeError` (134091).
open class NSBatchUpdateRequest: NSPersistentStoreRequest, NSCopying {
    private var entityStorage: NSEntityDescription?
    private let givenName: String

    /// The entity of the rows.
    ///
    /// A request that was made with a name has its entity once a context has executed it. Before that this traps: use
    /// ``entityName``.
    open var entity: NSEntityDescription {
        guard let entityStorage else {
            programmerError(
                "The batch update of \(givenName) has no entity before a context executes it; use entityName, or make the request with an entity."
            )
        }
        return entityStorage
    }

    /// The name of the rows' entity.
    open var entityName: String { entityStorage?.name ?? givenName }

    /// Which rows change; nil, the default: all of the entity. It is written as for ``NSFetchRequest``, and may follow
    /// relationships.
    open var predicate: NSPredicate?

    /// Whether rows of subentities change, too. The default is true.
    open var includesSubentities = true

    /// What changes: values by properties, which are given by their names or as `NSPropertyDescription`.
    ///
    /// A value is a constant of the attribute's type, `NSNull` for nil, or an `NSExpression` over the row's own values,
    /// as in the example of ``NSBatchUpdateRequest``. All expressions see the values from before the change. A to-one
    /// relationship takes an object ID, a saved object, or `NSNull`, if its inverse is a to-many relationship or
    /// missing. To-many relationships, derived and transient attributes can't be set.
    open var propertiesToUpdate: [AnyHashable: Any]?

    /// What the result holds. The default is ``NSBatchUpdateRequestResultType/statusOnlyResultType``.
    open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

    /// A request for an entity, by its name in the context's model.
    public init(entityName: String) {
        givenName = entityName
        super.init()
    }

    /// A request for an entity.
    public init(entity: NSEntityDescription) {
        givenName = entity.name ?? ""
        entityStorage = entity
        super.init()
    }

    /// Always `.batchUpdateRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// A request for the same change.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchUpdateRequest(entityName: givenName)
        copy.entityStorage = entityStorage
        copy.predicate = predicate
        (copy.includesSubentities, copy.propertiesToUpdate) = (includesSubentities, propertiesToUpdate)
        (copy.resultType, copy.affectedStores) = (resultType, affectedStores)
        return copy
    }

    func resolve(_ entity: NSEntityDescription) { if entityStorage == nil { entityStorage = entity } }
}

/// What the result of a batch update holds. The numbers are Apple's.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnlyResultType = 0
    /// The IDs of the changed rows as `[NSManagedObjectID]`, in no order.
    case updatedObjectIDsResultType = 1
    /// How many rows changed, as an `Int`.
    case updatedObjectsCountResultType = 2
}

/// What ``NSManagedObjectContext/execute(_:)`` returns for an ``NSBatchUpdateRequest``.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// A `Bool`, `[NSManagedObjectID]` or an `Int`, as ``resultType`` says.
    open internal(set) var result: Any?
    /// What was asked for.
    open internal(set) var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType
}
