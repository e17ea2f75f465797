import FoundationGaps

extension NSManagedObjectContext {
    /// Writes all changes to the stores, or none.
    ///
    /// Pending changes are processed, `willSave` is called, everything is validated; then each store takes its part in one
    /// transaction. On any error the context keeps its changes.
    ///
    /// - Throws: A validation error (1550 to 1690; several as `NSValidationMultipleErrorsError`),
    ///   `NSManagedObjectMergeError` (133020) where rows changed behind the context's back,
    ///   `NSManagedObjectConstraintMergeError` (133021) for a violated uniqueness constraint, what the store reports.
    public func save() throws {
        processForSave()
        guard hasChanges else { return }
        let coordinator = requiredCoordinator
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        try callWillSave()
        let objects = Array(changed)
        try validate(objects)
        let assigned = try assignKeys(to: objects.filter { $0.state.contains(.inserted) && $0.reference.isTemporary })
        replaceReferences(assigned)
        do {
            let plan = try plan(objects)
            let rows = try coordinator.save(plan.parts.mapValues(\.changes))
            plan.take(rows)
        } catch {
            // A conflict names objects by the references that the store was told.
            let described = describe(error)
            replaceReferences(assigned.inverted)
            throw described
        }
        finish(objects)
    }

    private func processForSave() {
        processPendingChanges()
        guard !propagatesDeletesAtEndOfEvent else { return }
        propagateDeletes()
        processPendingChanges()
    }

    /// Asks every changed object, again as long as the answers change something.
    private func callWillSave() throws {
        for _ in 0..<1000 {
            let before = changed.count
            for object in Array(changed) where object.hasChanges && object.layout.overrides.contains(.willSave) {
                object.willSave()
            }
            guard !event.isEmpty || changed.count != before else { return }
            processForSave()
        }
        preconditionFailure(
            "willSave() kept changing objects for 1,000 rounds; compare with the current value before you set one in it. Objects: \(changed.prefix(3).map(\.layout.name))."
        )
    }

    private func validate(_ objects: [NSManagedObject]) throws {
        var errors: [NSError] = []
        for object in objects where object.hasChanges {
            do {
                if object.state.contains(.deleted) {
                    if !object.state.contains(.inaccessible) { try object.validateForDelete() }
                } else if object.state.contains(.inserted) {
                    try object.validateForInsert()
                } else {
                    try object.validateForUpdate()
                }
            } catch {
                errors.append(error as NSError)
            }
        }
        try NSError.throwValidation(errors)
    }

    // MARK: Keys

    /// Reserves keys for unsaved objects in the stores that they go to.
    func assignKeys(to objects: [NSManagedObject]) throws -> KeyAssignment {
        let coordinator = requiredCoordinator
        var groups: [KeyGroup: [NSManagedObject]] = [:]
        for run in objects.runsOfOneEntity {
            // Objects of one entity go to one store, but for those that were assigned to another.
            let usual = try coordinator.store(for: objects[run.lowerBound]).token.number
            let root = objects[run.lowerBound].table.pointee.rootNumber
            let assigned = objects[run].filter { $0.record?.assignedStore != nil }
            for object in assigned {
                let store = object.record?.assignedStore?.token.number ?? usual
                groups[KeyGroup(store: store, root: root), default: []].append(object)
            }
            let others = objects[run].filter { $0.record?.assignedStore == nil }
            groups[KeyGroup(store: usual, root: root), default: []] += others
        }
        let assignment = KeyAssignment(capacity: objects.count)
        for (group, members) in groups {
            let first = try coordinator.allocateKeys(group, count: members.count)
            for (offset, object) in members.enumerated() {
                let old = object.reference
                assignment.add(old, ObjectReference(key: first + Int64(offset), entity: old.entity, store: group.store))
            }
        }
        return assignment
    }

    /// Enters objects under other references, and follows in all that changed objects say of them.
    func replaceReferences(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        for object in changed { object.replaceReferences(assignment) }
        uniquing.rekey(changed) { assignment.replacement(of: $0) }
    }

    // MARK: After the save

    private func finish(_ objects: [NSManagedObject]) {
        let payload = SavePayload(objects, announced: announced)
        announced = []
        changed = []
        event = []
        changeCount = 0
        for object in objects { object.state.remove([.tracked, .inEvent]) }
        for object in objects {
            if object.state.contains(.deleted) {
                uniquing.remove(object)
                retained.remove(object)
                object.leaveContext()
            } else {
                object.commit()
            }
        }
        for object in objects where object.layout.overrides.contains(.didSave) { object.didSave() }
        payload.post(from: self)
    }

    /// Turns a store's conflicts into the errors that users know.
    private func describe(_ error: any Error) -> any Error {
        guard let conflicts = error as? StoreConflicts else { return error }
        return conflicts.error(in: self)
    }
}

extension SavePlan {
    /// Gives every object the row that its store wrote for it.
    fileprivate func take(_ rows: [Int32: [RowSnapshot]]) {
        for (store, part) in parts {
            for (object, row) in zip(part.inserted + part.updated, rows[store] ?? []) { object.snapshot = row }
        }
    }
}

/// The permanent references of objects that had none.
final class KeyAssignment {
    /// By the temporary key, which is unique in the process.
    private let permanent: KeyTable<ObjectReference>
    /// Back from permanent references, where a save failed.
    private var temporary: [ObjectReference: ObjectReference]?

    init(capacity: Int) { permanent = KeyTable(minimumCapacity: capacity) }

    var isEmpty: Bool { permanent.count == 0 }

    func add(_ old: ObjectReference, _ new: ObjectReference) { permanent.set(old.key, new) }

    /// What stands for a reference now; nil: itself.
    @inline(__always)
    func replacement(of reference: ObjectReference) -> ObjectReference? {
        if let temporary { return temporary[reference] }
        return reference.isTemporary ? permanent[reference.key] : nil
    }

    /// The way back.
    var inverted: KeyAssignment {
        let inverse = KeyAssignment(capacity: 8)
        var back: [ObjectReference: ObjectReference] = [:]
        permanent.forEach { key, new in
            back[new] = ObjectReference(key: key, entity: new.entity, store: ObjectReference.unassignedStore)
            inverse.permanent.set(key, new)
        }
        inverse.temporary = back
        return inverse
    }
}

extension [NSManagedObject] {
    /// Where objects of one entity, none of them assigned to a store, stand side by side; others stand alone.
    fileprivate var runsOfOneEntity: [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for index in indices where index > start {
            let (first, next) = (self[start], self[index])
            let isSame = first.table.pointee.number == next.table.pointee.number && first.record?.assignedStore == nil
            if isSame { continue }
            runs.append(start..<index)
            start = index
        }
        if start < count { runs.append(start..<count) }
        return runs
    }
}

/// A store and an entity tree: where keys are unique.
struct KeyGroup: Hashable {
    let store: Int32
    let root: Int32
}

extension NSManagedObject {
    /// Follows references that were replaced.
    fileprivate func replaceReferences(_ assignment: KeyAssignment) {
        guard let record else { return }
        let layout = layout
        for slot in layout.toManySlots { record.cache(slot.index, as: ToManyState.self)?.replace(assignment) }
        for slot in layout.toOneSlots {
            if case .reference(let old) = record[slot.index], let new = assignment.replacement(of: old) {
                record[slot.index] = .reference(new)
            }
        }
    }

    /// After a save: the new row holds what was changed.
    fileprivate func commit() {
        state.subtract(.changed)
        guard let record else { return }
        let layout = layout
        if record.hasNoCaches, !layout.hasTransientSlots, layout.transformableSlots.isEmpty {
            // The usual object has nothing that outlives its changes.
            self.record = nil
            return
        }
        for slot in layout.toManySlots { record.cache(slot.index, as: ToManyState.self)?.commit() }
        keepTransformedValues()
        record.forgetChanges(in: layout)
        if record.isEmpty { self.record = nil }
    }

    /// A transformable's value stays the object that it is.
    private func keepTransformedValues() {
        guard let record else { return }
        for slot in layout.transformableSlots {
            if case .object(let box) = record[slot.index] { record.setCache(slot.index, box) }
        }
    }
}
