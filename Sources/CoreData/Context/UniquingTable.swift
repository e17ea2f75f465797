import CSwiftRuntime
import FoundationGaps
import Synchronization

/// An object that a uniquing table can have.
protocol UniqueObject: AnyObject {
    var reference: ObjectReference { get }
    var table: UnsafePointer<LayoutTable> { get }
    var key: Int64 { get }
    var store: Int32 { get }
    /// Has the object go by another reference from now on.
    func rename(_ key: Int64, _ store: Int32)
}

/// Which object stands for a reference in one context, without keeping it alive.
///
/// Objects that nothing holds any longer may go away on any thread. The table's lock makes that safe: a look-up retains
/// an object only if its last reference is not already gone (`coredata_try_retain`), and an object on its way out takes
/// the lock to remove its entry before its memory is freed.
final class UniquingTable<Object: UniqueObject>: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    /// Every object takes it on its way out: an `NSLock` costs several times as much.
    private let lock = Mutex(())
    /// Nothing keeps the objects. An object removes its entry before its memory is freed, under the lock. Exclusive
    /// access is not checked at run time: no method calls foreign code while it changes the tables.
    @exclusivity(unchecked) private var tables = KeyTables<Unmanaged<Object>>()
    /// Objects that gave way to others under their references. The app may have them, and they refer to the context.
    private var displaced = WeakObjects<Object>()
    /// How many objects went away and left rows; see ``depart(_:_:)``.
    private var departed = 0

    func object(store: Int32, root: Int32, key: Int64) -> Object? {
        lock.during { retained(tables.table(KeyGroup(store: store, root: root))?._withUnsafeGuaranteedRef { $0[key] }) }
    }

    /// Registers an object that is not in the table.
    ///
    /// - Parameter old: The object of the same reference that gives way.
    func register(_ object: Object, inPlaceOf old: Object? = nil) {
        lock.during {
            if let old { displaced.add(old) }
            table(of: object)._withUnsafeGuaranteedRef { $0.set(object.key, .passUnretained(object)) }
        }
    }

    /// Removes the entry of an object, unless the entry has come to mean another.
    func remove(_ object: Object) { lock.during { removeEntry(of: object) } }

    /// Removes the entries of those of some objects that `isGone` wants to go. The caller keeps the objects.
    func remove(_ objects: [Unmanaged<Object>], where isGone: (Object) -> Bool) {
        if objects.isEmpty { return }
        lock.during {
            for object in objects { object._withUnsafeGuaranteedRef { if isGone($0) { removeEntry(of: $0) } } }
        }
    }

    /// Removes the entry of an object that goes away.
    ///
    /// - Parameter leavesRow: Whether it had a row that no other object has.
    /// - Returns: Whether so many have gone since this was last true that their rows are worth looking after.
    func depart(_ object: Object, _ leavesRow: Bool) -> Bool {
        lock.during {
            removeEntry(of: object)
            guard leavesRow else { return false }
            departed += 1
            guard departed & (RowCache.warm - 1) == 0, departed >= tables.count else {
                return false
            }
            departed = 0
            tables.forEach { $0.shrink() }
            return true
        }
    }

    @inline(__always)
    private func removeEntry(of object: Object) {
        table(of: object)._withUnsafeGuaranteedRef { table in
            let entry = table[object.key]
            if entry?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() { table.remove(object.key) }
        }
    }

    /// Gives unsaved objects successive keys, and registers them under these. The caller keeps the objects.
    func rekey(_ objects: [Unmanaged<Object>], _ group: KeyGroup, first: Int64, _ assignment: KeyAssignment) {
        lock.during {
            let old = tables.ensureTable(KeyGroup(store: ObjectReference.unassignedStore, root: group.root))
                .takeUnretainedValue()
            let new = tables.ensureTable(KeyGroup(store: group.store, root: group.root), capacity: objects.count)
                .takeUnretainedValue()
            var key = first
            for entry in objects {
                entry._withUnsafeGuaranteedRef { object in
                    let entity = object.table.pointee.number
                    assignment.add(object.key, ObjectReference(key: key, entity: entity, store: group.store))
                    old.remove(object.key)
                    object.rename(key, group.store)
                }
                new.set(key, entry)
                key += 1
            }
        }
    }

    /// Registers objects under other references.
    ///
    /// - Parameter replacement: The new reference; nil for an object that keeps its own.
    func rekey(_ objects: some Sequence<Object>, _ replacement: (ObjectReference) -> ObjectReference?) {
        lock.during {
            for object in objects {
                guard let reference = replacement(object.reference) else { continue }
                table(of: object)._withUnsafeGuaranteedRef { $0.remove(object.key) }
                object.rename(reference.key, reference.store)
                table(of: object)._withUnsafeGuaranteedRef { $0.set(object.key, .passUnretained(object)) }
            }
        }
    }

    /// Looks up or makes the object of each of many rows of one entity tree, and empties the batch.
    ///
    /// An object of another entity than its row is replaced by a new one: the app made it from an ID of a superentity,
    /// or the file is damaged and has two rows with one key.
    ///
    /// - Parameters:
    ///   - existing: Called, outside the lock, with an object that the table had.
    ///   - make: Called, outside the lock, where the table has no live object, with the row's reference to keep; what
    ///   it
    ///     returns is registered.
    @inline(__always)
    func objects(
        for rows: RowBatch, store: Int32, root: Int32, existing: (Object, RowSnapshot) -> Void,
        make: (Unmanaged<RowSnapshot>) -> Object
    ) -> [Object] {
        let tree = KeyGroup(store: store, root: root)
        let found: [Object?] = lock.during {
            guard let table = tables.table(tree)?.takeUnretainedValue(), table.count > 0,
                rows.contains(where: { table[$0.key] != nil })
            else { return [] }
            var found: [Object?] = []
            found.reserveCapacity(rows.count)
            rows.forEach { found.append(retained(table[$0.key])) }
            return found
        }
        let result = [Object](unsafeUninitializedCapacity: rows.count) { result, count in
            rows.drain { row in
                if !found.isEmpty, let object = found[count],
                    object.table == row._withUnsafeGuaranteedRef({ $0.table })
                {
                    existing(object, row.takeRetainedValue())
                    result.initializeElement(at: count, to: object)
                } else {
                    result.initializeElement(at: count, to: make(row))
                }
                count += 1
            }
        }
        lock.during {
            let table = tables.ensureTable(tree, capacity: result.count).takeUnretainedValue()
            for index in result.indices where found.isEmpty || found[index] !== result[index] {
                if !found.isEmpty, let old = found[index] { displaced.add(old) }
                let entry = Unmanaged.passUnretained(result[index])
                table.set(entry._withUnsafeGuaranteedRef { $0.key }, entry)
            }
        }
        return result
    }

    /// The object of each of many references of one entity tree, nil where there is none.
    func registered(_ references: some Collection<ObjectReference>, store: Int32, root: Int32) -> [Object?] {
        lock.during {
            tables.ensureTable(KeyGroup(store: store, root: root))._withUnsafeGuaranteedRef { table in
                references.map { retained(table[$0.key]) }
            }
        }
    }

    /// Looks up or makes the object of each of many references of one entity tree.
    ///
    /// - Parameter make: Called, outside the lock, where the table has no live object; what it returns is registered.
    @inline(__always)
    func objects(
        for references: some Collection<ObjectReference>, store: Int32, root: Int32,
        make: (ObjectReference) -> Object
    ) -> [Object] {
        let tree = KeyGroup(store: store, root: root)
        let isEmpty = lock.during { tables.table(tree)?._withUnsafeGuaranteedRef { $0.count == 0 } ?? true }
        let found = isEmpty ? [] : registered(references, store: store, root: root)
        var objects: [Object] = []
        objects.reserveCapacity(references.count)
        for (index, reference) in references.enumerated() {
            objects.append((isEmpty ? nil : found[index]) ?? make(reference))
        }
        // Objects that turn out to be superfluous must not go under the lock.
        var superfluous: [Object] = []
        lock.during {
            tables.ensureTable(tree, capacity: objects.count)._withUnsafeGuaranteedRef { table in
                for index in objects.indices where isEmpty || found[index] == nil {
                    let entry = Unmanaged.passUnretained(objects[index])
                    let key = entry._withUnsafeGuaranteedRef { $0.key }
                    if let twin = retained(table[key]) {
                        // The reference occurs twice.
                        superfluous.append(objects[index])
                        objects[index] = twin
                    } else {
                        table.set(key, entry)
                    }
                }
            }
        }
        return objects
    }

    /// All live objects.
    var objects: [Object] {
        lock.during {
            var result: [Object] = []
            tables.forEach { $0.forEach { _, entry in retained(entry).map { result.append($0) } } }
            return result
        }
    }

    /// Empties the table; `body` is called with each live object, and with those that gave way.
    func removeAll(_ body: (Object) -> Void) {
        let all = objects
        let others = lock.during {
            let others = Array(displaced.objects)
            displaced.forget()
            tables.removeAll()
            return others
        }
        all.forEach(body)
        others.forEach(body)
    }

    /// The table of an object's tree, kept by `tables`.
    @inline(__always)
    private func table(of object: Object) -> Unmanaged<KeyTable<Unmanaged<Object>>> {
        tables.ensureTable(KeyGroup(store: object.store, root: object.table.pointee.rootNumber))
    }

    /// Takes a reference of its own to the object, unless the last one is already gone. Nothing keeps the object; the
    /// lock keeps its memory: see the type's description.
    @inline(__always)
    private func retained(_ entry: Unmanaged<Object>?) -> Object? {
        guard let entry, coredata_try_retain(entry.toOpaque()) != nil else { return nil }
        return entry.takeRetainedValue()
    }
}
