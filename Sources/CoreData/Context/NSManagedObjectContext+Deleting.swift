import FoundationGaps

extension NSManagedObjectContext {
    /// See ``delete(_:)``.
    func noteDeletion(_ object: NSManagedObject) {
        checkQueue()
        let isMine = object.contextReference?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
        require(
            isMine || object.contextReference == nil,
            "Illegal attempt to delete an object of \(object.layout.name) that belongs to another context; delete it there, or get it with object(with:) first."
        )
        guard isMine, !object.state.contains(.deleted) else { return }
        // A fault may turn out to be gone in here, and be deleted for that.
        if !object.state.contains(.preparing) {
            object.state.insert(.preparing)
            object.prepareForDeletion()
        }
        defer { object.state.remove(.preparing) }
        undoing.recorder?.willDelete(object)
        // Its row may have turned out to be gone, and it was deleted for that.
        guard !object.state.contains(.deleted) else { return }
        if object.state.isDisjoint(with: .changed) { unsaved.count += 1 }
        object.state.insert(.deleted)
        requireDeletionChecks(of: object)
        track(object)
        unsaved.deletionsToPropagate.append(object)
    }

    /// Notes what the deletion of an object asks of the save.
    func requireDeletionChecks(of object: NSManagedObject) {
        unsaved.requirements.insert(.integrity)
        if object.table.pointee.requirements.contains(.deletion) { unsaved.requirements.insert(.validation) }
    }

    /// Runs the delete rules of what was deleted since the last time; cascades come to an end because each object's
    /// rules run once.
    func propagateDeletes() {
        while !unsaved.deletionsToPropagate.isEmpty {
            let batch = unsaved.deletionsToPropagate
            unsaved.deletionsToPropagate = []
            // A row that turned out to be gone makes no event to undo, unless another change has begun one.
            let isEvent =
                undoing.recorder?.isNoting ?? false || batch.contains { !$0.state.contains(.inaccessible) }
            defer { if !isEvent { undoing.recorder?.forgetEvent() } }
            batch.forEachUnretained { object in
                guard object.state.contains(.deleted), !object.state.contains(.propagated) else { return }
                object.state.insert(.propagated)
                object.showTornDownRelationships()
                object.table.pointee.layout._withUnsafeGuaranteedRef { layout in
                    layout.deleteSlots.forEachUnretained { applyDeleteRule(object, $0) }
                }
                if object.state.contains(.inserted) { forget(object) }
            }
        }
    }

    /// A deleted object took a fresh row: others may have related it to objects that its rules have not met.
    func applyDeleteRulesAgain(to object: NSManagedObject) {
        guard object.state.isSuperset(of: [.deleted, .propagated]), !object.state.contains(.inaccessible) else {
            return
        }
        // They may not know of it either. Those that are changed here have conflicts of their own.
        for slot in object.layout.slots where slot.kind.isRelationship && slot.inverse >= 0 {
            if slot.kind.isToMany { askAgain(for: slot, of: object) }
            for other in related(object, slot) where !other.isCompared { refresh(other, mergeChanges: true) }
        }
        object.state.remove(.propagated)
        unsaved.deletionsToPropagate.append(object)
    }

    /// Looks up the members that the store has now. This context's changes hide which members are new, and an object
    /// that was removed here may be a member again.
    private func askAgain(for slot: PropertySlot, of object: NSManagedObject) {
        let state = object.toManyState(slot)
        guard !slot.isTransient, !object.state.contains(.inserted) else { return }
        for member in state.removed.members {
            undoing.recorder?.willForget(member, object, slot)
            state.forgetChange(of: member)
        }
        if state.isLoaded { state.load(storedMembers(of: object, slot)) }
    }

    private func applyDeleteRule(_ object: NSManagedObject, _ slot: PropertySlot) {
        // A deletion by others does not cascade to objects that this context has related to the deleted object.
        if slot.deleteRule == .cascadeDeleteRule, !object.state.contains(.inaccessible) {
            for other in related(object, slot) where !other.wasGivenAway(by: object, slot) {
                if !other.returnIfBack(slot) || object.mayBeFound(from: other, slot) { delete(other) }
            }
        }
        object.disconnect(slot)
    }

    private func related(_ object: NSManagedObject, _ slot: PropertySlot) -> [NSManagedObject] {
        slot.kind.isToMany ? object.memberObjects(slot) : object.destination(slot).map { [$0] } ?? []
    }

    /// An object that was inserted and deleted before it was saved leaves no trace but in the next notification.
    ///
    /// There is no object left that a relationship could lead to, or that could deny anything. Other objects forget it,
    /// whatever the rule.
    private func forget(_ object: NSManagedObject) {
        for slot in object.layout.slots where slot.kind.isRelationship {
            if [.denyDeleteRule, .noActionDeleteRule].contains(slot.deleteRule) { object.disconnect(slot) }
        }
        unsaved.count -= 1
        uniquing.remove(object)
        object.leaveContext()
    }
}

extension NSManagedObject {
    /// Whether this context gave a member to another owner: the members may have been looked up since.
    func wasGivenAway(by owner: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard slot.kind.isToMany, slot.inverse >= 0, let record else { return false }
        let inverse = layout.slots[slot.inverse]
        guard !inverse.kind.isToMany, !record.isUnset(inverse.index) else { return false }
        if case .reference(owner.reference) = record[inverse.index] { return false }
        return !isUnchanged(inverse, record[inverse.index])
    }

    /// Forgets new members that are deleted. By their own rows, which their delete rules went by, they had another
    /// owner.
    func forgetDeletedMembers() {
        guard !state.contains(.deleted), let record, let context = contextStorage else { return }
        for slot in layout.toManySlots where !slot.isTransient && inverse(of: slot)?.kind == .toOne {
            guard let members = record.cache(slot.index, as: ToManyState.self) else { continue }
            let gone = members.added.filter { context.registeredObject(for: $0)?.state.contains(.deleted) ?? false }
            if gone.isEmpty { continue }
            members.drop(Set(gone))
            updateView(slot, members)
        }
    }

    /// Lets the other ends of a relationship forget this deleted object. The object's own side stays: it can be read
    /// until the save.
    ///
    /// - Parameter fromRegisteredOnly: Whether those that the context has no object for can't know this one.
    func disconnect(_ slot: PropertySlot, fromRegisteredOnly: Bool = false) {
        guard slot.inverse >= 0, let context = contextStorage else { return }
        func loseInverse(_ reference: ObjectReference) {
            let other =
                fromRegisteredOnly
                ? context.registeredObject(for: reference) : context.destination(for: reference)
            other?.loseInverse(of: self, slot)
        }
        if slot.kind.isToMany {
            fireIfNeeded()
            // Each of them changes: their rows come with them.
            withExtendedLifetime(context.loadMembers(of: self, slot, toManyState(slot))) {
                members(slot).forEach(loseInverse)
            }
        } else {
            fireIfNeeded()
            if case .reference(let reference) = current(slot) { loseInverse(reference) }
        }
    }

    /// What a deletion may not leave behind: members of a relationship with the rule deny.
    func validateDeletion() throws {
        var errors: [NSError] = []
        for slot in layout.denySlots {
            guard let context = contextStorage else { continue }
            let others = slot.kind.isToMany ? memberObjects(slot) : destination(slot).map { [$0] } ?? []
            let isDenied = others.contains { other in
                if other.returnIfBack(slot) { return mayBeFound(from: other, slot) }
                return !other.state.contains(.deleted) && !context.isMissing(other)
            }
            if isDenied {
                errors.append(deniedDeletion(slot))
            }
        }
        try NSError.throwValidation(errors)
    }

    private func deniedDeletion(_ slot: PropertySlot) -> NSError {
        let text = ValidationText("%1$@ can't be deleted: items cannot be deleted from %2$@.", .entity, .property(slot))
        return .cocoa(
            NSValidationRelationshipDeniedDeleteError, text.localized(for: layout),
            userInfo: [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: slot.name])
    }

    /// Removes objects from the relationships of an object whose deletion was taken back: those that its deletion made
    /// forget it.
    func removeOneSidedDestinations() {
        for slot in layout.deleteSlots {
            if slot.kind.isToMany {
                let oneSided = memberObjects(slot).filter { !mayBeFound(from: $0, slot) }
                for member in oneSided { removeMember(member, slot) }
            } else if let destination = destination(slot), !mayBeFound(from: destination, slot) {
                setDestination(nil, slot)
            }
        }
    }

    /// Whether one at the other end of a relationship leads here, as far as that is known.
    fileprivate func mayBeFound(from other: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard let inverse = inverse(of: slot) else { return true }
        other.fireIfNeeded()
        guard inverse.kind.isToMany else { return other.current(inverse).destination == reference }
        return other.record?.cache(inverse.index, as: ToManyState.self)?.contains(reference) ?? true
    }
}

// MARK: - Reading before the rules run

extension NSManagedObjectContext {
    /// Reads what the rules of unprocessed deletions look at, cascades included: the rules themselves can't throw.
    ///
    /// - Returns: What was read. It stays at hand as long as these objects are kept.
    /// - Throws: What the stores throw. No object has changed then.
    func readForDeletions() throws -> ContiguousArray<NSManagedObject> {
        if unsaved.deletionsToPropagate.isEmpty { return [] }
        var reading = DeletionReading(self)
        try reading.run(unsaved.deletionsToPropagate)
        return reading.kept
    }
}

/// Reads the relationships of deleted objects, and of those that are deleted with them.
private struct DeletionReading {
    private(set) var kept: ContiguousArray<NSManagedObject> = []
    private let context: NSManagedObjectContext
    private let hasUndo: Bool
    /// The objects that cascades have reached. Each of them is read once.
    private var reached: Set<ObjectIdentifier> = []
    private var waiting: ContiguousArray<NSManagedObject> = []
    /// The table of the last object's entity, and whether such objects need their rows alone.
    private var lastTable: UnsafePointer<LayoutTable>?
    private var isRowEnough = false

    init(_ context: NSManagedObjectContext) {
        self.context = context
        hasUndo = context.undoing.recorder != nil
    }

    mutating func run(_ deleted: some Sequence<NSManagedObject>) throws {
        for object in deleted where !object.state.contains(.propagated) {
            if needsRowAlone(object) { try object.readRowOfFault() } else { try read(object) }
        }
        while let object = waiting.popLast() { try read(object) }
    }

    /// Whether the rules of an object look at nothing but its row: all that it leads to loses a member.
    private mutating func needsRowAlone(_ object: NSManagedObject) -> Bool {
        if hasUndo || object.state.contains(.inserted) { return false }
        guard object.table != lastTable else { return isRowEnough }
        lastTable = object.table
        isRowEnough = object.layout.deletionSlots.allSatisfy { slot in
            slot.deleteRule == .nullifyDeleteRule && slot.kind == .toOne
                && object.inverse(of: slot)?.kind.isToMany ?? true
        }
        return isRowEnough
    }

    private mutating func read(_ object: NSManagedObject) throws {
        let isNew = object.state.contains(.inserted)
        try object.readRowOfFault()
        // What turns out to be gone relates to nothing.
        guard isNew || object.row != nil else { return }
        let layout = object.layout
        for slot in isNew ? layout.slots : layout.deletionSlots where isRead(slot, isNew: isNew) {
            if slot.kind.isToMany { try readMembers(slot, of: object) } else { try readDestination(slot, of: object) }
        }
    }

    /// Whether the deletion of an object looks at a relationship. New objects leave all of theirs.
    private func isRead(_ slot: PropertySlot, isNew: Bool) -> Bool {
        guard slot.kind.isRelationship else { return false }
        switch slot.deleteRule {
        case .cascadeDeleteRule, .denyDeleteRule: return true
        case .nullifyDeleteRule: return slot.inverse >= 0
        default: return slot.inverse >= 0 && isNew
        }
    }

    private mutating func readDestination(_ slot: PropertySlot, of object: NSManagedObject) throws {
        let inverse = object.inverse(of: slot)
        // The destination loses a member: its row is not asked.
        if slot.deleteRule == .nullifyDeleteRule, inverse?.kind.isToMany ?? false, !hasUndo { return }
        guard case .reference(let reference) = object.current(slot),
            let destination = context.destination(for: reference)
        else { return }
        try read(destination, at: inverse, of: slot)
    }

    private mutating func readMembers(_ slot: PropertySlot, of object: NSManagedObject) throws {
        let inverse = object.inverse(of: slot)
        for member in try object.readDestinations(slot) { try read(member, at: inverse, of: slot) }
    }

    /// Reads what a rule looks at in an object at the other end of a relationship.
    private mutating func read(_ other: NSManagedObject, at inverse: PropertySlot?, of slot: PropertySlot) throws {
        kept.append(other)
        if slot.deleteRule == .cascadeDeleteRule, reached.insert(ObjectIdentifier(other)).inserted {
            waiting.append(other)
        }
        if slot.deleteRule != .nullifyDeleteRule || inverse?.kind == .toOne || hasUndo { try other.readRowOfFault() }
        // Undoing notes all members, as they were.
        if hasUndo, let inverse, inverse.kind.isToMany { kept += try other.readDestinations(inverse) }
    }
}

extension NSManagedObject {
    /// The row of a fault comes to hand; the object stays a fault. A row that is gone is none.
    fileprivate func readRowOfFault() throws {
        if state.isDisjoint(with: [.realized, .inserted]) { try readRow() }
    }

    /// The members of a to-many relationship, which are known then.
    fileprivate func readDestinations(_ slot: PropertySlot) throws -> [NSManagedObject] {
        guard let context = contextStorage else { return [] }
        let state = toManyState(slot)
        let loaded = try context.readMembers(of: self, slot, state)
        if !state.isLoaded { state.load(try context.source.members(of: reference, slot)) }
        return try withExtendedLifetime(loaded) {
            let objects = state.members.compactMap { context.destination(for: $0) }
            for object in objects where slot.deleteRule == .cascadeDeleteRule { try object.readRowOfFault() }
            return objects
        }
    }
}
