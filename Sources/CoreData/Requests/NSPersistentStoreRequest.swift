import FoundationGaps

/// What is common to all requests of a context to its stores.
///
/// ```swift
/// func carryOut(_ request: NSPersistentStoreRequest) throws {
///     guard request.requestType == .fetchRequestType else { return }
///     try context.execute(request)
/// }
/// ```
///
/// Fetches are ``NSFetchRequest`` and ``NSAsynchronousFetchRequest``, batches ``NSBatchInsertRequest``,
/// ``NSBatchUpdateRequest`` and ``NSBatchDeleteRequest``, and persistent history has
/// ``NSPersistentHistoryChangeRequest``. ``NSManagedObjectContext/execute(_:)`` refuses requests of
/// other classes with `NSPersistentStoreUnsupportedRequestTypeError` (134091).
open class NSPersistentStoreRequest: NSObject {
    /// The stores to ask; nil, the default: all stores of the coordinator.
    ///
    /// ```swift
    /// request.affectedStores = [store]
    /// let players = try context.fetch(request)        // those of one file
    /// ```
    ///
    /// A store that does not hold the entity is left out. An empty array asks no store.
    open var affectedStores: [NSPersistentStore]?

    /// A request of no kind. Only subclasses call it.
    public override init() { super.init() }

    /// What kind of request it is.
    ///
    /// A subclass must override it: the property of this class traps.
    open var requestType: NSPersistentStoreRequestType {
        programmerError("NSPersistentStoreRequest is abstract; use NSFetchRequest")
    }
}

/// The kinds of requests, with Apple's numbers.
///
/// A context executes fetches and batches. It saves with ``NSManagedObjectContext/save()``; an incremental store of an
/// app is asked with an ``NSSaveChangesRequest``.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// A fetch: ``NSFetchRequest`` and ``NSAsynchronousFetchRequest``.
    case fetchRequestType = 1

    /// A save, as an incremental store is asked for it: ``NSSaveChangesRequest``.
    case saveRequestType = 2

    /// An insertion of many rows: ``NSBatchInsertRequest``.
    case batchInsertRequestType = 5

    /// A change of many rows: ``NSBatchUpdateRequest``.
    case batchUpdateRequestType = 6

    /// A deletion of many rows: ``NSBatchDeleteRequest``.
    case batchDeleteRequestType = 7

    /// A look at, or a purge of, persistent history: ``NSPersistentHistoryChangeRequest``.
    ///
    /// Apple's header has no name for this kind.
    case persistentHistoryRequestType = 8
}

/// What a fetch can find: managed objects, object IDs, dictionaries, numbers.
///
/// ```swift
/// let requests: [NSFetchRequest<any NSFetchRequestResult>] = [NSFetchRequest(entityName: "Player")]
/// for request in requests { print(try context.fetch(request).count) }
/// ```
///
/// Unlike at Apple ``NSFetchRequest`` does not demand it of its type. A function for any request takes
/// ``AnyFetchRequest``.
public protocol NSFetchRequestResult: AnyObject {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}

/// The kinds of results: see ``AnyFetchRequest/resultType``.
///
/// It is a set of options, as at Apple, but the kinds exclude each other. Use one of the constants, not several
/// together.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// Apple's number of the kind.
    public let rawValue: UInt

    /// A kind from its number. Use the constants.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Objects, as faults or with values. This is the default.
    ///
    /// The request is an `NSFetchRequest` of the class, or of `NSManagedObject`.
    public static var managedObjectResultType: NSFetchRequestResultType { NSFetchRequestResultType([]) }

    /// The IDs of the objects. Only keys are read, and the IDs may go to any thread.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
    /// request.resultType = .managedObjectIDResultType
    /// let ids = try context.fetch(request)
    /// ```
    ///
    /// The SQL is `SELECT t0.Z_PK, … FROM ZPLAYER t0`.
    public static var managedObjectIDResultType: NSFetchRequestResultType { NSFetchRequestResultType(rawValue: 1) }

    /// Dictionaries with the columns of ``AnyFetchRequest/propertiesToFetch``, or with all stored attributes.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Player")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["lastName", "team.name"]
    /// for row in try context.fetch(request) { print(row["lastName"] ?? "", row["team.name"] ?? "") }
    /// ```
    ///
    /// They show the store: unsaved changes do not count. The only kind for sums, groups and distinct values.
    public static var dictionaryResultType: NSFetchRequestResultType { NSFetchRequestResultType(rawValue: 2) }

    /// One number: how many objects there are. The fetch returns an array with one `NSNumber`.
    ///
    /// ``NSManagedObjectContext/count(for:)`` is simpler: it returns an `Int`, and takes a request of any kind. The SQL
    /// of both is `SELECT COUNT(*)`.
    public static var countResultType: NSFetchRequestResultType { NSFetchRequestResultType(rawValue: 4) }
}
