/// What a request is about: the document that it names, or without a name the first of each kind.
struct OpenedThings: Sendable {
    var model: StudioSession?
    var store: StoreSession?
    var mapping: MappingSession?
    /// Whether the model is a copy of what was dropped into a window.
    var isCopy = false
    /// Whether the store is closed while its file is migrated.
    private var isMigrating = false
    let documents: OpenedDocuments?
    var merge: MergeSession?

    /// - Parameter entries: Of those of a kind the last one counts.
    init(_ entries: some Sequence<OpenedDocuments.Entry> = [], in documents: OpenedDocuments? = nil) {
        self.documents = documents
        for entry in entries {
            mapping = entry.session as? MappingSession ?? mapping
            if let session = entry.session as? StoreSession {
                (store, isMigrating) = (entry.isMigrating ? nil : session, entry.isMigrating)
            }
            guard let session = entry.session as? StudioSession else { continue }
            (model, isCopy) = (session, entry.copy != nil)
        }
    }

    var json: JSON {
        ["model": .bool(model != nil), "store": .bool(store != nil), "mapping": .bool(mapping != nil)]
    }

    /// The same with the store of another document; without an identifier, all is as it was.
    ///
    /// - Throws: `notOpen` for a document that is no store.
    func choosing(_ id: String?) async throws -> OpenedThings {
        guard let id, let documents else { return self }
        let chosen = try await documents.things(id)
        guard chosen.store != nil || chosen.isMigrating else {
            throw StudioError(.notOpen, "This document is no store.")
        }
        var things = self
        (things.store, things.isMigrating) = (chosen.store, chosen.isMigrating)
        return things
    }

    /// - Throws: `notOpen`.
    func requiredModel() throws -> StudioSession {
        guard let model else { throw StudioError(.notOpen, "This studio was started without a model.") }
        return model
    }

    /// - Throws: `notOpen`, `inUse` while the store is migrated.
    func requiredStore() throws -> StoreSession {
        if let store { return store }
        if isMigrating { throw StudioError(.inUse, "The store is being migrated. Wait for its end.") }
        throw StudioError(.notOpen, "This studio was started without a store.")
    }

    /// - Throws: `notOpen`.
    func requiredMapping() throws -> MappingSession {
        guard let mapping else { throw StudioError(.notOpen, "This studio was started without a mapping model.") }
        return mapping
    }

    /// Opens another mapping model.
    ///
    /// - Returns: The identifier of its document.
    func open(_ mapping: MappingSession) async -> String? { await documents?.add(mapping) }

    /// Takes the store, which is closed, away while `body` changes its file, and opens it anew behind that.
    ///
    /// - Throws: What `body` throws, and `unreadableStore` for a store that can't be opened any more.
    func exchangeStore(_ body: @escaping @Sendable () async throws -> Void) async throws {
        guard let store, let documents else { return }
        try await documents.exchange(store, body)
    }

    /// A copy is saved at a place that one names: what is written into its folder goes with it.
    ///
    /// - Throws: `needsPath`.
    func checkWriting(_ path: String) throws {
        guard isCopy, ["/api/save", "/api/generate"].contains(path) else { return }
        throw StudioError(.needsPath, "This is a copy of what was dropped into the window. Save it as a file first.")
    }
}
