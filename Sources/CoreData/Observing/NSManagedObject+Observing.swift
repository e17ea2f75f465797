import FoundationGaps

/// An object that is told of changes of managed objects.
///
/// ```swift
/// final class Display: KeyValueObserver {
///     func observeValue(
///         forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
///         context: UnsafeMutableRawPointer?
///     ) {
///         label.text = change?[.newKey] as? String
///     }
/// }
/// ```
///
/// Give it to ``NSManagedObject/addObserver(_:forKeyPath:options:context:)``. On Apple's platforms every `NSObject` has
/// the method, and classes override it. Here a class conforms, and writes it without `override`.
public protocol KeyValueObserver: AnyObject {
    /// Called when an observed value changed, on the queue of the object's context.
    ///
    /// With the option `.prior`, it is called before the change, too. With `.initial`, it is called at once by
    /// `addObserver`.
    ///
    /// - Parameters:
    ///   - keyPath: The key path that was given to `addObserver`.
    ///   - object: The object that is observed.
    ///   - change: The kind of the change, and the values that the options ask for; nil comes as `NSNull`.
    ///   - context: The value that was given to `addObserver`.
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
