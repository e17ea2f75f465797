import FoundationGaps

/// The query generation that a context is pinned to; none at first.
struct PinnedGeneration {
    private(set) var generation: QueryGeneration?

    /// The token that names it.
    var token: NSQueryGenerationToken? { generation.map { NSQueryGenerationToken($0) } }

    /// Lets the context see its stores as they are.
    mutating func unpin() { generation = nil }

    /// - Parameter coordinator: The context's; not nil for a token of the current state.
    mutating func pin(to token: NSQueryGenerationToken, of coordinator: NSPersistentStoreCoordinator?) throws {
        guard let wanted = token.generation else {
            return generation = try coordinator?.makeGeneration(isCounted: true)
        }
        guard wanted.coordinator === coordinator, !wanted.hasEnded else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                wanted.hasEnded
                    ? "The query generation has ended; take NSQueryGenerationToken.current."
                    : "The query generation is of another coordinator's stores.")
        }
        generation = wanted
    }

    /// Moves a pinned context to the current generation.
    ///
    /// - Parameter isNow: Whether that is the state that the stores have now; else it is that at the next load.
    mutating func advance(isNow: Bool = false) {
        guard let old = generation else { return }
        // Its connection serves the next one, if no other generation uses it.
        generation = nil
        do {
            generation = try old.coordinator.makeGeneration(isCounted: false)
            if isNow { try generation?.begin() }
        } catch {
            // What keeps the stores from being read is told at the next load; a store was added that has no
            // generations, and the context has none from now on.
            FileHandle.standardError.write(
                Data("CoreData: error: The query generation could not be moved: \(error.localizedDescription)\n".utf8))
        }
    }

    /// The generation that loads are to see; one that ended before its time is left for the current one.
    mutating func generationInForce() -> QueryGeneration? {
        guard let generation, generation.hasEnded else { return generation }
        FileHandle.standardError.write(
            Data("CoreData: warning: A query generation has ended; the context goes on with the current one.\n".utf8))
        advance()
        return self.generation
    }
}
