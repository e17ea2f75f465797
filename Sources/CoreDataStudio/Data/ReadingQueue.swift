import CoreData
import StoreBrowsing

/// One connection to a store, which works on a queue of its own.
final class ReadingQueue: @unchecked Sendable {
    // Unchecked: the session is used on its context's queue only.

    private let session: QuerySession

    init(_ session: QuerySession) { self.session = session }

    /// Reads on the queue, and lets go of the objects that were read.
    func read<Result: Sendable>(_ body: @escaping @Sendable (QuerySession) throws -> Result) async throws -> Result {
        try await session.context.perform { [self] in
            defer { session.context.reset() }
            return try session.perform { _ in try body(session) }
        }
    }
}
