import FoundationGaps

/// How a key is about to change, or has changed.
struct KeyMutation {
    var kind = NSKeyValueChange.setting
    /// The members that come or go; nil for `.setting`.
    var members: NSObject?
    /// Where they come or go, in an ordered relationship.
    var indexes: IndexSet?
    /// Whether the framework tells it, not the class's own accessor.
    var isAutomatic = true
}

/// An observer of one key of one object, or of any key of it.
final class KeyWatcher {
    /// Nil: any key.
    let key: String?
    /// Whether it is told when the object is refreshed or rolled back as a whole, whatever that changes.
    let takesWholeChanges: Bool
    let will: (KeyMutation) -> Void
    let did: (KeyMutation) -> Void

    init(
        key: String?, takesWholeChanges: Bool = true, will: @escaping (KeyMutation) -> Void,
        did: @escaping (KeyMutation) -> Void
    ) {
        self.key = key
        self.takesWholeChanges = takesWholeChanges
        self.will = will
        self.did = did
    }
}

/// The watchers of one object. Used on the queue of the object's context only.
final class ObjectWatchers {
    /// In the order in which they began.
    private var watchers: [KeyWatcher] = []
    /// What observers given by reference observe.
    var named: [NamedObservation] = []
    /// See `NSManagedObject.changeCompanion(_:willChange:)`.
    var companion: AnyObject?
    /// What Swift's Observation was told.
    var trackedReads: TrackedReads?

    /// The keys of observers that are told of changes of the whole object.
    var keys: Set<String> { Set(watchers.lazy.filter(\.takesWholeChanges).compactMap(\.key)) }
    var isEmpty: Bool { watchers.isEmpty }

    func add(_ watcher: KeyWatcher) { watchers.append(watcher) }

    func remove(_ watcher: KeyWatcher) { watchers.removeAll { $0 === watcher } }

    /// - Parameter isWhole: Whether the key is told because the whole object changes.
    func willChange(_ key: String, _ mutation: KeyMutation, isWhole: Bool = false) {
        for watcher in watchers where watcher.isConcerned(by: key, isWhole) { watcher.will(mutation) }
    }

    func didChange(_ key: String, _ mutation: KeyMutation, isWhole: Bool = false) {
        for watcher in watchers where watcher.isConcerned(by: key, isWhole) { watcher.did(mutation) }
    }
}

/// The watchers of all observed objects, beside the objects: few are observed, and those that aren't pay nothing but a
/// bit in their state.
final class WatcherTable: @unchecked Sendable {
    // Unchecked: the table is under the lock; what it holds belongs to the queue of the object's context.

    static let shared = WatcherTable()

    private let lock = NSLock()
    private var watchers: [ObjectIdentifier: ObjectWatchers] = [:]

    /// The watchers of an object, made for the first.
    func watchers(of object: AnyObject) -> ObjectWatchers {
        let id = ObjectIdentifier(object)
        return lock.withLock {
            if let known = watchers[id] { return known }
            let new = ObjectWatchers()
            watchers[id] = new
            return new
        }
    }

    func remove(_ object: AnyObject) {
        // What goes away with it goes after the lock is given back: an observation may end others.
        let removed = lock.withLock { watchers.removeValue(forKey: ObjectIdentifier(object)) }
        withExtendedLifetime(removed) {}
    }
}

extension KeyWatcher {
    /// Whether a change of a key is told here.
    fileprivate func isConcerned(by key: String, _ isWhole: Bool) -> Bool {
        (self.key == key || self.key == nil) && (takesWholeChanges || !isWhole)
    }
}
