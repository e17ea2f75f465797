import Dispatch
import Foundation

/// How long threads wait for the locks of coordinators and stores; measured only where somebody has to wait.
package enum LockWaits {
    // A number, kept as the address that it would be.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no place left for a value of each thread.")
        return key
    }()

    /// The nanoseconds that the calling thread has waited, in all.
    package static var nanosecondsOfThread: UInt { UInt(bitPattern: pthread_getspecific(key)) }

    /// Waits, and counts how long.
    static func measuring(_ wait: () -> Void) {
        let start = DispatchTime.now().uptimeNanoseconds
        wait()
        let waited = UInt(DispatchTime.now().uptimeNanoseconds - start)
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
