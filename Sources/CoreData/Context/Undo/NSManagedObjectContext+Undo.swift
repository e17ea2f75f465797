import FoundationGaps

extension NSManagedObjectContext {
    /// Where the context registers how its changes are undone; nil (the default, as on iOS): nowhere, which is faster.
    ///
    /// What changes between two points at which pending changes are processed is registered together, insertions, deletions with
    /// what their rules did, attributes and relationships; ``processPendingChanges()`` is such a point. The manager's groups decide
    /// what one ``undo()`` takes back: with `groupsByEvent` all of an event. With it off a group must be open whenever pending
    /// changes are processed.
    ///
    /// To change something that can't be undone: process pending changes, disable the manager's registration, change, process
    /// again, enable.
    ///
    /// A context without a manager that gets one can't undo what it changed before.
    public var undoManager: UndoManager? {
        get { undoRecorder?.manager }
        set {
            guard newValue !== undoRecorder?.manager else { return }
            processPendingChanges()
            undoRecorder?.end()
            undoRecorder?.manager.removeAllActions(withTarget: self)
            undoRecorder = newValue.map { UndoRecorder($0, self) }
            for object in changed { object.state.remove(.unrecorded) }
        }
    }

    /// Undoes the last changes, as the undo manager groups them; also such that were saved, as changes to what is saved now.
    ///
    /// An insertion that was saved is undone by deleting the object. A deletion that was saved is undone by inserting the very
    /// object again, which keeps its ID. Objects are told by `awake(fromSnapshotEvents:)`; their accessors and validation are not
    /// called. Does nothing without an undo manager.
    public func undo() {
        guard let undoRecorder else { return }
        processPendingChanges()
        undoRecorder.manager.undo()
        processPendingChanges()
    }

    /// Does again what was undone last. Does nothing without an undo manager.
    public func redo() {
        guard let undoRecorder else { return }
        processPendingChanges()
        undoRecorder.manager.redo()
        processPendingChanges()
    }

    /// Ends the event: a block of ``perform(_:)``, or a turn of the main queue.
    func endEvent() {
        processPendingChanges()
        undoRecorder?.manager.endEvent()
    }
}
