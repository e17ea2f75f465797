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

/// The identity of a store, kept alive by the IDs of its objects.
package final class StoreToken: @unchecked Sendable {
    // Unchecked: set once when the store is added; `store` is weak and its loads are atomic.
    package internal(set) weak var store: NSPersistentStore?
    package internal(set) var identifier: String = ""
    /// The number in ``ObjectReference``s, handed out when a coordinator takes the store; no other store of the process has it.
    package internal(set) var number: Int32 = ObjectReference.unassignedStore
    /// The address of the coordinator that handed out the number; 0: there is none any longer.
    private let owner = Atomic<UInt>(0)

    /// Whether a coordinator handed out the number.
    @inline(__always)
    func isOf(_ coordinator: NSPersistentStoreCoordinator) -> Bool {
        owner.load(ordering: .relaxed) == UInt(bitPattern: Unmanaged.passUnretained(coordinator).toOpaque())
    }

    /// Notes whose the number is; nil: that coordinator is going away.
    func setOwner(_ coordinator: NSPersistentStoreCoordinator?) {
        let address = coordinator.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        owner.store(address ?? 0, ordering: .relaxed)
    }

    deinit { Self.all.withLock { $0.remove(self) } }

    /// Gives the token its number.
    func assignNumber() { number = Self.all.withLock { $0.add(self) } }

    /// The token with a number, as long as it is referred to: its coordinator does, even when the store is removed, and so do IDs.
    static func numbered(_ number: Int32) -> StoreToken? { all.withLock { $0.token(number) } }

    private static let all = Mutex(NumberedTokens())
}

/// The tokens of a process by number, none of them kept alive.
private struct NumberedTokens: @unchecked Sendable {
    // Unchecked: addresses to load tokens from, under the lock.

    private struct Entry {
        weak var token: StoreToken?
    }

    private var entries: [Int32: Entry] = [:]
    private var last = ObjectReference.unassignedStore

    mutating func add(_ token: StoreToken) -> Int32 {
        last += 1
        entries[last] = Entry(token: token)
        return last
    }

    /// A token goes away, and with it the entry that it was.
    mutating func remove(_ token: StoreToken) {
        if let entry = entries[token.number], entry.token == nil { entries[token.number] = nil }
    }

    func token(_ number: Int32) -> StoreToken? { entries[number]?.token }
}
