import CoreData
import Foundation
import StoreBrowsing

/// What becomes of the changes that an earlier run left.
struct StagedRecoveryRequest: Sendable, Decodable {
    enum Choice: String, Sendable, Decodable {
        case recover, discard
    }

    var choice: Choice
    var choices: [String: [String: ConflictChoices.Side]]?
    var client: String?
    var titles: [String: [String]]?
}

extension StoreSession {
    /// Where the journals of all stores are.
    static var journals: URL { StoreMemory.folder.appending(path: "journals") }

    /// Takes the journal of a store, and what an earlier run left in it.
    static func journal(_ place: StorePlace, _ identifier: String?, _ folder: URL, _ edits: StagedChanges)
        -> StagedJournal?
    {
        do {
            let journal = try StagedJournal(ofStore: place.name, in: folder)
            guard journal.isThere else { return journal }
            let entry = journal.read()
            if let entry, entry.store == nil || identifier == nil || entry.store == identifier {
                edits.recovery = entry.objects.isEmpty ? nil : entry
            } else {
                let reason = entry == nil ? "can't be read" : "is of another store that was there"
                edits.journalFailure =
                    "What an earlier run kept \(reason); it is put aside as \(journal.putAside().path)."
            }
            return journal
        } catch {
            edits.journalFailure = "Unsaved changes are not kept on disk. \(StudioError(error).message)"
            return nil
        }
    }

    /// Takes up the changes of a run that did not end well, or lets them go.
    func resolveRecovery(_ request: StagedRecoveryRequest) async throws -> JSON {
        let edits = try editing()
        guard let journal else { throw StudioError(.invalidEdit, "There is nothing to recover.") }
        let titles = ObjectTitles(chosen: request.titles ?? [:])
        let (outcome, state) = try await edits.work { changes in
            guard request.choice == .recover else {
                guard changes.recovery != nil else {
                    throw StudioError(.invalidEdit, "There is nothing to recover.")
                }
                changes.recovery = nil
                return (RecoveryOutcome.recovered(left: []), changes.state(titles))
            }
            let answer = ConflictChoices(choices: request.choices)
            let outcome = try changes.recover(journal.value, answer, window: request.client ?? "")
            return (outcome, changes.state(titles))
        }
        if case .recovered = outcome {
            if request.choice == .discard { journal.remove() }
            listeners.tell(.changes(state, client: request.client))
            scheduleJournal()
        }
        guard case .object(var answer) = outcome.json else { return outcome.json }
        answer["state"] = state
        return .object(answer)
    }

    // MARK: Writing

    /// Has the journal written soon; what comes until then goes with it.
    func scheduleJournal() {
        guard journal != nil else { return }
        isJournalStale = true
        guard journalTask == nil else { return }
        journalTask = Task { [weak self] in await self?.keepJournal() }
    }

    private func keepJournal() async {
        var pause = Duration.milliseconds(250)
        while isJournalStale {
            try? await Task.sleep(for: pause)
            isJournalStale = false
            let start = ContinuousClock.now
            await writeJournal()
            // Where much is staged, it takes its time: most of the time is left to what a person does.
            pause = max(pause, (ContinuousClock.now - start) * 3)
        }
        journalTask = nil
    }

    /// Writes down what is staged, or removes the journal where nothing is. The windows are told if it can't be done,
    /// and when it can be done again.
    ///
    /// One write waits for the one before it: both replace the same files, and what is newer has to stay.
    ///
    /// - Returns: Why what is staged is not written down; nil if it is.
    @discardableResult
    func writeJournal() async -> String? {
        let write = Task { [journalWrite] in
            _ = await journalWrite?.value
            return await writeJournalOnce()
        }
        journalWrite = write
        return await write.value
    }

    private func writeJournalOnce() async -> String? {
        guard let edits, let journal else { return nil }
        let failure = await journalWritten(edits, journal)
        let state = try? await edits.work { changes -> JSON? in
            guard changes.journalFailure != failure else { return nil }
            changes.journalFailure = failure
            return changes.state()
        }
        if let state { listeners.tell(.changes(state, client: nil)) }
        return failure
    }

    /// - Returns: Why what is staged is not written down; nil if it is.
    private func journalWritten(_ edits: StagedChanges, _ journal: StagedJournal) async -> String? {
        let found = try? await edits.work { [identifier] changes in
            (snapshot: changes.snapshot(ofStore: identifier), isTaken: changes.recovery != nil)
        }
        guard let (snapshot, isTaken) = found else { return "Unsaved changes are not kept on disk." }
        let isEmpty = snapshot.entry.objects.isEmpty
        // What an earlier run left is not replaced before the person decided about it.
        if isTaken {
            return isEmpty
                ? nil : "New changes are not kept on disk until you recover or discard those of the earlier run."
        }
        do {
            try await Task.detached { if isEmpty { journal.remove() } else { try journal.write(snapshot) } }.value
            return snapshot.omissions.first
        } catch { return "Unsaved changes are not kept on disk. \(StudioError(error).message)" }
    }

    // MARK: The end

    /// Writes the journal for the last time.
    func keepChanges() async -> UnsavedChanges {
        await journalTask?.value
        let count = await unsavedCount()
        guard count > 0 else {
            await writeJournal()
            journal?.end()
            return .none
        }
        let failure = await writeJournal()
        let lost = "\(count) changed \(count == 1 ? "object was" : "objects were") not saved."
        guard let journal, failure == nil else {
            return .lost([lost, failure].compactMap { $0 }.joined(separator: " "))
        }
        return .kept(journal.folder.path)
    }

    /// Lets another session have the journal's place. Nothing is staged then.
    func endJournal() async {
        await journalTask?.value
        journal?.end()
    }

    /// Gives up what is staged. What an earlier run left stays until the person decides about it.
    func giveUpChanges() async {
        await journalTask?.value
        let isTaken = try? await edits?.work { $0.recovery != nil }
        if isTaken == false { journal?.remove() }
        journal?.end()
    }
}
