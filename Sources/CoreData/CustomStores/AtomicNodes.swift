import FoundationGaps

/// The nodes of an atomic store, and the rows that were made of them.
final class AtomicNodes: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private let lock = NSLock()
    private var nodes: [NodeKey: NSAtomicStoreCacheNode] = [:]
    /// Nodes of which there are no rows yet.
    private var unread: [NodeKey: NSAtomicStoreCacheNode] = [:]
    private var storedContent = AtomicContent()

    var all: Set<NSAtomicStoreCacheNode> { lock.withLock { Set(nodes.values) } }

    var content: AtomicContent {
        get { lock.withLock { storedContent } }
        set { lock.withLock { storedContent = newValue } }
    }

    var hasUnread: Bool { lock.withLock { !unread.isEmpty } }

    func node(of id: NSManagedObjectID) -> NSAtomicStoreCacheNode? { node(NodeKey(id)) }

    func node(_ key: NodeKey) -> NSAtomicStoreCacheNode? { lock.withLock { nodes[key] } }

    /// Registers nodes of which rows are to be made.
    func add(_ added: Set<NSAtomicStoreCacheNode>) {
        lock.withLock {
            for node in added {
                nodes[NodeKey(node.objectID)] = node
                unread[NodeKey(node.objectID)] = node
            }
        }
    }

    /// Registers the node of an object that a save has the row of; nil: the object has none any longer.
    func set(_ node: NSAtomicStoreCacheNode?, _ key: NodeKey) {
        lock.withLock {
            nodes[key] = node
            unread[key] = nil
        }
    }

    /// The nodes of which there are no rows yet, which are taken for read from now on.
    func takeUnread() -> [NSAtomicStoreCacheNode] {
        lock.withLock {
            defer { unread = [:] }
            return Array(unread.values)
        }
    }
}

/// An object of a store, by its entity tree and its key.
struct NodeKey: Hashable {
    let root: Int32
    let key: Int64

    init(root: Int32, key: Int64) { (self.root, self.key) = (root, key) }

    init(_ id: NSManagedObjectID) { self.init(root: id.entity.layout.rootNumber, key: id.reference.key) }
}
