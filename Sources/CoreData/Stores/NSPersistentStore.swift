import FoundationGaps
import Synchronization

/// A file (or another place) that holds objects, as a coordinator sees it.
///
/// Stores are made by `NSPersistentStoreCoordinator.addPersistentStore`; an app reads their properties and hands them to
/// `NSManagedObjectContext.assign(_:to:)` and `NSFetchRequest.affectedStores`.
public class NSPersistentStore: NSObject, @unchecked Sendable {
    // Unchecked: everything mutable is touched under the coordinator's lock only.

    /// The coordinator that the store is attached to.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinatorStorage }
    /// Cleared by the coordinator when it lets the store go, or goes itself. Not weak: contexts retain the coordinator at
    /// every turn, which a weak reference to it would make slow.
    unowned(unsafe) var coordinatorStorage: NSPersistentStoreCoordinator?
    public let configurationName: String
    public let options: [AnyHashable: Any]?
    private let isOpenedReadOnly: Bool
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

    /// Takes the place of a store whose rows it has: that one's IDs are this one's from now on.
    func takeOver(from other: NSPersistentStore) {
        other.token.identifier = token.identifier
        token = other.token
        token.store = self
    }

    /// The name of the configuration that holds all entities.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The kind of store: `NSSQLiteStoreType` and so on.
    public var type: String { fatalError("NSPersistentStore is abstract; add a store to a coordinator instead") }

    /// The store's UUID, which its objects' URIs carry.
    public var identifier: String! { token.identifier }

    public var isReadOnly: Bool { isOpenedReadOnly }

    /// What the store's file says of itself; `NSStoreUUIDKey` and `NSStoreTypeKey` among it.
    ///
    /// A new value is written at the next save.
    public var metadata: [String: Any]! {
        get { [NSStoreUUIDKey: identifier ?? "", NSStoreTypeKey: type] }
        set { preconditionFailure("NSPersistentStore is abstract; add a store to a coordinator instead") }
    }
}
