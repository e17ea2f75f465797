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

/// Who wants to know when one key of one object changes, or any key of it.
final class KeyWatcher {
    /// Nil: any key.
    let key: String?
    let will: (KeyMutation) -> Void
    let did: (KeyMutation) -> Void

    init(key: String?, will: @escaping (KeyMutation) -> Void, did: @escaping (KeyMutation) -> Void) {
        self.key = key
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

    var keys: Set<String> { Set(watchers.compactMap(\.key)) }
    var isEmpty: Bool { watchers.isEmpty }

    func add(_ watcher: KeyWatcher) { watchers.append(watcher) }

    func remove(_ watcher: KeyWatcher) { watchers.removeAll { $0 === watcher } }

    func willChange(_ key: String, _ mutation: KeyMutation) {
        for watcher in watchers where watcher.key == key || watcher.key == nil { watcher.will(mutation) }
    }

    func didChange(_ key: String, _ mutation: KeyMutation) {
        for watcher in watchers where watcher.key == key || watcher.key == nil { watcher.did(mutation) }
    }
}

/// The watchers of all observed objects, beside the objects: few are observed, and those that aren't pay nothing but a bit in
/// their state.
final class WatcherTable: @unchecked Sendable {
    // Unchecked: the table is under the lock; what it holds belongs to the queue of the object's context.

    static let shared = WatcherTable()

    private let lock = NSLock()
    private var watchers: [ObjectIdentifier: ObjectWatchers] = [:]

    /// The watchers of an object, made for the first.
    func watchers(of object: NSManagedObject) -> ObjectWatchers {
        let id = ObjectIdentifier(object)
        return lock.withLock {
            if let known = watchers[id] { return known }
            let new = ObjectWatchers()
            watchers[id] = new
            return new
        }
    }

    func remove(_ object: NSManagedObject) {
        // What goes away with it goes after the lock is given back: an observation may end others.
        let removed = lock.withLock { watchers.removeValue(forKey: ObjectIdentifier(object)) }
        withExtendedLifetime(removed) {}
    }
}

extension NSManagedObject {
    /// Whether anybody observes the object: then every change is told.
    @inline(__always)
    var isObserved: Bool { state.contains(.observed) }

    func watch(_ watcher: KeyWatcher) {
        WatcherTable.shared.watchers(of: self).add(watcher)
        state.insert(.observed)
    }

    func endWatching(_ watcher: KeyWatcher) {
        guard isObserved else { return }
        let watchers = WatcherTable.shared.watchers(of: self)
        watchers.remove(watcher)
        guard watchers.isEmpty else { return }
        state.remove(.observed)
        WatcherTable.shared.remove(self)
    }

    /// Tells the observers of a key before and after its change.
    @inline(never)
    func tellingObservers<R>(of key: String, _ mutation: KeyMutation = KeyMutation(), _ change: () throws -> R) rethrows
        -> R
    {
        willTellObservers(of: key, mutation)
        defer { didTellObservers(of: key, mutation) }
        return try change()
    }

    /// Tells the observers of a relationship that a member comes or goes; nothing where it is (or isn't) one already.
    @inline(never)
    func tellingObservers(
        of slot: PropertySlot, _ kind: NSKeyValueChange, _ member: NSManagedObject, _ change: () -> Void
    ) {
        if contains(member, slot) == (kind == .insertion) { return change() }
        let isOrdered = slot.kind == .orderedToMany
        // Where an ordered relationship changes is not worth loading its members for: it counts as set.
        let mutation = isOrdered ? KeyMutation() : KeyMutation(kind: kind, members: NSSet(object: member))
        tellingObservers(of: slot.name, mutation, change)
    }

    func willTellObservers(of key: String, _ mutation: KeyMutation) {
        if isObserved { WatcherTable.shared.watchers(of: self).willChange(key, mutation) }
    }

    func didTellObservers(of key: String, _ mutation: KeyMutation) {
        if isObserved { WatcherTable.shared.watchers(of: self).didChange(key, mutation) }
    }

    /// Tells observers that every key which they observe changes, when the object is refreshed, rolled back or forgets its values.
    @inline(never)
    func tellingObserversOfAll(_ change: () -> Void) {
        let watched = WatcherTable.shared.watchers(of: self).keys.sorted()
        // Those who observe any key are told all the same.
        let keys = watched.isEmpty ? ["self"] : watched
        keys.forEach { willTellObservers(of: $0, KeyMutation()) }
        change()
        keys.forEach { didTellObservers(of: $0, KeyMutation()) }
    }
}
