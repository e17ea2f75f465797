import Dispatch
import FoundationGaps
import Synchronization

/// Joins a model with its stores, and serves any number of contexts.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(type: .sqlite, at: url)
/// let context = NSManagedObjectContext(.privateQueue)
/// context.persistentStoreCoordinator = coordinator
/// ```
///
/// A container makes all of this: use a coordinator directly for stores of several files, and for work on store files.
///
/// Contexts save one at a time. They read in parallel, also while another context saves, if the store can
/// (``NSSQLiteStoreType`` with its write-ahead log can). What they read stays in the coordinator's row cache, which all
/// of them share: an object that another context has read needs no SQL.
///
/// A coordinator may be used on any thread. Several stores of one coordinator hold different configurations of its
/// model, or different objects of the same entities. A fetch asks all of them. See <doc:Stores>.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    // Unchecked: stores, tokens and the row cache are under the state lock.

    /// The model that joins the coordinator's stores.
    ///
    /// Its descriptions can't be changed any longer: their setters trap, except `userInfo`. Change a copy of the model
    /// before you make a coordinator.
    open internal(set) var managedObjectModel: NSManagedObjectModel

    /// A name for the app's own use; nil at first.
    ///
    /// It may be read and set on any thread.
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
    /// A removed store leaves its token. The token's number is not used again.
    private var tokens: ContiguousArray<StoreToken> = []
    /// The stores that there are, by their numbers. Exclusive access is not checked at run time: every read looks here.
    /// The list is used under the state lock, and its changes run no other code: `stores` keeps a store until later.
    @exclusivity(unchecked) private var attached: ContiguousArray<AttachedStore> = []
    private let cache = RowCache()
    var generations = QueryGenerations()
    private let sweepIsPlanned = Atomic<Bool>(false)
    /// How many rows were noted as unused since the last sweep.
    private let unusedRows = Atomic<Int>(0)
    /// The bytes of large rows that were used and may not be any longer since the last sweep.
    private let unusedBytes = Atomic<Int>(0)
    /// Whether a store of an app's class was ever added. Contexts then name themselves when they ask.
    let servesAppStores = Atomic<Bool>(false)
    /// Whether a store was ever added that gives each new object a key of its own.
    let servesSingleKeys = Atomic<Bool>(false)
    /// Whether a store that records its changes was ever added.
    let recordsHistory = Atomic<Bool>(false)
    /// The contexts that take over what others save by themselves.
    let mergingContexts = MergingContexts()

    /// Makes a coordinator without stores. Nothing is opened.
    ///
    /// - Parameter model: Its descriptions can't be changed any longer. Several coordinators may use one model.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        layouts = model.seal()
        EntityLookup.shared.add(model, layouts)
        _ = TextSearch.isRegistered
        super.init()
    }

    /// A coordinator of an empty model, for tests and mocks.
    ///
    /// A fetch of any entity traps: the model has none.
    public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

    deinit {
        stores.forEach { $0.coordinatorStorage = nil }
        // Another coordinator may come to lie here.
        tokens.forEach { $0.setOwner(nil) }
    }

    /// The stores that are open, in the order in which they were added.
    ///
    /// An inserted object goes to the first of them that can be written to and holds its entity.
    open var persistentStores: [NSPersistentStore] { locked { stores } }

    // MARK: Stores

    /// Opens a store, or makes it if there is none.
    ///
    /// ```swift
    /// do {
    ///     try coordinator.addPersistentStore(
    ///         ofType: NSSQLiteStoreType, configurationName: nil, at: url,
    ///         options: [NSPersistentStoreTimeoutOption: 30])
    /// } catch CocoaError.persistentStoreIncompatibleVersionHash {
    ///     print("\(url.path) was made by another version of the model")
    /// } catch CocoaError.fileReadCorruptFile {
    ///     print("\(url.path) is no store, or is damaged")
    /// }
    /// ```
    ///
    /// A new file gets its tables, indexes and metadata, and the model, in one transaction. An existing file is first
    /// looked at without a change: a store that does not fit stays as it is. Saves wait until the call returns. Posts
    /// `NSPersistentStoreCoordinatorStoresDidChange` with `NSAddedPersistentStoresKey`.
    ///
    /// - Parameters:
    ///   - storeType: ``NSSQLiteStoreType``, ``NSXMLStoreType``, ``NSBinaryStoreType``, ``NSInMemoryStoreType``, or a
    ///     type that the app has registered.
    ///   - configuration: The name of the model's configuration that lists the store's entities; nil for all entities.
    ///   - storeURL: The file. `file:///dev/null` is an SQLite store in memory. A store of the type
    ///     ``NSInMemoryStoreType`` needs no URL; a URL that it gets is kept as its `url`, and nothing is read or
    ///     written there.
    ///   - options: ``NSReadOnlyPersistentStoreOption``, ``NSSQLitePragmasOption``, ``NSPersistentStoreTimeoutOption``,
    ///     ``NSPersistentStoreConnectionPoolMaxSizeKey``, ``NSSQLiteManualVacuumOption``, ``NSSQLiteAnalyzeOption``,
    ///     ``NSMigratePersistentStoresAutomaticallyOption``, ``NSInferMappingModelAutomaticallyOption``.
    /// - Returns: The open store, which is also in ``persistentStores``.
    /// - Throws: Errors of `NSCocoaErrorDomain`, after which nothing has changed:
    ///   - `NSPersistentStoreIncompatibleVersionHashError` (134100) if the store was made with another model, and the
    ///     options do not ask for a migration. The reason says what differs;
    ///   - `NSMigrationMissingSourceModelError` (134130), `NSMigrationMissingMappingModelError` (134140),
    ///     `NSMigrationError` (134110) or `NSMigrationConstraintViolationError` (134111) if it can't be migrated;
    ///   - `NSPersistentStoreOpenError` (134080) if this coordinator has the file already, also by a link; for the URL
    ///     of something else than a file, such as a server, if the type's stores are files; for a configuration that
    ///     the model does not have, or a bad pragma;
    ///   - `NSFileReadCorruptFileError` (259) for a file that is no store or is damaged;
    ///   - `NSPersistentStoreInvalidTypeError` (134000) for another type;
    ///   - `NSPersistentStoreTimeoutError` (134090) if another process kept the file locked;
    ///   - 512 if the folder does not exist, 513 or 257 without permission, 260 if there is no file and the store is to
    ///     be read-only.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let kind = try StoreKinds.kind(of: storeType)
        if let storeURL { try kind.check(storeURL, type: storeType) }
        return try writing {
            if let storeURL, kind is any PlacedStoreKind { try requireUnused(storeURL) }
            let store = try open(kind, storeType, configuration, storeURL, options)
            try watch(store)
            attach(store)
            if let storeURL, kind is any FileStoreKind {
                MigrationFolder.removeAbandoned(beside: storeURL, options: options)
            }
            return store
        }
    }

    /// Opens a store; one of another version of the model is migrated, if the options ask for it.
    private func open(
        _ kind: any StoreKind, _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        func opened() throws -> any ObjectStore {
            try kind.open(
                managedObjectModel.storeModel(configuration: configuration, for: self),
                configurationName: configuration, at: url, options: options)
        }
        do {
            return try opened()
        } catch let error as NSError where error.isOtherVersion {
            guard let kind = kind as? any PlacedStoreKind, let url else { throw error }
            try StoreMigration(
                kind: kind, type: type, url: url, model: managedObjectModel, configuration: configuration,
                options: options
            ).run(after: error)
            return try opened()
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

    /// Opens a store, or makes it if there is none.
    ///
    /// ```swift
    /// let archive = try coordinator.addPersistentStore(
    ///     type: .sqlite, configuration: "Archive", at: url, options: [NSReadOnlyPersistentStoreOption: true])
    /// request.affectedStores = [archive]
    /// ```
    ///
    /// Parameters and errors are as in ``addPersistentStore(ofType:configurationName:at:options:)``.
    @discardableResult
    open func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store that a description describes, and reports to the handler.
    ///
    /// ```swift
    /// coordinator.addPersistentStore(with: description) { description, error in
    ///     if let error { print("\(description.url?.path ?? ""): \(error)") }
    /// }
    /// ```
    ///
    /// The store is opened on the calling thread before the call returns. If
    /// ``NSPersistentStoreDescription/shouldAddStoreAsynchronously`` is set, it is opened on the coordinator's queue,
    /// later.
    ///
    /// - Parameters:
    ///   - storeDescription: Do not change it before the handler was called.
    ///   - block: Called once, with nil or an error of ``addPersistentStore(ofType:configurationName:at:options:)``, on
    ///     the thread that has opened the store.
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
                    options: storeDescription.optionsToOpen)
                block(storeDescription, nil)
            } catch {
                block(storeDescription, error)
            }
        }
        if storeDescription.shouldAddStoreAsynchronously { queue.async(work) } else { work() }
    }

    /// Removes a store: closes its file, which stays.
    ///
    /// ```swift
    /// if let store = coordinator.persistentStore(for: url) { try coordinator.remove(store) }
    /// ```
    ///
    /// The store's objects stay in their contexts. They can't be loaded or saved any longer: a fault of this store that
    /// fires traps, and a save of its objects throws `NSPersistentStoreOperationError` (134070). Reset the contexts
    /// before. Reads that are under way are waited for. Posts `NSPersistentStoreCoordinatorWillRemoveStore` before, and
    /// `NSPersistentStoreCoordinatorStoresDidChange` after, both with `NSRemovedPersistentStoresKey`.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a store of another coordinator; what the store reports
    ///   when it closes.
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
            store.willRemove(from: self)
            try (store as? any ObjectStore)?.close()
            locked {
                stores.removeAll { $0 === store }
                store.token.store = nil
                attached.removeAll { $0.number == store.token.number }
                cache.removeAll(store: store.token.number)
            }
            store.coordinatorStorage = nil
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
    }

    /// Returns the store at a URL, or nil.
    ///
    /// ```swift
    /// if let store = coordinator.persistentStore(for: url) { try coordinator.remove(store) }
    /// ```
    ///
    /// Standardized URLs are compared. Links are not resolved.
    open func persistentStore(for URL: URL) -> NSPersistentStore? {
        locked { stores.first { $0.url?.standardizedFileURL == URL.standardizedFileURL } }
    }

    /// Returns the URL of a store.
    ///
    /// It is `file:///dev/null` for a store in memory that has none.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// Returns a token for the present end of the stores' histories; nil if none of them has history.
    ///
    /// ```swift
    /// var token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    /// ```
    ///
    /// A fetch of the history after it finds what is saved from now on.
    ///
    /// - Parameter stores: The stores to ask; nil for all stores of the coordinator.
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        historyToken(of: stores?.compactMap { $0 as? NSPersistentStore })
    }

    private func attach(_ store: NSPersistentStore) {
        share(writingLock, with: store)
        store.coordinatorStorage = self
        store.opener = nil
        locked {
            store.token.assignNumber()
            store.token.setOwner(self)
            tokens.append(store.token)
            if let attached = store as? any ObjectStore {
                self.attached.append(AttachedStore(attached, store.token.number))
            }
            stores.append(store)
        }
        note(store)
        store.didAdd(to: self)
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSAddedPersistentStoresKey: [store]])
    }

    /// Puts a store in the place of another one. It has the other store's token.
    func replace(_ old: NSPersistentStore, by new: NSPersistentStore) {
        share(writingLock, with: new)
        new.coordinatorStorage = self
        new.opener = nil
        locked {
            stores = stores.map { $0 === old ? new : $0 }
            attached.removeAll { $0.number == new.token.number }
            if let store = new as? any ObjectStore { attached.append(AttachedStore(store, new.token.number)) }
        }
        old.coordinatorStorage = nil
        note(new)
        new.didAdd(to: self)
    }

    /// Notes what an added store asks of the coordinator.
    private func note(_ store: NSPersistentStore) {
        let isOfApp = store.token.references != nil
        if isOfApp { servesAppStores.store(true, ordering: .relaxed) }
        if isOfApp || (store as? any GappedKeyStore)?.hasGapsInKeys == true {
            servesSingleKeys.store(true, ordering: .relaxed)
        }
        if (store as? any HistoryStore)?.tracksHistory == true { recordsHistory.store(true, ordering: .relaxed) }
    }

    private func share(_ lock: NSRecursiveLock, with store: NSPersistentStore) {
        if let store = store as? any ObjectStore { store.writeLock = lock }
    }

    // MARK: Store classes

    /// The classes of stores by their types. Each value is an `NSNumber` with the class's address.
    ///
    /// ```swift
    /// print(NSPersistentStoreCoordinator.registeredStoreTypes.keys.sorted())     // Binary, InMemory, SQLite, XML, …
    /// ```
    open class var registeredStoreTypes: [String: NSValue] { registeredClasses }

    /// Has stores of a type be made by a class of the app's own.
    ///
    /// See ``registerStoreClass(_:type:)``.
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        register(storeClass, type: storeType)
    }

    /// Has stores of a type be made by a class of the app's own, in all coordinators from now on.
    ///
    /// ```swift
    /// let json = NSPersistentStore.StoreType(rawValue: "JSON")
    /// NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, type: json)
    /// try coordinator.addPersistentStore(type: json, at: url)
    /// ```
    ///
    /// - Parameters:
    ///   - storeClass: A subclass of ``NSAtomicStore`` or ``NSIncrementalStore``. Nil ends the type's registration.
    ///   - type: The type. That of one of the framework's stores traps.
    open class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }

    // MARK: IDs

    /// Returns the ID that a URI means; nil if its store is not attached or its entity is not in the model.
    ///
    /// ```swift
    /// let uri = player.objectID.uriRepresentation()       // x-coredata://UUID/Player/p7, to be kept or sent
    /// if let id = coordinator.managedObjectID(forURIRepresentation: uri) {
    ///     let same = try context.existingObject(with: id)
    ///     print(same.objectID)
    /// }
    /// ```
    ///
    /// No SQL runs: whether there is an object with the ID shows when it is loaded. The URI of a temporary ID gives
    /// nil.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        if let id = canonicalID(url.absoluteString) { return id }
        let parts = url.path(percentEncoded: true).split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        guard url.scheme == "x-coredata", parts.count == 2, parts[1].first == "p",
            let layout = layouts.layout(named: parts[0])
        else { return nil }
        let identifier = url.host(percentEncoded: false) ?? ""
        guard
            let token = locked({
                tokens.first { $0.store != nil && $0.identifier.caseInsensitiveCompare(identifier) == .orderedSame }
            })
        else { return nil }
        let name = String(parts[1].dropFirst())
        let own = token.references.map { $0.key(ofText: name, layout) }
        guard let key = own ?? Int64(name), key > 0 else { return nil }
        return NSManagedObjectID(
            ObjectReference(key: key, entity: layout.number, store: token.number), entity: layout.entity, token: token)
    }

    /// Returns the ID that the text of a URI means; nil if the text is no URI.
    ///
    /// Other texts give nil as in ``managedObjectID(forURIRepresentation:)``.
    open func managedObjectID(for string: String) -> NSManagedObjectID? {
        canonicalID(string) ?? URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
    }

    /// The ID that a URI means which is written as ``NSManagedObjectID/uriRepresentation()`` writes it, with nothing
    /// escaped; nil for what else may be one.
    private func canonicalID(_ text: String) -> NSManagedObjectID? {
        guard let uri = CanonicalURI(text), let layout = layouts.layout(named: uri.entity),
            let token = locked({ tokens.first { $0.store != nil && $0.identifier == uri.store } }),
            token.references == nil
        else { return nil }
        return NSManagedObjectID(
            ObjectReference(key: uri.key, entity: layout.number, store: token.number), entity: layout.entity,
            token: token)
    }

    // MARK: Queue

    /// Runs a block on the coordinator's queue, later, and returns at once.
    ///
    /// Blocks run one after another. Contexts do not use this queue: they may read and save while a block runs. Stores
    /// that are added in the background are opened on it.
    @preconcurrency
    open func perform(_ block: @escaping @Sendable () -> Void) { queue.async(block) }

    /// Runs a block on the coordinator's queue, and returns when it has run.
    ///
    /// A call inside a block of the same queue runs at once.
    open func performAndWait(_ block: () -> Void) { queue.sync(for: nil, block) }

    /// Runs a block on the coordinator's queue, waits for it, and returns what it returns.
    ///
    /// What it throws is thrown here.
    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try queue.sync(for: nil, block) }

    /// Runs a block on the coordinator's queue, and returns what it returns.
    ///
    /// ```swift
    /// let moved = try await coordinator.perform { [store] in
    ///     try coordinator.migratePersistentStore(store, to: url, type: .sqlite)
    /// }
    /// print(moved.url?.path ?? "")
    /// ```
    ///
    /// Cancelling the waiting task does not stop the block.
    ///
    /// - Parameter block: The work. What it throws is thrown here.
    @preconcurrency
    open func perform<T>(_ block: @escaping @Sendable () throws -> T) async rethrows -> T {
        try await queue.run(block)
    }

    // MARK: Requests

    /// Carries a request out in a context.
    ///
    /// Apps call ``NSManagedObjectContext/execute(_:)`` or ``NSManagedObjectContext/fetch(_:)`` instead.
    ///
    /// - Parameters:
    ///   - request: A fetch request, or an asynchronous fetch request.
    ///   - context: A context of this coordinator. Call this function on the context's queue. Any other context traps.
    /// - Returns: For an ``NSFetchRequest`` an array of what it finds; for any other request its result.
    /// - Throws: What ``NSManagedObjectContext/execute(_:)`` throws.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        require(
            context.coordinator === self,
            "The context has another coordinator; execute the request there, or make a context for this one.")
        if let fetch = request as? AnyFetchRequest { return try context.fetch(NSFetchRequest<Any>(copying: fetch)) }
        return try context.execute(request)
    }

    // MARK: Metadata

    /// Returns the metadata of an open store, with changes that are not yet written.
    ///
    /// ``NSStoreUUIDKey`` and ``NSStoreTypeKey`` are always in it. The file is not read. See ``setMetadata(_:for:)``
    /// for an example.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { openMetadata(for: store) }

    /// Changes the metadata of an open store. The next save of a context writes them, also a save without changes.
    ///
    /// ```swift
    /// var metadata = coordinator.metadata(for: store)
    /// metadata["lastImport"] = Date()
    /// coordinator.setMetadata(metadata, for: store)
    /// try context.save()
    /// ```
    ///
    /// - Parameters:
    ///   - metadata: All metadata of the store: they replace the old ones. What the framework needs to open the store
    ///     again, such as ``NSStoreModelVersionHashesKey``, stays if they lack it. Values may be strings,
    ///     numbers, dates, data, and arrays and dictionaries; with other values the save throws
    ///     `NSPersistentStoreSaveError` (134030). A UUID in them becomes the store's.
    ///   - store: An open store of this coordinator.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        setOpenMetadata(metadata, for: store)
    }

    /// Returns the metadata of the store at a URL, without opening it.
    ///
    /// The file is read in place, and not changed. It may be open elsewhere.
    ///
    /// - Parameters:
    ///   - storeType: ``NSSQLiteStoreType``.
    ///   - url: The file.
    ///   - options: ``NSPersistentStoreTimeoutOption``.
    /// - Throws: `NSFileReadNoSuchFileError` (260) without a file; `NSFileReadCorruptFileError` (259) for a file that
    ///   is no store; `NSFileReadNoPermissionError` (257); `NSPersistentStoreInvalidTypeError` (134000) for a type
    ///   without files; `NSPersistentStoreOpenError` (134080) for the URL of something else than a file, if the type's
    ///   stores are files.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try storedMetadata(ofType: storeType, at: url, options: options)
    }

    /// Returns the metadata of the store at a URL, without opening it.
    ///
    /// ```swift
    /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    /// if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
    ///     print("\(url.lastPathComponent) was made by another version of the model")
    /// }
    /// ```
    ///
    /// Errors are as in ``metadataForPersistentStore(ofType:at:options:)``.
    open class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Replaces the metadata of the store at a URL, without opening it. The store keeps its UUID unless they have one.
    ///
    /// A coordinator that has the store open does not notice, and may overwrite them with the metadata that it has.
    /// What the framework needs to open the store again, such as ``NSStoreModelVersionHashesKey``, stays if they lack
    /// it.
    ///
    /// - Throws: What ``metadataForPersistentStore(ofType:at:options:)`` throws; `NSPersistentStoreSaveError` (134030)
    ///   for values that no property list can have; `NSPersistentStoreTimeoutError` (134090) if another process kept
    ///   the store locked.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try replaceStoredMetadata(metadata, forPersistentStoreOfType: storeType, at: url, options: options)
    }

    /// Replaces the metadata of the store at a URL, without opening it. The store keeps its UUID unless they have one.
    ///
    /// ```swift
    /// var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    /// metadata["origin"] = "backup"
    /// try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
    /// ```
    ///
    /// See ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    open class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    /// The metadata of the SQLite store at a URL.
    ///
    /// See ``metadataForPersistentStore(ofType:at:options:)``.
    @available(*, deprecated, message: "Use metadataForPersistentStore(ofType:at:options:) instead.")
    open class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
        try storedMetadata(ofType: NSSQLiteStoreType, at: url, options: nil)
    }

    /// The metadata of the store at a URL. Nil stands for ``NSSQLiteStoreType``.
    ///
    /// See ``metadataForPersistentStore(ofType:at:options:)``.
    @_disfavoredOverload
    @available(*, deprecated, message: "Use metadataForPersistentStore(ofType:at:options:) instead.")
    open class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
    }

    /// Replaces the metadata of the store at a URL. Nil stands for ``NSSQLiteStoreType``.
    ///
    /// See ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    @_disfavoredOverload
    @available(*, deprecated, message: "Use setMetadata(_:forPersistentStoreOfType:at:options:) instead.")
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
    }

    /// Returns the model that made the store at a URL, which the store carries; nil for a store without a model.
    ///
    /// With it, a tool opens a store without its app's model:
    ///
    /// ```swift
    /// if let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url) {
    ///     let reader = NSPersistentStoreCoordinator(managedObjectModel: model)
    ///     try reader.addPersistentStore(type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    ///     print(model.entities.compactMap(\.name).sorted())
    /// }
    /// ```
    ///
    /// Parts of the model that are not understood are left out, with a warning on standard error. Stores that were made
    /// before iOS 9 have no model.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a file that is no store or has a damaged model;
    ///   `NSFileReadNoSuchFileError` (260) without a file; other file errors with their own codes.
    open class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel? {
        try storedModel(at: url, options: options)
    }

    // MARK: Store files

    /// Empties the store at a URL, and removes its external files.
    ///
    /// An SQLite file stays, and is a blank database: a store that is added there is made anew. Other processes that
    /// have the store open see an empty database, not a damaged one. Files of other types are removed. If this
    /// coordinator has the store, it removes it first, also if destroying it fails then.
    ///
    /// Nothing happens where there is no file, nor for stores in memory. ``remove(_:)`` ends a store in memory.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - storeType: The type of the store.
    ///   - options: ``NSPersistentStoreForceDestroyOption``; ``NSPersistentStoreTimeoutOption``.
    /// - Throws: `NSFileReadCorruptFileError` (259) for a file that is no store of the type;
    ///   `NSPersistentStoreTimeoutError` (134090) while another connection writes to it. With
    ///   ``NSPersistentStoreForceDestroyOption`` the files are deleted in both cases. `NSPersistentStoreOpenError`
    ///   (134080) for the URL of something else than a file, if the type's stores are files.
    open func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
        try destroyStore(at: url, ofType: storeType, options: options)
    }

    /// Empties the store at a URL, and removes its external files.
    ///
    /// ```swift
    /// let file = container.persistentStoreDescriptions[0].url!
    /// viewContext.reset()
    /// try container.persistentStoreCoordinator.destroyPersistentStore(at: file, type: .sqlite)
    /// container.loadPersistentStores { _, error in if let error { print(error) } }    // a new, empty store
    /// ```
    ///
    /// See ``destroyPersistentStore(at:ofType:options:)``.
    open func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    /// Makes the store at a URL a copy of another one, its external files included.
    ///
    /// An SQLite file is copied through SQLite: the copy has what is in the source's log, waits for locks, and comes
    /// completely or not at all. A file of another type is replaced in one step. The copy has the UUID of the source:
    /// do not add both to one coordinator. The source may be open, here or in another process. The destination may not
    /// exist yet.
    ///
    /// - Parameters:
    ///   - destinationURL: The file that is replaced, or made.
    ///   - destinationOptions: ``NSPersistentStoreTimeoutOption``.
    ///   - sourceURL: The file to copy. Its model does not matter.
    ///   - sourceOptions: ``NSPersistentStoreTimeoutOption``.
    ///   - storeType: The type of both stores.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if this coordinator has the store that would be replaced:
    ///   remove it first; `NSFileReadNoSuchFileError` (260) without a source, `NSFileReadCorruptFileError` (259) if the
    ///   source is no store; `NSPersistentStoreOpenError` (134080) for a URL of something else than a file; what SQLite
    ///   and the file system report. The destination is as it was then.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try replaceStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType)
    }

    /// Makes the store at a URL a copy of another one, its external files included.
    ///
    /// ```swift
    /// let backup = url.deletingPathExtension().appendingPathExtension("backup")
    /// try coordinator.replacePersistentStore(at: backup, withPersistentStoreFrom: url, type: .sqlite)
    /// ```
    ///
    /// See ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: sourceType.rawValue)
    }

    /// Copies a store to another place and continues with the copy, which gets a UUID of its own.
    ///
    /// Objects stay in their contexts, with the same IDs, and belong to the copy. The URIs of their IDs change with the
    /// UUID. The store that was copied is closed; its file stays. A store may move from memory to a file and back.
    /// Contexts that want to save wait until the call returns.
    ///
    /// Posts `NSPersistentStoreCoordinatorStoresDidChange` with ``NSUUIDChangedPersistentStoresKey``: the old store,
    /// the new one, and the IDs of all objects.
    ///
    /// - Parameters:
    ///   - store: A store of this coordinator.
    ///   - URL: The new place, where there is no file, or an empty one.
    ///   - options: The options of the new store. Those of the old store are not taken over.
    ///   - storeType: The type of the new store, of which it may be another one than before.
    /// - Returns: The store at the new place, which takes the old one's place in ``persistentStores``.
    /// - Throws: `NSFileWriteFileExistsError` (516) if there is a file already; `NSPersistentStoreOperationError`
    ///   (134070) for a store of another coordinator, and for a store with external files that is to move to memory;
    ///   `NSPersistentStoreOpenError` (134080) for the URL of something else than a file, if the type's stores are
    ///   files; what SQLite and the file system report. After a failure the coordinator has the store that it had.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try moveStore(store, to: URL, options: options, withType: storeType)
    }

    /// Copies a store to another place and continues with the copy.
    ///
    /// ```swift
    /// let moved = try coordinator.migratePersistentStore(store, to: url, options: store.options, type: .sqlite)
    /// print(moved.identifier ?? "")       // another UUID; contexts and their objects stay as they are
    /// ```
    ///
    /// See ``migratePersistentStore(_:to:options:withType:)``.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Makes a store continue with the file at another place, where a copy of it must be already.
    ///
    /// Use it after an app has moved the file with a copy, for example by
    /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)``. Rows are read
    /// anew from there; objects that are loaded keep their values. The store has the same options as before, and the
    /// UUID of the new file. The old file is closed and stays.
    ///
    /// - Returns: Whether it could. If not, the store stays where it was, and standard error says why.
    @discardableResult
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { reopenStore(url, for: store) }

    // MARK: Deferred migrations

    /// Does all that lightweight migrations have left for later.
    ///
    /// With ``NSPersistentStoreDeferredLightweightMigrationOptionKey`` a store opens before its indexes are made anew.
    /// Until they are, fetches are slower and give the same results. The metadata say whether something is left:
    ///
    /// ```swift
    /// let metadata = coordinator.metadata(for: store)
    /// if metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool == true {
    ///     try coordinator.finishDeferredLightweightMigration()
    /// }
    /// ```
    ///
    /// Saves wait until the call returns. Nothing happens if nothing is left.
    ///
    /// - Throws: 513 for a read-only store; what the store reports. What was done stays done.
    open func finishDeferredLightweightMigration() throws { try finishDeferredMigrations(isWhole: true) }

    /// Does one task of what lightweight migrations have left for later: one index of each store.
    ///
    /// Call it again while the metadata say that something is left. Saves that wait come in between.
    ///
    /// - Throws: As ``finishDeferredLightweightMigration()``.
    open func finishDeferredLightweightMigrationTask() throws { try finishDeferredMigrations(isWhole: false) }

    private func finishDeferredMigrations(isWhole: Bool) throws {
        try writing {
            for case let store as any DeferringStore in persistentStores {
                try store.finishDeferredMigration(isWhole: isWhole)
            }
        }
    }

    // MARK: Locking

    /// Takes the coordinator's lock; waits while another thread has it.
    ///
    /// Contexts that want to save wait until it is released, and so do calls that add or remove stores. Reads do not,
    /// if the store has connections for them.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func lock() { takeLock() }

    /// Releases the coordinator's lock, once for each ``lock()`` of the same thread.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    open func unlock() { giveLockBack() }

    /// Takes the coordinator's lock if no other thread has it.
    ///
    /// - Returns: Whether this thread has the lock now.
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
    var servedStores: ContiguousArray<AttachedStore> { attached }

    /// The store with a number; nil: it is not attached any longer. Under the lock.
    func attachedStoreWithoutLock(_ number: Int32) -> AttachedStore? {
        for place in attached.indices where attached[place].number == number { return attached[place] }
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

    /// Notes that a large row of so many bytes may not be used any longer.
    func noteUnused(bytes: Int) {
        guard unusedBytes.add(bytes, ordering: .relaxed).newValue >= RowCache.sweptBytes else { return }
        unusedBytes.store(0, ordering: .relaxed)
        sweepSoon()
    }

    /// Lets go of rows that no object uses, in a moment and on another thread: objects that go away can't wait for the
    /// lock.
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
        while locked({ LockContention.holding { cache.sweepStep() } }) { LockContention.letOthersIn() }
    }

    /// The rows that contexts share; used under the lock only.
    var rows: RowCache { cache }
}
