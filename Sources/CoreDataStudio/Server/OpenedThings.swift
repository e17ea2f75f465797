import Synchronization

/// What a studio has open: a model, a mapping model, a store, or several of them.
struct OpenedThings: Sendable {
    var model: StudioSession?
    private let slots: OpenedSlots

    init(model: StudioSession? = nil, store: StoreSession? = nil, mapping: MappingSession? = nil) {
        self.model = model
        slots = OpenedSlots(store: store, mapping: mapping)
    }

    var store: StoreSession? { slots.store }
    var mapping: MappingSession? { slots.mapping }

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
        if slots.isMigrating { throw StudioError(.inUse, "The store is being migrated. Wait for its end.") }
        throw StudioError(.notOpen, "This studio was started without a store.")
    }

    /// - Throws: `notOpen`.
    func requiredMapping() throws -> MappingSession {
        guard let mapping else { throw StudioError(.notOpen, "This studio was started without a mapping model.") }
        return mapping
    }

    /// Has another mapping model open.
    func open(_ mapping: MappingSession) { slots.mapping = mapping }

    /// Takes the store, which is closed, away while `body` changes its file, and opens it anew behind that.
    ///
    /// - Throws: What `body` throws, and `unreadableStore` for a store that can't be opened any more.
    func exchangeStore(_ body: @Sendable () async throws -> Void) async throws {
        guard let old = slots.takeStore() else { return }
        let result: Result<Void, any Error>
        do {
            try await body()
            result = .success(())
        } catch { result = .failure(error) }
        defer { slots.isMigrating = false }
        let new = try StoreSession(old.place, modelAt: model?.url, isEdited: true)
        new.listenToStore()
        slots.store = new
        await old.wasReplaced()
        try result.get()
    }
}

/// What may be exchanged while the studio runs.
private final class OpenedSlots: Sendable {
    private struct State {
        var store: StoreSession?
        var mapping: MappingSession?
        var isMigrating = false
    }

    private let state: Mutex<State>

    init(store: StoreSession?, mapping: MappingSession?) { state = Mutex(State(store: store, mapping: mapping)) }

    var store: StoreSession? {
        get { state.withLock { $0.store } }
        set { state.withLock { $0.store = newValue } }
    }

    var mapping: MappingSession? {
        get { state.withLock { $0.mapping } }
        set { state.withLock { $0.mapping = newValue } }
    }

    var isMigrating: Bool {
        get { state.withLock { $0.isMigrating } }
        set { state.withLock { $0.isMigrating = newValue } }
    }

    func takeStore() -> StoreSession? {
        state.withLock { state in
            defer { state.store = nil }
            state.isMigrating = state.store != nil
            return state.store
        }
    }
}
