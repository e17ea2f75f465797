import CoreData
import Dispatch
import Foundation
import Testing

@Suite("Asynchronous fetches")
struct AsynchronousFetchTests {
    let stack: Stack
    let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(LeagueModel.make())
        context = stack.context()
        try stack.work { context in
            for index in 0..<100 { _ = context.insert("Player", ["name": "Player \(index)", "age": index]) }
            try context.save()
        }
    }

    private func request(_ type: NSFetchRequestResultType = .managedObjectResultType) -> NSFetchRequest<
        NSFetchRequestResult
    > {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Player")
        request.predicate = NSPredicate(format: "age >= 90")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
        request.resultType = type
        return request
    }

    private typealias Result = NSAsynchronousFetchResult<NSFetchRequestResult>

    /// Runs a fetch and gives its result, looked at on the context's queue.
    private func run<T: Sendable>(
        _ request: NSFetchRequest<NSFetchRequestResult>, _ whenStarted: @escaping @Sendable (Result) -> Void = { _ in },
        _ look: @escaping @Sendable (Result) -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            context.performAndWait {
                let fetch = NSAsynchronousFetchRequest(fetchRequest: request) {
                    continuation.resume(returning: look($0))
                }
                fetch.estimatedResultCount = 10
                do {
                    let result = try context.execute(fetch)
                    if let result = result as? Result { whenStarted(result) } else { Issue.record("no result") }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    @Test("objects come on the context's queue, in the request's order, and the progress ends")
    func objects() async throws {
        let context = context
        let names = try await run(request()) { result in
            #expect(result.progress?.isFinished == true && result.operationError == nil)
            #expect(result.managedObjectContext === context)
            let objects = result.finalResult as? [NSManagedObject] ?? []
            #expect(objects.allSatisfy { $0.managedObjectContext === context })
            return objects.map { $0.string("name") }
        }
        #expect(names == (90...99).reversed().map { "Player \($0)" })
    }

    @Test("IDs, dictionaries and counts come too", arguments: [1, 2, 4] as [UInt])
    func otherResults(type: UInt) async throws {
        let count = try await run(request(NSFetchRequestResultType(rawValue: type))) { result in
            type == 4 ? (result.finalResult?.first as? NSNumber)?.intValue : result.finalResult?.count
        }
        #expect(count == 10)
    }

    @Test("unsaved changes of the context count, those made while the fetch was under way among them")
    func pendingChanges() async throws {
        let context = context
        let names = try await run(
            request(), { _ in _ = context.insert("Player", ["name": "New", "age": 100]) },
            { ($0.finalResult as? [NSManagedObject])?.first?.string("name") })
        #expect(names == "New")
    }

    @Test("a cancelled fetch has no result, and says so")
    func cancelling() async throws {
        let code = try await run(request(), { $0.cancel() }) { result in
            #expect(result.finalResult == nil)
            return (result.operationError as? CocoaError)?.code
        }
        #expect(code == .userCancelled)
    }

    @Test(
        "the progress moves while rows come, and a cancelled fetch breaks off in the middle",
        arguments: [0, 1, 2] as [UInt])
    func breakingOff(type: UInt) async throws {
        try stack.work { context in
            for index in 0..<3000 { _ = context.insert("Player", ["name": "More \(index)", "age": 200 + index % 100]) }
            try context.save()
        }
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Player")
        request.resultType = NSFetchRequestResultType(rawValue: type)
        let whole = try await run(request) { ($0.progress?.completedUnitCount ?? 0, $0.progress?.fractionCompleted) }
        #expect(whole.0 == 3100 && whole.1 == 1)
        // Each row asks for a match that takes its time: the fetch is under way when it is cancelled.
        request.predicate = NSPredicate(format: "name MATCHES '(M|o|r|e| |[0-9])*x' OR name MATCHES '.*[0-9]'")
        let moved = try await run(request) { result in
            let progress = result.progress
            DispatchQueue.global().async {
                while (progress?.completedUnitCount ?? 1) == 0 { usleep(50) }
                progress?.cancel()
            }
        } _: { result in
            (
                result.progress?.completedUnitCount ?? 0, (result.operationError as? CocoaError)?.code,
                result.finalResult == nil
            )
        }
        #expect(moved.0 > 0 && moved.0 < 3100)
        #expect(moved.1 == .userCancelled && moved.2)
    }

    @Test("a fetch under way does not keep others from saving, and what they saved meanwhile is right in it")
    func besideWriters() async throws {
        let context = context
        nonisolated(unsafe) let stack = stack
        for round in 0..<20 {
            let names = try await run(request()) { _ in
                try? stack.work { other in
                    let all = try other.all("Player", sortedBy: "age")
                    all[95].setValue("Round \(round)", forKey: "name")
                    try other.save()
                }
            } _: { result in
                (result.finalResult as? [NSManagedObject])?.compactMap { $0.string("name") } ?? []
            }
            #expect(names.count == 10)
            // Whether it was read before or after the save: the row that the object shows is the newest that there is.
            #expect(names[4] == "Round \(round)")
            context.performAndWait { context.reset() }
        }
    }

    @Test("children, contexts with unsaved changes and batches are fetched from, too, and report progress")
    func otherContexts() async throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let names: [String] = try await withCheckedThrowingContinuation { continuation in
            child.perform {
                _ = child.insert("Player", ["name": "Unsaved", "age": 99])
                let fetch = NSAsynchronousFetchRequest(
                    fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Player")
                ) {
                    #expect($0.progress?.completedUnitCount == 101 && $0.operationError == nil)
                    continuation.resume(returning: $0.finalResult?.compactMap { $0.string("name") } ?? [])
                }
                do { try child.execute(fetch) } catch { continuation.resume(throwing: error) }
            }
        }
        #expect(names.count == 101 && names.contains("Unsaved"))
        let paged = request()
        paged.fetchBatchSize = 3
        let count = try await run(paged) {
            ($0.finalResult as? [NSManagedObject])?.compactMap { $0.string("name") }.count
        }
        #expect(count == 10)
    }

    @Test("what the store can't answer is the result's error")
    func failing() async throws {
        let request = request()
        request.predicate = NSPredicate { _, _ in true }
        let failed = try await run(request) { $0.operationError != nil && $0.finalResult == nil }
        #expect(failed)
    }

    @Test("a plain fetch request is executed at once; other requests are refused")
    func plain() throws {
        try context.performAndWait {
            let result = try context.execute(request()) as? Result
            #expect(result?.finalResult?.count == 10)
            let found = try stack.coordinator.execute(request(), with: context) as? [NSManagedObject]
            #expect(found?.count == 10)
            let error = thrown { try context.execute(NSPersistentStoreRequest()) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
    }
}
