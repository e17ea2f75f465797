import CSwiftRuntime
import FoundationGaps

/// Which object stands for a reference in one context, without keeping it alive.
///
/// Objects that nobody holds any longer may go away on any thread. The table's lock makes that safe: a look-up retains an
/// object only if its last reference is not already gone (`coredata_try_retain`), and an object on its way out takes the lock
/// to remove its entry before its memory is freed.
final class UniquingTable: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private typealias Table = KeyTable<Unmanaged<NSManagedObject>>

    private struct Tree: Hashable {
        let store: Int32
        let root: Int32
    }

    private let lock = NSLock()
    private var tables: [Tree: Table] = [:]
    /// The table that was asked for last, which most often is the one that is asked for next.
    private var lastTree = Tree(store: .min, root: .min)
    private var lastTable: Table?

    func object(store: Int32, root: Int32, key: Int64) -> NSManagedObject? {
        lock.withLock { retained(table(Tree(store: store, root: root))[key]) }
    }

    /// Enters an object that is not in the table.
    func enter(_ object: NSManagedObject) {
        lock.withLock { table(of: object).set(object.key, .passUnretained(object)) }
    }

    /// Removes the entry of an object, unless the entry has come to mean another.
    func remove(_ object: NSManagedObject) {
        lock.withLock {
            let table = table(of: object)
            if table[object.key]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() { table.remove(object.key) }
        }
    }

    /// Enters objects under other references: permanent ones instead of temporary ones, or back.
    ///
    /// - Parameter replacement: The new reference; nil for an object that keeps its own.
    func rekey(_ objects: some Sequence<NSManagedObject>, _ replacement: (ObjectReference) -> ObjectReference?) {
        lock.withLock {
            // Neighbours mostly go from one table to one other.
            var (from, to): (Tree?, Tree?) = (nil, nil)
            var (old, new) = (Table(), Table())
            for object in objects {
                guard let reference = replacement(object.reference) else { continue }
                let root = object.table.pointee.rootNumber
                if from?.root != root || from?.store != object.store || to?.store != reference.store {
                    (from, to) = (Tree(store: object.store, root: root), Tree(store: reference.store, root: root))
                    (old, new) = (table(of: object), table(Tree(store: reference.store, root: root)))
                }
                old.remove(object.key)
                object.key = reference.key
                object.store = reference.store
                if let record = object.record { record.objectID = nil }
                new.set(reference.key, .passUnretained(object))
            }
        }
    }

    /// Looks up or makes the object of each of many rows of one entity tree.
    ///
    /// - Parameter make: Called, outside the lock, where the table has no live object; what it returns is entered.
    func objects<Row>(
        for rows: [Row], store: Int32, root: Int32, key: (Row) -> Int64, existing: (NSManagedObject, Row) -> Void,
        make: (Row) -> NSManagedObject
    ) -> [NSManagedObject] {
        let tree = Tree(store: store, root: root)
        let found: [NSManagedObject?] = lock.withLock {
            let table = table(tree)
            return table.count == 0 ? [] : rows.map { retained(table[key($0)]) }
        }
        var result: [NSManagedObject] = []
        result.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            if !found.isEmpty, let object = found[index] {
                existing(object, row)
                result.append(object)
            } else {
                result.append(make(row))
            }
        }
        lock.withLock {
            let table = table(tree, capacity: result.count)
            for (index, object) in result.enumerated() where found.isEmpty || found[index] == nil {
                table.set(object.key, .passUnretained(object))
            }
        }
        return result
    }

    /// All live objects.
    var objects: [NSManagedObject] {
        lock.withLock {
            var result: [NSManagedObject] = []
            for table in tables.values { table.forEach { _, entry in retained(entry).map { result.append($0) } } }
            return result
        }
    }

    /// Empties the table; `body` is called with each live object first.
    func removeAll(_ body: (NSManagedObject) -> Void) {
        let all = objects
        lock.withLock {
            tables = [:]
            lastTable = nil
        }
        all.forEach(body)
    }

    @inline(__always)
    private func table(of object: NSManagedObject) -> Table {
        table(Tree(store: object.store, root: object.table.pointee.rootNumber))
    }

    private func table(_ tree: Tree, capacity: Int = 8) -> Table {
        if lastTree.root == tree.root, lastTree.store == tree.store, let lastTable { return lastTable }
        let table = tables[tree] ?? Table(minimumCapacity: capacity)
        tables[tree] = table
        lastTree = tree
        lastTable = table
        return table
    }

    /// Takes a reference of its own to the object, unless the last one is already gone.
    @inline(__always)
    private func retained(_ entry: Unmanaged<NSManagedObject>?) -> NSManagedObject? {
        guard let entry, coredata_try_retain(entry.toOpaque()) != nil else { return nil }
        return entry.takeRetainedValue()
    }
}
