import FoundationGaps

extension NSManagedObjectContext {
    /// Writes all changes to the stores, or none; a child context hands them to its ``parent``.
    ///
    /// Pending changes are processed, `willSave` is called, everything is validated; then each store takes its part in one
    /// transaction. On any error the context keeps its changes.
    ///
    /// - Throws: A validation error (1550 to 1690; several as `NSValidationMultipleErrorsError`),
    ///   `NSManagedObjectMergeError` (133020) where rows changed behind the context's back,
    ///   `NSManagedObjectConstraintMergeError` (133021) for a violated uniqueness constraint, both unless the
    ///   ``mergePolicy`` settles them, what the store reports.
    public func save() throws {
        checkQueue()
        catchUp()
        processForSave()
        guard hasChanges else { return }
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        try callWillSave()
        var conflicts = try write()
        // Somebody else may go on writing, and a policy may change nothing.
        for _ in 0..<100 {
            guard let found = conflicts else { return }
            try settle(found)
            conflicts = try write()
        }
        if let conflicts { throw conflicts.error }
    }

    /// Writes all changes, or finds out why they can't be.
    ///
    /// - Returns: The conflicts with what the stores have, and nothing is written; nil: everything is.
    private func write() throws -> SaveConflicts? {
        let coordinator = requiredCoordinator
        let objects = changed
        try validate(objects)
        undoRecorder?.register(in: self)
        if let parentContext { return try hand(objects.filter(\.hasChanges), to: parentContext) }
        let assigned = try assignKeys(to: objects)
        let plan: SavePlan
        let rows: [[RowSnapshot]]
        do {
            plan = try self.plan(objects, assigned)
            rows = try coordinator.save(plan.changes)
        } catch {
            // A conflict names objects by the references that the store was told.
            let conflicts = (error as? StoreConflicts).map { locate($0) }
            takeBack(assigned)
            guard let conflicts else { throw error }
            return describe(conflicts)
        }
        undoRecorder?.didSave(assigned)
        family.promote(assigned)
        advanceGeneration(isNow: true)
        finish(plan, rows)
        return nil
    }

    /// Lets the merge policy settle conflicts; what it changes is processed like any other change.
    private func settle(_ conflicts: SaveConflicts) throws {
        try conflictPolicy.resolve(mergeConflicts: conflicts.list)
        // Nobody is to see the older rows again that the conflicts were about.
        for conflict in conflicts.rows { source.forgetRow(of: conflict.sourceObject.reference) }
        rebase(conflicts.rows)
        for object in changed { applyDeleteRulesAgain(to: object) }
        announced = AnnouncedChanges()
        processForSave()
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
            guard demands.contains(.willSave) else { return }
            for object in changed where object.hasChanges && object.table.pointee.demands.contains(.willSave) {
                object.willSave()
            }
            guard !event.isEmpty || changed.count != before else { return }
            processForSave()
        }
        preconditionFailure(
            "willSave() kept changing objects for 1,000 rounds; compare with the current value before you set one in it. Objects: \(changed.prefix(3).map(\.layout.name))."
        )
    }

    private func validate(_ objects: ContiguousArray<NSManagedObject>) throws {
        guard demands.contains(.validation) else { return }
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

    /// Gives unsaved objects keys in the stores that they go to, and enters them under these.
    func assignKeys(to objects: ContiguousArray<NSManagedObject>) throws -> KeyAssignment {
        var groups = UnsavedGroups(requiredCoordinator)
        try objects.forEachUnretained { object in
            if object.key < 0, object.state.contains(.inserted) { try groups.add(object) }
        }
        let assignment = KeyAssignment()
        for members in groups.all {
            let first = try requiredCoordinator.allocateKeys(members.group, count: members.objects.count)
            uniquing.rekey(members.objects, members.group, first: first, assignment)
        }
        assignment.sort()
        return assignment
    }

    /// Follows replaced references in all that changed objects say of others.
    func replaceReferences(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        for object in changed { object.replaceReferences(assignment) }
    }

    /// Undoes ``assignKeys(to:)`` after a save that failed.
    private func takeBack(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        let inverted = assignment.inverted
        uniquing.rekey(changed) { inverted.replacement(of: $0) }
        replaceReferences(inverted)
    }

    // MARK: After the save

    private func finish(_ plan: SavePlan, _ rows: [[RowSnapshot]]) {
        let saved = changed
        finish(plan, rows, saved)
        // Objects that nobody else holds go now, as they lie in memory, and not with the sets of the notifications, which
        // are in no order.
        withExtendedLifetime(saved) {}
    }

    private func finish(_ plan: SavePlan, _ rows: [[RowSnapshot]], _ saved: ContiguousArray<NSManagedObject>) {
        let payload = SavePayload(plan, announced: announced)
        let offer = offer(of: plan)
        let changes = family.children(of: self).isEmpty ? nil : SavedChanges(plan)
        announced = AnnouncedChanges()
        changed = []
        event = []
        checked = []
        changeCount = 0
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
        offer?.make()
        if let changes { tellChildren(of: changes) }
    }

    /// Rows that the store changed on its own, to keep derived attributes: objects that have older ones show them.
    private func takeOver(_ rows: ArraySlice<RowSnapshot>, store: Int32) {
        for row in rows {
            guard let object = uniquing.object(store: store, root: row.layout.rootNumber, key: row.key),
                object.snapshot != nil, !object.hasChanges
            else { continue }
            object.take(row)
        }
    }

    /// Tells objects and observers of a save.
    func finishSave(of saved: some Sequence<NSManagedObject>, _ payload: SavePayload) {
        if demands.contains(.didSave) {
            for object in saved where object.table.pointee.demands.contains(.didSave) { object.didSave() }
        }
        demands = []
        changedViews = [:]
        for object in changed {
            let own = object.table.pointee.demands
            demands.formUnion(own)
            if object.isDeleted, own.contains(.deletion) { demands.insert(.validation) }
        }
        payload.post(from: self)
    }

    /// An object whose row was not written: it is gone, and from the uniquing table too, or nothing of it is stored.
    func finish(_ object: NSManagedObject) {
        guard object.state.contains(.deleted) else { return object.commit(nil) }
        if !retained.isEmpty { retained.remove(object) }
        object.leaveContext()
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
            if record.hasNoCaches { return }
            for slot in layout.toManySlots { record.cache(slot.index, as: ToManyState.self)?.replace(assignment) }
        }
    }

    /// After a save: the new row holds what was changed.
    ///
    /// - Parameter row: nil where nothing was written.
    func commit(_ row: RowSnapshot?) {
        state.subtract([.inserted, .updated, .deleted, .tracked, .inEvent])
        if let row { snapshot = row }
        if !table.pointee.demands.contains(.conversion),
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
