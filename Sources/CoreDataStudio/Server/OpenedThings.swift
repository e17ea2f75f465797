/// What a request is about: the document that it names, or without a name the first of each kind.
struct OpenedThings: Sendable {
    var model: StudioSession?
    var store: StoreSession?
    var mapping: MappingSession?
    /// Whether the store is closed while it is migrated.
    var isMigrating = false
    /// Whether the document is a copy of what was dropped into a window.
    var isCopy = false
    /// All documents of the studio; nil before a request is known.
    var documents: OpenedDocuments?

    init() {}

    /// - Parameter entries: Of those of a kind the last one counts.
    init(_ entries: some Sequence<OpenedDocuments.Entry>, of documents: OpenedDocuments) {
        self.documents = documents
        for entry in entries { add(entry) }
    }

    private mutating func add(_ entry: OpenedDocuments.Entry) {
        switch entry.session {
        case let session as StoreSession: (store, isMigrating) = (entry.isMigrating ? nil : session, entry.isMigrating)
        case let session as MappingSession: mapping = session
        case let session as StudioSession: (model, isCopy) = (session, entry.copy != nil)
        default: break
        }
    }

    var json: JSON {
        ["model": .bool(model != nil), "store": .bool(store != nil), "mapping": .bool(mapping != nil)]
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

    /// A copy is saved at a place that one names: what is written into its folder goes with it.
    ///
    /// - Throws: `needsPath`.
    func checkWriting(_ path: String) throws {
        guard isCopy, ["/api/save", "/api/generate"].contains(path) else { return }
        throw StudioError(.needsPath, "This is a copy of what was dropped into the window. Save it as a file first.")
    }
}
