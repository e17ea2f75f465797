import Dispatch
import Foundation
import Synchronization

/// How long threads wait for the locks of coordinators and stores; measured only where a thread has to wait.
package enum LockContention {
    // A number, kept as the address that it would be.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no place left for a value of each thread.")
        return key
    }()

    private static let blockedKey: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no place left for a value of each thread.")
        return key
    }()
    private static let isWatching = Atomic<Bool>(false)
    private static let held = Atomic<UInt>(0)
    private static let longest = Atomic<UInt>(0)
    private static let waiters = Atomic<Int>(0)

    /// The nanoseconds that the calling thread has waited, in all.
    package static var nanosecondsOfThread: UInt { UInt(bitPattern: pthread_getspecific(key)) }

    /// For how much of that savers were at work under the lock: for the rest of a wait, the thread with the lock
    /// or the thread that waited had no processor.
    package static var blockedNanosecondsOfThread: UInt { UInt(bitPattern: pthread_getspecific(blockedKey)) }

    /// The longest that a saver has worked under the lock without giving it back.
    package static var longestHold: UInt { longest.load(ordering: .relaxed) }

    /// Finds out from now on what savers do under the lock, which costs them two looks at a clock each time.
    package static func watchSavers() { isWatching.store(true, ordering: .relaxed) }

    /// Waits, and counts how long.
    static func measuring(_ wait: () -> Void) {
        let before = held.load(ordering: .relaxed)
        let start = DispatchTime.now().uptimeNanoseconds
        waiters.add(1, ordering: .relaxed)
        wait()
        waiters.subtract(1, ordering: .relaxed)
        let waited = UInt(DispatchTime.now().uptimeNanoseconds - start)
        add(waited, key)
        let worked = held.load(ordering: .relaxed) - before
        if worked > 0 { add(min(waited, worked), blockedKey) }
    }

    private static func add(_ nanoseconds: UInt, _ key: pthread_key_t) {
        let sum = UInt(bitPattern: pthread_getspecific(key)) + nanoseconds
        pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: sum))
    }

    // MARK: For savers

    /// Runs a part of a saver's work under the lock, which the caller has.
    static func holding<R>(_ body: () throws -> R) rethrows -> R {
        guard isWatching.load(ordering: .relaxed) else { return try body() }
        let start = processorTime
        defer {
            let worked = processorTime - start
            held.add(worked, ordering: .relaxed)
            longest.max(worked, ordering: .relaxed)
        }
        return try body()
    }

    /// To be called where a lock was given back that is wanted again at once: without a pause no other thread would get
    /// it.
    static func letOthersIn() {
        var tries = 0
        while waiters.load(ordering: .relaxed) > 0, tries < 64 {
            sched_yield()
            tries += 1
        }
    }

    private static var processorTime: UInt {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt(time.tv_sec) * 1_000_000_000 + UInt(time.tv_nsec)
    }
}

extension Mutex<Void> {
    /// Runs `body` under the lock. Its result may be anything: what the lock protects is not in the mutex.
    @inline(__always)
    func during<R>(_ body: () -> R) -> R {
        var result: R?
        withLock { _ in result = body() }
        return result!
    }
}

extension NSLock {
    /// Runs `body` under the lock. What it costs to wait is counted.
    @inline(__always)
    func measured<R>(_ body: () throws -> R) rethrows -> R {
        if !`try`() { LockContention.measuring { lock() } }
        defer { unlock() }
        return try body()
    }
}

extension NSRecursiveLock {
    /// Runs `body` under the lock. What it costs to wait is counted.
    func measured<R>(_ body: () throws -> R) rethrows -> R {
        if !`try`() { LockContention.measuring { lock() } }
        defer { unlock() }
        return try body()
    }
}
