import FoundationGaps

/// What a context got from other contexts and from the store.
struct MergeState {
    /// The objects that follow all merges.
    let watch = MergeWatch()
    /// What came since pending changes were processed.
    var objects = MergedObjects()
    /// Objects that others deleted, since the last save.
    var deletions = MergedDeletions()

    /// Forgets what came. Those that follow the merges go on.
    mutating func reset() { (objects, deletions) = (MergedObjects(), MergedDeletions()) }
}

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

/// The objects that merges have deleted since the last save.
///
/// They are held weakly: a context that merges and never saves, like that of a window, would keep all of them.
struct MergedDeletions {
    private struct Weak { weak var object: NSManagedObject? }
    private var all: [Weak] = []
    /// How many there may be before those that the app has let go of are looked for.
    private var limit = 16

    var objects: some Sequence<NSManagedObject> { all.lazy.compactMap(\.object) }

    mutating func add(_ object: NSManagedObject) {
        if all.count == limit {
            all.removeAll { $0.object == nil }
            limit = max(16, all.count * 2)
        }
        all.append(Weak(object: object))
    }

    mutating func forget() { all = [] }
}
