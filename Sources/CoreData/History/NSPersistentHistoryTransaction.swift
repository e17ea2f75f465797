import FoundationGaps

/// A save or a batch, as the history of a store has it.
///
/// ```swift
/// func merge(_ transactions: [NSPersistentHistoryTransaction]) {
///     for transaction in transactions where transaction.author != "widget" {
///         viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
///     }
/// }
/// ```
///
/// It is read by an ``NSPersistentHistoryChangeRequest``. It never changes, and does not depend on its context.
open class NSPersistentHistoryTransaction: NSObject, NSCopying, KeyValueCoding {
    let record: HistoryRecord

    init(_ record: HistoryRecord) { self.record = record }

    // MARK: What it was

    /// When the transaction was written, by the clock of the machine that wrote it.
    open var timestamp: Date { Date(timeIntervalSinceReferenceDate: record.transaction.time) }

    /// The number of the transaction in its store: 1 for the first. Each has a higher number than those before it.
    open var transactionNumber: Int64 { record.transaction.number }

    /// The UUID of the store.
    open var storeID: String { record.storeID }

    /// The bundle of the program that wrote it. For a program without a bundle it is the program's name.
    open var bundleID: String { record.transaction.bundleID ?? "" }

    /// The name of the program that wrote it.
    open var processID: String { record.transaction.processID ?? "" }

    /// The ``NSManagedObjectContext/name`` of the context that wrote it; nil if it had none.
    open var contextName: String? { record.transaction.contextName }

    /// The ``NSManagedObjectContext/transactionAuthor`` of the context that wrote it; nil if it had none.
    open var author: String? { record.transaction.author }

    /// What was changed, in the order of the change's numbers.
    ///
    /// It is nil unless the request's result type is ``NSPersistentHistoryResultType/transactionsAndChanges``. A fetch
    /// request for changes restricts it to the changes that it finds.
    open var changes: [NSPersistentHistoryChange]? {
        record.changes?.indices.map { NSPersistentHistoryChange(record, $0) }
    }

    /// The place after this transaction in the history of its store.
    ///
    /// Keep it when the transaction has been dealt with: a later fetch goes on from there.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken([storeID: transactionNumber]) }

    /// A notification like the one of the save, which a context can merge.
    ///
    /// Its name is `NSManagedObjectContextDidSaveObjectIDs`, and it has the IDs of the inserted, changed and deleted
    /// objects. ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)`` takes it. Without ``changes`` it is empty.
    open func objectIDNotification() -> Notification {
        var ids: [String: Set<NSManagedObjectID>] = [:]
        for change in record.changes ?? [] { ids[change.stored.kind.idsKey, default: []].insert(change.objectID) }
        return Notification(name: NSManagedObjectContext.didSaveObjectIDsNotification, object: nil, userInfo: ids)
    }

    /// The same transaction: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is the same transaction of the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return other.storeID == storeID && other.transactionNumber == transactionNumber
    }

    open override var hash: Int { transactionNumber.hashValue }

    // MARK: Fetch requests

    /// The entity of transactions in fetch requests.
    open class var entityDescription: NSEntityDescription? { HistoryModel.transaction }

    /// The entity of transactions in fetch requests. It is the same for all contexts.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        HistoryModel.transaction
    }

    /// A new fetch request for transactions.
    ///
    /// ```swift
    /// if let fetch = NSPersistentHistoryTransaction.fetchRequest {
    ///     fetch.predicate = NSPredicate(format: "author != %@ OR author == nil", "app")
    ///     let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    ///     request.resultType = .transactionsAndChanges
    /// }
    /// ```
    ///
    /// Predicates and sort descriptors may use `author`, `bundleID`, `changes`, `contextName`, `processID`, `storeID`,
    /// `timestamp`, `token` and `transactionNumber`. Only an ``NSPersistentHistoryChangeRequest`` takes it.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryModel.request(HistoryModel.transaction)
    }

    /// The value of a property by its name.
    open func value(forKey key: String) -> Any? {
        switch key {
        case "author": author
        case "bundleID": bundleID
        case "changes": changes.map { NSArray(array: $0) }
        case "contextName": contextName
        case "processID": processID
        case "storeID": storeID
        case "timestamp": timestamp
        case "token": token
        case "transactionNumber": NSNumber(value: transactionNumber)
        default: value(forUndefinedKey: key)
        }
    }

    /// Traps: a transaction never changes.
    open func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}

extension StoreTransactionChange.Kind {
    fileprivate var idsKey: String {
        switch self {
        case .insertion: NSInsertedObjectIDsKey
        case .update: NSUpdatedObjectIDsKey
        case .deletion: NSDeletedObjectIDsKey
        }
    }
}
