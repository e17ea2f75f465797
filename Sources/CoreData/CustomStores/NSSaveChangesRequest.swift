import FoundationGaps

/// What a context asks an incremental store to save.
///
/// The framework makes these requests and gives them to ``NSIncrementalStore/execute(_:with:)``. To save a context,
/// call ``NSManagedObjectContext/save()``.
open class NSSaveChangesRequest: NSPersistentStoreRequest, NSCopying {
    /// Makes a request. All sets are nil in a request to save the store's metadata alone.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        inserted = insertedObjects
        updated = updatedObjects
        deleted = deletedObjects
        locked = lockedObjects
        super.init()
    }

    private let inserted: Set<NSManagedObject>?
    private let updated: Set<NSManagedObject>?
    private let deleted: Set<NSManagedObject>?
    private let locked: Set<NSManagedObject>?

    /// New objects, which have the IDs that the store gave them.
    open var insertedObjects: Set<NSManagedObject>? { inserted }
    /// Objects with changes to write.
    open var updatedObjects: Set<NSManagedObject>? { updated }
    /// Objects to delete.
    open var deletedObjects: Set<NSManagedObject>? { deleted }
    /// Objects that are not to be written, but have to be as the context has seen them.
    open var lockedObjects: Set<NSManagedObject>? { locked }

    /// `saveRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// A request for the same objects.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(inserted: inserted, updated: updated, deleted: deleted, locked: locked)
        copy.affectedStores = affectedStores
        return copy
    }
}
