import FoundationGaps
import Synchronization

/// Watches what the stores read for one asynchronous fetch: counts the rows as they come, and breaks off when it is
/// cancelled.
package final class ReadMonitor: @unchecked Sendable {
    // Unchecked: the count is touched by the thread that reads, one at a time; the progress locks.

    package let progress: FetchProgress
    private var count: Int64 = 0

    package init(_ progress: FetchProgress) { self.progress = progress }

    /// Counts a row.
    package func noteRow() {
        count += 1
        if count & 63 == 0 { progress.completedUnitCount = count }
    }

    /// Runs `body`, which waits for a database, and has `cancel` called if the fetch is cancelled meanwhile.
    ///
    /// - Parameter cancel: Says whether there was something to cancel. If not, it is called again.
    /// - Throws: `NSUserCancelledError` for a fetch that was cancelled; else what `body` throws.
    package func cancelling<R>(by cancel: @escaping @Sendable () -> Bool, _ body: () throws -> R) throws -> R {
        try checkCancellation()
        progress.setCanceller(cancel)
        defer { progress.setCanceller(nil) }
        do { return try body() } catch {
            try checkCancellation()
            throw error
        }
    }

    /// - Throws: `NSUserCancelledError` for a fetch that was cancelled.
    package func checkCancellation() throws {
        if progress.isGivenUp { throw CocoaError(.userCancelled) }
    }
}

/// The progress of an asynchronous fetch, which the thread that reads moves while others look at it or cancel it:
/// Foundation's on Linux is for one thread.
package final class FetchProgress: Progress, @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private let lock = NSRecursiveLock()
    private let givenUp = Atomic<Bool>(false)
    private var canceller: (@Sendable () -> Bool)?

    package override var completedUnitCount: Int64 {
        get { lock.withLock { super.completedUnitCount } }
        set { lock.withLock { super.completedUnitCount = newValue } }
    }

    package override var totalUnitCount: Int64 {
        get { lock.withLock { super.totalUnitCount } }
        set { lock.withLock { super.totalUnitCount = newValue } }
    }

    /// Whether it was cancelled. May be asked on any thread.
    package var isGivenUp: Bool { givenUp.load(ordering: .acquiring) }

    /// Cancels it, and does not wait for its handler to be told.
    package func giveUp() {
        noteCancellation()
        lock.withLock { cancel() }
    }

    /// Has a cancellation, wherever it comes from, end the fetch.
    func watchForCancellation() {
        cancellationHandler = { [weak self] in self?.noteCancellation() }
    }

    private func noteCancellation() {
        givenUp.store(true, ordering: .releasing)
        endWait()
    }

    /// Sets what ends a wait for a database.
    ///
    /// It is called at once where the fetch is cancelled already. It is not called any more when this returns for nil.
    fileprivate func setCanceller(_ action: (@Sendable () -> Bool)?) {
        lock.withLock { canceller = action }
        if isGivenUp { endWait() }
    }

    /// The wait may be about to begin: then it is tried again, on another thread.
    private func endWait() {
        if hasEndedWait { return }
        Thread.detachNewThread { [self] in
            while !hasEndedWait { usleep(2_000) }
        }
    }

    private var hasEndedWait: Bool { lock.withLock { canceller?() ?? true } }
}
