import FoundationGaps

extension NSManagedObjectContext {
    /// Objects of a context changed. The same as `NSNotification.Name.NSManagedObjectContextObjectsDidChange`.
    ///
    /// ```swift
    /// for await note in NotificationCenter.default.notifications(
    ///     named: NSManagedObjectContext.didChangeObjectsNotification, object: viewContext)
    /// {
    ///     let key = NSManagedObjectContext.NotificationKey.insertedObjects.rawValue
    ///     if note.userInfo?[key] != nil { scheduleRedraw() }
    /// }
    /// ```
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange

    /// A context is about to save. The same as `NSNotification.Name.NSManagedObjectContextWillSave`.
    ///
    /// Observers may still change objects: the save includes these changes.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave

    /// A context has saved. The same as `NSNotification.Name.NSManagedObjectContextDidSave`.
    ///
    /// ```swift
    /// for await note in NotificationCenter.default.notifications(
    ///     named: NSManagedObjectContext.didSaveObjectsNotification, object: background)
    /// {
    ///     let key = NSManagedObjectContext.NotificationKey.deletedObjects.rawValue
    ///     print((note.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0)
    /// }
    /// ```
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave

    /// A context has saved. The notification has IDs, which any thread may use.
    ///
    /// The same as `NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs`. It is posted only if the program has
    /// read one of the two names before.
    public static var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

    /// A context has merged the saves of others. The notification has IDs, which any thread may use.
    ///
    /// The same as `NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs`. It is posted only if the
    /// program has read one of the two names before.
    public static var didMergeChangesObjectIDsNotification: Notification.Name {
        .NSManagedObjectContextDidMergeChangesObjectIDs
    }

    /// The keys of a notification's `userInfo`. The raw values equal the constants like `NSInsertedObjectsKey`.
    ///
    /// Keys for objects have values of the type `Set<NSManagedObject>`, keys for IDs of the type
    /// `Set<NSManagedObjectID>`.
    public enum NotificationKey: String, Sendable {
        /// The raw values are the keys of the `userInfo` dictionary.
        public typealias RawValue = String

        /// Objects that were inserted: `NSInsertedObjectsKey`.
        case insertedObjects = "inserted"
        /// Objects that were changed: `NSUpdatedObjectsKey`.
        case updatedObjects = "updated"
        /// Objects that were deleted: `NSDeletedObjectsKey`.
        case deletedObjects = "deleted"
        /// Objects that took fresh values: `NSRefreshedObjectsKey`.
        case refreshedObjects = "refreshed"
        /// The IDs of all objects, in an array, after `reset()`: `NSInvalidatedAllObjectsKey`.
        case invalidatedAllObjects = "invalidatedAll"
        /// The IDs of inserted objects: `NSInsertedObjectIDsKey`.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The IDs of changed objects: `NSUpdatedObjectIDsKey`.
        case updatedObjectIDs = "updated_objectIDs"
        /// The IDs of deleted objects: `NSDeletedObjectIDsKey`.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The IDs of objects that took fresh values: `NSRefreshedObjectIDsKey`.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// Objects with values that are out of date: `NSInvalidatedObjectsKey`.
        case invalidatedObjects = "invalidated"
        /// The IDs of objects with values that are out of date: `NSInvalidatedObjectIDsKey`.
        case invalidatedObjectIDs = "invalidated_objectIDs"
        /// The token of the generation that a pinned context moved to: `NSManagedObjectContextQueryGenerationKey`.
        case queryGeneration = "newQueryGeneration"
    }
}
