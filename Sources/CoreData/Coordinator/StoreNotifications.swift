import FoundationGaps

extension NSNotification.Name {
    /// Stores were added to a coordinator, removed from it, or moved.
    ///
    /// ```swift
    /// observation = NotificationCenter.default.addObserver(
    ///     forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
    /// ) { note in
    ///     let added = note.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore] ?? []
    ///     for store in added { print("opened", store.url?.path ?? "a store in memory") }
    /// }
    /// ```
    ///
    /// `object` is the coordinator. `userInfo` has an array of stores under `NSAddedPersistentStoresKey` or
    /// `NSRemovedPersistentStoresKey`, or the three elements of `NSUUIDChangedPersistentStoresKey`. It is posted on the
    /// thread that changed the stores.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "_NSPersistentStoreCoordinatorStoresDidChangeNotification")

    /// A coordinator is about to remove a store.
    ///
    /// The store is in an array under `NSRemovedPersistentStoresKey`. It is still open: observers may read from it, and
    /// end what depends on it.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")

    /// A store was written to: by a context of this coordinator, by another coordinator or by another process.
    ///
    /// ```swift
    /// observation = NotificationCenter.default.addObserver(
    ///     forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    /// ) { note in
    ///     let token = note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    ///     print("changed up to", token?.description ?? "an unknown place")
    /// }
    /// ```
    ///
    /// It is posted for stores that were added with ``NSPersistentStoreRemoteChangeNotificationPostOptionKey``.
    /// `object` is the coordinator. `userInfo` has the store's UUID under `NSStoreUUIDKey`, its URL under
    /// `NSPersistentStoreURLKey` and, if the store has history, its newest token under `NSPersistentHistoryTokenKey`.
    /// It is posted on a thread of its own, some milliseconds after the commit. One notification may stand for several
    /// commits.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}

/// `userInfo` of `NSPersistentStoreCoordinatorStoresDidChange`: the stores that were added.
///
/// The value is an array of ``NSPersistentStore``, mostly of one.
public let NSAddedPersistentStoresKey = "added"

/// `userInfo`: the stores that were removed, or are about to be removed.
///
/// The value is an array of ``NSPersistentStore``. Both notifications of a removal have it. After the removal the
/// store's coordinator is nil.
public let NSRemovedPersistentStoresKey = "removed"

/// `userInfo` of notifications about the writes of other processes to a store: the store's URL.
public let NSPersistentStoreURLKey = "storeURL"
