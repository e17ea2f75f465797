import FoundationGaps

/// Rows that a save leaves alone and relies on.
///
/// An object is not written if its relationship was set to what its row has, while the object at the other end is, or
/// is deleted: the row may be an older one than the store's, which says otherwise. And a new member, or a new
/// destination, that was related already as far as it knows is not written either: it may be gone. The two ends would
/// disagree then, or one point to nothing. So the former's row has to be as it was seen, and the latter's has to be
/// there.
struct RelatedRows {
    private var candidates: [NSManagedObject] = []
    private var others: Set<ObjectReference> = []

    /// Takes an object in of which nothing is written.
    mutating func add(unwritten object: NSManagedObject) {
        if object.isRelatedAsItWas { candidates.append(object) }
    }

    /// Adds a new object, with the references that it is written with.
    mutating func add(inserted object: NSManagedObject) {
        addMembers(of: object) { $0?.kind.isToMany ?? false }
    }

    /// Takes an object in that changes. Of a new one the other ends change, too.
    mutating func add(updated object: NSManagedObject) {
        addMembers(of: object) { $0?.kind.isToMany ?? false }
        addDestinations(of: object) { $0.inverse >= 0 }
    }

    /// Adds an object with changes that a parent makes again, from whichever end they were made.
    mutating func add(handed object: NSManagedObject) {
        addMembers(of: object) { _ in true }
        addDestinations(of: object) { _ in true }
    }

    private mutating func addMembers(of object: NSManagedObject, ifInverse isCounted: (PropertySlot?) -> Bool) {
        object.recordReference?._withUnsafeGuaranteedRef { record in
            if record.hasNoCaches { return }
            for slot in object.layout.toManySlots where !slot.isTransient && isCounted(object.inverse(of: slot)) {
                if let state = record.cache(slot.index, as: ToManyState.self) { others.formUnion(state.added) }
            }
        }
    }

    private mutating func addDestinations(of object: NSManagedObject, if isCounted: (PropertySlot) -> Bool) {
        guard let record = object.recordReference else { return }
        record._withUnsafeGuaranteedRef { record in
            for index in object.table.pointee.toOnes {
                guard case .reference(let destination) = record[index], !object.isUnchanged(index, record[index]) else {
                    continue
                }
                let slot = object.layout.slots[index]
                if !slot.isTransient, isCounted(slot) { others.insert(destination) }
            }
        }
    }

    /// The objects that must have the rows that were seen, by what changed in others that are saved along.
    func relied(on changed: ContiguousArray<NSManagedObject>) -> [NSManagedObject] {
        if candidates.isEmpty { return [] }
        var related: Set<ObjectReference> = []
        for object in changed where object.isChanged { object.noteRelated(&related) }
        return candidates.filter { related.contains($0.reference) }
    }

    /// The objects that only have to be there: all but those that the save looks at anyway.
    func required(
        in context: NSManagedObjectContext, unless isLookedAt: (NSManagedObject) -> Bool
    ) -> [NSManagedObject] {
        if others.isEmpty { return [] }
        // An insertion that was undone left its reference to those that are saved without it.
        let unsaved = others.filter(\.isTemporary).compactMap { context.destination(for: $0) }
        return (context.objects(for: others.filter { !$0.isTemporary }) + unsaved).filter { object in
            // A deleted one that is known to be gone is not looked at.
            !object.state.contains(.inserted) && (!isLookedAt(object) || object.state.contains(.inaccessible))
        }
    }
}

extension NSManagedObject {
    fileprivate var isRelatedAsItWas: Bool {
        guard snapshot != nil, let record else { return false }
        return layout.toOneSlots.contains { !record.isUnset($0.index) && $0.inverse >= 0 }
    }

    /// The objects that changes of relationships lead to, or led to before.
    fileprivate func noteRelated(_ related: inout Set<ObjectReference>) {
        let isDeleted = state.contains(.deleted)
        for slot in layout.slots where slot.kind.isRelationship && slot.inverse >= 0 && !slot.isTransient {
            if slot.kind.isToMany {
                guard let state = record?.cache(slot.index, as: ToManyState.self) else { continue }
                related.formUnion(state.added)
                related.formUnion(state.removed.members)
                if isDeleted { related.formUnion(state.stored ?? []) }
            } else {
                let (old, new) = (snapshotValue(slot).destination, current(slot).destination)
                if isDeleted || old != new { related.formUnion([old, new].compactMap(\.self)) }
            }
        }
    }
}
