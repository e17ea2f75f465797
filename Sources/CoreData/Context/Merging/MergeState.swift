import FoundationGaps

/// What a context got from other contexts and from the store.
struct MergeState<Object: AnyObject & Hashable> {
    /// The objects that follow all merges.
    let watch = MergeWatch()
    /// What came since pending changes were processed.
    var objects = MergedObjects<Object>()
    /// Objects that others deleted, since the last save. They are held weakly: a context that merges and never saves,
    /// like that of a window, would keep all of them.
    var deletions = WeakObjects<Object>()

    /// Forgets what came. Those that follow the merges go on.
    mutating func reset() { (objects, deletions) = (MergedObjects(), WeakObjects()) }
}

/// What became of a context's objects by other hands than its own, until the next change notification tells.
struct MergedObjects<Object: AnyObject & Hashable> {
    /// Objects that others inserted.
    var inserted: Set<Object> = []
    /// Objects that took fresh values.
    var refreshed: Set<Object> = []
    /// Objects that others deleted, which have left the context.
    var deleted: Set<Object> = []

    var isEmpty: Bool { inserted.isEmpty && refreshed.isEmpty && deleted.isEmpty }

    /// What `NSManagedObjectContextObjectsDidChange` carries, with these objects among the context's own.
    func added(to userInfo: [AnyHashable: Any]) -> [AnyHashable: Any] {
        if isEmpty { return userInfo }
        var all = userInfo
        add(inserted, to: &all, NSInsertedObjectsKey)
        add(refreshed, to: &all, NSRefreshedObjectsKey)
        add(deleted, to: &all, NSDeletedObjectsKey)
        return all
    }

    private func add(_ objects: Set<Object>, to payload: inout [AnyHashable: Any], _ key: String) {
        guard !objects.isEmpty else { return }
        payload[key] = objects.union(payload[key] as? Set<Object> ?? [])
    }
}
