import FoundationGaps

/// The observers of a migration manager's progress and mapping.
final class MigrationObservers: @unchecked Sendable {
    // Unchecked: the list is under the lock; observers are called without it.

    private unowned let manager: NSMigrationManager
    private let lock = NSLock()
    private var observers: [Observer] = []

    /// What is done before and after a change.
    final class Observer {
        let key: String
        let will: () -> Void
        let did: () -> Void
        fileprivate weak var object: (any KeyValueObserver)?

        init(_ key: String, will: @escaping () -> Void, did: @escaping () -> Void) {
            (self.key, self.will, self.did) = (key, will, did)
        }
    }

    init(_ manager: NSMigrationManager) { self.manager = manager }

    func add(_ observer: Observer) { lock.withLock { observers.append(observer) } }

    func remove(_ observer: Observer) { lock.withLock { observers.removeAll { $0 === observer } } }

    /// Tells what is about to change, changes it, and tells that it has changed.
    func telling(_ key: String, _ change: () -> Void) {
        let concerned = lock.withLock { observers.filter { $0.key == key } }
        concerned.forEach { $0.will() }
        change()
        concerned.forEach { $0.did() }
    }

    // MARK: By name

    func add(
        _ object: any KeyValueObserver, _ key: String, _ options: NSKeyValueObservingOptions,
        _ context: UnsafeMutableRawPointer?
    ) {
        require(
            Self.keys.contains(key),
            "NSMigrationManager has no observable property \"\(key)\"; it has \(Self.keys.joined(separator: " and ")).")
        let context = UncheckedTransfer(context)
        let observer = observer(key, options, read: { $0.observed(key) }) { [weak object] manager, change in
            var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: change.kind.rawValue)]
            if change.isPrior { dictionary[.notificationIsPriorKey] = NSNumber(value: true) }
            if let new = change.newValue { dictionary[.newKey] = new ?? NSNull() }
            if let old = change.oldValue { dictionary[.oldKey] = old ?? NSNull() }
            object?.observeValue(forKeyPath: key, of: manager, change: dictionary, context: context.value)
        }
        observer.object = object
        add(observer)
    }

    func remove(_ object: any KeyValueObserver, _ key: String) {
        lock.withLock {
            if let index = observers.lastIndex(where: { $0.object === object && $0.key == key }) {
                observers.remove(at: index)
            }
        }
    }

    static let keys = ["migrationProgress", "currentEntityMapping"]

    /// An observer that reads the values which its options ask for.
    func observer<Value>(
        _ key: String, _ options: NSKeyValueObservingOptions, read: @escaping (NSMigrationManager) -> Value,
        _ handler: @escaping (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
    ) -> Observer {
        var old: Value?
        func change(_ new: Value?, isPrior: Bool) -> NSKeyValueObservedChange<Value> {
            NSKeyValueObservedChange(kind: .setting, newValue: new, oldValue: old, indexes: nil, isPrior: isPrior)
        }
        let observer = Observer(
            key,
            will: { [unowned manager] in
                if options.contains(.old) { old = read(manager) }
                if options.contains(.prior) { handler(manager, change(nil, isPrior: true)) }
            },
            did: { [unowned manager] in
                handler(manager, change(options.contains(.new) ? read(manager) : nil, isPrior: false))
            })
        if options.contains(.initial) {
            handler(manager, change(options.contains(.new) ? read(manager) : nil, isPrior: false))
        }
        return observer
    }
}

extension NSMigrationManager {
    /// Observes ``migrationProgress`` or ``currentEntityMapping``.
    ///
    /// ```swift
    /// let observation = manager.observe(\.migrationProgress, options: [.new]) { _, change in
    ///     print(change.newValue ?? 0)
    /// }
    /// ```
    ///
    /// The handler is called on the thread that migrates. Other key paths trap: nothing tells of their changes. Observe
    /// the mapping without the option `old`: before the first one there is none.
    ///
    /// - Returns: The observation, which ends when it goes away.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<NSMigrationManager, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let key: String
        switch keyPath {
        case \NSMigrationManager.migrationProgress: key = "migrationProgress"
        case \NSMigrationManager.currentEntityMapping: key = "currentEntityMapping"
        default:
            programmerError("Only migrationProgress and currentEntityMapping of a migration manager can be observed.")
        }
        let observers = observers
        let observer = observers.observer(key, options, read: { $0[keyPath: keyPath] }, changeHandler)
        observers.add(observer)
        return NSKeyValueObservation { observers.remove(observer) }
    }

    /// The value of an observable property; nil where there is none as yet.
    fileprivate func observed(_ key: String) -> Any? {
        key == "migrationProgress" ? NSNumber(value: migrationProgress) : status.mapping
    }

    func setProgress(_ progress: Float) { observers.telling("migrationProgress") { status.progress = progress } }

    func setCurrent(_ mapping: NSEntityMapping) {
        observers.telling("currentEntityMapping") { status.mapping = mapping }
    }
}
