import FoundationGaps

extension NSNotification.Name {
    /// Stores were added to a coordinator, removed from it, or moved.
    ///
    /// `object` is the coordinator. `userInfo` has an array of stores under `NSAddedPersistentStoresKey` or
    /// `NSRemovedPersistentStoresKey`, or the three elements of `NSUUIDChangedPersistentStoresKey`. Posted on the
    /// thread that changed the stores.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "_NSPersistentStoreCoordinatorStoresDidChangeNotification")

    /// A coordinator is about to remove a store, which is under `NSRemovedPersistentStoresKey`, in an array.
    ///
    /// It is posted while the store is still open: observers may read from it, and end what depends on it.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}

/// `userInfo`: the stores that were added to a coordinator, an array of ``NSPersistentStore``.
public let NSAddedPersistentStoresKey = "added"
/// `userInfo`: the stores that were removed, or are about to be, an array of ``NSPersistentStore``.
public let NSRemovedPersistentStoresKey = "removed"

/// `userInfo` of notifications about the writes of other processes to a store: the store's URL.
///
/// No notification of this release has it.
public let NSPersistentStoreURLKey = "storeURL"
