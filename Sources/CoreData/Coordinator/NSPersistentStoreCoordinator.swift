import Dispatch
import FoundationGaps
import Synchronization

/// Joins a model with its stores, and serves any number of contexts.
///
/// Contexts save one at a time. They read side by side, and beside a save, where the store can (``NSSQLiteStoreType`` with its
/// write-ahead log can); what they read stays in the coordinator's row cache, which all of them share.
public final class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    // Unchecked: stores, tokens and the row cache are under the state lock.

    /// The model; immutable from now on.
    public let managedObjectModel: NSManagedObjectModel
    /// A name for logs.
    public var name: String? {
        get { locked { nameStorage } }
        set { locked { nameStorage = newValue } }
    }

    package let layouts: ModelLayout
    /// Held for moments, the last lock that is taken: no store is asked and nobody else's code runs under it.
    private let stateLock = NSLock()
    /// Held by who saves, or changes which stores there are; taken before the state lock.
    private let writingLock = NSRecursiveLock()
    private let queue = ContextQueue(label: "NSPersistentStoreCoordinator")
    private var nameStorage: String?
    private var stores: [NSPersistentStore] = []
    /// A removed store leaves its token, whose number is not used again.
    private var tokens: ContiguousArray<StoreToken> = []
    /// The stores that there are, by their numbers.
    @exclusivity(unchecked) private var served: ContiguousArray<ServedStore> = []
    private let cache = RowCache()
    var generations = QueryGenerations()
    private let sweepIsPlanned = Atomic<Bool>(false)
    /// How many rows were noted as unused since the last sweep.
    private let unusedRows = Atomic<Int>(0)
    /// The contexts that take over what others save by themselves.
    let mergingContexts = MergingContexts()

    /// A coordinator without stores.
    ///
    /// - Parameter model: Its descriptions can't be changed any longer.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        layouts = model.seal()
        EntityLookup.shared.enter(model, layouts)
        super.init()
    }

    deinit {
        stores.forEach { $0.coordinatorStorage = nil }
        // Another coordinator may come to lie here.
        tokens.forEach { $0.setOwner(nil) }
    }

    /// The stores, in the order in which they were added.
    public var persistentStores: [NSPersistentStore] { locked { stores } }

    // MARK: Stores

    /// Opens a store, or makes it.
    ///
    /// - Parameters:
    ///   - storeType: `NSSQLiteStoreType`.
    ///   - configuration: The model's configuration whose entities the store holds; nil: all.
    ///   - storeURL: The file. `file:///dev/null` is a store in memory.
    ///   - options: `NSReadOnlyPersistentStoreOption`, `NSSQLitePragmasOption`, `NSPersistentStoreTimeoutOption`,
    ///     `NSPersistentStoreConnectionPoolMaxSizeKey`.
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100) if the store was made with another model;
    ///   `NSFileReadCorruptFileError` (259) for a file that is no store; `NSPersistentStoreInvalidTypeError` (134000);
    ///   file errors with their own codes. A failed call alters nothing.
    @discardableResult
    public func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        guard storeType == NSSQLiteStoreType else {
            throw NSError.cocoa(
                NSPersistentStoreInvalidTypeError,
                "There is no store type \"\(storeType)\"; NSSQLiteStoreType is what can be opened.")
        }
        guard let storeURL else {
            throw NSError.cocoa(NSPersistentStoreOpenError, "A store of type \(storeType) needs a URL.")
        }
        return try writing {
            let store = try SQLiteStore(
                model: managedObjectModel.storeModel(configuration: configuration), configurationName: configuration,
                url: storeURL, options: options)
            attach(store)
            return store
        }
    }

    /// Opens a store, or makes it. See ``addPersistentStore(ofType:configurationName:at:options:)``.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store that a description describes, at once or in the background, and reports to the handler.
    @preconcurrency
    public func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let description = UncheckedTransfer(storeDescription)
        let work: @Sendable () -> Void = {
            let storeDescription = description.value
            do {
                try self.addPersistentStore(
                    ofType: storeDescription.type, configurationName: storeDescription.configuration,
                    at: storeDescription.url,
                    options: storeDescription.options)
                block(storeDescription, nil)
            } catch {
                block(storeDescription, error)
            }
        }
        if storeDescription.shouldAddStoreAsynchronously { queue.dispatchQueue.async(execute: work) } else { work() }
    }

    /// Takes a store out. Its objects can't be loaded or saved any longer.
    public func remove(_ store: NSPersistentStore) throws {
        try writing {
            guard persistentStores.contains(store) else {
                throw NSError.cocoa(
                    NSPersistentStoreOperationError,
                    "The store \(store.url?.path ?? "") is not one of this coordinator's.")
            }
            NotificationCenter.default.post(
                name: .NSPersistentStoreCoordinatorWillRemoveStore, object: self,
                userInfo: [NSRemovedPersistentStoresKey: [store]])
            try (store as? any ObjectStore)?.close()
            locked {
                stores.removeAll { $0 === store }
                store.token.store = nil
                served.removeAll { $0.number == store.token.number }
                cache.removeAll(store: store.token.number)
            }
            store.coordinatorStorage = nil
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
    }

    /// The store at a URL, or nil.
    public func persistentStore(for URL: URL) -> NSPersistentStore? {
        locked { stores.first { $0.url?.standardizedFileURL == URL.standardizedFileURL } }
    }

    /// The URL of a store.
    public func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    private func attach(_ store: NSPersistentStore) {
        share(writingLock, with: store)
        store.coordinatorStorage = self
        locked {
            store.token.assignNumber()
            store.token.setOwner(self)
            tokens.append(store.token)
            if let served = store as? any ObjectStore { self.served.append(ServedStore(served, store.token.number)) }
            stores.append(store)
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSAddedPersistentStoresKey: [store]])
    }

    /// Puts a store in the place of another one, whose token it has.
    func replace(_ old: NSPersistentStore, by new: NSPersistentStore) {
        share(writingLock, with: new)
        new.coordinatorStorage = self
        locked {
            stores = stores.map { $0 === old ? new : $0 }
            served.removeAll { $0.number == new.token.number }
            if let store = new as? any ObjectStore { served.append(ServedStore(store, new.token.number)) }
        }
        old.coordinatorStorage = nil
    }

    private func share(_ lock: NSRecursiveLock, with store: NSPersistentStore) {
        if let store = store as? any ObjectStore { store.turns = lock }
    }

    // MARK: IDs

    /// The ID that a URI means; nil if its store is not attached or its entity is not in the model.
    public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        if let id = canonicalID(url.absoluteString) { return id }
        let parts = url.path(percentEncoded: true).split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        guard url.scheme == "x-coredata", parts.count == 2, parts[1].first == "p",
            let key = Int64(parts[1].dropFirst()), key > 0,
            let layout = layouts.layout(named: parts[0])
        else { return nil }
        let identifier = url.host(percentEncoded: false) ?? ""
        guard
            let token = locked({
                tokens.first { $0.store != nil && $0.identifier.caseInsensitiveCompare(identifier) == .orderedSame }
            })
        else { return nil }
        return NSManagedObjectID(
            ObjectReference(key: key, entity: layout.number, store: token.number), entity: layout.entity, token: token)
    }

    /// The ID that a URI's text means.
    public func managedObjectID(for string: String) -> NSManagedObjectID? {
        canonicalID(string) ?? URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
    }

    /// The ID that a URI means which is written as ``NSManagedObjectID/uriRepresentation()`` writes it, with nothing escaped; nil
    /// for what else may be one.
    private func canonicalID(_ text: String) -> NSManagedObjectID? {
        guard let uri = CanonicalURI(text), let layout = layouts.layout(named: uri.entity),
            let token = locked({ tokens.first { $0.store != nil && $0.identifier == uri.store } })
        else { return nil }
        return NSManagedObjectID(
            ObjectReference(key: uri.key, entity: layout.number, store: token.number), entity: layout.entity,
            token: token)
    }

    // MARK: Queue

    /// Runs a block on the coordinator's queue, later.
    @preconcurrency
    public func perform(_ block: @escaping @Sendable () -> Void) { queue.dispatchQueue.async(execute: block) }

    /// Runs a block on the coordinator's queue and waits for it.
    public func performAndWait(_ block: () -> Void) { queue.sync(block) }

    /// Runs a block on the coordinator's queue, waits for it, and returns what it returns.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try queue.sync(block) }

    // MARK: For contexts

    /// Runs `body` with the stores' list and the row cache to itself, for a moment.
    @inline(__always)
    func locked<T>(_ body: () throws -> T) rethrows -> T { try stateLock.measured(body) }

    /// Runs `body`, which saves, or changes which stores there are. May be nested.
    func writing<T>(_ body: () throws -> T) rethrows -> T { try writingLock.measured(body) }

    func takeLock() { writingLock.lock() }

    func giveLockBack() { writingLock.unlock() }

    func takeLockIfFree() -> Bool { writingLock.try() }

    func token(_ store: Int32) -> StoreToken? { locked { tokenWithoutLock(store) } }

    /// The store with a number; nil: it is not attached any longer. Under the lock.
    func servedStoreWithoutLock(_ number: Int32) -> ServedStore? {
        for place in served.indices where served[place].number == number { return served[place] }
        return nil
    }

    private func tokenWithoutLock(_ store: Int32) -> StoreToken? {
        // The last stores are those that there are; mostly it is one.
        tokens.last { $0.number == store }
    }

    /// Notes that so many rows may not be used any longer.
    func noteUnused(rows: Int) {
        guard unusedRows.add(rows, ordering: .relaxed).newValue >= RowCache.warm else { return }
        unusedRows.store(0, ordering: .relaxed)
        sweepSoon()
    }

    /// Lets go of rows that no object uses, in a moment and on another thread: objects that go away can't wait for the lock.
    func sweepSoon() {
        guard !sweepIsPlanned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.global(qos: .utility).async { [weak self] in
            guard let self else { return }
            sweepIsPlanned.store(false, ordering: .releasing)
            sweep()
        }
    }

    /// Lets go of rows that no object uses, in steps between which others get the lock.
    func sweep() {
        guard locked({ cache.isLarge && cache.beginSweep() }) else { return }
        while locked({ LockWaits.holding { cache.sweepStep() } }) { LockWaits.letOthersIn() }
    }

    /// The rows that contexts share; used under the lock only.
    var rows: RowCache { cache }
}

/// Hands a value to another queue that alone uses it from then on.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    // Unchecked: the sender gives the value up.
    let value: Value
    init(_ value: Value) { self.value = value }
}
