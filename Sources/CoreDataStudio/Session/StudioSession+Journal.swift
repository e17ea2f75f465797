import Foundation
import ModelDocument

extension StudioSession {
    enum RecoveryChoice: String, Sendable, Codable { case recover, discard }

    /// Takes up the work of a run that did not end well, or lets it go.
    func resolveRecovery(_ choice: RecoveryChoice, client: String?) throws -> Update {
        guard let recovery else { throw StudioError(.invalidEdit, "There is nothing to recover.") }
        let recovered: VersionedModel?
        do { recovered = choice == .recover ? try recovery.entry.recovered(files) : nil } catch {
            throw StudioError(error)
        }
        self.recovery = nil
        if let recovered { return replace(with: recovered, "Recover Unsaved Changes", client: client) }
        journal.remove()
        if isDirty { scheduleJournal() }
        let update = update(RecordChanges(), versions: [], client: client, isMerged: false)
        publish(.update(update))
        return update
    }

    /// Has the journal written soon; what comes until then goes with it.
    func scheduleJournal() {
        guard recovery == nil, journalTask == nil else { return }
        journalTask = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(300))
            guard !Task.isCancelled else { return }
            await self?.writeJournal()
        }
    }

    /// Writes down what is unsaved, or removes the journal where nothing is.
    func writeJournal() {
        journalTask = nil
        // What an earlier run left is not replaced before somebody decided about it.
        guard recovery == nil else { return }
        guard isDirty, !isUntouchedNew else { return journal.remove() }
        do {
            try journal.write(Journal.Entry(document.document, files))
            journalFailure = nil
        } catch {
            journalFailure = StudioError(error).message
        }
    }

    private var isUntouchedNew: Bool { isNew && files.base == nil && revision == 1 }

    /// Ends the session: the journal stays where something is unsaved.
    ///
    /// - Returns: whether something is.
    func close() -> Bool {
        journalTask?.cancel()
        writeJournal()
        publish(.closing)
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        return isDirty && !isUntouchedNew
    }
}
