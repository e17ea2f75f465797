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

    /// The token itself: tokens never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether two tokens name the same generation. Two `current` tokens are equal, whatever contexts they lead to.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSQueryGenerationToken).map { $0.generation === generation } ?? false
    }

    /// A hash that equal tokens share.
    public override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }

    /// The token as text, for a log: a number that differs from those of other generations in memory, or `current`.
    public override var description: String {
        generation.map { "<NSQueryGenerationToken: \(UInt(bitPattern: ObjectIdentifier($0)))>" }
            ?? "<NSQueryGenerationToken: current>"
    }
}
