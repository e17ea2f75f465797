import FoundationGaps
import Synchronization

/// A file (or another place) that holds objects, as a coordinator sees it.
///
/// ```swift
/// for store in coordinator.persistentStores {
///     print(store.type, store.url?.path ?? "no file", store.isReadOnly ? "read-only" : "")
/// }
/// ```
///
/// Stores are made by ``NSPersistentStoreCoordinator/addPersistentStore(type:configuration:at:options:)`` and by
/// containers. An app reads their properties. It gives them to ``NSManagedObjectContext/assign(_:to:)``, and to
/// ``AnyFetchRequest/affectedStores`` of a request.
///
/// A store of an app's own is a subclass of ``NSAtomicStore`` or ``NSIncrementalStore``, and not of this class itself.
/// The app registers it with ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    // Unchecked: everything mutable is touched under the coordinator's lock only.

    /// Makes a store of an app's class. The coordinator calls it, when a store of the class's type is added.
    ///
    /// An override calls `super.init` with the same arguments. It may use ``persistentStoreCoordinator`` and its model
    /// after that. Reading belongs into ``loadMetadata()`` or, for atomic stores, into ``NSAtomicStore/load()``: they
    /// can throw.
    ///
    /// - Parameters:
    ///   - root: The coordinator that the store is added to.
    ///   - name: The name of the model's configuration that lists the store's entities; nil for all entities.
    ///   - url: The place that `addPersistentStore` got.
    ///   - options: The options that it got.
    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        configurationNameStorage = name ?? NSPersistentStore.defaultConfigurationName
        urlStorage = url
        optionsStorage = options
        isReadOnlyStorage = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        token = StoreToken()
        opener = root
        super.init()
        token.store = self
    }

    /// The coordinator that the store is attached to.
    ///
    /// It is nil once the store was removed or moved. The store does not keep its coordinator alive.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinatorStorage ?? opener }
    /// Cleared by the coordinator when it lets the store go, or goes itself. Not weak: contexts retain the coordinator
    /// at every turn, which a weak reference to it would make slow.
    unowned(unsafe) var coordinatorStorage: NSPersistentStoreCoordinator?
    /// The coordinator that is about to open the store.
    weak var opener: NSPersistentStoreCoordinator?

    /// The name of the model's configuration that lists the store's entities.
    ///
    /// For a store of all entities it is `"PF_DEFAULT_CONFIGURATION_NAME"`, as at Apple. It never changes.
    open var configurationName: String { configurationNameStorage }
    private let configurationNameStorage: String

    /// The options that the store was added with; nil if there were none.
    ///
    /// ``NSReadOnlyPersistentStoreOption`` is one of them.
    open var options: [AnyHashable: Any]? { optionsStorage }
    private let optionsStorage: [AnyHashable: Any]?

    /// Where the store is; nil for a store in memory that was added without a URL.
    ///
    /// Change it with ``NSPersistentStoreCoordinator/setURL(_:for:)`` or
    /// ``NSPersistentStoreCoordinator/migratePersistentStore(_:to:options:type:)``. To set the property moves nothing.
    open var url: URL? {
        get { urlStorage }
        set { urlStorage = newValue }
    }
    private var urlStorage: URL?

    /// The kind of store, such as ``NSSQLiteStoreType``.
    ///
    /// It is the raw value of ``StoreType``, and also in ``metadata`` under ``NSStoreTypeKey``. A store of an app's
    /// class has the type that the class is registered for.
    open var type: String {
        guard let registeredType else {
            programmerError("\(Swift.type(of: self)) is no store that a coordinator has opened; override its type")
        }
        return registeredType
    }
    /// The type that a store of an app's class was added by.
    var registeredType: String?

    /// The store's UUID, which its objects' URIs have as their host: `x-coredata://UUID/Player/p7`.
    ///
    /// A copy of a store's file has the same UUID. A store that was moved by `migratePersistentStore` has a new one.
    /// A new store of an app's class has a new one, until its ``metadata`` say another.
    open var identifier: String! {
        get { token.identifier }
        set { token.identifier = newValue ?? "" }
    }

    /// Whether the store was added with ``NSReadOnlyPersistentStoreOption``.
    ///
    /// A save of a change in such a store throws 513. The property does not look at the file's permissions. A store of
    /// an app's class may set it while it is opened.
    open var isReadOnly: Bool {
        get { isReadOnlyStorage }
        set { isReadOnlyStorage = newValue }
    }
    private var isReadOnlyStorage: Bool

    /// What the store says of itself; ``NSStoreUUIDKey`` and ``NSStoreTypeKey`` are always in it.
    ///
    /// ```swift
    /// var metadata = store.metadata ?? [:]        // keep what is there
    /// metadata["lastImport"] = Date()
    /// store.metadata = metadata
    /// try context.save()                          // writes it, also if no object has changed
    /// ```
    ///
    /// An app's values may be strings, numbers, dates, data, and arrays and dictionaries. For other values the save
    /// throws `NSPersistentStoreSaveError` (134030). Setting replaces the app's values. What the framework needs to
    /// open the store again, such as ``NSStoreModelVersionHashesKey``, stays if the new dictionary lacks it. The same
    /// as ``NSPersistentStoreCoordinator/metadata(for:)``.
    ///
    /// A store of an app's class sets it to what it has read, and writes it with its data.
    open var metadata: [String: Any]! {
        get { heldMetadata.merging([NSStoreUUIDKey: identifier ?? "", NSStoreTypeKey: type]) { $1 } }
        set { hold(newValue ?? [:]) }
    }
    /// The metadata of a store of an app's class, and how often they were set.
    private(set) var heldMetadata: [String: Any] = [:]
    private(set) var metadataEdits = 0
    var savedMetadataEdits = 0

    private func hold(_ metadata: [String: Any]) {
        if let given = metadata[NSStoreUUIDKey] as? String, !given.isEmpty, given != identifier { identifier = given }
        heldMetadata = StoreMetadata.completed(metadata, from: heldMetadata)
        metadataEdits += 1
    }

    // MARK: For stores of an app's classes

    /// Reads the metadata of a store that is being opened. The coordinator calls it right after the initialiser.
    ///
    /// Of incremental stores it must be overridden. For atomic stores ``NSAtomicStore/load()`` may do it.
    ///
    /// - Throws: What makes the store impossible to open. It is thrown to the caller of `addPersistentStore`.
    open func loadMetadata() throws {}

    /// Called when the store was added to a coordinator. An override may begin what the store does on its own.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store is removed from its coordinator. An override closes what the store has open.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// Returns the metadata of the store at a URL, for
    /// ``NSPersistentStoreCoordinator/metadataForPersistentStore(ofType:at:options:)``.
    ///
    /// Override it in a class of stores that are files. The coordinator calls it before it opens an existing file, and
    /// refuses a store of another version of the model.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070), unless it is overridden.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw StoreClassFailure.noMetadata(self, "metadataForPersistentStore(with:)")
    }

    /// Replaces the metadata of the store at a URL, for
    /// ``NSPersistentStoreCoordinator/setMetadata(_:forPersistentStoreOfType:at:options:)``.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070), unless it is overridden.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw StoreClassFailure.noMetadata(self, "setMetadata(_:forPersistentStoreAt:)")
    }

    /// The class that migrates stores of this class object by object: ``NSMigrationManager``.
    ///
    /// A coordinator asks for it when a mapping model is found for a store that it opens.
    open class func migrationManagerClass() -> AnyClass {
        // It uses contexts, and so lies above stores: it is found by its name.
        guard let manager = Foundation.NSClassFromString("CoreData.NSMigrationManager") else {
            defect("The program has no NSMigrationManager.")
        }
        return manager
    }

    // MARK: For the framework

    /// What object IDs hold of the store; it does not keep the store open.
    package private(set) var token: StoreToken

    package init(configurationName: String?, url: URL?, options: [AnyHashable: Any]?) {
        configurationNameStorage = configurationName ?? NSPersistentStore.defaultConfigurationName
        urlStorage = url
        optionsStorage = options
        isReadOnlyStorage = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        token = StoreToken()
        super.init()
        token.store = self
    }

    /// Makes a store of a class that is known at run time only.
    ///
    /// The framework calls it for registered classes. Apps override
    /// ``init(persistentStoreCoordinator:configurationName:at:options:)``.
    public convenience init(
        _coreDataCoordinator coordinator: NSPersistentStoreCoordinator?, _ name: String?, _ url: URL,
        _ options: [AnyHashable: Any]?
    ) {
        self.init(persistentStoreCoordinator: coordinator, configurationName: name, at: url, options: options)
    }

    /// How stores of a registered class are opened; nil for a class that is none of an app's stores.
    class func kind(type: String) -> (any StoreKind)? { nil }

    /// Whether fetches find references alone, and rows are read when they are needed.
    var givesReferencesOnly: Bool { false }

    /// The store of another kind that this store took the place of. Rows that contexts have still from there may name
    /// its external files.
    private(set) var predecessor: NSPersistentStore?

    /// The ID of the object that a URI means, in any store of the coordinator.
    package func objectID(at uri: String) -> NSManagedObjectID? {
        persistentStoreCoordinator?.managedObjectID(for: uri)
    }

    /// Takes the place of a store and has its rows: the other store's IDs are this store's from now on.
    func takeOver(from other: NSPersistentStore) {
        other.token.identifier = token.identifier
        other.token.references = token.references
        if Swift.type(of: other) != Swift.type(of: self) { predecessor = other }
        token = other.token
        token.store = self
    }

    /// The name of the configuration that holds all entities.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"
}
