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
/// ``AnyFetchRequest/affectedStores`` of a request. An app can't subclass this class.
public class NSPersistentStore: NSObject, @unchecked Sendable {
    // Unchecked: everything mutable is touched under the coordinator's lock only.

    /// The coordinator that the store is attached to.
    ///
    /// It is nil once the store was removed or moved. The store does not keep its coordinator alive.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinatorStorage }
    /// Cleared by the coordinator when it lets the store go, or goes itself. Not weak: contexts retain the coordinator
    /// at every turn, which a weak reference to it would make slow.
    unowned(unsafe) var coordinatorStorage: NSPersistentStoreCoordinator?

    /// The name of the model's configuration that lists the store's entities.
    ///
    /// For a store of all entities it is `"PF_DEFAULT_CONFIGURATION_NAME"`, as at Apple. It never changes.
    public let configurationName: String

    /// The options that the store was added with; nil if there were none.
    ///
    /// ``NSReadOnlyPersistentStoreOption`` is one of them.
    public let options: [AnyHashable: Any]?
    private let isOpenedReadOnly: Bool

    /// Where the store is; nil for a store in memory that was added without a URL.
    ///
    /// Change it with ``NSPersistentStoreCoordinator/setURL(_:for:)`` or
    /// ``NSPersistentStoreCoordinator/migratePersistentStore(_:to:options:type:)``.
    public internal(set) var url: URL?
    /// What object IDs hold of the store; it does not keep the store open.
    package private(set) var token: StoreToken

    package init(configurationName: String?, url: URL?, options: [AnyHashable: Any]?) {
        self.configurationName = configurationName ?? NSPersistentStore.defaultConfigurationName
        self.url = url
        self.options = options
        isOpenedReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        token = StoreToken()
        super.init()
        token.store = self
    }

    /// The ID of the object that a URI means, in any store of the coordinator.
    func objectID(at uri: String) -> NSManagedObjectID? { persistentStoreCoordinator?.managedObjectID(for: uri) }

    /// Takes the place of a store and has its rows: the other store's IDs are this store's from now on.
    func takeOver(from other: NSPersistentStore) {
        other.token.identifier = token.identifier
        token = other.token
        token.store = self
    }

    /// The name of the configuration that holds all entities.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The kind of store: ``NSSQLiteStoreType`` or ``NSInMemoryStoreType``.
    ///
    /// It is the raw value of ``StoreType``, and also in ``metadata`` under ``NSStoreTypeKey``.
    public var type: String { programmerError("NSPersistentStore is abstract; add a store to a coordinator instead") }

    /// The store's UUID, which its objects' URIs have as their host: `x-coredata://UUID/Player/p7`.
    ///
    /// A copy of a store's file has the same UUID. A store that was moved by `migratePersistentStore` has a new one.
    public var identifier: String! { token.identifier }

    /// Whether the store was added with ``NSReadOnlyPersistentStoreOption``.
    ///
    /// A save of a change in such a store throws 513. The property does not look at the file's permissions.
    public var isReadOnly: Bool { isOpenedReadOnly }

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
    public var metadata: [String: Any]! {
        get { [NSStoreUUIDKey: identifier ?? "", NSStoreTypeKey: type] }
        set { programmerError("NSPersistentStore is abstract; add a store to a coordinator instead") }
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
}
