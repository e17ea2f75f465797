import FoundationGaps

extension NSManagedObject {
    /// See ``addObserver(_:forKeyPath:options:context:)``.
    func beginObservation(
        by observer: any KeyValueObserver, _ keyPath: String, _ options: NSKeyValueObservingOptions,
        _ context: UnsafeMutableRawPointer?
    ) {
        let named = NamedObservation(observer, keyPath, context)
        named.observation = observe(keyPath, options, read: { $0.value(forKeyPath: keyPath) }) {
            [unowned named] change in
            named.observer?.observeValue(
                forKeyPath: keyPath, of: change.object, change: change.dictionary, context: named.context)
        }
        WatcherTable.shared.watchers(of: self).named.append(named)
    }

    /// See ``removeObserver(_:forKeyPath:)``.
    func endObservation(by observer: any KeyValueObserver, _ keyPath: String) {
        endObservation { $0.observer === observer && $0.keyPath == keyPath }
    }

    /// See ``removeObserver(_:forKeyPath:context:)``.
    func endObservation(by observer: any KeyValueObserver, _ keyPath: String, _ context: UnsafeMutableRawPointer?) {
        endObservation { $0.observer === observer && $0.keyPath == keyPath && $0.context == context }
    }

    private func endObservation(where isWanted: (NamedObservation) -> Bool) {
        guard isObserved else { return }
        let watchers = WatcherTable.shared.watchers(of: self)
        if let index = watchers.named.lastIndex(where: isWanted) { watchers.named.remove(at: index) }
    }

    /// Observes a key path.
    ///
    /// - Parameters:
    ///   - takesAutomatic: Whether changes count that the class's own accessor does not announce.
    ///   - read: How the value is read, for observers that ask for old and new values.
    ///   - handler: Called for each change, and at once where the options ask for it.
    func observe<Value>(
        _ keyPath: String, _ options: NSKeyValueObservingOptions, takesAutomatic: Bool = true,
        read: @escaping (NSManagedObject) -> Value,
        _ handler: @escaping (ObservedChange<Value>) -> Void
    ) -> KeyPathObservation {
        var old: Value?
        let keys = keyPath.split(separator: ".").map(String.init)
        let observation = KeyPathObservation(
            self, keys[...], takesAutomatic: takesAutomatic,
            will: { [unowned self] mutation in
                if options.contains(.old) { old = read(self) }
                guard options.contains(.prior) else { return }
                handler(ObservedChange(object: self, mutation: mutation, old: old, new: nil, isPrior: true))
            },
            did: { [unowned self] mutation in
                let new = options.contains(.new) ? read(self) : nil
                handler(ObservedChange(object: self, mutation: mutation, old: old, new: new, isPrior: false))
                old = nil
            })
        if options.contains(.initial) {
            let new = options.contains(.new) ? read(self) : nil
            handler(ObservedChange(object: self, mutation: KeyMutation(), old: nil, new: new, isPrior: false))
        }
        return observation
    }
}

// MARK: Telling

extension NSManagedObject: KeyObservable {
    /// Whether the object has observers: then each change is announced.
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

    /// Has a fault let go of the row that it has at hand: it asks for its row when it fires. Swift's Observation is
    /// told of what was read before the object became a fault, and is different in the row of now.
    func dropRowOfFault() {
        guard isObserved, let reads = WatcherTable.shared.watchers(of: self).trackedReads else {
            snapshot = nil
            return
        }
        let before = trackedValues(reads)
        snapshot = nil
        tellDifferences(reads, from: before)
    }

    /// Tells observers that every key which they observe changes, when the object is refreshed, rolled back or forgets
    /// its values.
    ///
    /// Swift's Observation is told of those keys alone whose values differ afterwards.
    @inline(never)
    func tellingObserversOfAll(_ change: () -> Void) {
        let watchers = WatcherTable.shared.watchers(of: self)
        let watched = watchers.keys.sorted()
        // Observers of any key are told all the same.
        let keys = watched.isEmpty ? ["self"] : watched
        let reads = watchers.trackedReads
        let before = reads.map { trackedValues($0) } ?? [:]
        keys.forEach { watchers.willChange($0, KeyMutation(), isWhole: true) }
        change()
        keys.forEach { watchers.didChange($0, KeyMutation(), isWhole: true) }
        if let reads { tellDifferences(reads, from: before) }
    }
}

/// A change on its way to an observer.
struct ObservedChange<Value> {
    let object: NSManagedObject
    let mutation: KeyMutation
    let old: Value?
    let new: Value?
    let isPrior: Bool
}

extension ObservedChange where Value == Any? {
    fileprivate var dictionary: [NSKeyValueChangeKey: Any] {
        var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: mutation.kind.rawValue)]
        if isPrior { dictionary[.notificationIsPriorKey] = NSNumber(value: true) }
        if let indexes = mutation.indexes { dictionary[.indexesKey] = indexes as NSIndexSet }
        if let new { dictionary[.newKey] = shown(new, .insertion) }
        if let old { dictionary[.oldKey] = shown(old, .removal) }
        return dictionary
    }

    /// The members alone, where only some come or go.
    private func shown(_ value: Any?, _ kind: NSKeyValueChange) -> Any? {
        switch mutation.kind {
        case .insertion, .removal: mutation.kind == kind ? mutation.members : nil
        case .setting, .replacement: value ?? NSNull()
        }
    }
}
