import FoundationGaps

/// Reads managed objects for predicates that are evaluated in memory: attributes straight from their slots, without
/// boxes, across relationships too. All else, such as `@count`, goes through key-value coding.
final class SlotReader: PredicateReader, Sendable {
    static let shared = SlotReader()

    func value(of object: AnyObject, at path: PredicateKeyPath) -> PredicateValue? {
        (object as? NSManagedObject).flatMap { value(of: $0, at: path.keys[...]) }
    }

    private func value(of owner: NSManagedObject, at keys: ArraySlice<String>) -> PredicateValue? {
        guard let key = keys.first, let slot = owner.readableSlot(key) else { return nil }
        let rest = keys.dropFirst()
        if rest.isEmpty { return owner.predicateValue(slot) }
        switch slot.kind {
        case .toOne: return owner.destination(slot).map { value(of: $0, at: rest) } ?? .null
        case .toMany, .orderedToMany:
            // Without members there is no object to ask for `@count`.
            if rest.contains(where: { $0.hasPrefix("@") }) { return nil }
            return values(of: owner.memberObjects(slot), at: rest, isOrdered: slot.kind != .toMany)
        default: return nil
        }
    }

    private func values(of members: [NSManagedObject], at keys: ArraySlice<String>, isOrdered: Bool) -> PredicateValue?
    {
        var values: [PredicateValue] = []
        for member in members {
            guard let value = value(of: member, at: keys) else { return nil }
            values.append(value)
        }
        return .distinct(values, isOrdered: isOrdered)
    }
}

extension NSManagedObject {
    /// The slot of a key, unless the class has its own idea of what key-value coding gives.
    fileprivate func readableSlot(_ key: String) -> PropertySlot? {
        layout.overrides.contains(.valueForKey) ? nil : layout.slot(named: key)
    }

    fileprivate func predicateValue(_ slot: PropertySlot) -> PredicateValue? {
        switch slot.kind {
        case .toOne: return destination(slot).map { .object($0) } ?? .null
        case .toMany, .orderedToMany, .fetched, .composite, .transformable, .undefined, .objectID: return nil
        default: break
        }
        fireIfNeeded(slot.index)
        switch current(slot) {
        case .int(let value): return .integer(value)
        case .double(let value):
            return slot.kind == .date ? .date(Date(timeIntervalSinceReferenceDate: value)) : .double(value)
        case .string(let value): return .string(value)
        case .data(let value): return .data(value)
        case .uuid(let value): return .uuid(value)
        case .object(let value): return PredicateValue(value)
        case .unset, .null, .reference: return .null
        }
    }
}

extension NSManagedObject: SortableObject {
    func sortValue(at path: PredicateKeyPath) -> PredicateValue {
        SlotReader.shared.value(of: self, at: path) ?? PredicateValue(value(forKeyPath: path.text))
    }
}

// Predicates know objects by their IDs: an object and its ID are the same to them, and so are its instances in several
// contexts.

extension NSManagedObject: PredicateIdentity {
    package var predicateIdentity: AnyObject { ownID }
    package var isPredicateIdentityTemporary: Bool { reference.isTemporary }
}

extension NSManagedObjectID: PredicateIdentity {
    package var predicateIdentity: AnyObject { self }
    package var isPredicateIdentityTemporary: Bool { false }
}
