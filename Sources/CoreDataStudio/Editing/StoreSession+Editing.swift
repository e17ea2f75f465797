import CoreData
import Foundation
import StoreBrowsing

/// An action, and the window that asks for it.
struct EditRequest: Sendable, Decodable {
    var action: StoreAction
    var client: String?
    var titles: [String: [String]]?
}

/// A request without an action: to undo, to redo, to give up, to save.
struct StepRequest: Sendable, Decodable {
    var client: String?
    var titles: [String: [String]]?
    var choices: [String: [String: ConflictChoices.Side]]?
}

/// What would be deleted.
struct DeletionRequest: Sendable, Decodable {
    var objects: [String]
}

extension StoreSession {
    /// As many bytes of a file or of a text as a value can be set to.
    static let mostEditedBytes = 256 << 20

    /// The changes, in a studio that may make some.
    ///
    /// - Throws: `read-only`.
    func editing() throws -> StagedChanges {
        guard let edits else {
            throw StudioError(.readOnly, "The store is open for reading. Start the studio with --edit to change it.")
        }
        return edits
    }

    /// The changes that are not saved.
    func changes() async throws -> JSON { try await editing().work { $0.state() } }

    /// Carries out an action.
    func edit(_ request: EditRequest) async throws -> JSON {
        try await step(request.client, request.titles) { changes in
            try changes.apply(request.action).map { .text($0.objectID.shortIdentifier) }
        }
    }

    /// Sets an attribute to the bytes of a file.
    func setData(_ data: Data, _ object: String, _ key: String, client: String?) async throws -> JSON {
        try await step(client, nil) { changes in
            let target = try changes.editable(object)
            let attribute = try target.entity.editableAttribute(key)
            guard [.binaryDataAttributeType, .transformableAttributeType].contains(attribute.attributeType) else {
                throw StudioError(.invalidEdit, "\(key) holds no data.")
            }
            changes.record("Change \(key)") { target.set(data, at: key) }
            return []
        }
    }

    /// Sets an attribute to a text of any length, in UTF-8.
    ///
    /// - Throws: `invalidEdit` for bytes that are no text, and for a text that is no value of the attribute's type.
    func setText(_ data: Data, _ object: String, _ key: String, client: String?) async throws -> JSON {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw StudioError(.invalidEdit, "The new value of \(key) is no text in UTF-8.")
        }
        return try await edit(
            EditRequest(action: .set(object: object, key: key, value: .text(text)), client: client))
    }

    func undoEdit(_ request: StepRequest) async throws -> JSON { try await step(request) { $0.undo() } }
    func redoEdit(_ request: StepRequest) async throws -> JSON { try await step(request) { $0.redo() } }
    func discardEdits(_ request: StepRequest) async throws -> JSON { try await step(request) { $0.discard() } }

    private func step(_ request: StepRequest, _ body: @escaping @Sendable (StagedChanges) -> Void) async throws -> JSON
    {
        try await step(request.client, request.titles) {
            body($0)
            return []
        }
    }

    private func step(
        _ client: String?, _ titles: [String: [String]]?, _ body: @escaping @Sendable (StagedChanges) throws -> [JSON]
    ) async throws -> JSON {
        let (created, state) = try await editing().work { changes in
            (try body(changes), changes.state(ObjectTitles(chosen: titles ?? [:])))
        }
        listeners.tell(.changes(state, client: client))
        scheduleJournal()
        return ["state": state, "created": .array(created)]
    }

    /// What a deletion would do.
    func previewDeletion(_ request: DeletionRequest) async throws -> JSON {
        try await editing().work { try DeletionPreview(of: $0.objects(request.objects), $0).json }
    }

    /// Objects for a relationship.
    func pick(_ request: PickRequest) async throws -> JSON { try await editing().work(ObjectPicker(request).objects) }

    // MARK: Saving

    /// Saves all changes, after a backup of the file.
    func saveEdits(_ request: StepRequest) async throws -> JSON {
        let titles = ObjectTitles(chosen: request.titles ?? [:])
        let (outcome, state, backup) = try await editing().work { [place] changes in
            let backup = try changes.backUp(place)
            let answer = ConflictChoices(choices: request.choices)
            return (try changes.save(answer, window: request.client ?? ""), changes.state(titles), backup)
        }
        if case .saved(let identifiers) = outcome {
            listeners.tell(.changes(state, client: request.client, identifiers: identifiers))
            await storeChanged()
        } else {
            listeners.tell(.changes(state, client: request.client))
        }
        scheduleJournal()
        guard case .object(var answer) = outcome.json else { return outcome.json }
        answer["state"] = state
        answer["backup"] = .optional(backup)
        return .object(answer)
    }

    // MARK: Changes of the store

    /// Forgets what was found in the store, has the staged objects follow it, and tells the windows.
    func storeChanged() async {
        lists = RowLists()
        counts = nil
        age += 1
        // A store that can't be read is told by what reads it next.
        let state = try? await edits?.work { changes -> JSON? in
            let revision = changes.revision
            try changes.followStore()
            return changes.revision == revision ? nil : changes.state()
        }
        // The steps were forgotten.
        if let state = state ?? nil { listeners.tell(.changes(state, client: nil)) }
        listeners.tell(.store)
    }

    /// What a window is told, until it goes.
    func events() -> AsyncStream<StoreEvent> {
        // A window that reads no more loses events, and finds all of it when it asks.
        let (events, feed) = AsyncStream.makeStream(of: StoreEvent.self, bufferingPolicy: .bufferingNewest(64))
        let id = UUID()
        listeners.add(id, feed)
        feed.onTermination = { [weak self] _ in Task { await self?.stopTelling(id) } }
        return events
    }

    private func stopTelling(_ id: UUID) { listeners.remove(id) }

    /// Listens to what other programs save.
    nonisolated func listenToStore() {
        guard let edits else { return }
        watch.start(edits.store.coordinator) { [weak self] in Task { await self?.storeChanged() } }
    }

    /// Closes a store that may be changed, so that no log stays beside it.
    func close() async throws { try await edits?.work { try $0.store.close() } }

    /// Tells the windows that another session has the store now.
    func wasReplaced() { listeners.tell(.replaced) }

    /// How many objects have changes that would be lost.
    func unsavedCount() async -> Int { await edits?.unsavedCount() ?? 0 }
}

extension StagedChanges {
    fileprivate func unsavedCount() async -> Int { await context.perform { [self] in changedObjects.count } }
}
