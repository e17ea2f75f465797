import Foundation

/// A value behind a lock, for whose changes threads can wait.
///
/// Waiting is by a clock that does not jump when the time of the day is set.
final class Monitor<Value>: @unchecked Sendable {
    // Unchecked: only code that holds the lock comes to the value. It is in memory of its own and no property: other
    // threads change it while one waits, and code that has exclusive access to a property need not look at it again.
    private let value: UnsafeMutablePointer<Value>
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        mutex.initialize(to: pthread_mutex_t())
        changed.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        let codes = [
            pthread_mutex_init(mutex, nil), pthread_condattr_init(&attributes),
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), pthread_cond_init(changed, &attributes),
            pthread_condattr_destroy(&attributes),
        ]
        precondition(codes.allSatisfy { $0 == 0 }, "the system has no memory for a lock")
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// Changes the value, and has the threads that wait look at it.
    func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try withLock { value in
            defer { pthread_cond_broadcast(changed) }
            return try body(&value)
        }
    }

    /// Waits until `body` returns something. It is asked at first, and after each change.
    ///
    /// - Returns: Nil at the deadline.
    func wait<Result>(
        until deadline: ContinuousClock.Instant?, _ body: (inout Value) throws -> Result?
    ) rethrows -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = try body(&value.pointee) {
                // The body may have changed the value, and another thread waits for that.
                pthread_cond_broadcast(changed)
                return result
            }
            guard let deadline else {
                pthread_cond_wait(changed, mutex)
                continue
            }
            let rest = deadline - .now
            if rest <= .zero { return nil }
            var time = Self.time(in: rest)
            pthread_cond_timedwait(changed, mutex, &time)
        }
    }

    private static func time(in duration: Duration) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        // A wait that ends too early is repeated.
        let (seconds, parts) = min(duration, .seconds(86_400)).components
        time.tv_sec += Int(seconds)
        time.tv_nsec += Int(parts / 1_000_000_000)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return time
    }
}
