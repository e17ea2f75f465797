import Dispatch
import Foundation
import Synchronization

/// How long threads wait for the locks of coordinators and stores; measured only where somebody has to wait.
package enum LockWaits {
    // A number, kept as the address that it would be.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no place left for a value of each thread.")
        return key
    }()

    private static let workKey: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no place left for a value of each thread.")
        return key
    }()
    private static let clock = Atomic<clockid_t>(-1)

    /// The nanoseconds that the calling thread has waited, in all.
    package static var nanosecondsOfThread: UInt { UInt(bitPattern: pthread_getspecific(key)) }

    /// For how much of that the thread of ``watch(_:)`` was at work: what is left, nobody had a processor to work on.
    package static var workedNanosecondsOfThread: UInt { UInt(bitPattern: pthread_getspecific(workKey)) }

    /// Finds out from now on how much of the time that others wait a thread works: the one that keeps them waiting.
    package static func watch(_ thread: pthread_t) {
        var id: clockid_t = -1
        if pthread_getcpuclockid(thread, &id) == 0 { clock.store(id, ordering: .relaxed) }
    }

    /// Watches nobody any longer: to be called before the thread ends.
    package static func stopWatching() { clock.store(-1, ordering: .relaxed) }

    private static func work(_ id: clockid_t) -> UInt {
        var time = timespec()
        return clock_gettime(id, &time) == 0 ? UInt(time.tv_sec) * 1_000_000_000 + UInt(time.tv_nsec) : 0
    }

    /// Waits, and counts how long.
    static func measuring(_ wait: () -> Void) {
        let id = clock.load(ordering: .relaxed)
        let before = id == -1 ? 0 : work(id)
        let start = DispatchTime.now().uptimeNanoseconds
        wait()
        let waited = UInt(DispatchTime.now().uptimeNanoseconds - start)
        if before > 0, case let worked = work(id), worked > before {
            let sum = workedNanosecondsOfThread + min(waited, worked - before)
            pthread_setspecific(workKey, UnsafeMutableRawPointer(bitPattern: sum))
        }
        pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: nanosecondsOfThread + waited))
    }
}

extension NSLock {
    /// Runs `body` under the lock; `withLock`, which can't be inlined, takes twice as long as the lock.
    @inline(__always)
    func during<R>(_ body: () throws -> R) rethrows -> R {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Runs `body` under the lock. What it costs to wait is counted.
    @inline(__always)
    func measured<R>(_ body: () throws -> R) rethrows -> R {
        if !`try`() { LockWaits.measuring { lock() } }
        defer { unlock() }
        return try body()
    }
}

extension NSRecursiveLock {
    /// Runs `body` under the lock. What it costs to wait is counted.
    func measured<R>(_ body: () throws -> R) rethrows -> R {
        if !`try`() { LockWaits.measuring { lock() } }
        defer { unlock() }
        return try body()
    }
}
