import CoreData
import Foundation
import StoreBrowsing

/// One connection to a store, which works on a queue of its own.
final class ReadingQueue: @unchecked Sendable {
    // Unchecked: each session is used on its context's queue only, and the lock guards which one it is.

    private let lock = NSLock()
    private var session: QuerySession

    init(_ session: QuerySession) { self.session = session }

    /// Two connections to a store that is read, and the coordinator that tells of what others save: a database tells
    /// its clients. Nothing is asked to tell of a file, which is evidence.
    static func pair(
        reading store: OpenedStore
    ) throws -> (screen: ReadingQueue, background: ReadingQueue, database: NSPersistentStoreCoordinator?) {
        if case .database = store.place, let live = try? LiveStore(LiveStore.Place(store), for: .watching) {
            return (ReadingQueue(QuerySession(live)), ReadingQueue(QuerySession(live)), live.coordinator)
        }
        return (ReadingQueue(try QuerySession(store)), ReadingQueue(try QuerySession(store)), nil)
    }

    /// Reads on the queue, and lets go of the objects that were read.
    func read<Result: Sendable>(_ body: @escaping @Sendable (QuerySession) throws -> Result) async throws -> Result {
        let session = Session(lock.withLock { self.session })
        return try await session.session.context.perform {
            defer { session.session.context.reset() }
            return try session.session.perform { _ in try body(session.session) }
        }
    }

    /// The connection as it is now: what reads with it sees one state of a file, whatever others read.
    var kept: ReadingQueue { ReadingQueue(lock.withLock { session }) }

    /// Reads with the connection of another queue from now on. What is under way ends with the old one.
    func take(_ other: ReadingQueue) {
        let new = other.lock.withLock { other.session }
        lock.withLock { session = new }
    }

    /// A session on its way to its queue.
    private struct Session: @unchecked Sendable {
        // Unchecked: as the queue that it is of.
        let session: QuerySession
        init(_ session: QuerySession) { self.session = session }
    }
}
