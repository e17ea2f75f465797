import CoreData
import Foundation
import StoreBrowsing

/// One connection to a store, which works on a queue of its own.
final class ReadingQueue: @unchecked Sendable {
    // Unchecked: each session is used on its context's queue only, and the lock guards which one it is.

    private let lock = NSLock()
    private var session: QuerySession

    init(_ session: QuerySession) { self.session = session }

    /// Two connections to a store that is read.
    struct Pair {
        let screen: ReadingQueue
        let background: ReadingQueue
        /// What tells of what others save; nil where nothing does.
        var database: NSPersistentStoreCoordinator?
        /// Why a database does not tell of it.
        var note: String?
    }

    /// A database tells its clients what others save. Nothing is asked to tell of a file, which is evidence.
    ///
    /// - Parameter watch: Opens a store that tells of what others save; it gives nil for a file.
    static func pair(
        reading store: OpenedStore, watch: (OpenedStore) throws -> LiveStore? = ReadingQueue.watched
    ) throws -> Pair {
        var note: String?
        do {
            if let live = try watch(store) {
                return Pair(
                    screen: ReadingQueue(QuerySession(live)), background: ReadingQueue(QuerySession(live)),
                    database: live.coordinator)
            }
        } catch {
            note = "What other programs save does not appear by itself: \(OpenedStore.failure(error).message)"
        }
        return Pair(
            screen: ReadingQueue(try QuerySession(store)), background: ReadingQueue(try QuerySession(store)), note: note
        )
    }

    /// A database that tells of what others save; nil for a file.
    static func watched(_ store: OpenedStore) throws -> LiveStore? {
        guard case .database = store.place else { return nil }
        return try LiveStore(LiveStore.Place(store), for: .watching)
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
