import Dispatch
import FoundationGaps

extension NSManagedObjectContext: QueueUser {
    var userAbove: (any QueueUser)? { parentContext }
}

extension NSManagedObjectContext {
    // MARK: Checking

    /// Traps where the caller is not on the context's queue, if that is to be checked.
    func checkQueue() {
        guard ConcurrencyDebug.isOn, queueType.rawValue != 0, !queue.isCurrent else { return }
        let which = queueType == .mainQueueConcurrencyType ? "main-queue" : "private-queue"
        programmerError(
            "CoreData concurrency violation: the \(which) context\(name.map { " \"\($0)\"" } ?? "") or one of its objects was used outside of the context's queue; wrap the use in perform { } or performAndWait { }, and hand objectIDs to other queues instead of objects."
        )
    }

    /// Traps where the context has no queue that a block could run on.
    func requireQueue() {
        require(
            queueType.rawValue != 0,
            "A context without a queue runs no blocks; make it with init(concurrencyType: .privateQueueConcurrencyType) or .mainQueueConcurrencyType."
        )
    }

    // MARK: Running blocks

    /// See ``perform(_:)``.
    func enqueue(_ block: @escaping @Sendable () -> Void) {
        requireQueue()
        queue.async {
            ContextQueue.work(for: self, block)
            self.endEvent()
        }
    }

    /// See ``performAndWait(_:)``.
    func runAndWait(_ block: () -> Void) {
        requireQueue()
        queue.sync(for: self, block)
    }

    /// See ``performAndWait(_:)``.
    func runAndWait<T>(_ block: () throws -> T) rethrows -> T {
        requireQueue()
        return try queue.sync(for: self, block)
    }

    /// See ``perform(schedule:_:)``.
    nonisolated(nonsending) func scheduled<T>(
        schedule: ScheduledTaskType, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        try await run(schedule, block, rescue: { throw $0 })
    }

    nonisolated(nonsending) private func run<T>(
        _ schedule: ScheduledTaskType, _ block: @escaping @Sendable () throws -> T, rescue: (any Error) throws -> T
    ) async rethrows -> T {
        requireQueue()
        let work: @Sendable () -> Outcome<T> = {
            let result = Result { try ContextQueue.work(for: self, block) }
            self.processPendingChanges()
            return Outcome(result: result)
        }
        let outcome: Outcome<T>
        if schedule == .immediate, isOnQueue {
            outcome = work()
        } else {
            outcome = await withCheckedContinuation { continuation in
                queue.async {
                    let outcome = work()
                    self.endEvent()
                    continuation.resume(returning: outcome)
                }
            }
        }
        switch outcome.result {
        case .success(let value): return value
        case .failure(let error): return try rescue(error)
        }
    }

    private nonisolated var isOnQueue: Bool { queue.isCurrent }

    /// Processes pending changes when this turn of the main queue ends, for a main-queue context on its queue.
    func scheduleEndOfTurn() {
        guard !endOfTurnIsScheduled, queueType == .mainQueueConcurrencyType, queue.isCurrent else { return }
        endOfTurnIsScheduled = true
        queue.async { [weak self] in
            guard let self else { return }
            endOfTurnIsScheduled = false
            endEvent()
        }
    }
}

/// Carries a block's result, whatever its type, from the context's queue to the caller that waits for it.
private struct Outcome<T>: @unchecked Sendable {
    // Unchecked: made on one side, read on the other, never shared.
    let result: Result<T, any Error>
}
