import FoundationGaps

extension NSManagedObjectContext {
    /// See ``undoManager``.
    var recordingManager: UndoManager? {
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

    /// See ``undo()``.
    func undoLast() {
        guard let undoRecorder else { return }
        processPendingChanges()
        undoRecorder.manager.undo()
        processPendingChanges()
    }

    /// See ``redo()``.
    func redoLast() {
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
