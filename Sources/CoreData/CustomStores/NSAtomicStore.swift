import FoundationGaps

/// A store that is in memory as a whole, in a format of the app's own.
///
/// A subclass reads all objects of a file at once and writes all of them at each save. Fetches, relationships,
/// uniqueness constraints, derived attributes and conflicts are the framework's matter. Override:
///
/// | member | what it does |
/// |---|---|
/// | ``load()`` | reads the file, makes a node for each object, registers the nodes |
/// | ``save()`` | writes ``cacheNodes()`` and ``NSPersistentStore/metadata`` |
/// | ``newReferenceObject(for:)`` | gives a new object what identifies it in the file |
/// | ``newCacheNode(for:)``, ``updateCacheNode(_:from:)`` | take the values of objects into nodes of your own class |
/// | ``NSPersistentStore/metadataForPersistentStore(with:)`` | reads the metadata of a file |
///
/// ```swift
/// final class JSONStore: NSAtomicStore, @unchecked Sendable {
///     override func load() throws {
///         guard let file = url, let data = try? Data(contentsOf: file) else { return }
///         let records = try JSONDecoder().decode([[String: String]].self, from: data)
///         let entity = persistentStoreCoordinator!.managedObjectModel.entitiesByName["Player"]!
///         addCacheNodes(Set(records.map { record in
///             let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: record["id"]!))
///             node.setValue(record["name"], forKey: "name")
///             return node
///         }))
///     }
///
///     override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }
///
///     override func save() throws {
///         let records = cacheNodes().map { node -> [String: String] in
///             let name = node.value(forKey: "name") as? String
///             return ["id": referenceObject(for: node.objectID) as! String, "name": name ?? ""]
///         }
///         try JSONEncoder().encode(records).write(to: url!, options: .atomic)
///     }
/// }
/// ```
///
/// Register the class with ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``. All calls come one at a time.
/// A store is a file: the URL of something else is refused with `NSPersistentStoreOpenError` (134080). A store on a
/// server is an ``NSIncrementalStore``.
///
/// A save first changes the nodes, then calls ``save()``. If that throws, the nodes have their old values again, and
/// the context its changes. The file must then be as it was: write another file and rename it, as `.atomic` does.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    // Unchecked like its superclass.

    /// What the framework keeps of the nodes.
    let nodes = AtomicNodes()

    /// Makes the store for a coordinator. See
    /// ``NSPersistentStore/init(persistentStoreCoordinator:configurationName:at:options:)``.
    public override init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(
            persistentStoreCoordinator: coordinator, configurationName: configurationName, at: url, options: options)
        prepareToken()
    }

    override class func kind(type: String) -> (any StoreKind)? { AtomicClassKind(type: type, storeClass: self) }

    // MARK: To be overridden

    /// Reads the store: registers a node for each object by ``addCacheNodes(_:)``, and sets
    /// ``NSPersistentStore/metadata`` to what the file has.
    ///
    /// Where there is no file, or an empty one, an override returns: the store is new. The framework fills in the UUID
    /// and the version hashes of a store without them.
    ///
    /// - Throws: Any error. The store is not added, and the error is thrown to the caller.
    open func load() throws { missingOverride("load()") }

    /// Writes the store: all ``cacheNodes()``, and ``NSPersistentStore/metadata``.
    ///
    /// - Throws: Any error. The save fails with it, and nodes and context are as they were.
    open func save() throws { missingOverride("save()") }

    /// Returns what is to identify a new object in the store: a number, a string, or another value that can be hashed.
    ///
    /// It must differ from that of every other object of the entity, also of deleted ones. It is in the URI of the
    /// object's ID: `x-coredata://UUID/Player/p17` for the number 17.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        missingOverride("newReferenceObject(for:)")
    }

    /// Returns a node for a new object.
    ///
    /// The framework's own makes an ``NSAtomicStoreCacheNode`` and calls ``updateCacheNode(_:from:)``. Override it to
    /// make nodes of another class. Relationships to objects that are new, too, are set later, when all of them have
    /// nodes: the framework then calls ``updateCacheNode(_:from:)`` once more.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Takes the values of a changed object into its node.
    ///
    /// The framework's own sets all attributes and relationships that are stored.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        takeValues(of: managedObject, into: node)
    }

    /// Called before nodes of deleted objects are removed from ``cacheNodes()``.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    // MARK: To be called

    /// The nodes of all objects of the store.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.all }

    /// Registers nodes. A node replaces the one that has the same ID.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { nodes.add(cacheNodes) }

    /// The node of an object; nil if the store does not have the object.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { nodes.node(of: objectID) }

    /// The ID of the object that the store identifies in this way. The same arguments give equal IDs.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, and not a parent of it.
    ///   - data: What ``newReferenceObject(for:)`` has returned, or what the file has: a number, a string, or another
    ///     value that can be hashed.
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        namedObjectID(for: entity, data)
    }

    /// What the store identifies an object by.
    ///
    /// - Parameter objectID: An ID of an object of this store. Any other ID traps.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any { referenceData(of: objectID) }

    private func missingOverride(_ method: String) -> Never {
        programmerError("\(Swift.type(of: self)) does not override \(method), which a subclass of NSAtomicStore must.")
    }

    // MARK: The framework's

    /// The coordinator's lock.
    package var writeLock = NSRecursiveLock()
    var openedModel: StoreModel?
}
