import FoundationGaps

/// Turns what an app gives for the properties of a batch's rows into what a store takes.
struct BatchValues {
    let layout: EntityLayout
    let coordinator: NSPersistentStoreCoordinator
    /// The store that the rows are in.
    let store: NSPersistentStore

    /// The property that an app names, if a batch can set it.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070).
    func slot(_ name: String) throws -> PropertySlot {
        guard let slot = layout.slot(named: name) else {
            let names = layout.slots.map(\.name).sorted().joined(separator: ", ")
            throw BatchFailure.property(name, layout, "the entity has no such property; it has \(names)")
        }
        if let reason = slot.reasonAgainstBatches { throw BatchFailure.property(name, layout, reason) }
        return slot
    }

    /// A value of a property as a row holds it.
    ///
    /// - Throws: `NSManagedObjectValidationError` (1550) for a value of another type.
    func stored(_ value: Any, _ slot: PropertySlot) throws -> Slot {
        if slot.kind == .toOne { return try destination(value, slot) }
        guard let stored = try slot.stored(value) else { throw BatchFailure.value(value, slot, layout) }
        return stored
    }

    private func destination(_ value: Any, _ slot: PropertySlot) throws -> Slot {
        if value is NSNull { return .null }
        let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID
        guard let id, !id.isTemporaryID else { throw BatchFailure.value(value, slot, layout) }
        let reference = coordinator.reference(of: id)
        guard reference.store == store.token.number,
            coordinator.layouts[reference.entity].isKind(of: coordinator.layouts[slot.destination])
        else { throw BatchFailure.value(value, slot, layout) }
        return .reference(reference)
    }
}

extension PropertySlot {
    /// Why a batch can't set the property; nil where it can.
    fileprivate var reasonAgainstBatches: String? {
        switch kind {
        case .toMany, .orderedToMany: "it is a to-many relationship; set the relationship at its other end"
        case .fetched: "it is a fetched property"
        case .toOne where isPair: "it is to-one at both ends, and rows at the other end would have to change, too"
        case _ where property is NSDerivedAttributeDescription: "the store derives it"
        case _ where isTransient: "it is transient, and no store has its values"
        default: nil
        }
    }
}
