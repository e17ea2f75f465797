import FoundationGaps
import Synchronization

/// Watches what the stores read for one asynchronous fetch: counts the rows as they come, and breaks off when it is cancelled.
final class ReadMonitor: @unchecked Sendable {
    // Unchecked: the count is touched by the thread that reads, one at a time; the progress locks.

    let progress: FetchProgress
    private var count: Int64 = 0

    init(_ progress: FetchProgress) { self.progress = progress }

    /// The monitor of what the thread reads; nil: the read is not watched.
    static var current: ReadMonitor? {
        pthread_getspecific(key).map { Unmanaged<ReadMonitor>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body`, and watches the reads that the thread makes for it.
    func watching<R>(_ body: () throws -> R) rethrows -> R {
        let before = pthread_getspecific(Self.key)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, before) }
        return try body()
    }

    /// Counts a row.
    func noteRow() {
        count += 1
        if count & 63 == 0 { progress.completedUnitCount = count }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no place left for a value of each thread.")
        return key
    }()
}

/// The progress of an asynchronous fetch, which the thread that reads moves while others look at it or cancel it: Foundation's on
/// Linux is for one thread.
final class FetchProgress: Progress, @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private let lock = NSRecursiveLock()
    private let givenUp = Atomic<Bool>(false)

    override var completedUnitCount: Int64 {
        get { lock.withLock { super.completedUnitCount } }
        set { lock.withLock { super.completedUnitCount = newValue } }
    }

    override var totalUnitCount: Int64 {
        get { lock.withLock { super.totalUnitCount } }
        set { lock.withLock { super.totalUnitCount = newValue } }
    }

    /// Whether it was cancelled. May be asked on any thread.
    var isGivenUp: Bool { givenUp.load(ordering: .acquiring) }

    /// Cancels it, and does not wait for its handler to be told.
    func giveUp() {
        givenUp.store(true, ordering: .releasing)
        lock.withLock { cancel() }
    }

    /// Has a cancellation, wherever it comes from, end the fetch.
    func watchForCancellation() {
        cancellationHandler = { [weak self] in self?.givenUp.store(true, ordering: .releasing) }
    }
}
