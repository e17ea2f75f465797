import FoundationGaps

/// The common part of everything that a context asks of its stores.
open class NSPersistentStoreRequest: NSObject {
    /// The stores to ask; nil: all of the coordinator's.
    open var affectedStores: [NSPersistentStore]?

    /// A request of no kind; subclasses say more.
    public override init() { super.init() }

    /// What kind of request it is.
    open var requestType: NSPersistentStoreRequestType {
        preconditionFailure("NSPersistentStoreRequest is abstract; use NSFetchRequest")
    }
}

/// The kinds of requests.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    case fetchRequestType = 1
    case saveRequestType = 2
    case batchInsertRequestType = 5
    case batchUpdateRequestType = 6
    case batchDeleteRequestType = 7
}

/// What a fetch can yield: managed objects, object IDs, dictionaries, numbers.
public protocol NSFetchRequestResult: AnyObject {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}

/// What a fetch yields.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static var managedObjectResultType: NSFetchRequestResultType { NSFetchRequestResultType([]) }
    public static var managedObjectIDResultType: NSFetchRequestResultType { NSFetchRequestResultType(rawValue: 1) }
    public static var dictionaryResultType: NSFetchRequestResultType { NSFetchRequestResultType(rawValue: 2) }
    public static var countResultType: NSFetchRequestResultType { NSFetchRequestResultType(rawValue: 4) }
}
