import FoundationGaps

/// Has an atomic store's class take a save's changes into its nodes, and takes them back if the save fails.
final class NodeUpdate {
    private let store: NSAtomicStore
    /// The nodes that were there before; nil where there was none.
    private var before: [(key: NodeKey, node: NSAtomicStoreCacheNode?)] = []
    /// The values that changed nodes had.
    private var values: [(node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)] = []

    init(_ store: NSAtomicStore) { self.store = store }

    func run(_ changes: StoreChanges) throws {
        if changes.isEmpty { return }
        guard let context = CallingContext.current as? NSManagedObjectContext else {
            programmerError("An atomic store can only be saved to by a context.")
        }
        try remove(changes.deletes)
        let inserted = try objects(of: changes.inserts, context)
        let updated = try objects(of: changes.updates, context)
        for (key, object) in inserted { set(store.newCacheNode(for: object), key) }
        // Only now has every new object a node that relationships can lead to.
        for (key, object) in inserted + updated {
            guard let node = store.nodes.node(key) else { continue }
            values.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
            store.updateCacheNode(node, from: object)
        }
    }

    /// Puts the nodes back that there were, with the values that they had.
    func takeBack() {
        for (node, values) in values.reversed() { node.propertyCache = values }
        for (key, node) in before.reversed() { store.nodes.set(node, key) }
    }

    private func objects(
        of changes: RowChanges, _ context: NSManagedObjectContext
    ) throws -> [(NodeKey, NSManagedObject)] {
        try (0..<changes.count).map { index in
            let change = try changes(index)
            let key = NodeKey(root: change.layout.rootNumber, key: change.reference.key)
            return (key, context.object(for: change.reference))
        }
    }

    private func remove(_ deletes: RowChanges) throws {
        let keys = try (0..<deletes.count).map { index in
            let change = try deletes(index)
            return NodeKey(root: change.layout.rootNumber, key: change.reference.key)
        }
        let nodes = keys.compactMap { store.nodes.node($0) }
        if !nodes.isEmpty { store.willRemoveCacheNodes(Set(nodes)) }
        for key in keys { set(nil, key) }
    }

    private func set(_ node: NSAtomicStoreCacheNode?, _ key: NodeKey) {
        before.append((key, store.nodes.node(key)))
        store.nodes.set(node, key)
    }
}

extension NSAtomicStore {
    /// See ``updateCacheNode(_:from:)``.
    func takeValues(of object: NSManagedObject, into node: NSAtomicStoreCacheNode) {
        for property in object.entity.properties where !property.isTransient {
            switch property {
            case let relationship as NSRelationshipDescription:
                node.setValue(destinations(of: relationship, of: object), forKey: property.name)
            case is NSAttributeDescription: node.setValue(object.value(forKey: property.name), forKey: property.name)
            default: break
            }
        }
    }

    private func destinations(of relationship: NSRelationshipDescription, of object: NSManagedObject) -> Any? {
        let value = object.value(forKey: relationship.name)
        guard relationship.isToMany else {
            return (value as? NSManagedObject).flatMap { cacheNode(for: $0.objectID) }
        }
        let members = value.flatMap { StoreCollection.elements(of: $0) } ?? []
        let nodes = members.compactMap { ($0 as? NSManagedObject).flatMap { cacheNode(for: $0.objectID) } }
        return relationship.isOrdered ? NSOrderedSet(array: nodes) : NSSet(array: nodes)
    }
}
