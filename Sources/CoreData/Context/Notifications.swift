import FoundationGaps
import Synchronization

extension NSNotification.Name {
    /// Objects of a context changed since the last time; posted when pending changes are processed.
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification")
    /// A context is about to save.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// A context has saved; carries the objects.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
    /// A context has saved; carries the objects' IDs, which may go to other threads.
    ///
    /// It is put together, and posted, once this name was read: code that observes it has read the name.
    public static var NSManagedObjectContextDidSaveObjectIDs: NSNotification.Name {
        SaveNotificationNames.idsAreWanted.store(true, ordering: .relaxed)
        return SaveNotificationNames.ids
    }
    /// A context has taken over what others saved; carries the objects' IDs. Posted once this name was read.
    public static var NSManagedObjectContextDidMergeChangesObjectIDs: NSNotification.Name {
        MergeNotificationNames.want()
        return MergeNotificationNames.ids
    }
}

extension NSManagedObjectContext {
    /// The same as `NSNotification.Name.NSManagedObjectContextObjectsDidChange`.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// The same as `NSNotification.Name.NSManagedObjectContextWillSave`.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// The same as `NSNotification.Name.NSManagedObjectContextDidSave`.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// The same as `NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs`.
    public static var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
    /// The same as `NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs`.
    public static var didMergeChangesObjectIDsNotification: Notification.Name {
        .NSManagedObjectContextDidMergeChangesObjectIDs
    }

    /// What a notification's `userInfo` holds, by key.
    public enum NotificationKey: String, Sendable {
        public typealias RawValue = String

        case insertedObjects = "inserted"
        case updatedObjects = "updated"
        case deletedObjects = "deleted"
        case refreshedObjects = "refreshed"
        case invalidatedAllObjects = "invalidatedAll"
        case insertedObjectIDs = "inserted_objectIDs"
        case updatedObjectIDs = "updated_objectIDs"
        case deletedObjectIDs = "deleted_objectIDs"
        case refreshedObjectIDs = "refreshed_objectIDs"
        case invalidatedObjects = "invalidated"
        case invalidatedObjectIDs = "invalidated_objectIDs"
        case queryGeneration = "newQueryGeneration"
    }
}

/// `userInfo`: the inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// `userInfo`: the updated objects.
public let NSUpdatedObjectsKey = "updated"
/// `userInfo`: the deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// `userInfo`: objects that took fresh values.
public let NSRefreshedObjectsKey = "refreshed"
/// `userInfo`: that the context forgot all its objects; posted by `NSManagedObjectContext.reset()`, with an array of their IDs.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// `userInfo`: the IDs of the inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// `userInfo`: the IDs of the updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// `userInfo`: the IDs of the deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// `userInfo` of `NSManagedObjectContextDidMergeChangesObjectIDs`: the IDs of objects that took fresh values; of
/// `mergeChanges(fromRemoteContextSave:into:)`: the IDs of those that are to.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// `userInfo` of `mergeChanges(fromRemoteContextSave:into:)`: objects whose values are not to be trusted.
public let NSInvalidatedObjectsKey = "invalidated"
/// `userInfo` of `mergeChanges(fromRemoteContextSave:into:)`: the IDs of objects whose values are not to be trusted.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// `userInfo` of notifications of saves and merges: the token of the query generation that the context moved to, if it is pinned.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
/// Whether anybody can be interested in the IDs of what was saved: making a hundred thousand of them takes its time.
enum SaveNotificationNames {
    static let ids = NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
    static let idsAreWanted = Atomic<Bool>(false)
}

/// Whether anybody can be interested in the IDs of what was merged.
enum MergeNotificationNames {
    static let ids = NSNotification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
    private static let wanted = Atomic<Bool>(false)

    static var isWanted: Bool { wanted.load(ordering: .relaxed) }

    static func want() { wanted.store(true, ordering: .relaxed) }
}
