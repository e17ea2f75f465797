import FoundationGaps

/// The state that a coordinator's stores had at one moment, held in each by a read transaction: from the first load on.
final class QueryGeneration: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    let coordinator: NSPersistentStoreCoordinator
    private let lock = NSRecursiveLock()
    /// By store number; nil before the first load.
    private var holds: [Int32: any StoreHold]?
    /// The rows of this generation.
    private let cache = RowCache()

    fileprivate init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    /// Takes the state that the stores have now, unless one is held already.
    func begin() throws {
        try lock.measured {
            guard holds == nil else { return }
            var holds: [Int32: any StoreHold] = [:]
            for case let store as any HoldingStore in coordinator.persistentStores where store.canHold {
                holds[store.token.number] = try store.hold()
            }
            self.holds = holds
        }
    }

    /// Whether any of the states was let go before its time.
    var hasEnded: Bool { lock.measured { holds?.values.contains(where: \.hasEnded) ?? false } }

    /// Runs `body` with a reader of the generation's state of a store, and with the cache of its rows.
    ///
    /// - Returns: What `body` returns; nil for a store that was added since.
    /// - Throws: ``HoldHasEnded``; what `body` throws.
    func reading<R>(_ store: Int32, _ body: (any StoreReader, RowCache) throws -> R) throws -> R? {
        try lock.measured {
            try begin()
            guard let hold = holds?[store] else { return nil }
            return try hold.reading { try body($0, cache) }
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// How many generations may be held at a time.
    static let mostGenerations = 16

    /// A generation that begins when it is first read.
    ///
    /// - Parameter isCounted: Whether too many are an error; a context that moves on has had one.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if a store can't hold a state, or too many are held.
    func makeGeneration(isCounted: Bool) throws -> QueryGeneration {
        for store in persistentStores {
            let holding = store as? any HoldingStore
            if holding?.canHold ?? false { continue }
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The store “\(store.url?.lastPathComponent ?? "")” has no query generations.",
                reason: holding.map { type(of: $0).needsForHolding } ?? "Stores of the type \(store.type) have none.",
                userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        let generation = QueryGeneration(self)
        let count = locked { generations.add(generation) }
        guard !isCounted || count <= Self.mostGenerations else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "There are \(Self.mostGenerations) query generations already, each with a connection and a part of the log.",
                reason:
                    "Give contexts the token of a generation that there is, set those that need none to nil, and let go of old tokens."
            )
        }
        return generation
    }
}

/// The generations that are in use.
struct QueryGenerations {
    private struct Member {
        weak var generation: QueryGeneration?
    }

    private var members: [Member] = []

    /// - Returns: How many there are.
    mutating func add(_ generation: QueryGeneration) -> Int {
        members.removeAll { $0.generation == nil }
        members.append(Member(generation: generation))
        return members.count
    }
}
