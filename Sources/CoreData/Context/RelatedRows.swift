import FoundationGaps

/// Rows that a save leaves alone and relies on.
///
/// An object whose relationship was set to what its row has is not written, while the object at the other end is, or is deleted: the
/// row may be an older one than the store's, which says otherwise. And a new member of a relationship with rows of its own, which
/// was one already as far as it knows, is not written either: it may be gone. The two ends would disagree then, or one point to
/// nothing. So the former's row has to be as it was seen, and the latter's has to be there.
struct RelatedRows {
    private var candidates: [NSManagedObject] = []
    private var members: Set<ObjectReference> = []

    /// Takes an object in of which nothing is written.
    mutating func add(unwritten object: NSManagedObject) {
        if object.isRelatedAsItWas { candidates.append(object) }
    }

    /// Takes an object in that is written, and whose references are those that it is written with.
    mutating func add(written object: NSManagedObject) {
        guard let record = object.record, !record.hasNoCaches else { return }
        for slot in object.layout.toManySlots where slot.inverse >= 0 && !slot.isTransient {
            guard object.layout.model[slot.destination].slots[slot.inverse].kind.isToMany,
                let state = record.cache(slot.index, as: ToManyState.self)
            else { continue }
            members.formUnion(state.added)
        }
    }

    /// The objects whose rows have to be as they were seen, by what changed in others that are saved along.
    func relied(on changed: ContiguousArray<NSManagedObject>) -> [NSManagedObject] {
        if candidates.isEmpty { return [] }
        var related: Set<ObjectReference> = []
        for object in changed where object.hasChanges { object.noteRelated(&related) }
        return candidates.filter { related.contains($0.reference) }
    }

    /// The objects that only have to be there.
    func required(in context: NSManagedObjectContext) -> [NSManagedObject] {
        if members.isEmpty { return [] }
        return context.objects(for: members).filter { !$0.state.contains(.inserted) && !$0.isCompared }
    }
}

extension NSManagedObject {
    fileprivate var isRelatedAsItWas: Bool {
        guard snapshot != nil, let record else { return false }
        return layout.toOneSlots.contains { !record.isUnset($0.index) && $0.inverse >= 0 }
    }

    /// Whom changes of relationships lead to, or led to before.
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
