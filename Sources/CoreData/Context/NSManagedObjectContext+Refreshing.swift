import FoundationGaps

extension NSManagedObjectContext {
    /// See ``refresh(_:mergeChanges:)``.
    func bringUpToDate(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.contextStorage === self else { return }
        if object.state.contains(.inserted) {
            guard !flag, !object.state.contains(.deleted) else { return }
            object.startAnew()
        } else if flag {
            guard object.state.contains(.realized) else {
                // A fault has nothing to merge; it asks for its row anew.
                forgetRowThatIsObserved(object)
                object.turnIntoFault()
                source.forgetRow(of: object.reference)
                return
            }
            guard let row = freshRow(of: object) else { return }
            var rows = RowRefresh(self)
            rows.refresh(object, to: row)
            rows.reapplyChanges()
        } else {
            discardChanges(object)
        }
        showStaleSets()
        noteRefresh(of: object)
    }

    /// See ``refreshAllObjects()``.
    func bringAllUpToDate() {
        checkQueue()
        for object in uniquing.objects {
            if object.isChanged {
                bringUpToDate(object, mergeChanges: true)
            } else {
                object.turnIntoFault()
                noteRefresh(of: object)
            }
        }
        showStaleSets()
    }

    /// Mentions an object in the next change notification, under `NSRefreshedObjectsKey`.
    private func noteRefresh(of object: NSManagedObject) {
        if events.objects.isEmpty, merging.objects.isEmpty { scheduleEndOfTurn() }
        merging.objects.refreshed.insert(object)
    }

    /// See ``reset()``.
    func forgetObjects() {
        checkQueue()
        undoing.reset()
        undoManager?.removeAllActions(withTarget: self)
        // No object goes before all is forgotten: an app's `deinit` may run then.
        let objects = uniquing.objects
        defer { withExtendedLifetime(objects) {} }
        let ids = objects.map(\.ownID)
        unsaved.reset()
        events.reset()
        merging.reset()
        held.reset()
        pinned.advance()
        uniquing.removeAll { object in
            object.leaveContext()
            object.snapshot = nil
            object.record = nil
            object.state.remove(.realized)
        }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: [NSInvalidatedAllObjectsKey: ids])
    }

    /// See ``rollback()``.
    func takeBackChanges() {
        checkQueue()
        undoing.reset()
        undoManager?.removeAllActions()
        let objects = unsaved.objects
        unsaved.reset()
        events.reset()
        merging.deletions.forget()
        for object in objects {
            let wasInserted = object.state.contains(.inserted)
            object.state.remove([.tracked, .inEvent, .propagated])
            object.state.subtract(.changed)
            if wasInserted {
                uniquing.remove(object)
                object.leaveContext()
            } else {
                if object.isObserved {
                    object.tellingObserversOfAll { object.forgetAll() }
                } else {
                    object.forgetAll()
                }
                // An object that lost its row has no values to go back to: it is the fault again that it was.
                if object.state.contains(.inaccessible) { object.state.remove([.inaccessible, .realized]) }
                takeExtras(of: object)
            }
        }
        showStaleSets()
        let (kept, gone) = (objects.filter { $0.contextStorage === self }, objects.filter { $0.contextStorage == nil })
        for object in kept { object.awake(fromSnapshotEvents: .rollback) }
        var payload: [AnyHashable: Any] = [NSRefreshedObjectsKey: Set(kept)]
        if !gone.isEmpty { payload[NSDeletedObjectsKey] = Set(gone) }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: payload)
    }

    private func discardChanges(_ object: NSManagedObject) {
        if object.isChanged {
            object.state.subtract(.changed)
            object.state.remove(.propagated)
            unsaved.deletionsToPropagate.removeAll { $0 === object }
            unsaved.count -= 1
        }
        forgetRowThatIsObserved(object)
        object.turnIntoFault()
        source.forgetRow(of: object.reference)
        forgetUnchanged()
    }

    /// Observation compares an object's values with those of the row to come: not with one that is known already.
    private func forgetRowThatIsObserved(_ object: NSManagedObject) {
        if object.isObserved { source.forgetRow(of: object.reference) }
    }

    private func freshRow(of object: NSManagedObject) -> RowSnapshot? {
        do {
            return try source.freshRow(for: object.reference)
        } catch {
            programmerError(
                "CoreData could not refresh \(object.ownID.uriRepresentation()): \(error). Keep the store attached and readable as long as its objects are used."
            )
        }
    }
}
