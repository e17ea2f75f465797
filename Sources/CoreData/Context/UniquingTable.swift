import CSwiftRuntime
import FoundationGaps

/// Which object stands for a reference in one context, without keeping it alive.
///
/// Objects that nobody holds any longer may go away on any thread. The table's lock makes that safe: a look-up retains an
/// object only if its last reference is not already gone (`coredata_try_retain`), and an object on its way out takes the lock
/// to remove its entry before its memory is freed.
final class UniquingTable: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private struct Tree: Hashable {
        let store: Int32
        let root: Int32
    }

    private let lock = NSLock()
    private var tables: [Tree: KeyTable<Unmanaged<NSManagedObject>>] = [:]

    deinit { tables.values.forEach { $0.deallocate() } }

    func object(store: Int32, root: Int32, key: Int64) -> NSManagedObject? {
        lock.withLock { retained(tables[Tree(store: store, root: root)]?[key]) }
    }

    /// Enters an object that is not in the table.
    func enter(_ object: NSManagedObject) {
        lock.withLock { withTable(of: object) { $0.set(object.key, .passUnretained(object)) } }
    }

    /// Removes the entry of an object, unless the entry has come to mean another.
    func remove(_ object: NSManagedObject) {
        lock.withLock {
            withTable(of: object) { table in
                if table[object.key]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() {
                    table.remove(object.key)
                }
            }
        }
    }

    /// Enters an object under its permanent reference instead of its temporary one.
    func rekey(_ object: NSManagedObject, key: Int64, store: Int32) {
        lock.withLock {
            withTable(of: object) { $0.remove(object.key) }
            object.key = key
            object.store = store
            withTable(of: object) { $0.set(key, .passUnretained(object)) }
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
            guard let table = tables[tree], table.count > 0 else { return [] }
            return rows.map { retained(table[key($0)]) }
        }
        var made: [NSManagedObject] = []
        var result: [NSManagedObject] = []
        result.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            if !found.isEmpty, let object = found[index] {
                existing(object, row)
                result.append(object)
            } else {
                let object = make(row)
                made.append(object)
                result.append(object)
            }
        }
        lock.withLock {
            for object in made {
                tables[tree, default: KeyTable(minimumCapacity: made.count)].set(object.key, .passUnretained(object))
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
            tables.values.forEach { $0.deallocate() }
            tables = [:]
        }
        all.forEach(body)
    }

    private func withTable(of object: NSManagedObject, _ body: (inout KeyTable<Unmanaged<NSManagedObject>>) -> Void) {
        body(&tables[Tree(store: object.store, root: object.layout.rootNumber), default: KeyTable()])
    }

    /// Takes a reference of its own to the object, unless the last one is already gone.
    @inline(__always)
    private func retained(_ entry: Unmanaged<NSManagedObject>?) -> NSManagedObject? {
        guard let entry, coredata_try_retain(entry.toOpaque()) != nil else { return nil }
        return entry.takeRetainedValue()
    }
}
