/// One state of a store, held whatever is written meanwhile.
package protocol StoreHold: AnyObject {
    /// Whether the state was let go: the store was closed, or needed the space.
    var hasEnded: Bool { get }

    /// Runs `body` with a reader of the held state, which no other thread uses meanwhile.
    ///
    /// - Throws: ``HoldHasEnded``; what `body` throws.
    func reading<R>(_ body: (any StoreReader) throws -> R) throws -> R
}

/// A state was let go: its store was closed, or its log had grown too long.
package struct HoldHasEnded: Error {
    package init() {}
}

/// A store that can hold its states, for query generations.
package protocol HoldingStore: ObjectStore {
    /// Whether states of the store can be held at present.
    var canHold: Bool { get }
    /// What a store of this kind needs so that its states can be held, as a sentence for the app's developer.
    static var needsForHolding: String { get }

    /// Holds the state that the store has now.
    func hold() throws -> any StoreHold
}
