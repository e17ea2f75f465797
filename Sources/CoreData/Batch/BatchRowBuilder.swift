import FoundationGaps

/// The row of a batch insertion that a tool fills: values that are already what a row holds, without a dictionary
/// between.
package final class BatchRowBuilder {
    private let values: BatchValues
    private let conflict: StoreBatchInsertion.Conflict
    private let defaults: UnsafeBufferPointer<(index: Int, value: Slot)>
    private var record: ChangeRecord

    init(_ values: BatchValues, _ conflict: StoreBatchInsertion.Conflict) {
        (self.values, self.conflict) = (values, conflict)
        defaults = values.layout.table.pointee.defaults
        record = ChangeRecord.make(slotCount: values.layout.slots.count)
    }

    /// The entity of the rows.
    package var layout: EntityLayout { values.layout }

    /// The property of that name, or the element of a composite attribute at that path, if a batch can set it.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070).
    package func slot(named name: String) throws -> PropertySlot { try values.slot(name) }

    /// Sets the value of a slot, which has to be of the slot's kind.
    @inline(__always)
    package func set(_ slot: Int, _ value: Slot) { record[slot] = value }

    /// Whether the row has a value, or nil, in the slot.
    @inline(__always)
    package func isSet(_ slot: Int) -> Bool { !record.isUnset(slot) }

    /// The value that the model gives to rows without one; null where it has none.
    ///
    /// - Throws: 1550 for a transformable's default that gives no data.
    package func defaultValue(of slot: PropertySlot) throws -> Slot {
        guard let value = defaults.first(where: { $0.index == slot.index })?.value else { return .null }
        return try slot.storable(value)
    }

    /// Forgets the row before.
    ///
    /// A store has written it, and rarely keeps the record: a new one costs more than the values do.
    func begin() {
        guard isKnownUniquelyReferenced(&record) else {
            record = ChangeRecord.make(slotCount: layout.slots.count)
            return
        }
        record.withValues { $0.update(repeating: .unset) }
    }

    /// The row as a store takes it.
    func row() throws -> BatchRow {
        let given = conflict == .setsGivenValues ? record.copyOfValues() : record
        for (index, value) in defaults where record.isUnset(index) {
            record[index] = try layout.slots[index].storable(value)
        }
        if conflict == .setsAllValues { record.fillWithNull(layout) }
        return BatchRow(values: record, given: given)
    }
}

extension NSBatchInsertRequest {
    /// A request for rows that come one by one as values.
    ///
    /// - Parameter handler: Sets the values of the next row, and returns false; returns true when there are no more
    ///   rows. What it throws ends the transaction: nothing is inserted.
    package convenience init(entityName: String, rowHandler handler: @escaping (BatchRowBuilder) throws -> Bool) {
        self.init(entityName: entityName, objects: [])
        rowHandler = handler
    }
}
