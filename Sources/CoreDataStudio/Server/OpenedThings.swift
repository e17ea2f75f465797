/// What a studio has open: a model, a store, or both.
struct OpenedThings: Sendable {
    var model: StudioSession?
    var store: StoreSession?
    var merge: MergeSession?

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
}
