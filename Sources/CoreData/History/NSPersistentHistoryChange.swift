import FoundationGaps

/// The change of one object in a transaction of a store's history.
///
/// ```swift
/// func namesOfDeleted(in transaction: NSPersistentHistoryTransaction) -> [String] {
///     let deletions = (transaction.changes ?? []).filter { $0.changeType == .delete }
///     return deletions.compactMap { $0.tombstone?["name"] as? String }
/// }
/// ```
open class NSPersistentHistoryChange: NSObject, NSCopying, KeyValueCoding {
    let record: HistoryRecord
    let recorded: HistoryRecord.Change
    private var stored: StoreTransactionChange { recorded.stored }
    private var objectID: NSManagedObjectID { recorded.objectID }

    init(_ record: HistoryRecord, _ place: Int) {
        guard let change = record.changes?[place] else { defect("A change was made of a transaction without changes.") }
        (self.record, recorded) = (record, change)
    }

    // MARK: What changed

    /// The number of the change in its store. Each has a higher number than those before it.
    open var changeID: Int64 { stored.key }

    /// The ID of the object.
    open var changedObjectID: NSManagedObjectID { objectID }

    /// Whether the object was inserted, changed or deleted.
    open var changeType: NSPersistentHistoryChangeType {
        switch stored.kind {
        case .insertion: .insert
        case .update: .update
        case .deletion: .delete
        }
    }

    /// What is kept of a deleted object: the values of the attributes that the model marks as
    /// ``NSAttributeDescription/preservesValueInHistoryOnDeletion``.
    ///
    /// It is nil for other changes, and if there are no such values. Values that were nil are missing.
    open var tombstone: [AnyHashable: Any]? { stored.tombstone.map { $0 as? [AnyHashable: Any] ?? [:] } }

    /// The transaction, without its changes.
    open var transaction: NSPersistentHistoryTransaction? {
        NSPersistentHistoryTransaction(record.withoutChanges)
    }

    /// The properties that changed; nil for insertions and deletions.
    ///
    /// Properties that the model no longer has are left out.
    open var updatedProperties: Set<NSPropertyDescription>? {
        stored.properties.map { names in
            let properties = objectID.entity.propertiesByName
            return Set(names.compactMap { properties[$0] })
        }
    }

    /// The same change: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is the same change of the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryChange else { return false }
        return other.record.storeID == record.storeID && other.changeID == changeID
    }

    open override var hash: Int { changeID.hashValue }

    // MARK: Fetch requests

    /// The entity of changes in fetch requests.
    open class var entityDescription: NSEntityDescription? { HistoryModel.change }

    /// The entity of changes in fetch requests. It is the same for all contexts.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        HistoryModel.change
    }

    /// A new fetch request for changes.
    ///
    /// ```swift
    /// if let fetch = NSPersistentHistoryChange.fetchRequest {
    ///     fetch.predicate = NSPredicate(format: "changedObjectID == %@", player.objectID)
    ///     let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    ///     request.resultType = .changesOnly
    /// }
    /// ```
    ///
    /// Predicates and sort descriptors may use `changeID`, `changedEntity` (an `NSEntityDescription`),
    /// `changedObjectID`, `changeType` (a number), `tombstone`, `transaction` with its keys, and `updatedProperties`.
    /// Only an ``NSPersistentHistoryChangeRequest`` takes it.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryModel.request(HistoryModel.change)
    }

    /// The value of a property by its name.
    open func value(forKey key: String) -> Any? {
        switch key {
        case "changeID": NSNumber(value: changeID)
        case "changedEntity": objectID.entity
        case "changedObjectID": objectID
        case "changeType": NSNumber(value: changeType.rawValue)
        case "tombstone": stored.tombstone
        case "transaction": transaction
        case "updatedProperties": updatedProperties.map { NSSet(set: $0) }
        default: value(forUndefinedKey: key)
        }
    }

    /// Traps: a change never changes.
    open func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}

/// What happened to an object. The numbers are Apple's.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// The object was inserted.
    case insert = 0
    /// Values or relationships of the object changed.
    case update = 1
    /// The object was deleted.
    case delete = 2
}
