import FoundationGaps

/// Names a state of the stores that contexts can be pinned to, and keeps it as long as the token exists.
///
/// ```swift
/// try context.setQueryGenerationFrom(.current)
/// let players = try context.fetch(Player.fetchRequest())   // The state is taken here,
/// let teams = try context.fetch(Team.fetchRequest())       // and seen here, although other contexts save.
/// try background.setQueryGenerationFrom(context.queryGenerationToken)     // the same state for another context
/// ```
///
/// A token may be used on any thread, with contexts of the coordinator that it came from. Two tokens are equal if they
/// name the same generation. A coordinator holds at most 16 generations at a time, each with a connection of its own
/// and a part of the store's log: release tokens that are not needed. See <doc:Concurrency>.
public final class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked: immutable, and a generation may be used on any thread.

    /// Nil: whatever is current when it is asked for.
    let generation: QueryGeneration?

    init(_ generation: QueryGeneration?) {
        self.generation = generation
        super.init()
    }

    /// Stands for the state that the stores have when a context that is given the token first loads something.
    ///
    /// The context's ``NSManagedObjectContext/queryGenerationToken`` then names this state. Two contexts that are given
    /// `current` may see different states.
    public static let current = NSQueryGenerationToken(nil)

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSQueryGenerationToken).map { $0.generation === generation } ?? false
    }

    public override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }

    public override var description: String {
        generation.map { "<NSQueryGenerationToken: \(UInt(bitPattern: ObjectIdentifier($0)))>" }
            ?? "<NSQueryGenerationToken: current>"
    }
}

extension NSManagedObjectContext {
    /// See ``queryGenerationToken``.
    var generationToken: NSQueryGenerationToken? { generation.map { NSQueryGenerationToken($0) } }

    /// See ``setQueryGenerationFrom(_:)``.
    func pin(_ generation: NSQueryGenerationToken?) throws {
        checkQueue()
        precondition(
            parentContext == nil, "A child context sees what its parent sees; set the query generation of its parent.")
        guard let generation else { return self.generation = nil }
        guard let wanted = generation.generation else {
            return self.generation = try requiredCoordinator.makeGeneration(isCounted: true)
        }
        guard wanted.coordinator === coordinator, !wanted.hasEnded else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                wanted.hasEnded
                    ? "The query generation has ended; take NSQueryGenerationToken.current."
                    : "The query generation is of another coordinator's stores.")
        }
        self.generation = wanted
    }

    /// Moves a pinned context to the current generation.
    ///
    /// - Parameter isNow: Whether that is the state that the stores have now; else it is that at the next load.
    func advanceGeneration(isNow: Bool = false) {
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
    var generationInForce: QueryGeneration? {
        guard let generation, generation.hasEnded else { return generation }
        FileHandle.standardError.write(
            Data("CoreData: warning: A query generation has ended; the context goes on with the current one.\n".utf8))
        advanceGeneration()
        return self.generation
    }
}
