import FoundationGaps

/// What follows when the stores have written a save.
extension NSManagedObjectContext {
    /// What a save leaves unsaved.
    private struct Remainder {
        var changed: ContiguousArray<NSManagedObject> = []
        var event: ContiguousArray<NSManagedObject> = []
        var checked: Set<NSManagedObject> = []
    }

    /// Some stores could not commit after others had: only what these were asked is saved.
    ///
    /// - Returns: The error, with the objects that are not.
    func finish(
        _ plan: SavePlan, _ outcome: SaveOutcome, _ assigned: KeyAssignment, _ error: NSError
    ) -> NSError {
        let failed = Set(plan.parts.dropLast(outcome.rows.count).map(\.store))
        func isLeft(_ object: NSManagedObject) -> Bool { object.isChanged && failed.contains(object.store) }
        let remainder = Remainder(
            changed: unsaved.objects.filter(isLeft), event: events.objects.filter(isLeft),
            checked: unsaved.conflictChecks.filter { failed.contains($0.store) })
        var taken = plan
        taken.leaveOut(failed)
        takeBack(assigned.filtered { failed.contains($0) })
        // What the notification told may be objects of all stores.
        events.notified = NotifiedChanges()
        finish(taken, outcome, assigned.filtered { !failed.contains($0) }, leaving: remainder)
        var info = error.userInfo
        info[NSAffectedObjectsErrorKey] = Array(remainder.changed)
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }

    /// What was written is saved: the objects forget what was changed in them, and observers are told.
    func finish(_ plan: SavePlan, _ outcome: SaveOutcome, _ assigned: KeyAssignment) {
        finish(plan, outcome, assigned, leaving: Remainder())
    }

    private func finish(
        _ plan: SavePlan, _ outcome: SaveOutcome, _ assigned: KeyAssignment, leaving remainder: Remainder
    ) {
        undoing.recorder?.didSave(assigned)
        family.promote(assigned)
        pinned.advance(isNow: true)
        let saved = remainder.changed.isEmpty ? unsaved.objects : saved(leaving: remainder)
        finish(plan, outcome.rows, saved, remainder)
        // Objects that nothing else holds go now, as they lie in memory, and not with the sets of the notifications,
        // which are in no order.
        withExtendedLifetime(saved) {}
    }

    private func saved(leaving remainder: Remainder) -> ContiguousArray<NSManagedObject> {
        let left = Set(remainder.changed.map { ObjectIdentifier($0) })
        return unsaved.objects.filter { !left.contains(ObjectIdentifier($0)) }
    }

    private func finish(
        _ plan: SavePlan, _ rows: [[RowSnapshot]], _ saved: ContiguousArray<NSManagedObject>, _ remainder: Remainder
    ) {
        let payload = SavePayload(plan, notified: events.notified)
        let automaticMerge = automaticMerge(of: plan)
        let changes = family.children(of: self).isEmpty ? nil : SavedChanges(plan)
        events.notified = NotifiedChanges()
        unsaved.objects = remainder.changed
        events.objects = remainder.event
        unsaved.conflictChecks = remainder.checked
        unsaved.count = remainder.changed.count
        for (part, rows) in zip(plan.parts, rows) {
            // The store gives rows in the order of what it was asked for.
            let written = part.inserted.count + part.updated.count
            var place = 0
            rows.prefix(written).forEachUnretained { row in
                let object =
                    place < part.inserted.count ? part.inserted[place] : part.updated[place - part.inserted.count]
                object._withUnsafeGuaranteedRef { $0.commit(row) }
                place += 1
            }
            if rows.count > written { takeOver(rows.dropFirst(written), store: part.store) }
        }
        uniquing.remove(plan.others) { $0.state.contains(.deleted) }
        plan.forEachOther { finish($0) }
        finishSave(of: saved, payload)
        automaticMerge?.perform()
        if let changes { tellChildren(of: changes) }
    }

    /// Rows that the store changed on its own, to keep derived attributes: objects that have older ones show them.
    private func takeOver(_ rows: ArraySlice<RowSnapshot>, store: Int32) {
        for row in rows {
            guard let object = uniquing.object(store: store, root: row.layout.rootNumber, key: row.key),
                object.snapshot != nil, !object.isChanged
            else { continue }
            object.updateRow(row)
        }
    }

    /// Tells objects and observers of a save.
    func finishSave(of saved: some Sequence<NSManagedObject>, _ payload: SavePayload) {
        if unsaved.requirements.contains(.didSave) {
            for object in saved where object.table.pointee.requirements.contains(.didSave) { object.didSave() }
        }
        unsaved.requirements = []
        merging.deletions.forget()
        showStaleSets()
        for object in unsaved.objects {
            unsaved.requirements.formUnion(object.table.pointee.requirements)
            if object.isGoing { requireDeletionChecks(of: object) }
        }
        payload.post(from: self)
    }

    /// The save did not write the object's row: it is gone, and from the uniquing table too, or nothing of it is
    /// stored.
    func finish(_ object: NSManagedObject) {
        guard object.state.contains(.deleted) else { return object.commit(nil) }
        if !held.registered.isEmpty { held.registered.remove(object) }
        object.leaveContext()
    }
}

extension SavedChanges {
    /// What a context wrote.
    init(_ plan: SavePlan) {
        for part in plan.parts {
            inserted.append(contentsOf: part.inserted.lazy.map { $0._withUnsafeGuaranteedRef(\.reference) })
            updated.append(contentsOf: part.updated.lazy.map { $0._withUnsafeGuaranteedRef(\.reference) })
        }
        plan.forEachOther { object in
            if object.isGoing { deleted.append(object.reference) }
            if object.isModified { updated.append(object.reference) }
        }
    }
}

extension NSManagedObject {
    /// Follows references that were replaced.
    func replaceReferences(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        recordReference?._withUnsafeGuaranteedRef { record in
            for index in table.pointee.toOnes {
                if case .reference(let old) = record[index], let new = assignment.replacement(of: old) {
                    record[index] = .reference(new)
                }
            }
        }
        replaceReferencesToMembers(assignment)
    }

    /// Follows references to members that were replaced.
    func replaceReferencesToMembers(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        recordReference?._withUnsafeGuaranteedRef { record in
            if record.hasNoCaches { return }
            for slot in layout.toManySlots { record.cache(slot.index, as: ToManyState.self)?.replace(assignment) }
        }
    }

    /// After a save: the new row holds what was changed.
    ///
    /// - Parameter row: nil where nothing was written.
    func commit(_ row: RowSnapshot?) {
        state.subtract([.inserted, .updated, .deleted, .tracked, .inEvent, .relatedLate, .insertionNotified])
        if let row { snapshot = row }
        if !table.pointee.requirements.contains(.conversion),
            recordReference?._withUnsafeGuaranteedRef({ $0.hasNoCaches }) ?? true
        {
            // The usual object has nothing that outlives its changes.
            record = nil
            return
        }
        guard let record else { return }
        let layout = layout
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
