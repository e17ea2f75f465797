import FoundationGaps

extension NSManagedObjectContext {
    /// Brings an object up to date with its store.
    ///
    /// - Parameters:
    ///   - object: An object of this context. One of another context, or one that was never saved, stays as it is.
    ///   - flag: Whether changes made here are kept, over fresh values; otherwise they are lost and the object becomes a fault.
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.contextStorage === self, !object.state.contains(.inserted) else { return }
        if flag {
            guard object.state.contains(.realized) else {
                // A fault has nothing to merge; it asks for its row anew.
                object.turnIntoFault()
                source.forgetRow(of: object.reference)
                return
            }
            guard let row = freshRow(of: object) else { return }
            var rows = FreshRows(self)
            rows.take(object, row)
            rows.settle()
        } else {
            discardChanges(object)
        }
        showStaleSets()
        noteRefresh(of: object)
    }

    /// Brings all objects up to date, keeping changes made here.
    public func refreshAllObjects() {
        checkQueue()
        for object in uniquing.objects {
            if object.hasChanges {
                refresh(object, mergeChanges: true)
            } else {
                object.turnIntoFault()
                noteRefresh(of: object)
            }
        }
        showStaleSets()
    }

    /// Mentions an object in the next change notification, under `NSRefreshedObjectsKey`.
    private func noteRefresh(of object: NSManagedObject) {
        if event.isEmpty, merged.isEmpty { scheduleEndOfTurn() }
        merged.refreshed.insert(object)
    }

    /// Forgets every object and every change. Objects that the app still holds are not to be used any longer.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange` with `NSInvalidatedAllObjectsKey`.
    public func reset() {
        checkQueue()
        undoRecorder?.forgetEvent()
        undoManager?.removeAllActions(withTarget: self)
        (revived, restored) = ([], [])
        let ids = uniquing.objects.map(\.objectID)
        announced = AnnouncedChanges()
        changed = []
        demands = []
        event = []
        merged = MergedObjects()
        undeleted = []
        checked = []
        changeCount = 0
        retained = []
        (ownersOfProxies, ownersOfStaleSets) = ([], [])
        pagedFetches = []
        advanceGeneration()
        uniquing.removeAll { object in
            object.leaveContext()
            object.snapshot = nil
            object.record = nil
            object.state.remove(.realized)
        }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: [NSInvalidatedAllObjectsKey: ids])
    }

    /// Undoes everything since the last save: inserted objects go, changed ones take their stored values, deleted ones come
    /// back. Needs no undo manager; one that there is forgets everything.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange`, with those that went under `NSDeletedObjectsKey`, the others under
    /// `NSRefreshedObjectsKey`.
    public func rollback() {
        checkQueue()
        undoRecorder?.forgetEvent()
        undoManager?.removeAllActions()
        (revived, restored) = ([], [])
        let objects = changed
        announced = AnnouncedChanges()
        changed = []
        demands = []
        event = []
        undeleted = []
        checked = []
        changeCount = 0
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
                // Whose row is gone has no values to go back to: it is the fault again that it was.
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
        if object.hasChanges {
            object.state.subtract(.changed)
            object.state.remove(.propagated)
            undeleted.removeAll { $0 === object }
            changeCount -= 1
        }
        object.turnIntoFault()
        source.forgetRow(of: object.reference)
        forgetUnchanged()
    }

    private func freshRow(of object: NSManagedObject) -> RowSnapshot? {
        do {
            return try source.freshRow(for: object.reference)
        } catch {
            preconditionFailure("CoreData could not refresh \(object.objectID.uriRepresentation()): \(error)")
        }
    }
}
