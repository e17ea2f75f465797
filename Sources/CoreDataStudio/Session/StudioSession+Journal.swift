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
        journalFailure = nil
        if let recovered { return replace(with: recovered, "Recover Unsaved Changes", client: client) }
        journal.remove()
        if isDirty { scheduleJournal() }
        let update = update(RecordChanges(), versions: [], client: client, isMerged: false)
        publish(.update(update))
        return update
    }

    /// Has the journal written soon; what comes until then goes with it.
    func scheduleJournal() {
        guard journalTask == nil else { return }
        journalTask = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(300))
            guard !Task.isCancelled else { return }
            await self?.writeJournal()
        }
    }

    /// Writes down what is unsaved, or removes the journal where nothing is. The tabs are told at once if it can't be
    /// done, and when it can be done again.
    func writeJournal() {
        journalTask = nil
        let failure = journalWritten()
        guard failure != journalFailure else { return }
        journalFailure = failure
        publish(.update(update(RecordChanges(), versions: [], client: nil, isMerged: false)))
    }

    /// - Returns: why what is unsaved is not written down; `nil` if it is, or if nothing is unsaved.
    private func journalWritten() -> String? {
        // What an earlier run left is not replaced before the user decided about it.
        guard recovery == nil else {
            return isDirty
                ? "New changes are not kept on disk until you recover or discard those of the earlier run." : nil
        }
        guard isDirty, !isUntouchedNew else {
            journal.remove()
            return nil
        }
        do {
            try journal.write(Journal.Entry(document.document, files))
            return nil
        } catch { return "Unsaved changes are not kept on disk. \(StudioError(error).message)" }
    }

    /// Whether the document is new and empty: it would be no loss.
    var isUntouchedNew: Bool { isNew && !isDrafted && files.base == nil && revision == 1 }

    /// Writes the journal for the last time.
    func keepLeftovers() -> UnsavedChanges {
        journalTask?.cancel()
        writeJournal()
        guard isDirty, !isUntouchedNew else { return .none }
        return journalFailure.map(UnsavedChanges.lost) ?? .kept(journal.url.path)
    }

    /// Ends the session: the journal stays where something is unsaved.
    ///
    /// - Returns: what became of unsaved changes.
    func close() -> UnsavedChanges {
        let leftovers = keepLeftovers()
        publish(.closing(leftovers))
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        return leftovers
    }
}
