import FoundationGaps

/// An object of an atomic store, as the store's class has it in memory.
///
/// ```swift
/// let node = NSAtomicStoreCacheNode(objectID: player.objectID)
/// node.setValue("Bird", forKey: "lastName")
/// print(node.value(forKey: "lastName") ?? "")
/// ```
///
/// A node has a value for each attribute that is not nil, as key-value coding boxes it. A to-one relationship has a
/// node, and a to-many relationship a set of nodes, ordered if the relationship is. See ``NSAtomicStore``.
open class NSAtomicStoreCacheNode: NSObject, KeyValueCoding, @unchecked Sendable {
    // Unchecked: a node is its store's, which is asked under the coordinator's lock.

    /// Makes a node without values.
    ///
    /// - Parameter moid: An ID that ``NSAtomicStore/objectID(for:withReferenceObject:)`` has made, or that of the
    ///   managed object that a save gives.
    public init(objectID moid: NSManagedObjectID) {
        objectIDStorage = moid
        super.init()
    }

    /// The ID of the object.
    open var objectID: NSManagedObjectID { objectIDStorage }
    private let objectIDStorage: NSManagedObjectID

    /// The values by the names of properties; nil until the first is set.
    ///
    /// A subclass that keeps its values elsewhere overrides ``value(forKey:)`` and ``setValue(_:forKey:)``.
    open var propertyCache: NSMutableDictionary? {
        get { propertyCacheStorage }
        set { propertyCacheStorage = newValue }
    }
    private var propertyCacheStorage: NSMutableDictionary?

    /// The value of a property; nil if it has none.
    open func value(forKey key: String) -> Any? {
        guard let value = propertyCache?.object(forKey: key), !(value is NSNull) else { return nil }
        return value
    }

    /// Sets the value of a property; nil takes it away.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        if let value { cache[key] = value } else { cache.removeObject(forKey: key) }
        propertyCache = cache
    }
}
