import Dispatch
import FoundationGaps
import Synchronization

/// Joins a model with its stores, and serves any number of contexts.
///
/// Contexts save one at a time. They read side by side, and beside a save, where the store can (``NSSQLiteStoreType`` with its
/// write-ahead log can); what they read stays in the coordinator's row cache, which all of them share.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    // Unchecked: stores, tokens and the row cache are under the state lock.

    /// The model; immutable from now on.
    open internal(set) var managedObjectModel: NSManagedObjectModel
    /// A name for logs.
    open var name: String? {
        get { locked { nameStorage } }
        set { locked { nameStorage = newValue } }
    }

    package let layouts: ModelLayout
    /// Held for moments, the last lock that is taken: no store is asked and no code of the app runs under it.
    private let stateLock = NSLock()
    /// Held while a context saves, or while stores are added or removed; taken before the state lock.
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

    /// A coordinator of an empty model, for tests and mocks.
    public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

    deinit {
        stores.forEach { $0.coordinatorStorage = nil }
        // Another coordinator may come to lie here.
        tokens.forEach { $0.setOwner(nil) }
    }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { locked { stores } }

    // MARK: Stores

    /// Opens a store, or makes it.
    ///
    /// - Parameters:
    ///   - storeType: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
    ///   - configuration: The model's configuration whose entities the store holds; nil: all.
    ///   - storeURL: The file. `file:///dev/null` is an SQLite store in memory. A store of the type `NSInMemoryStoreType` takes no
    ///     URL; one that it gets is kept as its `url`, and nothing is read or written there.
    ///   - options: `NSReadOnlyPersistentStoreOption`, `NSSQLitePragmasOption`, `NSPersistentStoreTimeoutOption`,
    ///     `NSPersistentStoreConnectionPoolMaxSizeKey`.
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100) if the store was made with another model;
    ///   `NSPersistentStoreOpenError` (134080) if this coordinator has the file already;
    ///   `NSFileReadCorruptFileError` (259) for a file that is no store; `NSPersistentStoreInvalidTypeError` (134000);
    ///   file errors with their own codes. A failed call alters nothing.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let kind = try StoreKinds.kind(of: storeType)
        return try writing {
            if let storeURL, kind is any FileStoreKind { try requireUnused(storeURL) }
            let store = try kind.open(
                managedObjectModel.storeModel(configuration: configuration), configurationName: configuration,
                at: storeURL, options: options)
            attach(store)
            return store
        }
    }

    /// Two stores with one file would have the same objects under two IDs.
    private func requireUnused(_ url: URL) throws {
        guard persistentStores.contains(where: { $0.isAt(url) }) else { return }
        throw NSError.cocoa(
            NSPersistentStoreOpenError, "Can't add the same store twice.",
            reason:
                "This coordinator has the store at “\(url.path)” already; use persistentStore(for:), or remove it first.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    /// Opens a store, or makes it. See ``addPersistentStore(ofType:configurationName:at:options:)``.
    @discardableResult
    open func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store that a description describes, at once or in the background, and reports to the handler.
    @preconcurrency
    open func addPersistentStore(
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
        if storeDescription.shouldAddStoreAsynchronously { queue.async(work) } else { work() }
    }

    /// Takes a store out. Its objects can't be loaded or saved any longer.
    open func remove(_ store: NSPersistentStore) throws {
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
    open func persistentStore(for URL: URL) -> NSPersistentStore? {
        locked { stores.first { $0.url?.standardizedFileURL == URL.standardizedFileURL } }
    }

    /// The URL of a store.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

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
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
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
    open func managedObjectID(for string: String) -> NSManagedObjectID? {
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
    open func perform(_ block: @escaping @Sendable () -> Void) { queue.async(block) }

    /// Runs a block on the coordinator's queue and waits for it.
    open func performAndWait(_ block: () -> Void) { queue.sync(for: nil, block) }

    /// Runs a block on the coordinator's queue, waits for it, and returns what it returns.
    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try queue.sync(for: nil, block) }

    /// Runs a block on the coordinator's queue, and returns what it returns.
    ///
    /// - Parameter block: The work. What it throws is thrown here.
    @preconcurrency
    open func perform<T>(_ block: @escaping @Sendable () throws -> T) async rethrows -> T {
        try await queue.run(block)
    }

    // MARK: Requests

    /// Has a request carried out for a context: see `NSManagedObjectContext.execute(_:)`.
    ///
    /// - Returns: What a fetch request finds; for any other request its result.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try carryOut(request, with: context)
    }

    // MARK: Metadata

    /// The metadata of an open store, changes that are not yet written included.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { openMetadata(for: store) }

    /// Changes the metadata of an open store; written at the next save of a context, be there changes or not.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        setOpenMetadata(metadata, for: store)
    }

    /// The metadata of the store at a URL, without opening it.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a file that is no store, file errors with their own codes.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try storedMetadata(ofType: storeType, at: url, options: options)
    }

    /// The metadata of the store at a URL, without opening it.
    open class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Replaces the metadata of the store at a URL, without opening it. The store keeps its UUID unless they have one.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try replaceStoredMetadata(metadata, forPersistentStoreOfType: storeType, at: url, options: options)
    }

    /// Replaces the metadata of the store at a URL, without opening it. The store keeps its UUID unless they have one.
    open class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    /// The metadata of the store at a URL, whatever its type.
    @available(*, deprecated, message: "Use metadataForPersistentStore(ofType:at:options:) instead.")
    open class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
        try storedMetadata(ofType: NSSQLiteStoreType, at: url, options: nil)
    }

    /// The metadata of the store at a URL; nil stands for any type.
    @_disfavoredOverload
    @available(*, deprecated, message: "Use metadataForPersistentStore(ofType:at:options:) instead.")
    open class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
    }

    /// Replaces the metadata of the store at a URL; nil stands for any type.
    @_disfavoredOverload
    @available(*, deprecated, message: "Use setMetadata(_:forPersistentStoreOfType:at:options:) instead.")
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
    }

    /// The model that made the store at a URL, which the store carries; nil for a store without a model.
    ///
    /// Parts of the model that are not understood are left out, with a warning on standard error.
    ///
    /// ```swift
    /// let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    /// ```
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a file that is no store or whose model is damaged, file errors with their
    ///   own codes.
    open class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel? {
        try storedModel(at: url, options: options)
    }

    // MARK: Store files

    /// Empties the store at a URL, and removes its external files.
    ///
    /// The file stays, and is a blank database: a store that is added there is made anew. If this coordinator has the store, it lets
    /// it go first. Nothing happens where there is no file, nor for stores in memory: remove these.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a file that is no store; `NSPersistentStoreTimeoutError` (134090) while
    ///   another connection writes to it. With `NSPersistentStoreForceDestroyOption` the files go in both cases.
    open func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
        try destroyStore(at: url, ofType: storeType, options: options)
    }

    /// Empties the store at a URL. See ``destroyPersistentStore(at:ofType:options:)``.
    open func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    /// Makes the store at a URL a copy of another one, its external files included.
    ///
    /// The copy is made through SQLite: it has what is in the other one's log, waits for locks, and comes all or not at all.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if this coordinator has the store that would be replaced: remove it
    ///   first; what SQLite and the file system report.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try replaceStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType)
    }

    /// Makes the store at a URL a copy of another one. See
    /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: sourceType.rawValue)
    }

    /// Copies a store to another place and goes on with the copy, which gets a UUID of its own.
    ///
    /// Objects and their IDs stay what they are, and belong to the copy. The store that was copied is closed; its file stays.
    /// Posts `NSPersistentStoreCoordinatorStoresDidChange` with `NSUUIDChangedPersistentStoresKey`: the old store, the new one, and
    /// the IDs of all objects. A store may move from memory to a file and back.
    ///
    /// - Returns: The store at the new place.
    /// - Throws: `NSFileWriteFileExistsError` (516) if there is a store already; what SQLite and the file system report. After a
    ///   failure the coordinator has the store that it had.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try moveStore(store, to: URL, options: options, withType: storeType)
    }

    /// Copies a store to another place and goes on with the copy. See
    /// ``migratePersistentStore(_:to:options:withType:)``.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Lets a store go on with the file at another place, where a copy of it must be already. Rows are read anew from there.
    ///
    /// - Returns: Whether it could; if not, the store stays where it was, and standard error says why.
    @discardableResult
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { reopenStore(url, for: store) }

    // MARK: Locking

    /// Takes the coordinator's lock; waits while another thread has it. Contexts that want to save wait meanwhile.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func lock() { takeLock() }

    /// Gives the coordinator's lock back.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func unlock() { giveLockBack() }

    /// Takes the coordinator's lock if no other thread has it.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func tryLock() -> Bool { takeLockIfFree() }

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

    /// The stores that there are. Under the lock.
    var servedStores: ContiguousArray<ServedStore> { served }

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
