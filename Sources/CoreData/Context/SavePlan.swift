import FoundationGaps

/// What a save asks of each store, and the objects that the rows belong to. The context keeps the objects alive
/// meanwhile.
struct SavePlan {
    /// One store's part.
    final class Part {
        let store: Int32
        // The context keeps the objects: it holds every object with unsaved changes until the save has ended.
        // Exclusive access is not checked at run time. A large save appends to one of these lists for each object, and
        // appending runs no other code.
        @exclusivity(unchecked) var inserted: [Unmanaged<NSManagedObject>] = []
        @exclusivity(unchecked) var updated: [Unmanaged<NSManagedObject>] = []
        @exclusivity(unchecked) fileprivate var deleted: [Unmanaged<NSManagedObject>] = []
        /// Rows that have to be as the context saw them, though it leaves them alone.
        fileprivate var checked: [RowChange] = []
        /// What had to be put together before the store begins to write, by the object's place in its list.
        @exclusivity(unchecked) fileprivate var preparedInserts = PreparedChanges()
        @exclusivity(unchecked) fileprivate var preparedUpdates = PreparedChanges()

        init(store: Int32) { self.store = store }
    }

    /// The permanent keys that references to unsaved objects will be replaced by.
    fileprivate let assigned: KeyAssignment
    private(set) var parts: [Part] = []
    /// The part that was asked for last; most saves have one. Among ``parts``, which keeps it.
    private var lastPart: (store: Int32, part: Unmanaged<Part>)?
    /// Changed objects with nothing for a store to write, and the deleted ones. The context keeps them until the save
    /// has ended.
    private(set) var others: [Unmanaged<NSManagedObject>] = []
    fileprivate var related = RelatedRows()

    init(_ assigned: KeyAssignment) { self.assigned = assigned }

    @inline(__always)
    func forEachOther(_ body: (NSManagedObject) -> Void) {
        for object in others { object._withUnsafeGuaranteedRef(body) }
    }

    /// How many rows are new.
    var insertedCount: Int { parts.reduce(0) { $0 + $1.inserted.count } }
    /// How many rows change.
    var updatedCount: Int { parts.reduce(0) { $0 + $1.updated.count } }

    /// What each store is asked, in the order of ``parts``.
    func changes(
        recordedFor coordinator: NSPersistentStoreCoordinator, in context: NSManagedObjectContext
    ) throws -> [StorePart] {
        let isRecorded = coordinator.recordsHistory.load(ordering: .relaxed)
        return try parts.map { part in
            var changes = try part.changes(assigned, areAllPrepared: parts.count > 1)
            if isRecorded { changes.history = try history(of: part, in: context) }
            return StorePart(store: part.store, changes: changes)
        }
    }

    /// What persistent history is told beyond the changes of one store.
    private func history(of part: Part, in context: NSManagedObjectContext) throws -> SaveHistory {
        var unwritten: [RowChange] = []
        for object in others {
            try object._withUnsafeGuaranteedRef { object in
                guard object.store == part.store, !object.state.contains(.deleted) else { return }
                unwritten.append(try object.rowChange(assigned))
            }
        }
        return SaveHistory(origin: context.changeOrigin, unwritten: RowChanges(unwritten))
    }

    fileprivate mutating func add(_ object: NSManagedObject) throws {
        if object.state.contains(.deleted) {
            object.replaceReferences(assigned)
            others.append(.passUnretained(object))
            if object.state.contains(.inaccessible) { return }
            try object.readRow()
            part(of: object.store)._withUnsafeGuaranteedRef { $0.deleted.append(.passUnretained(object)) }
        } else if object.state.contains(.inserted) {
            try part(of: object.store)._withUnsafeGuaranteedRef { try $0.insert(object, assigned) }
            related.add(inserted: object)
        } else if object.hasValuesToStore {
            try part(of: object.store)._withUnsafeGuaranteedRef { try $0.update(object, assigned) }
            related.add(updated: object)
        } else {
            object.replaceReferences(assigned)
            others.append(.passUnretained(object))
            related.add(unwritten: object)
        }
    }

    /// To be called when everything is in: stores are written to in the order of their numbers.
    fileprivate mutating func sort() {
        if parts.count > 1 { parts.sort { $0.store < $1.store } }
    }

    /// Leaves out what some stores were asked, and the objects of these.
    mutating func leaveOut(_ stores: Set<Int32>) {
        parts.removeAll { stores.contains($0.store) }
        lastPart = nil
        others.removeAll { $0._withUnsafeGuaranteedRef { stores.contains($0.store) } }
    }

    fileprivate mutating func check(_ row: RowChange) {
        part(of: row.reference.store)._withUnsafeGuaranteedRef { $0.checked.append(row) }
    }

    /// One store's part, which ``parts`` keeps.
    private mutating func part(of store: Int32) -> Unmanaged<Part> {
        if let lastPart, lastPart.store == store { return lastPart.part }
        let part = Unmanaged.passUnretained(parts.first { $0.store == store } ?? addPart(store))
        lastPart = (store, part)
        return part
    }

    private mutating func addPart(_ store: Int32) -> Part {
        let new = Part(store: store)
        parts.append(new)
        return new
    }
}

/// Changes of rows by the place of their object.
private struct PreparedChanges {
    /// In the order of their places.
    private var changes: [(place: Int, change: RowChange)] = []

    /// Notes a change at a place behind all that are noted.
    mutating func add(_ change: RowChange, at place: Int) { changes.append((place, change)) }

    subscript(place: Int) -> RowChange? {
        if changes.isEmpty { return nil }
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low < changes.count && changes[low].place == place ? changes[low].change : nil
    }
}

extension NSManagedObjectContext {
    /// Sorts the changes of all objects by store and kind.
    ///
    /// - Parameter assigned: The permanent keys of new objects, which already have them.
    /// - Throws: `NSManagedObjectExternalRelationshipError` (133010) for a relationship between two stores; a
    ///   transformable's value that gives no data.
    func plan(_ objects: ContiguousArray<NSManagedObject>, _ assigned: KeyAssignment) throws -> SavePlan {
        var plan = SavePlan(assigned)
        try objects.forEachUnretained { if $0.isChanged { try plan.add($0) } }
        for object in unsaved.conflictChecks where !object.isChanged && object.contextStorage === self {
            plan.check(try object.unchangedRow())
        }
        for object in plan.related.relied(on: objects) { plan.check(try object.unchangedRow()) }
        for object in plan.related.required(in: self, unless: \.isCompared) {
            // One that was found gone is not what others have brought back meanwhile.
            let isGone = object.state.contains(.inaccessible)
            plan.check(object.unchangedRow(isGone ? nil : try source.freshRow(for: object.reference)))
        }
        plan.sort()
        return plan
    }
}

extension SavePlan.Part {
    fileprivate func insert(_ object: NSManagedObject, _ assigned: KeyAssignment) throws {
        if object.isPlain {
            object.replaceReferencesToMembers(assigned)
        } else {
            preparedInserts.add(try object.rowChange(assigned), at: inserted.count)
        }
        inserted.append(.passUnretained(object))
    }

    fileprivate func update(_ object: NSManagedObject, _ assigned: KeyAssignment) throws {
        if object.isPlain, object.row != nil {
            object.replaceReferencesToMembers(assigned)
        } else {
            preparedUpdates.add(try object.rowChange(assigned), at: updated.count)
        }
        updated.append(.passUnretained(object))
    }

    /// What the store is asked.
    ///
    /// Plain changes are put together when the store comes to them: one pass over the objects, while their values are
    /// at hand anyway. With a second store they are put together before, so that what can't be saved is found while
    /// nothing is written.
    fileprivate func changes(_ assigned: KeyAssignment, areAllPrepared: Bool) throws -> StoreChanges {
        // The context keeps the objects.
        func list(_ objects: [Unmanaged<NSManagedObject>], _ prepared: PreparedChanges) throws -> RowChanges {
            func change(_ index: Int) throws -> RowChange {
                if let known = prepared[index] { return known }
                return try objects[index]._withUnsafeGuaranteedRef { try $0.rowChange(assigned) }
            }
            if areAllPrepared { return RowChanges(try objects.indices.map(change)) }
            func plainRow(_ index: Int) -> PlainRow? {
                if prepared[index] != nil { return nil }
                return objects[index]._withUnsafeGuaranteedRef { $0.plainRow(assigned) }
            }
            return RowChanges(count: objects.count, plainRow: plainRow, change)
        }
        var changes = StoreChanges()
        changes.inserts = try list(inserted, preparedInserts)
        changes.updates = try list(updated, preparedUpdates)
        changes.deletes = RowChanges(
            count: deleted.count,
            plainRow: { [deleted] in deleted[$0]._withUnsafeGuaranteedRef { $0.plainDeletion } },
            { [deleted] in try deleted[$0]._withUnsafeGuaranteedRef { try $0.unchangedRow() } })
        changes.checks = RowChanges(checked)
        return changes
    }
}

extension NSManagedObject {
    /// The row as this context last saw it, and nothing that changes in it.
    fileprivate func unchangedRow() throws -> RowChange {
        try readRow()
        return unchangedRow(snapshot)
    }

    /// A row, and nothing that changes in it.
    fileprivate func unchangedRow(_ row: RowSnapshot?) -> RowChange {
        RowChange(reference: reference, layout: layout, snapshot: row, values: .make(slotCount: 0), members: [])
    }

    /// Whether the change of the row follows from the object's values alone: nothing has to be read or archived for it.
    fileprivate var isPlain: Bool {
        !table.pointee.requirements.contains(.conversion)
            && recordReference?._withUnsafeGuaranteedRef { record in
                record.hasNoCaches || !record.changesMembers(in: layout) { !isKept(inRowsOfMembers: $0) }
            } ?? false
    }

    fileprivate func rowChange(_ assigned: KeyAssignment) throws -> RowChange {
        replaceReferences(assigned)
        let isUpdate = !state.contains(.inserted)
        if isUpdate { try readRow() }
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

    /// The row as this context last saw it, which is to be deleted.
    fileprivate var plainDeletion: PlainRow {
        PlainRow(key: key, layout: table.pointee.layout, snapshot: row.map { .fromOpaque($0) }, values: nil)
    }

    /// The object's change where all values go out as they are; nil where some need a closer look.
    fileprivate func plainRow(_ assigned: KeyAssignment) -> PlainRow? {
        guard isPlain, let values = recordReference else { return nil }
        let isUpdate = !state.contains(.inserted)
        let isReady = values._withUnsafeGuaranteedRef { record in
            let isDerivedByStore = table.pointee.layout._withUnsafeGuaranteedRef { layout in
                layout.derivedSlots.isEmpty || layout.derivedSlots.allSatisfy { record.isUnset($0.index) }
            }
            return isDerivedByStore
                && record.withValues { values in
                    table.pointee.toOnes.allSatisfy { follow(&values[$0], assigned) }
                        && (!isUpdate
                            || values.indices.allSatisfy { values[$0].isUnset || !isUnchanged($0, values[$0]) })
                }
        }
        guard isReady else { return nil }
        return PlainRow(
            key: key, layout: table.pointee.layout, snapshot: isUpdate ? row.map { .fromOpaque($0) } : nil,
            values: values)
    }

    /// Replaces a reference to an object that got its key with this save.
    ///
    /// - Returns: False where the reference can't be stored as it is.
    private func follow(_ value: inout Slot, _ assigned: KeyAssignment) -> Bool {
        guard case .reference(let old) = value else { return true }
        if !old.isTemporary { return old.store == store }
        guard let new = assigned.replacement(of: old) else { return false }
        value = .reference(new)
        return new.store == store
    }

    /// A value as a store takes it; `.unset` for one that is not stored, or not changed.
    private func storable(_ value: Slot, _ slot: PropertySlot, isUpdate: Bool) throws -> Slot {
        if slot.isTransient || slot.cell < 0 || isUpdate && isUnchanged(slot, value) { return .unset }
        return try storable(value, slot)
    }

    private func storable(_ value: Slot, _ slot: PropertySlot) throws -> Slot {
        guard case .reference(let destination) = value else { return try slot.storable(value) }
        if destination.isTemporary { return .null }
        try checkStore(of: destination, slot)
        return value
    }

    private func memberChange(_ slot: PropertySlot) throws -> MemberChange? {
        guard !slot.isTransient, let state = record?.cache(slot.index, as: ToManyState.self), state.isChanged else {
            return nil
        }
        try state.forEachAddition { try checkStore(of: $0, slot) }
        if isKept(inRowsOfMembers: slot) { return MemberChange(slot: slot, added: [], removed: [], order: nil) }
        let order = slot.kind == .orderedToMany ? members(slot) : nil
        if state.removed.isEmpty { return MemberChange(slot: slot, added: state.added, removed: [], order: order) }
        // What was taken out and put back only changed its place.
        let added = ReferenceSet(state.added)
        return MemberChange(
            slot: slot, added: state.added.filter { !state.removed.contains($0) },
            removed: state.removed.members.filter { !added.contains($0) }, order: order)
    }

    /// Whether the members' own rows say that they are members, which are written by the same save.
    private func isKept(inRowsOfMembers slot: PropertySlot) -> Bool {
        guard slot.kind == .toMany, slot.inverse >= 0 else { return false }
        let inverse = layout.model[slot.destination].slots[slot.inverse]
        return inverse.kind == .toOne && inverse.isStoredInRow
    }

    private func checkStore(of destination: ObjectReference, _ slot: PropertySlot) throws {
        guard destination.store != store else { return }
        throw NSError.cocoa(
            NSManagedObjectExternalRelationshipError,
            "\"\(slot.name)\" of \(layout.name) points to an object of another store; use a fetched property to reach across stores.",
            userInfo: [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: slot.name])
    }
}
