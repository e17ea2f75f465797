import FoundationGaps

extension NSManagedObjectContext {
    /// See ``undoManager``.
    var recordingManager: UndoManager? {
        get { undoing.recorder?.manager }
        set {
            guard newValue !== undoing.recorder?.manager else { return }
            processPendingChanges()
            undoing.recorder?.end()
            undoing.recorder?.manager.removeAllActions(withTarget: self)
            undoing.recorder = newValue.map { UndoRecorder($0, self) }
            for object in unsaved.objects { object.state.remove(.unrecorded) }
        }
    }

    /// See ``undo()``.
    func undoLast() {
        guard let recorder = undoing.recorder else { return }
        processPendingChanges()
        recorder.manager.undo()
        processPendingChanges()
    }

    /// See ``redo()``.
    func redoLast() {
        guard let recorder = undoing.recorder else { return }
        processPendingChanges()
        recorder.manager.redo()
        processPendingChanges()
    }

    /// Ends the event: a block of ``perform(_:)``, or a turn of the main queue.
    func endEvent() {
        processPendingChanges()
        undoing.recorder?.manager.endEvent()
    }
}
