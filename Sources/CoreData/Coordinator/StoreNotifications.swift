import FoundationGaps

extension NSNotification.Name {
    /// Stores were added to a coordinator or removed from it.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// A coordinator is about to remove a store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}

/// `userInfo`: the stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// `userInfo`: the stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// `userInfo` of notifications of what others wrote to a store: the store's URL.
public let NSPersistentStoreURLKey = "storeURL"
