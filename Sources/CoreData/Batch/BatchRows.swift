import FoundationGaps

/// The rows of a batch insertion, as a store takes them, made of what the app gives.
struct BatchRows {
    private let values: BatchValues
    private let conflict: StoreBatchInsertion.Conflict
    private let builder: BatchRowBuilder

    init(_ values: BatchValues, _ conflict: StoreBatchInsertion.Conflict) {
        (self.values, self.conflict) = (values, conflict)
        builder = BatchRowBuilder(values, conflict)
    }

    private var layout: EntityLayout { values.layout }

    /// The row that a dictionary describes.
    ///
    /// - Throws: As ``BatchValues``.
    func row(of dictionary: [String: Any]) throws -> BatchRow {
        builder.begin()
        for (key, value) in dictionary { try set(value, values.slot(key)) }
        return try builder.row()
    }

    /// The row that a handler has filled a dictionary for.
    ///
    /// - Throws: As ``BatchValues``.
    func row(of dictionary: BatchDictionary) throws -> BatchRow {
        builder.begin()
        for (place, value) in dictionary.values.enumerated() {
            if let value { try set(value, values.slot(dictionary.keys[place], at: place)) }
        }
        return try builder.row()
    }

    private func set(_ value: Any, _ slot: PropertySlot) throws {
        guard slot.kind == .composite else { return builder.set(slot.index, try values.stored(value, slot)) }
        guard let elements = value is NSNull ? [:] : value as? [String: Any] else {
            throw BatchFailure.value(value, slot, layout)
        }
        for index in slot.elements {
            let element = layout.slots[index]
            let value = elements.value(path: element.pathBelow(slot)) ?? NSNull()
            builder.set(index, try values.stored(value, element))
        }
    }

    /// The row that an object of no context describes.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) for an object that is related to another one.
    func row(of object: NSManagedObject) throws -> BatchRow {
        object.fireIfNeeded()
        let record = object.mutableRecord
        guard object.contextReference == nil, !object.isRelated(record) else { throw BatchFailure.related(layout) }
        for slot in layout.transformableSlots { record[slot.index] = try slot.storable(record[slot.index]) }
        for slot in layout.derivedSlots { record[slot.index] = .unset }
        if conflict == .setsGivenValues || conflict == .setsAllValues { record.fillWithNull(layout) }
        return BatchRow(values: record, given: record)
    }
}

extension ChangeRecord {
    /// Sets all attributes of a batch's row that have no value to nil.
    func fillWithNull(_ layout: EntityLayout) {
        for slot in layout.slots where slot.isStoredInRow && slot.kind.isAttribute && isUnset(slot.index) {
            if !(slot.property is NSDerivedAttributeDescription) { self[slot.index] = .null }
        }
    }
}

extension NSManagedObject {
    /// Whether a relationship leads to another object.
    fileprivate func isRelated(_ record: ChangeRecord) -> Bool {
        let layout = layout
        return layout.toOneSlots.contains { record[$0.index].destination != nil }
            || layout.toManySlots.contains { !(record.cache($0.index, as: ToManyState.self)?.members.isEmpty ?? true) }
    }
}
