import FoundationGaps

extension NSManagedObjectContext {
    /// See ``save()``.
    func saveChanges() throws {
        checkQueue()
        followPromotions()
        try processForSave()
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        if !events.objects.isEmpty { try processForSave() }
        guard hasUnsavedChanges else {
            if parentContext == nil { try coordinator?.saveChangedMetadata() }
            return finishSave(of: [NSManagedObject](), SavePayload([]))
        }
        try callWillSave()
        var conflicts = try write()
        // Other contexts may go on writing, and a policy may change nothing.
        for _ in 0..<100 {
            guard let found = conflicts else { return }
            if found.areHarmless { try processForSave() } else { try resolve(found) }
            conflicts = try write()
        }
        if let conflicts { throw conflicts.error }
    }

    /// Writes all changes, or finds out why they can't be.
    ///
    /// - Returns: The conflicts with what the stores have, and nothing is written; nil: everything is.
    private func write() throws -> SaveConflicts? {
        let coordinator = requiredCoordinator
        let objects = try validated()
        // The plan and the groups of new objects have addresses. This list keeps the objects, whatever a transformer of
        // the app does meanwhile.
        defer { withExtendedLifetime(objects) {} }
        undoing.recorder?.register(in: self)
        if let parentContext { return try save(objects.filter(\.isChanged), toParent: parentContext) }
        let assigned = try assignKeys(to: objects)
        let plan: SavePlan
        let outcome: SaveOutcome
        do {
            plan = try self.plan(objects, assigned)
            outcome = try attending(coordinator) {
                try coordinator.save(plan.changes(recordedFor: coordinator, in: self))
            }
        } catch {
            // A conflict names objects by the references that the store was told.
            let conflicts = (error as? StoreConflicts).map { locate($0) }
            takeBack(assigned)
            guard let conflicts else { throw error }
            return describe(conflicts)
        }
        if let error = outcome.error { throw finish(plan, outcome, assigned, error) }
        finish(plan, outcome, assigned)
        return nil
    }

    /// Runs `body`, which asks a coordinator's stores. Those of an app's class learn of this context.
    private func attending<R>(_ coordinator: NSPersistentStoreCoordinator, _ body: () throws -> R) rethrows -> R {
        guard coordinator.servesAppStores.load(ordering: .relaxed) else { return try body() }
        return try CallingContext.with(self, body)
    }

    /// Lets the merge policy resolve conflicts; what it changes is processed like any other change.
    private func resolve(_ conflicts: SaveConflicts) throws {
        try conflictPolicy.resolve(mergeConflicts: conflicts.list)
        // The older rows of the conflicts must not be read again.
        for conflict in conflicts.rows { source.forgetRow(of: conflict.sourceObject.reference) }
        rebase(conflicts.rows)
        for object in unsaved.objects { applyDeleteRulesAgain(to: object) }
        events.notified = NotifiedChanges()
        try processForSave()
    }

    /// - Throws: What can't be read and the delete rules need. Nothing has changed then.
    private func processForSave() throws {
        try withExtendedLifetime(readForDeletions()) {
            processPendingChanges()
            guard !propagatesDeletesAtEndOfEvent else { return }
            propagateDeletes()
            processPendingChanges()
        }
    }

    /// Asks every changed object, again as long as the answers change something.
    private func callWillSave() throws {
        for _ in 0..<1000 {
            guard unsaved.requirements.contains(.willSave) else { return }
            // What observers of the last notification changed is no reason to ask again.
            let observed = events.objects
            events.objects = []
            for object in observed { object.state.remove(.inEvent) }
            for object in unsaved.objects
            where object.isChanged && object.table.pointee.requirements.contains(.willSave) {
                object.willSave()
            }
            let isDone = events.objects.isEmpty
            for object in observed where !object.state.contains(.inEvent) {
                object.state.insert(.inEvent)
                events.objects.append(object)
            }
            if isDone { return }
            try processForSave()
        }
        programmerError(
            "willSave() kept changing objects for 1,000 rounds; compare with the current value before you set one in it. Objects: \(unsaved.objects.prefix(3).map(\.layout.name))."
        )
    }

    /// The changed objects, which are valid. Objects that validation changes are validated, too: an object that turns
    /// out to have no row is deleted, for example.
    private func validated() throws -> ContiguousArray<NSManagedObject> {
        var objects = unsaved.objects
        try validate(objects)
        // An observer that changes objects in each notification would never let it end: what it changed last is saved
        // untold.
        for round in 0...100 where !events.objects.isEmpty {
            if round < 100 {
                try processForSave()
            } else {
                try withExtendedLifetime(readForDeletions()) { propagateDeletes() }
            }
            let known = Set(objects.map { ObjectIdentifier($0) })
            let others = ContiguousArray(unsaved.objects.filter { !known.contains(ObjectIdentifier($0)) })
            try validate(others)
            objects += others
        }
        if unsaved.requirements.contains(.integrity) {
            try NSError.throwValidation(unsaved.objects.flatMap(\.danglingRelationships))
            unsaved.objects.forEach { $0.forgetDeletedMembers() }
        }
        return unsaved.objects
    }

    private func validate(_ objects: ContiguousArray<NSManagedObject>) throws {
        guard unsaved.requirements.contains(.validation), !skipsValidation else { return }
        var errors: [any Error] = []
        for object in objects where object.isChanged {
            do { try validate(object) } catch { errors.append(error) }
        }
        try NSError.throwValidation(errors)
    }

    private func validate(_ object: NSManagedObject) throws {
        if object.state.contains(.deleted) {
            if !object.state.contains(.inaccessible) { try object.validateForDelete() }
        } else if object.state.contains(.inserted) {
            try object.validateForInsert()
        } else if try object.hasRow() {
            try object.validateForUpdate()
        }
    }

    // MARK: Keys

    /// Gives unsaved objects keys in the stores that they go to, and registers them under these.
    func assignKeys(to objects: ContiguousArray<NSManagedObject>) throws -> KeyAssignment {
        var groups = UnsavedGroups(requiredCoordinator)
        try objects.forEachUnretained { object in
            if object.key < 0, object.state.contains(.inserted) { try groups.add(object) }
        }
        if requiredCoordinator.servesSingleKeys.load(ordering: .relaxed) { return try identify(groups.all) }
        // A store that has none to give must not leave the objects of others with theirs.
        for members in groups.all {
            members.firstKey = try requiredCoordinator.allocateKeys(members.group, count: members.objects.count)
        }
        let assignment = KeyAssignment()
        for members in groups.all {
            uniquing.rekey(members.objects, members.group, first: members.firstKey, assignment)
        }
        assignment.sort()
        return assignment
    }

    /// Gives unsaved objects the keys that their stores choose for each of them.
    private func identify(_ groups: [UnsavedGroups.Members]) throws -> KeyAssignment {
        let objects = groups.map { $0.objects.map { $0.takeUnretainedValue() } }
        let keys = try zip(groups, objects).map { try requiredCoordinator.keys(of: $1, in: $0.group, for: self) }
        let assignment = KeyAssignment()
        for (group, (objects, keys)) in zip(groups, zip(objects, keys)) {
            for (object, key) in zip(objects, keys) {
                let entity = object.table.pointee.number
                assignment.add(object.key, ObjectReference(key: key, entity: entity, store: group.group.store))
            }
        }
        assignment.sort()
        uniquing.rekey(objects.joined()) { assignment.replacement(of: $0) }
        return assignment
    }

    /// Follows replaced references in all that changed objects say of others.
    func replaceReferences(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        for object in unsaved.objects { object.replaceReferences(assignment) }
    }

    /// Undoes ``assignKeys(to:)`` after a save that failed.
    func takeBack(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        let inverted = assignment.inverted
        uniquing.rekey(unsaved.objects) { inverted.replacement(of: $0) }
        replaceReferences(inverted)
    }
}

extension NSManagedObject {
    /// Whether there are values to validate: a fault that lost its row is a conflict, and not a deleted object for
    /// being looked at.
    fileprivate func hasRow() throws -> Bool {
        if state.contains(.realized) { return true }
        try readRow()
        return snapshot != nil
    }
}

/// Unsaved objects, which their context keeps alive, by where they will be saved.
private struct UnsavedGroups {
    private let coordinator: NSPersistentStoreCoordinator
    private(set) var all: [Members] = []
    /// Where the objects of an entity are, but for those that were assigned to another store. Among ``all``, which
    /// keeps it.
    private var lastEntity: (number: Int32, members: Unmanaged<Members>)?

    /// The objects of one group.
    final class Members {
        let group: KeyGroup
        /// The context keeps them: it holds every object with unsaved changes until the save has ended. Exclusive
        /// access is not checked at run time: appending an address runs no other code.
        @exclusivity(unchecked) fileprivate(set) var objects: [Unmanaged<NSManagedObject>] = []
        /// The key of the first object, once its store has given it; the others' keys follow.
        fileprivate var firstKey: Int64 = 0

        fileprivate init(_ group: KeyGroup) { self.group = group }
    }

    init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    /// - Throws: `NSPersistentStoreOperationError` for an object that no store takes.
    mutating func add(_ object: NSManagedObject) throws {
        let number = object.table.pointee.number
        if let assigned = object.recordReference?._withUnsafeGuaranteedRef({ $0.assignedStore }) {
            try coordinator.requireAttached(assigned, for: object.layout, unsaved: object)
            return members(of: KeyGroup(store: assigned.number, root: object.table.pointee.rootNumber))
                .objects.append(.passUnretained(object))
        }
        if let lastEntity, lastEntity.number == number {
            return lastEntity.members._withUnsafeGuaranteedRef { $0.objects.append(.passUnretained(object)) }
        }
        let store = try coordinator.store(for: object.layout, assignedTo: nil, unsaved: object).token.number
        let members = members(of: KeyGroup(store: store, root: object.table.pointee.rootNumber))
        members.objects.append(.passUnretained(object))
        lastEntity = (number, .passUnretained(members))
    }

    private mutating func members(of group: KeyGroup) -> Members {
        if let known = all.first(where: { $0.group == group }) { return known }
        let members = Members(group)
        all.append(members)
        return members
    }
}
