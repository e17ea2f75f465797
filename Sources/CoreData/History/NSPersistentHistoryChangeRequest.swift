import FoundationGaps

/// A request that reads the history of stores, or purges it.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
///     context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
///     token = transaction.token
/// }
/// ```
///
/// Stores with ``NSPersistentHistoryTrackingKey`` have history. Stores without it are passed over; if no store has
/// history, the request throws `NSPersistentStoreUnsupportedRequestTypeError` (134091). See <doc:History>.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest, NSCopying {
    /// Where a fetch begins, or a purge ends.
    enum Place {
        case token(NSPersistentHistoryToken?)
        case date(Date)
    }

    /// What the result holds.
    ///
    /// The default is ``NSPersistentHistoryResultType/transactionsAndChanges`` for a fetch, and
    /// ``NSPersistentHistoryResultType/statusOnly`` for a purge.
    open var resultType = NSPersistentHistoryResultType.transactionsAndChanges

    /// Which of the transactions or changes are wanted; nil: all.
    ///
    /// It is a request from ``NSPersistentHistoryTransaction/fetchRequest`` or from
    /// ``NSPersistentHistoryChange/fetchRequest``. Its predicate, order, limit and offset count. A fetch request for
    /// another entity fails with `NSPersistentStoreOperationError` (134070).
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    /// The token that the request was made with, or the token of its transaction; nil for a request with a date.
    open var token: NSPersistentHistoryToken? {
        if case .token(let token) = place { token } else { nil }
    }

    private(set) var place = Place.token(nil)
    private(set) var isPurge = false

    /// A request for the whole history.
    public required override init() { super.init() }

    private static func fetch(after place: Place) -> Self {
        let request = Self()
        request.place = place
        return request
    }

    private static func purge(before place: Place) -> Self {
        let request = Self()
        (request.place, request.isPurge, request.resultType) = (place, true, .statusOnly)
        return request
    }

    // MARK: Fetching

    /// A request for the transactions that are later than a date.
    ///
    /// Clocks may be set back: a token is the better place to go on from.
    open class func fetchHistory(after date: Date) -> Self { fetch(after: .date(date)) }

    /// A request for the transactions after those that a token knows.
    ///
    /// - Parameter token: Nil for the whole history. For a store that the token does not know, the whole history is
    ///   fetched, too.
    /// - Throws: Executing it throws `NSPersistentHistoryTokenExpiredError` (134301) if transactions after the token
    ///   were purged, or if the store is an older copy that has not come to the token's transaction. Fetch the objects
    ///   anew then, and go on with ``NSPersistentStoreCoordinator/currentPersistentHistoryToken(fromStores:)``.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
        fetch(after: .token(token))
    }

    /// A request for the transactions of a store after one of its transactions; nil for the whole history.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        fetchHistory(after: transaction?.token)
    }

    /// A request for the transactions or changes that a fetch request finds in the whole history.
    ///
    /// To look from a token on, make the request with the token and set ``fetchRequest``.
    open class func fetchHistory(withFetch fetchRequest: AnyFetchRequest) -> Self {
        let request = fetchHistory(after: nil as NSPersistentHistoryToken?)
        request.fetchRequest = NSFetchRequest(copying: fetchRequest)
        return request
    }

    // MARK: Purging

    /// A request that purges the transactions before the first one from a date on.
    open class func deleteHistory(before date: Date) -> Self { purge(before: .date(date)) }

    /// A request that purges the transactions before the last one that a token knows.
    ///
    /// That one stays, so that the token can still be used. Stores that the token does not know keep their history, and
    /// with nil all stores do.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        purge(before: .token(token))
    }

    /// A request that purges the transactions of a store before one of its transactions; with nil none.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        deleteHistory(before: transaction?.token)
    }

    // MARK: As a request

    /// Always `.persistentHistoryRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .persistentHistoryRequestType }

    /// A request for the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self()
        (copy.place, copy.isPurge) = (place, isPurge)
        (copy.resultType, copy.affectedStores) = (resultType, affectedStores)
        copy.fetchRequest = fetchRequest.map { NSFetchRequest(copying: $0) }
        return copy
    }
}

/// What the result of a history request holds. The numbers are Apple's.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// `true`.
    case statusOnly = 0
    /// The IDs of the changed objects as `[NSManagedObjectID]`, each once.
    case objectIDs = 1
    /// How many transactions there are as an `Int`; of a fetch request for changes, how many changes.
    case count = 2
    /// `[NSPersistentHistoryTransaction]`, without their changes.
    case transactionsOnly = 3
    /// `[NSPersistentHistoryChange]`.
    case changesOnly = 4
    /// `[NSPersistentHistoryTransaction]`, with their changes.
    case transactionsAndChanges = 5
}

/// What ``NSManagedObjectContext/execute(_:)`` returns for an ``NSPersistentHistoryChangeRequest``.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// What ``resultType`` says.
    open internal(set) var result: Any?
    /// What was asked for.
    open internal(set) var resultType = NSPersistentHistoryResultType.statusOnly
}
