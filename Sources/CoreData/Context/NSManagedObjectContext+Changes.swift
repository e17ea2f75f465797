import FoundationGaps

extension NSManagedObjectContext {
    // MARK: Inserting

    /// Takes a new object in: it gets a temporary reference and will be inserted at the next save.
    ///
    /// - Parameter reference: The one that it has in a child already.
    func insertNew(_ object: NSManagedObject, _ reference: ObjectReference? = nil) {
        checkQueue()
        if object.state.contains(.loose) { return insertLoose(object) }
        registerNew(object, reference)
        object.awakeFromInsert()
    }

    /// Takes a new object in, with all that it leads to.
    private func insertLoose(_ object: NSManagedObject) {
        let graph = object.looseGraph
        for object in graph {
            require(
                !object.layout.isAbstract,
                "Can't insert an object of the abstract entity \(object.layout.name); insert one of its subentities.")
        }
        for object in graph { registerNew(object, object.reference) }
        for object in graph where object.contextReference != nil { object.awakeFromInsert() }
    }

    private func registerNew(_ object: NSManagedObject, _ reference: ObjectReference?) {
        check(object)
        undoing.recorder?.willInsert(object)
        let hasDefaults = object.state.contains(.realized) && (object.key == 0 || object.state.contains(.loose))
        object.state.remove(.loose)
        object.joinContext(self)
        object.key = reference?.key ?? TemporaryKeys.next()
        object.store = reference?.store ?? ObjectReference.unassignedStore
        object.state.formUnion([.inserted, .realized])
        if !hasDefaults { object.setDefaults() }
        // What is set right after the insertion belongs to this event, and not to the next one too.
        object.recordReference?._withUnsafeGuaranteedRef { $0.begin(event: events.number) }
        uniquing.register(object)
        unsaved.count += 1
        track(object)
    }

    /// See ``insert(_:)``.
    func takeIn(_ object: NSManagedObject) {
        if object.contextStorage === self {
            if object.state.contains(.deleted) { bringBack(object) }
            return
        }
        require(
            object.contextStorage == nil,
            "Illegal attempt to insert an object of \(object.layout.name) that belongs to another context; use object(with:) with its objectID."
        )
        require(
            !object.layout.isAbstract,
            "Can't insert an object of the abstract entity \(object.layout.name); insert one of its subentities.")
        insertNew(object)
    }

    /// See ``assign(_:to:)``.
    func assignStore(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject, object.contextStorage === self, object.state.contains(.inserted)
        else {
            programmerError(
                "Only an object that is inserted into this context and not yet saved can be assigned to a store, and not \(object); assign it between insert(_:) and save()."
            )
        }
        object.mutableRecord.assignedStore = store.token
    }

    /// Has an object back that is deleted, was found gone, or would be found to be.
    ///
    /// - Parameter lostVersion: The last one that is known of a row that is gone.
    func bringBack(_ object: NSManagedObject, lostVersion: Int32 = 1) {
        if object.state.contains(.inaccessible) {
            // Others may have brought it back.
            bringUpToDate(object, mergeChanges: true)
        } else if object.isUnfired {
            object.loadRow()
        }
        if object.snapshot == nil, object.isUnfired || object.state.contains(.inaccessible) {
            return object.isObserved
                ? object.tellingObserversOfAll { insertAgain(object, lostVersion) } : insertAgain(object, lostVersion)
        }
        guard object.state.contains(.deleted) else { return }
        undoing.recorder?.willChange(object, nil)
        let isForgotten = object.state.contains(.propagated)
        undelete(object)
        if isForgotten { object.removeOneSidedDestinations() }
    }

    /// Makes an object that lost its row a new one, under the reference that it had.
    private func insertAgain(_ object: NSManagedObject, _ lostVersion: Int32) {
        let reference = object.reference
        letGo(of: object)
        forgetUnchanged()
        events.objects.removeAll { $0 === object }
        object.forgetAll()
        object.state.remove([.realized, .inaccessible, .propagated])
        insertNew(object, reference)
        object.mutableRecord.header.lostVersion = lostVersion
    }

    /// Takes a deletion back that was not saved.
    func undelete(_ object: NSManagedObject) {
        object.state.remove([.deleted, .propagated, .inaccessible])
        unsaved.deletionsToPropagate.removeAll { $0 === object }
        if object.state.isDisjoint(with: .changed) { unsaved.count -= 1 }
        track(object)
        object.showRelationshipsAgain()
    }

    // MARK: Changing

    /// Counts an object among the changed ones.
    ///
    /// - Parameter index: The property that is about to change; nil: none that the model knows.
    func noteChange(of object: NSManagedObject, _ index: Int? = nil) {
        undoing.recorder?.willChange(object, index)
        object.recordReference?._withUnsafeGuaranteedRef { $0.begin(event: events.number) }
        if object.state.isDisjoint(with: .changed) {
            object.state.insert(.updated)
            unsaved.count += 1
        }
        track(object)
    }

    /// Keeps a changed object alive and mentions it in the next notification.
    func track(_ object: NSManagedObject) {
        if !object.state.contains(.tracked) {
            object.state.insert(.tracked)
            unsaved.requirements.formUnion(object.table.pointee.requirements)
            unsaved.objects.append(object)
        }
        if undoing.recorder == nil { object.state.insert(.unrecorded) } else { object.state.remove(.unrecorded) }
        if !object.state.contains(.inEvent) {
            object.state.insert(.inEvent)
            if events.objects.isEmpty { scheduleEndOfTurn() }
            events.objects.append(object)
        }
    }

    // MARK: Processing

    /// See ``processPendingChanges()``.
    func processPending() {
        checkQueue()
        if !held.ownersOfProxies.isEmpty { releaseProxies() }
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        // Deletions end relationships, too.
        showStaleSets()
        guard !events.objects.isEmpty || !merging.objects.isEmpty else { return }
        let (objects, others) = (events.objects, merging.objects)
        events.objects = []
        merging.objects = MergedObjects()
        undoing.recorder?.register(in: self)
        let changes = takeEvent(objects)
        forgetUnchanged()
        // What observers change belongs to the next event.
        events.notifying = events.number
        events.number += 1
        // Objects that the last notification told of may go now: after the change, for an app's `deinit` may run.
        let told = events.notified
        events.notified = changes
        withExtendedLifetime(told) {}
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: others.added(to: changes.userInfo))
        events.notifying = nil
    }

    /// Takes objects out of the event that they were in.
    ///
    /// - Returns: What happened to them, and to those that undoing brought back or gave their old values.
    private func takeEvent(_ objects: ContiguousArray<NSManagedObject>) -> NotifiedChanges<NSManagedObject> {
        var changes = ObjectChanges<NSManagedObject>()
        // Mostly all are of one kind, that of the one in the middle.
        if !objects.isEmpty { changes.reserve(objects.count, like: objects[objects.count / 2]) }
        var areSaved = true
        objects.forEachUnretained { object in
            object.state.remove(.inEvent)
            if object.contextReference == nil { areSaved = false }
            // What `insert` returns would be counted.
            if object.isNew {
                if object.state.contains(.insertionNotified) {
                    changes.updated.update(with: object)
                    areSaved = false
                } else {
                    object.state.insert(.insertionNotified)
                    changes.inserted.update(with: object)
                }
            }
            if object.isModified { changes.updated.update(with: object) }
            if object.isDeletedOrGone { changes.deleted.update(with: object) }
        }
        if undoing.revived.isEmpty, undoing.restored.isEmpty { return NotifiedChanges(changes, areSaved: areSaved) }
        // Revived objects count as inserted, and restored ones as updated even if they are now as they were saved.
        changes.inserted.formUnion(undoing.revived.filter(\.isPresent))
        changes.updated.formUnion(undoing.restored.filter(\.isPresent))
        changes.updated.subtract(changes.inserted)
        (undoing.revived, undoing.restored) = ([], [])
        return NotifiedChanges(changes, areSaved: false)
    }

    /// Lets go of objects that were inserted and deleted again.
    func forgetUnchanged() {
        guard unsaved.objects.count > unsaved.count else { return }
        for object in unsaved.objects where object.state.isDisjoint(with: .changed) { object.state.remove(.tracked) }
        // They are released after the change of the list: an app's `deinit` may run then, and change other objects.
        let all = unsaved.objects
        unsaved.objects = all.filter { !$0.state.isDisjoint(with: .changed) }
        withExtendedLifetime(all) {}
    }

    // MARK: Checking

    /// Traps where an object's entity is not of this context's model.
    @inline(__always)
    func check(_ object: NSManagedObject) {
        if object.table.pointee.modelLayout != modelLayout, modelLayout != nil { trapForeign(object) }
    }

    private func trapForeign(_ object: NSManagedObject) -> Never {
        programmerError(
            "The entity \(object.layout.name) belongs to another model than this context's; take it from the context's coordinator, with NSEntityDescription.entity(forEntityName:in:)."
        )
    }
}

extension NSManagedObject {
    fileprivate var isDeletedOrGone: Bool { isGoing || contextReference == nil }
}

extension ObjectChanges<NSManagedObject> {
    /// Makes room for so many objects of the kind of one of them.
    fileprivate mutating func reserve(_ count: Int, like object: NSManagedObject) {
        if object.isNew {
            inserted.reserveCapacity(count)
        } else if object.isModified {
            updated.reserveCapacity(count)
        } else {
            deleted.reserveCapacity(count)
        }
    }
}

extension NSManagedObject {
    /// Gives a new object the model's defaults.
    func setDefaults() {
        if recordReference == nil { makeRecord() }
        recordReference.unsafelyUnwrapped._withUnsafeGuaranteedRef { record in
            for (index, value) in table.pointee.defaults { record[index] = value }
        }
    }
}
