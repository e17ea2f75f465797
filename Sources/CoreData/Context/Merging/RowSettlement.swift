import FoundationGaps

/// Gives objects the rows that their store has now, under what this context changed, as far as a merge policy lets that
/// stand.
///
/// Attributes are each object's own affair. A relationship has two ends. Their rows may be of different ages, while a
/// policy looks at one object at a time: so changes of relationships are taken down and back before any row is taken,
/// and made again afterwards (``RelationshipChanges``). Both ends agree then, and no relationship leads to an object
/// that is gone.
struct RowSettlement {
    /// An object with a changed row.
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
            if let row { object.take(row) } else { context.dismiss([object]) }
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
        for settled in cases {
            if settled.object.isObserved {
                settled.object.tellingObserversOfAll { takeRow(settled) }
            } else {
                takeRow(settled)
            }
        }
        changes.makeAgain()
    }

    private func takeRow(_ settled: Case) {
        let object = settled.object
        switch (settled.fate, settled.row) {
        case (.changed, let row?): object.settleAttributes(row, by: settled.type)
        case (.deleted, let row?):
            object.forgetEqualValues()
            object.forgetDestinations(context.undoing.recorder)
            object.outdateMembers()
            object.take(row)
        case (.returned, let row?):
            context.refresh(object, mergeChanges: false)
            object.take(row)
        case (.inserted, _): object.becomeNew()
        case (.lost, _), (_, nil): object.becomeLost()
        }
    }
}

extension NSManagedObject {
    /// Takes a row, under those changed attributes that a policy lets stand.
    fileprivate func settleAttributes(_ row: RowSnapshot, by type: NSMergePolicyType) {
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
        take(row)
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
        return !isUnchanged(slot, record[slot.index], in: row) && !isUnchanged(slot, snapshotValue(slot), in: row)
    }

    /// Whether a row has a value.
    func isUnchanged(_ slot: PropertySlot, _ value: Slot, in row: RowSnapshot) -> Bool {
        let own = snapshot
        defer { snapshot = own }
        snapshot = row
        return isUnchanged(slot, value)
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
