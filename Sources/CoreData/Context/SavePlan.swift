import FoundationGaps

/// What a save asks of each store, and whose rows they are. The context keeps the objects alive meanwhile.
struct SavePlan {
    /// One store's part.
    struct Part {
        let store: Int32
        var inserted: [Unmanaged<NSManagedObject>] = []
        var updated: [Unmanaged<NSManagedObject>] = []
        fileprivate var deleted: [RowChange] = []
        /// Rows that have to be as the context saw them, though it leaves them alone.
        fileprivate var checked: [RowChange] = []
        /// What had to be put together before the store begins to write, by the object's place in its list.
        fileprivate var prepared = PreparedChanges()
    }

    /// The permanent keys that references to unsaved objects will be replaced by.
    fileprivate let assigned: KeyAssignment
    private(set) var parts: [Part] = []
    /// Changed objects with nothing for a store to write, and the deleted ones.
    private(set) var others: [NSManagedObject] = []

    init(_ assigned: KeyAssignment) { self.assigned = assigned }

    /// How many rows are new.
    var insertedCount: Int { parts.reduce(0) { $0 + $1.inserted.count } }

    /// What each store is asked, by its number.
    var changes: [Int32: StoreChanges] {
        get throws {
            var changes: [Int32: StoreChanges] = [:]
            for part in parts { changes[part.store] = try part.changes(assigned, areAllPrepared: parts.count > 1) }
            return changes
        }
    }

    fileprivate mutating func add(_ object: NSManagedObject) throws {
        if object.state.contains(.deleted) {
            object.replaceReferences(assigned)
            others.append(object)
            if object.state.contains(.inaccessible) { return }
            let place = place(of: object.store)
            parts[place].deleted.append(try object.unchangedRow())
        } else if object.state.contains(.inserted) {
            let place = place(of: object.store)
            try parts[place].insert(object, assigned)
        } else if object.hasPersistentChangedValues {
            let place = place(of: object.store)
            try parts[place].update(object, assigned)
        } else {
            object.replaceReferences(assigned)
            others.append(object)
        }
    }

    fileprivate mutating func check(_ row: RowChange) { parts[place(of: row.reference.store)].checked.append(row) }

    /// Where a store's part is; most saves have one.
    private mutating func place(of store: Int32) -> Int {
        if let place = parts.firstIndex(where: { $0.store == store }) { return place }
        parts.append(Part(store: store))
        return parts.count - 1
    }
}

/// Changes of rows by the place of their object.
private struct PreparedChanges {
    var inserts: [Int: RowChange] = [:]
    var updates: [Int: RowChange] = [:]
}

extension NSManagedObjectContext {
    /// Sorts the changes of all objects by store and kind.
    ///
    /// - Parameter assigned: The permanent keys of new objects, which already have them.
    /// - Throws: `NSManagedObjectExternalRelationshipError` (133010) for a relationship between two stores; a
    ///   transformable's value that gives no data.
    func plan(_ objects: ContiguousArray<NSManagedObject>, _ assigned: KeyAssignment) throws -> SavePlan {
        var plan = SavePlan(assigned)
        for object in objects where object.hasChanges { try plan.add(object) }
        for object in checked where !object.hasChanges && object.contextStorage === self {
            plan.check(try object.unchangedRow())
        }
        return plan
    }
}

extension SavePlan.Part {
    fileprivate mutating func insert(_ object: NSManagedObject, _ assigned: KeyAssignment) throws {
        if !object.isPlain { prepared.inserts[inserted.count] = try object.rowChange(assigned) }
        inserted.append(.passUnretained(object))
    }

    fileprivate mutating func update(_ object: NSManagedObject, _ assigned: KeyAssignment) throws {
        if !object.isPlain || object.row == nil { prepared.updates[updated.count] = try object.rowChange(assigned) }
        updated.append(.passUnretained(object))
    }

    /// What the store is asked.
    ///
    /// Plain changes are put together when the store comes to them: one pass over the objects, while their values are at
    /// hand anyway. With a second store they are put together before, so that what can't be saved is found while nothing is written.
    fileprivate func changes(_ assigned: KeyAssignment, areAllPrepared: Bool) throws -> StoreChanges {
        func list(_ objects: [Unmanaged<NSManagedObject>], _ prepared: [Int: RowChange]) throws -> RowChanges {
            func change(_ index: Int) throws -> RowChange {
                if !prepared.isEmpty, let known = prepared[index] { return known }
                return try objects[index]._withUnsafeGuaranteedRef { try $0.rowChange(assigned) }
            }
            if areAllPrepared { return RowChanges(try objects.indices.map(change)) }
            return RowChanges(count: objects.count, change)
        }
        var changes = StoreChanges()
        changes.inserts = try list(inserted, prepared.inserts)
        changes.updates = try list(updated, prepared.updates)
        changes.deletes = RowChanges(deleted)
        changes.checks = RowChanges(checked)
        return changes
    }
}

extension NSManagedObject {
    /// The row as this context last saw it, and nothing that changes in it.
    fileprivate func unchangedRow() throws -> RowChange {
        if snapshot == nil { snapshot = contextStorage?.row(of: self) }
        return RowChange(
            reference: reference, layout: layout, snapshot: snapshot, values: .make(slotCount: 0), members: [])
    }

    /// Whether the change of the row follows from the object's values alone: nothing has to be read or archived for it.
    fileprivate var isPlain: Bool {
        !table.pointee.demands.contains(.conversion)
            && recordReference?._withUnsafeGuaranteedRef { $0.hasNoCaches } ?? false
    }

    fileprivate func rowChange(_ assigned: KeyAssignment) throws -> RowChange {
        replaceReferences(assigned)
        if let change = plainInsertion { return change }
        let isUpdate = !state.contains(.inserted)
        if isUpdate, snapshot == nil { snapshot = contextStorage?.row(of: self) }
        let record = mutableRecord
        let layout = layout
        let values = record.copyOfValues()
        for slot in layout.slots where !record.isUnset(slot.index) && !slot.kind.isToMany {
            values[slot.index] = try storable(record[slot.index], slot, isUpdate: isUpdate)
        }
        for slot in layout.derivedSlots { values[slot.index] = isUpdate ? .unset : .null }
        return RowChange(
            reference: reference, layout: layout, snapshot: isUpdate ? snapshot : nil, values: values,
            members: try layout.toManySlots.compactMap { try memberChange($0) })
    }

    /// A new object's plain values, which go out as they are; nil where some need a closer look.
    private var plainInsertion: RowChange? {
        guard state.contains(.inserted), isPlain, let record else { return nil }
        for index in table.pointee.toOnes {
            if case .reference(let destination) = record[index], destination.store != store { return nil }
        }
        return RowChange(
            reference: reference, layout: table.pointee.layout.takeUnretainedValue(), snapshot: nil, values: record,
            members: [])
    }

    /// A value as a store takes it; `.unset` for one that is not stored, or not changed.
    private func storable(_ value: Slot, _ slot: PropertySlot, isUpdate: Bool) throws -> Slot {
        if slot.isTransient || slot.cell < 0 || isUpdate && isUnchanged(slot, value) { return .unset }
        return try storable(value, slot)
    }

    private func storable(_ value: Slot, _ slot: PropertySlot) throws -> Slot {
        switch (value, slot.kind) {
        case (.object(let box as ValueBox), .transformable): return .data(try slot.data(from: box.value))
        case (.object(let box as ValueBox), .objectID):
            guard let id = box.value as? NSManagedObjectID else { return .null }
            return .data(Data(id.uriRepresentation().absoluteString.utf8))
        case (.reference(let destination), _):
            if destination.isTemporary { return .null }
            try checkStore(of: destination, slot)
            return value
        default: return value
        }
    }

    private func memberChange(_ slot: PropertySlot) throws -> MemberChange? {
        guard !slot.isTransient, let state = record?.cache(slot.index, as: ToManyState.self), state.isChanged else {
            return nil
        }
        try state.added.forEach { try checkStore(of: $0, slot) }
        let order = slot.kind == .orderedToMany ? members(slot) : nil
        // What was taken out and put back only changed its place.
        let moved = state.removed.intersection(state.added)
        return MemberChange(
            slot: slot, added: state.added.filter { !moved.contains($0) },
            removed: Array(state.removed.subtracting(moved)), order: order)
    }

    private func checkStore(of destination: ObjectReference, _ slot: PropertySlot) throws {
        guard destination.store != store else { return }
        throw NSError.cocoa(
            NSManagedObjectExternalRelationshipError,
            "\"\(slot.name)\" of \(layout.name) points to an object of another store; use a fetched property to reach across stores.",
            userInfo: [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: slot.name])
    }
}
