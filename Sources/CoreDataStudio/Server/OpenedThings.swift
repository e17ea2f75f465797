/// What a request is about: the document that it names, or without a name the first of each kind.
struct OpenedThings: Sendable {
    var model: StudioSession?
    var store: StoreSession?
    /// Whether the document is a copy of what was dropped into a window.
    var isCopy = false

    init() {}

    /// - Parameter entries: Of those of a kind the last one counts.
    init(_ entries: some Sequence<OpenedDocuments.Entry>) {
        for entry in entries {
            store = entry.session as? StoreSession ?? store
            guard let session = entry.session as? StudioSession else { continue }
            (model, isCopy) = (session, entry.copy != nil)
        }
    }

    var json: JSON { ["model": .bool(model != nil), "store": .bool(store != nil)] }

    /// - Throws: `notOpen`.
    func requiredModel() throws -> StudioSession {
        guard let model else { throw StudioError(.notOpen, "This studio was started without a model.") }
        return model
    }

    /// - Throws: `notOpen`.
    func requiredStore() throws -> StoreSession {
        guard let store else { throw StudioError(.notOpen, "This studio was started without a store.") }
        return store
    }

    /// A copy is saved at a place that one names: what is written into its folder goes with it.
    ///
    /// - Throws: `needsPath`.
    func checkWriting(_ path: String) throws {
        guard isCopy, ["/api/save", "/api/generate"].contains(path) else { return }
        throw StudioError(.needsPath, "This is a copy of what was dropped into the window. Save it as a file first.")
    }
}
