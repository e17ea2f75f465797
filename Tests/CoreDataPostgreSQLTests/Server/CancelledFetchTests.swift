import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import Synchronization
import Testing

@Suite("Asynchronous fetches from PostgreSQL")
struct CancelledFetchTests {
    private let store: NamedStore
    private let context: NSManagedObjectContext

    /// The sessions that wait for a lock.
    private static let waiting = """
        SELECT pid::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
        """

    init() throws {
        store = try NamedStore()
        context = try store.open(NamedModel().make())
        let context = context
        try context.performAndWait {
            for number in 0..<300 { _ = context.insert("Album", ["title": "\(number)"]) }
            try context.save()
        }
    }

    /// Runs a fetch, and gives its error and the number of its objects.
    private func run(_ whenStarted: @escaping @Sendable (Progress?) -> Void) async throws -> (code: Int?, count: Int?) {
        let context = context
        return try await withCheckedThrowingContinuation { continuation in
            context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
                let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    continuation.resume(
                        returning: ((result.operationError as NSError?)?.code, result.finalResult?.count))
                }
                do {
                    let result = try context.execute(fetch) as? NSAsynchronousFetchResult<NSManagedObject>
                    whenStarted(result?.progress)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    @Test("the progress counts the rows")
    func progress() async throws {
        let seen = Mutex<Progress?>(nil)
        let result = try await run { progress in seen.withLock { $0 = progress } }
        #expect(result.count == 300)
        #expect(seen.withLock { $0?.completedUnitCount } == 300)
    }

    @Test(
        "a fetch that waits at the server ends there when it is cancelled, and the store goes on",
        .timeLimit(.minutes(15)))
    func cancelled() async throws {
        let other = try PostgreSQLConnection(store.url.absoluteString)
        defer { other.close() }
        // No one reads the table until this transaction ends.
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE \"Album\" IN ACCESS EXCLUSIVE MODE")
        let store = store
        let result = try await run { progress in
            Thread.detachNewThread {
                while (try? store.run(Self.waiting).isEmpty) ?? true { usleep(10_000) }
                progress?.cancel()
            }
        }
        #expect(result.code == CocoaError.Code.userCancelled.rawValue && result.count == nil)
        #expect(try store.run(Self.waiting) == [])
        try other.execute("ROLLBACK")
        #expect(try await run { _ in }.count == 300)
    }

    @Test("a fetch that is cancelled before it is at the server does not wait for it", .timeLimit(.minutes(15)))
    func cancelledAtOnce() async throws {
        let other = try PostgreSQLConnection(store.url.absoluteString)
        defer { other.close() }
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE \"Album\" IN ACCESS EXCLUSIVE MODE")
        for _ in 0..<20 {
            let result = try await run { $0?.cancel() }
            #expect(result.code == CocoaError.Code.userCancelled.rawValue)
        }
        try other.execute("ROLLBACK")
    }
}
