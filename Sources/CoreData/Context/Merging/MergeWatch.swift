import FoundationGaps
import Synchronization

/// An observer of everything that a context merges, also of objects that the context does not have.
protocol MergeWatcher: AnyObject, Sendable {
    /// An object of an entity was changed or deleted by others, and is not registered.
    ///
    /// - Returns: Whether one that was changed is to be made, so that it is notified as refreshed.
    func wantsMerged(_ layout: EntityLayout) -> Bool
    /// Anything may have changed.
    func wantsMergeOfEverything()
    /// The merge has been notified.
    func mergeDidEnd()
}

/// The watchers of a context's merges; held weakly. They may go away on any thread.
final class MergeWatch: Sendable {
    private struct Entry {
        weak var watcher: (any MergeWatcher)?
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    var watchers: [any MergeWatcher] { entries.withLock { $0.values.compactMap(\.watcher) } }

    func add(_ watcher: any MergeWatcher) {
        entries.withLock { $0[ObjectIdentifier(watcher)] = Entry(watcher: watcher) }
    }

    func remove(_ watcher: ObjectIdentifier) { entries.withLock { $0[watcher] = nil } }
}
