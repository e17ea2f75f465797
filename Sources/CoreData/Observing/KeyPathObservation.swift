import FoundationGaps

/// What an observation of key paths asks of an object: managed objects have it all.
protocol KeyObservable: AnyObject {
    static func automaticallyNotifiesObservers(forKey key: String) -> Bool
    static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>
    func value(forKey key: String) -> Any?
    func watch(_ watcher: KeyWatcher)
    func endWatching(_ watcher: KeyWatcher)
}

/// Observes what a path of keys leads to: each object on the way, anew when one of them is replaced, and what the keys
/// are computed from.
final class KeyPathObservation {
    typealias Handler = (KeyMutation) -> Void

    private weak var object: (any KeyObservable)?
    private let keys: ArraySlice<String>
    private let will: Handler
    private let did: Handler
    private var watcher: KeyWatcher?
    /// Observes the rest of the path, from where the first key leads.
    private var rest: KeyPathObservation?
    private var dependencies: [KeyPathObservation] = []

    /// - Parameters:
    ///   - takesAutomatic: Whether changes of the first key count that the class's own accessor does not announce.
    ///   - affected: The keys with dependencies that are being followed: a key that depends on itself ends there.
    init(
        _ object: any KeyObservable, _ keys: ArraySlice<String>, takesAutomatic: Bool = true,
        affected: Set<String> = [], will: @escaping Handler, did: @escaping Handler
    ) {
        self.object = object
        self.keys = keys
        self.will = will
        self.did = did
        guard let key = keys.first else { return }
        // Accessors that announce their changes themselves need no second notice.
        let takesAutomatic = takesAutomatic && type(of: object).automaticallyNotifiesObservers(forKey: key)
        let watcher = KeyWatcher(
            key: key, will: { [unowned self] in if takesAutomatic || !$0.isAutomatic { willChange($0) } },
            did: { [unowned self] in if takesAutomatic || !$0.isAutomatic { didChange($0) } })
        object.watch(watcher)
        self.watcher = watcher
        followRest()
        followDependencies(of: key, affected: affected)
    }

    deinit { end() }

    func end() {
        if let watcher { object?.endWatching(watcher) }
        watcher = nil
        rest = nil
        dependencies = []
    }

    private func willChange(_ mutation: KeyMutation) {
        rest = nil
        will(keys.count > 1 ? KeyMutation() : mutation)
    }

    private func didChange(_ mutation: KeyMutation) {
        followRest()
        did(keys.count > 1 ? KeyMutation() : mutation)
    }

    private func followRest() {
        guard keys.count > 1, let key = keys.first, let value = object?.value(forKey: key) else { return }
        guard let next = value as? any KeyObservable else {
            programmerError(
                "\"\(keys.joined(separator: "."))\" can't be observed: \"\(key)\" is no to-one relationship. Observe the objects that it leads to."
            )
        }
        rest = KeyPathObservation(next, keys.dropFirst(), will: will, did: did)
    }

    private func followDependencies(of key: String, affected: Set<String>) {
        guard let object, !affected.contains(key) else { return }
        for path in type(of: object).keyPathsForValuesAffectingValue(forKey: key).sorted() {
            let keys = path.split(separator: ".").map(String.init)
            dependencies.append(
                KeyPathObservation(
                    object, keys[...], affected: affected.union([key]),
                    will: { [unowned self] _ in willChange(KeyMutation()) },
                    did: { [unowned self] _ in didChange(KeyMutation()) }))
        }
    }
}

/// An observation by an observer that the observed object knows by reference.
final class NamedObservation {
    private(set) weak var observer: (any KeyValueObserver)?
    let keyPath: String
    let context: UnsafeMutableRawPointer?
    var observation: KeyPathObservation?

    init(_ observer: any KeyValueObserver, _ keyPath: String, _ context: UnsafeMutableRawPointer?) {
        self.observer = observer
        self.keyPath = keyPath
        self.context = context
    }
}
