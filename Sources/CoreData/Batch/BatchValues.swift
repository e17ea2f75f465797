import FoundationGaps

/// Turns what an app gives for the properties of a batch's rows into what a store takes.
final class BatchValues {
    let layout: EntityLayout
    private let coordinator: NSPersistentStoreCoordinator
    /// The store that the rows are in.
    private let store: NSPersistentStore
    /// The properties that rows named, by their names.
    private var known: [String: PropertySlot] = [:]

    init(layout: EntityLayout, coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
        (self.layout, self.coordinator, self.store) = (layout, coordinator, store)
    }

    /// The property that an app names, if a batch can set it.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070).
    func slot(_ name: String) throws -> PropertySlot {
        if let slot = known[name] { return slot }
        guard let slot = layout.slot(named: name) else {
            let names = layout.slots.map(\.name).sorted().joined(separator: ", ")
            throw BatchFailure.property(name, layout, "the entity has no such property; it has \(names)")
        }
        if let reason = slot.reasonAgainstBatches { throw BatchFailure.property(name, layout, reason) }
        known[name] = slot
        return slot
    }

    /// A value of a property as a row holds it.
    ///
    /// - Throws: `NSManagedObjectValidationError` (1550) for a value of another type.
    func stored(_ value: Any, _ slot: PropertySlot) throws -> Slot {
        if let value = Self.plain(value, slot.kind) { return value }
        if slot.kind == .toOne { return try destination(value, slot) }
        guard let stored = try slot.stored(value) else { throw BatchFailure.value(value, slot, layout) }
        return stored
    }

    /// A Swift value of just the property's type; nil for all others, which need a closer look.
    ///
    /// A cast that has to bridge takes longer than writing the value does.
    @inline(__always)
    private static func plain(_ value: Any, _ kind: SlotKind) -> Slot? {
        switch kind {
        case .string: exact(value, String.self).map { .string($0) }
        case .int16: exact(value, Int16.self).map { .int(Int64($0)) } ?? fitting(value, Int16.self)
        case .int32: exact(value, Int32.self).map { .int(Int64($0)) } ?? fitting(value, Int32.self)
        case .int64: exact(value, Int64.self).map { .int($0) } ?? fitting(value, Int64.self)
        case .boolean: exact(value, Bool.self).map { .int($0 ? 1 : 0) }
        case .double: exact(value, Double.self).flatMap { $0.isNaN ? nil : .double($0) }
        case .date: exact(value, Date.self).map { .double($0.timeIntervalSinceReferenceDate) }
        case .binary: exact(value, Data.self).map { .data($0) }
        case .uuid: exact(value, UUID.self).map { .uuid($0) }
        default: nil
        }
    }

    @inline(__always)
    private static func exact<Value>(_ value: Any, _ type: Value.Type) -> Value? {
        Swift.type(of: value) == type ? value as? Value : nil
    }

    @inline(__always)
    private static func fitting<Width: FixedWidthInteger>(_ value: Any, _ width: Width.Type) -> Slot? {
        exact(value, Int.self).flatMap { width.init(exactly: $0) }.map { .int(Int64($0)) }
    }

    private func destination(_ value: Any, _ slot: PropertySlot) throws -> Slot {
        if value is NSNull { return .null }
        let id = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID
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
