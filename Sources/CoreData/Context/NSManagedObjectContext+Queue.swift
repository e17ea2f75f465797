import Dispatch
import FoundationGaps

extension NSManagedObjectContext {
    /// Runs a block on the context's queue, later, and processes pending changes after it.
    @preconcurrency
    public func perform(_ block: @escaping @Sendable () -> Void) {
        requireQueue()
        queue.dispatchQueue.async {
            self.queue.work(for: self, block)
            self.endEvent()
        }
    }

    /// Runs a block on the context's queue and waits for it. May be nested. Does not process pending changes.
    public func performAndWait(_ block: () -> Void) {
        requireQueue()
        queue.sync(for: self, block)
    }

    /// Runs a block on the context's queue, waits for it, and returns what it returns.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        requireQueue()
        return try queue.sync(for: self, block)
    }

    /// Runs a block on the context's queue and processes pending changes after it.
    ///
    /// - Parameters:
    ///   - schedule: Whether the block may run at once where the caller is on the queue already.
    ///   - block: The work. What it throws is thrown here.
    /// - Returns: What the block returns. A managed object should stay in the block: return its ID.
    @preconcurrency
    public func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        try await run(schedule, block, rescue: { throw $0 })
    }

    private func run<T>(
        _ schedule: ScheduledTaskType, _ block: @escaping @Sendable () throws -> T, rescue: (any Error) throws -> T
    ) async rethrows -> T {
        requireQueue()
        let work: @Sendable () -> Outcome<T> = {
            let result = Result { try self.queue.work(for: self, block) }
            self.processPendingChanges()
            return Outcome(result: result)
        }
        let outcome: Outcome<T>
        if schedule == .immediate, isOnQueue {
            outcome = work()
        } else {
            outcome = await withCheckedContinuation { continuation in
                queue.dispatchQueue.async {
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
        guard !endOfTurnIsScheduled, concurrencyType == .mainQueueConcurrencyType, queue.isCurrent else { return }
        endOfTurnIsScheduled = true
        queue.dispatchQueue.async { [weak self] in
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
