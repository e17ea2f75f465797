import FoundationGaps

/// Gives objects the rows that their store has now, under what this context changed, as far as a merge policy lets that
/// stand.
///
/// Attributes are each object's own affair. A relationship has two ends, whose rows may be of different ages, while a
/// policy looks at one object at a time: so changes of relationships are taken down and back before any row is taken,
/// and made again afterwards (``RelationshipChanges``). Both ends agree then, and no relationship leads to an object
/// that is gone.
struct RowMerge {
    /// An object whose row changed.
    struct Case {
        let object: NSManagedObject
        /// Nil: the row is gone.
        let row: RowSnapshot?
        let type: NSMergePolicyType
        let fate: Fate
    }

    /// What becomes of an object.
    enum Fate {
        /// It takes the row under what was changed here.
        case changed
        /// It is deleted here, and stays so.
        case deleted
        /// It is deleted here, or was found gone, and is back as the store has it.
        case returned
        /// It is deleted in the store, and goes.
        case lost
        /// It is deleted in the store, and is inserted again, under the key that it had.
        case inserted
    }

    private let context: NSManagedObjectContext
    private var cases: [Case] = []

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// Adds an object. Its row is not as it was seen here.
    mutating func add(_ object: NSManagedObject, _ row: RowSnapshot?, _ type: NSMergePolicyType) {
        guard object.isChanged, row != nil || !object.state.contains(.inaccessible) else {
            // The context only relied on the object.
            if let row { object.updateRow(row) } else { context.dismiss([object]) }
            return
        }
        if object.state.contains(.inserted), row != nil { object.becomeUpdate() }
        guard let fate = Self.fate(of: object, row, type) else { return }
        cases.append(Case(object: object, row: row, type: type, fate: fate))
    }

    private static func fate(of object: NSManagedObject, _ row: RowSnapshot?, _ type: NSMergePolicyType) -> Fate? {
        if object.state.contains(.inaccessible) { return row == nil ? nil : .returned }
        if object.state.contains(.deleted) {
            if row != nil { return type.favoursObject ? .deleted : .returned }
            // There is nothing left to delete.
            object.state.insert(.inaccessible)
            return nil
        }
        if row != nil { return .changed }
        return type.favoursObject ? .inserted : .lost
    }

    func run() {
        let cases = cases.filter { $0.object.contextStorage === context }
        if cases.isEmpty { return }
        var changes = RelationshipChanges(context, cases)
        for merged in cases {
            if merged.object.isObserved {
                merged.object.tellingObserversOfAll { takeRow(merged) }
            } else {
                takeRow(merged)
            }
        }
        changes.makeAgain()
    }

    private func takeRow(_ merged: Case) {
        let object = merged.object
        switch (merged.fate, merged.row) {
        case (.changed, let row?): object.mergeAttributes(row, by: merged.type)
        case (.deleted, let row?):
            object.forgetEqualValues()
            object.forgetDestinations(context.undoing.recorder)
            object.outdateMembers()
            object.updateRow(row)
        case (.returned, let row?):
            context.refresh(object, mergeChanges: false)
            object.updateRow(row)
        case (.inserted, _): object.becomeNew()
        case (.lost, _), (_, nil): object.becomeLost()
        }
    }
}

extension NSManagedObject {
    /// Takes a row, under those changed attributes that a policy lets stand.
    fileprivate func mergeAttributes(_ row: RowSnapshot, by type: NSMergePolicyType) {
        if type != .overwriteMergePolicyType { forgetEqualValues() }
        for slot in layout.slots where slot.isStoredInRow && slot.kind != .toOne {
            switch type {
            case .errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType: break
            case .mergeByPropertyStoreTrumpMergePolicyType: if isConflicting(slot, row) { forget(slot) }
            case .overwriteMergePolicyType: adoptAsChange(slot)
            case .rollbackMergePolicyType: forget(slot)
            }
        }
        outdateMembers()
        updateRow(row)
    }

    /// Forgets what was made of to-one relationships: a deleted object's rules go by the destinations that its new row
    /// has.
    ///
    /// An example: its owner was deleted, too, so that it has none here. The row may have another owner by now. That
    /// owner's members must forget it.
    fileprivate func forgetDestinations(_ recorder: UndoRecorder?) {
        guard let record else { return }
        for slot in layout.slots where slot.kind == .toOne && slot.isStoredInRow && !record.isUnset(slot.index) {
            recorder?.willForget(self, slot)
            record[slot.index] = .unset
        }
    }

    /// Whether both this context and the store changed a property, and not to the same value.
    func isConflicting(_ slot: PropertySlot, _ row: RowSnapshot) -> Bool {
        guard let record, !record.isUnset(slot.index), !isUnchanged(slot, record[slot.index]) else { return false }
        return !isUnchanged(slot, record[slot.index], in: row) && !isSame(slot, in: row)
    }

    /// Whether a row has the value that the object's own row has.
    private func isSame(_ slot: PropertySlot, in row: RowSnapshot) -> Bool {
        guard slot.isExternal, let own = snapshot else { return isUnchanged(slot, snapshotValue(slot), in: row) }
        let old = own.isNull(slot.cell) ? nil : own.data(slot.cell)
        let new = row.isNull(slot.cell) ? nil : row.data(slot.cell)
        if old == new { return true }
        guard let old, let new else { return false }
        // What the own row names may be gone from the store. A parent, though, has data in its row that the store has
        // elsewhere.
        let isServed = contextStorage?.parentContext != nil && (old.first == 1 || new.first == 1)
        return isServed && isUnchanged(slot, snapshotValue(slot), in: row)
    }

    /// Whether a row has a value.
    func isUnchanged(_ slot: PropertySlot, _ value: Slot, in row: RowSnapshot) -> Bool {
        let own = snapshot
        defer { snapshot = own }
        snapshot = row
        return isUnchanged(slot, value)
    }

    /// Forgets what this context made of a value; nothing follows.
    func forget(_ slot: PropertySlot) {
        mutableRecord[slot.index] = .unset
        mutableRecord.setCache(slot.index, nil)
    }

    /// Makes a stored value one that this context changed, so that a save writes it.
    private func adoptAsChange(_ slot: PropertySlot) {
        if mutableRecord.isUnset(slot.index) { mutableRecord[slot.index] = snapshotValue(slot) }
    }

    /// Has the members of relationships be asked for anew.
    fileprivate func outdateMembers() {
        for slot in layout.toManySlots where !slot.isTransient {
            record?.cache(slot.index, as: ToManyState.self)?.outdate(forgettingOrder: true)
        }
    }

    /// The object was to be inserted again after a deletion, and another context has inserted it already. The values
    /// that were set here change that row.
    fileprivate func becomeUpdate() {
        let record = mutableRecord
        for slot in layout.slots where slot.isStoredInRow {
            if case .null = record[slot.index] { record[slot.index] = .unset }
        }
        // The app did not set a default.
        for (index, value) in table.pointee.defaults where !record.wasSet(index) && record[index].isEqual(to: value) {
            record[index] = .unset
        }
        record.header.lostVersion = 0
        state.remove(.inserted)
        state.insert(.updated)
    }

    /// The row is gone, and is to be written again with all values.
    fileprivate func becomeNew() {
        for slot in layout.slots where slot.isStoredInRow {
            if slot.kind == .toOne { mutableRecord[slot.index] = .null } else { adoptAsChange(slot) }
        }
        for slot in layout.toManySlots where !slot.isTransient {
            mutableRecord.setCache(slot.index, ToManyState(stored: [], isOrdered: slot.kind == .orderedToMany))
        }
        loseRow()
        state.remove(.updated)
        state.insert(.inserted)
    }

    /// The row is gone, and so is the object with the next save. No relationship leads to it any longer, so no delete
    /// rule has to run.
    fileprivate func becomeLost() {
        for slot in layout.slots where !slot.isTransient && slot.isStoredInRow { forget(slot) }
        state.formUnion([.realized, .inaccessible])
        contextStorage?.delete(self)
        state.insert(.propagated)
        showTornDownRelationships()
    }
}

extension NSManagedObjectContext {
    /// Resolves conflicts of rows as a standard merge policy does.
    ///
    /// - Throws: What reading rows ran into.
    static func resolveRowConflicts(_ conflicts: [NSMergeConflict], by type: NSMergePolicyType) throws {
        var rest = conflicts.filter { $0.sourceObject.contextStorage != nil }
        while let context = rest.first?.sourceObject.contextStorage {
            let own = rest.filter { $0.sourceObject.contextStorage === context }
            rest.removeAll { $0.sourceObject.contextStorage === context }
            var merge = RowMerge(context)
            for conflict in own {
                let object = conflict.sourceObject
                merge.add(
                    object, try conflict.foundRow ?? context.source.freshRow(for: object.reference), type)
            }
            merge.run()
            for conflict in own where conflict.sourceObject.contextStorage != nil {
                conflict.sourceObject.awake(fromSnapshotEvents: .mergePolicy)
            }
        }
    }

    /// After a policy has resolved conflicts: what is still changed is changed against the rows as they are now.
    func rebase(_ conflicts: [NSMergeConflict]) {
        var merge = RowMerge(self)
        for conflict in conflicts {
            let object = conflict.sourceObject
            guard object.contextStorage === self, let row = conflict.foundRow,
                row != nil || !object.state.contains(.inserted), row?.version != object.snapshot?.version
            else { continue }
            merge.add(object, row, .mergeByPropertyObjectTrumpMergePolicyType)
        }
        merge.run()
        forgetUnchanged()
    }
}
