import FoundationGaps
import Synchronization

extension NSNotification.Name {
    /// Objects of a context changed since the last time.
    ///
    /// Posted when pending changes are processed, and by `rollback()` and `reset()`.
    ///
    /// ```swift
    /// observation = NotificationCenter.default.addObserver(
    ///     forName: .NSManagedObjectContextObjectsDidChange, object: viewContext, queue: nil
    /// ) { note in
    ///     let changed = note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
    ///     if changed.contains(where: { $0 is Player }) { scheduleRedraw() }
    /// }
    /// ```
    ///
    /// The notification's `object` is the context. `userInfo` has sets of objects under `NSInsertedObjectsKey`,
    /// `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and `NSRefreshedObjectsKey`; a key without objects is missing.
    /// After `reset()` it has `NSInvalidatedAllObjectsKey` alone.
    ///
    /// Observers with `queue: nil` run on the context's queue, before the call that posts returns. They may use the
    /// objects. What they change is in the next notification. See <doc:PendingChanges>.
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification")

    /// A context is about to save. Observers may still change objects: the save includes these changes.
    ///
    /// `object` is the context; there is no `userInfo`. Also posted for a context without changes. Posted on the
    /// context's queue, after pending changes were processed and before `willSave()` is called.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")

    /// A context has saved. Posted on its queue, before `save()` returns.
    ///
    /// ```swift
    /// observation = NotificationCenter.default.addObserver(
    ///     forName: .NSManagedObjectContextDidSave, object: background, queue: nil
    /// ) { note in
    ///     let inserted = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
    ///     print("saved \(inserted.count) new objects")
    /// }
    /// ```
    ///
    /// `userInfo` has the objects under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`; a key
    /// without objects is missing. The objects belong to the context that saved. Another context takes them over by
    /// ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``. A child's save to its parent posts it, too. A save
    /// that fails posts nothing.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")

    /// A context has saved. `userInfo` has the IDs of the objects, which may be used on any thread.
    ///
    /// After a save to a store, the IDs are permanent. They are in sets (`Set<NSManagedObjectID>`) under
    /// `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and `NSDeletedObjectIDsKey`. Posted after
    /// `NSManagedObjectContextDidSave`, on the same queue.
    ///
    /// It is posted only if code of the program has read this name before: making the IDs takes time. Code that
    /// observes it has read it.
    public static var NSManagedObjectContextDidSaveObjectIDs: NSNotification.Name {
        SaveNotificationNames.idsAreWanted.store(true, ordering: .relaxed)
        return SaveNotificationNames.ids
    }

    /// A context has merged the saves of other contexts. `userInfo` has the IDs of the objects.
    ///
    /// They are in sets under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey`, `NSDeletedObjectIDsKey` and
    /// `NSRefreshedObjectIDsKey`. Posted on the context's queue, after the merge's
    /// `NSManagedObjectContextObjectsDidChange`, and only if code of the program has read this name before.
    public static var NSManagedObjectContextDidMergeChangesObjectIDs: NSNotification.Name {
        MergeNotificationNames.want()
        return MergeNotificationNames.ids
    }
}

/// `userInfo`: the inserted objects, a `Set<NSManagedObject>`.
///
/// In change notifications an object is here once, in its first notification; later edits put it under
/// `NSUpdatedObjectsKey`. Merged insertions, and objects that undo brought back, are here, too.
public let NSInsertedObjectsKey = "inserted"

/// `userInfo`: the changed objects, a `Set<NSManagedObject>`.
///
/// An object is here also if its values are what they were after all.
public let NSUpdatedObjectsKey = "updated"

/// `userInfo`: the deleted objects, a `Set<NSManagedObject>`, with objects that delete rules deleted.
///
/// After a save, a merge or `rollback()` they belong to no context any longer. Their `objectID` can be read.
public let NSDeletedObjectsKey = "deleted"

/// `userInfo` of change notifications: objects that were brought up to date, a `Set<NSManagedObject>`.
///
/// A refresh, a merge or `rollback()` did it.
public let NSRefreshedObjectsKey = "refreshed"

/// `userInfo` of the change notification of ``NSManagedObjectContext/reset()``: the IDs of all objects.
///
/// The value is an array of `NSManagedObjectID`.
///
/// In ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``, any value under this key makes every object
/// take fresh values.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

/// `userInfo`: the IDs of the inserted objects, a `Set<NSManagedObjectID>`.
///
/// It is in the notifications with IDs of a save and of a merge. A key without IDs is missing.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"

/// `userInfo`: the IDs of the changed objects, a `Set<NSManagedObjectID>`.
///
/// It is in the notifications with IDs of a save and of a merge. A key without IDs is missing.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"

/// `userInfo`: the IDs of the deleted objects, a `Set<NSManagedObjectID>`.
///
/// It is in the notifications with IDs of a save and of a merge. A key without IDs is missing.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"

/// `userInfo` of `NSManagedObjectContextDidMergeChangesObjectIDs`: the IDs of objects that took fresh values.
///
/// In ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)`` it has the IDs of objects that are to take
/// fresh values.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"

/// Objects with values that are out of date.
///
/// A key of ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``: they are treated as updated objects.
/// No notification has this key.
public let NSInvalidatedObjectsKey = "invalidated"

/// The IDs of objects with values that are out of date.
///
/// A key of ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``: they are treated as updated objects.
/// No notification has this key.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

/// `userInfo` of notifications of saves and merges: the context's ``NSQueryGenerationToken``.
///
/// It is in the notifications of a save, and in the merge's notification that has IDs. It is the generation that the
/// context moved to. A context that is not pinned has no generation: the key is missing.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

/// Whether there can be an observer of the IDs of what was saved: making a hundred thousand of them takes its time.
enum SaveNotificationNames {
    static let ids = NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
    static let idsAreWanted = Atomic<Bool>(false)
}

/// Whether there can be an observer of the IDs of what was merged.
enum MergeNotificationNames {
    static let ids = NSNotification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
    private static let wanted = Atomic<Bool>(false)

    static var isWanted: Bool { wanted.load(ordering: .relaxed) }

    static func want() { wanted.store(true, ordering: .relaxed) }
}
