import FoundationGaps

/// Turns what an app gives for the properties of a batch's rows into what a store takes.
final class BatchValues {
    let layout: EntityLayout
    private let coordinator: NSPersistentStoreCoordinator
    /// The store that the rows are in.
    private let store: NSPersistentStore
    /// The properties that rows named so far. Names are compared and not hashed: with few of them, that is faster.
    ///
    /// Exclusive access is not checked at run time: one thread makes the rows, and no method calls foreign code while
    /// it changes the list.
    @exclusivity(unchecked) private var known: [(name: String, slot: PropertySlot)] = []
    /// The places of names among many.
    private var places: [String: Int] = [:]
    private static let few = 16

    init(layout: EntityLayout, coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
        (self.layout, self.coordinator, self.store) = (layout, coordinator, store)
    }

    /// The property that an app names, if a batch can set it.
    ///
    /// - Parameter place: Where it is expected among those that rows named so far.
    /// - Throws: `NSPersistentStoreOperationError` (134070).
    func slot(_ name: String, at place: Int = 0) throws -> PropertySlot {
        if place < known.count, known[place].name == name { return known[place].slot }
        let found = known.count <= Self.few ? known.firstIndex { $0.name == name } : places[name]
        if let found { return known[found].slot }
        let slot = try newSlot(name)
        places[name] = known.count
        known.append((name, slot))
        return slot
    }

    private func newSlot(_ name: String) throws -> PropertySlot {
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
        case .string: exactly(value, String.self).map { .string($0) }
        case .int16: exactly(value, Int16.self).map { .int(Int64($0)) } ?? fitting(value, Int16.self)
        case .int32: exactly(value, Int32.self).map { .int(Int64($0)) } ?? fitting(value, Int32.self)
        case .int64: exactly(value, Int64.self).map { .int($0) } ?? fitting(value, Int64.self)
        case .boolean: exactly(value, Bool.self).map { .int($0 ? 1 : 0) }
        case .double: exactly(value, Double.self).flatMap { $0.isNaN ? nil : .double($0) }
        case .date: exactly(value, Date.self).map { .double($0.timeIntervalSinceReferenceDate) }
        case .binary: exactly(value, Data.self).map { .data($0) }
        case .uuid: exactly(value, UUID.self).map { .uuid($0) }
        default: nil
        }
    }

    @inline(__always)
    private static func fitting<Width: FixedWidthInteger>(_ value: Any, _ width: Width.Type) -> Slot? {
        exactly(value, Int.self).flatMap { width.init(exactly: $0) }.map { .int(Int64($0)) }
    }

    private func destination(_ value: Any, _ slot: PropertySlot) throws -> Slot {
        if value is NSNull { return .null }
        let id =
            exactly(value, NSManagedObjectID.self) ?? value as? NSManagedObjectID
            ?? (value as? NSManagedObject)?.objectID
        guard let id, !id.isTemporaryID else { throw BatchFailure.value(value, slot, layout) }
        let reference = coordinator.reference(of: id)
        guard reference.store == store.token.number, leads(slot, to: reference) else {
            throw BatchFailure.value(value, slot, layout)
        }
        return .reference(reference)
    }

    private func leads(_ slot: PropertySlot, to reference: ObjectReference) -> Bool {
        reference.entity == slot.destination
            || coordinator.layouts[reference.entity].isKind(of: coordinator.layouts[slot.destination])
    }
}

/// The value, if its type is just this one. A cast looks for ways to bridge, which takes longer than writing the value
/// does.
@inline(__always)
func exactly<Value>(_ value: Any, _ type: Value.Type) -> Value? {
    func opened<Given>(_ given: Given) -> Value? { unsafeBitCast(given, to: Value.self) }
    return Swift.type(of: value) == type ? _openExistential(value, do: opened) : nil
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
