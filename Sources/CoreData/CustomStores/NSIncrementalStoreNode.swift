import FoundationGaps

/// The values of one object of an incremental store, with the version that they have.
///
/// ```swift
/// let node = NSIncrementalStoreNode(objectID: player.objectID, withValues: ["lastName": "Bird"], version: 1)
/// node.update(withValues: ["lastName": "Johnson", "age": 21], version: 2)
/// ```
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
    // Unchecked: a node is its store's, which is asked under the coordinator's lock.

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - moid: The ID of the object.
    ///   - values: The values by the names of properties: those of attributes as key-value coding boxes them, and the
    ///     ID of the object that a to-one relationship leads to. `NSNull` is nil, and so is an attribute without a
    ///     value. For a to-one relationship without a value the framework asks
    ///     ``NSIncrementalStore/newValue(forRelationship:forObjectWith:with:)``.
    ///   - version: A number that is another one when values have changed.
    public init(objectID moid: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        (objectIDStorage, self.values, versionStorage) = (moid, values, version)
        super.init()
    }

    /// The ID of the object.
    open var objectID: NSManagedObjectID { objectIDStorage }
    private let objectIDStorage: NSManagedObjectID

    /// The version of the values.
    open var version: UInt64 { versionStorage }
    private var versionStorage: UInt64

    private var values: [String: Any]

    /// Gives the node other values, all of them, and their version.
    open func update(withValues values: [String: Any], version: UInt64) {
        (self.values, versionStorage) = (values, version)
    }

    /// The value of a property, as ``init(objectID:withValues:version:)`` describes it; nil without one.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
