import Foundation
import ModelDocument

// What is unsaved of a mapping model lies in a journal beside it, as that of a model does.

extension MappingSession {
    /// Unsaved work of a run that did not end well.
    struct Recovery: Sendable {
        var entry: Journal.Entry
        var edited: EditedMapping
        /// Whether what is on disk is what the work was done on.
        var isOutdated: Bool
    }

    /// The file in the document.
    private static let name = "xcmapping.xml"

    /// What a journal that was left behind offers; nothing if the document says that already. One that can't be read is
    /// put aside, never deleted.
    ///
    /// - Parameter base: What is on disk.
    static func recovery(
        _ journal: Journal, _ base: (edited: EditedMapping, data: Data)?
    ) -> (Recovery?, failure: String?) {
        guard journal.isThere else { return (nil, nil) }
        guard let entry = journal.read(), let text = entry.files[name],
            let edited = try? EditedMapping(XMLStoreDocument(data: Data(text.utf8)))
        else {
            return (nil, "What an earlier run kept can't be read; it is put aside as \(journal.putAside().path).")
        }
        guard edited.mapping != base?.edited.mapping else {
            journal.remove()
            return (nil, nil)
        }
        let isBased = entry.isBased(on: base.map { [name: $0.data] } ?? [:])
        return (Recovery(entry: entry, edited: edited, isOutdated: !isBased), nil)
    }

    /// Takes up the work of a run that did not end well, or lets it go.
    ///
    /// - Throws: `invalidEdit` if there is none.
    func resolveRecovery(_ request: RecoveryRequest) throws -> JSON {
        guard let recovery else { throw StudioError(.invalidEdit, "There is nothing to recover.") }
        self.recovery = nil
        journalFailure = nil
        if request.choice == .recover, recovery.edited != edited {
            note("Recover Unsaved Changes", merge: nil)
            return take(recovery.edited, request.client)
        }
        if request.choice == .discard { journal.remove() }
        scheduleJournal()
        return tell(request.client)
    }

    struct RecoveryRequest: Sendable, Decodable {
        var choice: StudioSession.RecoveryChoice
        var client: String?
    }

    /// Tells the windows of what is beside the mapping model itself.
    @discardableResult func tell(_ client: String?) -> JSON {
        revision += 1
        let state = state()
        publish(.update(state, client: client))
        return state
    }

    // MARK: Writing

    /// Has the journal written soon; what comes until then goes with it. Where nothing is unsaved, it goes at once.
    func scheduleJournal() {
        guard isDirty else {
            journalTask?.cancel()
            return writeJournal()
        }
        guard journalTask == nil else { return }
        journalTask = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(300))
            guard !Task.isCancelled else { return }
            await self?.writeJournal()
        }
    }

    /// Writes down what is unsaved, or removes the journal where nothing is. The windows are told if it can't be done,
    /// and when it can be done again.
    func writeJournal() {
        journalTask = nil
        let failure = journalWritten()
        guard failure != journalFailure else { return }
        journalFailure = failure
        tell(nil)
    }

    /// - Returns: Why what is unsaved is not written down; nil if it is, or if nothing is unsaved.
    private func journalWritten() -> String? {
        // What an earlier run left is not replaced before the person decided about it.
        guard recovery == nil else {
            return isDirty
                ? "New changes are not kept on disk until you recover or discard those of the earlier run." : nil
        }
        guard isDirty else {
            journal.remove()
            return nil
        }
        do {
            let base = base.map { [Self.name: $0.data] } ?? [:]
            try journal.write(Journal.Entry(files: [Self.name: try data()], base: base))
            return nil
        } catch { return "Unsaved changes are not kept on disk. \(StudioError(error).message)" }
    }

    /// Writes the journal for the last time.
    func keepLeftovers() -> UnsavedChanges {
        journalTask?.cancel()
        writeJournal()
        guard isDirty else { return .none }
        return journalFailure.map(UnsavedChanges.lost) ?? .kept(journal.url.path)
    }

    /// Gives up what is unsaved. What an earlier run left stays until the person decides about it.
    func giveUpChanges() {
        journalTask?.cancel()
        if recovery == nil { journal.remove() }
    }
}
