import FoundationGaps

/// An object that is told of changes of others by `observeValue(forKeyPath:of:change:context:)`.
///
/// On Apple's platforms every `NSObject` has this method, to be overridden. Elsewhere a class says that it has it by
/// conforming, and writes it without `override`.
public protocol KeyValueObserver: AnyObject {
    /// Called when an observed value changed.
    ///
    /// - Parameters:
    ///   - keyPath: As it was given to `addObserver`.
    ///   - object: The object that is observed.
    ///   - change: What was asked for: see `NSKeyValueChangeKey`.
    ///   - context: As it was given to `addObserver`.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?)
}

/// An observation by an observer that the observed object knows by reference.
final class NamedObservation {
    private(set) weak var observer: (any KeyValueObserver)?
    let keyPath: String
    let context: UnsafeMutableRawPointer?
    fileprivate var observation: KeyPathObservation?

    fileprivate init(_ observer: any KeyValueObserver, _ keyPath: String, _ context: UnsafeMutableRawPointer?) {
        self.observer = observer
        self.keyPath = keyPath
        self.context = context
    }
}

extension NSManagedObject {
    /// Tells an observer of the changes of a property, or of what a key path across to-one relationships leads to.
    ///
    /// Changes by accessors and key-value coding are told, those of the other side of a relationship, and refreshing and
    /// rolling back. Use `observe(_:options:changeHandler:)` where a closure will do.
    ///
    /// - Parameters:
    ///   - observer: Who is told. It is held weakly.
    ///   - keyPath: The property's name, or names with dots between them.
    ///   - options: What is told, and when.
    ///   - context: What the observer is given back with each change; two observations of one property differ by it.
    public func addObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        let named = NamedObservation(observer, keyPath, context)
        named.observation = observe(keyPath, options, read: { $0.value(forKeyPath: keyPath) }) {
            [unowned named] change in
            named.observer?.observeValue(
                forKeyPath: keyPath, of: change.object, change: change.dictionary, context: named.context)
        }
        WatcherTable.shared.watchers(of: self).named.append(named)
    }

    /// Ends an observation, the last of that observer and key path. Does nothing if there is none.
    public func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
        endObservation { $0.observer === observer && $0.keyPath == keyPath }
    }

    /// Ends an observation, the last of that observer, key path and context. Does nothing if there is none.
    public func removeObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
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
    ///   - read: How the value is read, for those who ask for old and new ones.
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
