import FoundationGaps

/// What became of a context's objects by other hands than its own, until the next change notification tells.
struct MergedObjects {
    /// Objects that others inserted.
    var inserted: Set<NSManagedObject> = []
    /// Objects that took fresh values.
    var refreshed: Set<NSManagedObject> = []
    /// Objects that others deleted, which have left the context.
    var deleted: Set<NSManagedObject> = []

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

    private func add(_ objects: Set<NSManagedObject>, to payload: inout [AnyHashable: Any], _ key: String) {
        guard !objects.isEmpty else { return }
        payload[key] = objects.union(payload[key] as? Set<NSManagedObject> ?? [])
    }
}
