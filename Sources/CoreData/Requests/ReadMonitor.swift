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
}

/// The progress of an asynchronous fetch, which the thread that reads moves while others look at it or cancel it:
/// Foundation's on Linux is for one thread.
package final class FetchProgress: Progress, @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private let lock = NSRecursiveLock()
    private let givenUp = Atomic<Bool>(false)

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
        givenUp.store(true, ordering: .releasing)
        lock.withLock { cancel() }
    }

    /// Has a cancellation, wherever it comes from, end the fetch.
    func watchForCancellation() {
        cancellationHandler = { [weak self] in self?.givenUp.store(true, ordering: .releasing) }
    }
}
