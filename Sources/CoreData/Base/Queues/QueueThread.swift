import Dispatch
import FoundationGaps

/// What a thread has to do with the queues of contexts: which it works on, and which it waits for.
final class QueueThread: @unchecked Sendable {
    // Unchecked: `held`, `asking` and `user` are used by the thread itself, and by others while it waits. `wait` and
    // `jobs` are used under the lock of `QueueWait`.

    /// Whether this is the program's first thread.
    let isFirst = Thread.isMainThread
    /// The queues that the thread's code may work on. They are kept by the calls that work on them.
    private(set) var held: ContiguousArray<Unmanaged<ContextQueue>> = []
    /// The context whose block runs. The block's caller keeps it.
    private(set) unowned(unsafe) var user: (any QueueUser)?
    /// The contexts that are asking their parents in this thread, each within the question before.
    private(set) var asking: ContiguousArray<ObjectIdentifier> = []
    /// What the thread waits for.
    var wait: QueueWait?
    /// What other threads want done on the main queue, for a thread that has the main queue and waits.
    var jobs = Fifo<QueueWait>()
    private let semaphore = DispatchSemaphore(value: 0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { thread in
            if let thread { Unmanaged<QueueThread>.fromOpaque(thread).release() }
        }
        precondition(status == 0, "The process has no place left for a value of each thread.")
        return key
    }()

    /// Of the thread that calls.
    static var current: QueueThread {
        if let known = pthread_getspecific(key) { return Unmanaged.fromOpaque(known).takeUnretainedValue() }
        let new = QueueThread()
        // Released when the thread ends.
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    func holds(_ queue: ContextQueue) -> Bool {
        held.contains { $0.toOpaque() == Unmanaged.passUnretained(queue).toOpaque() }
    }

    /// Runs `block`, which may work on a queue.
    func holding<T>(_ queue: ContextQueue, _ block: () throws -> T) rethrows -> T {
        held.append(.passUnretained(queue))
        defer { held.removeLast() }
        return try block()
    }

    /// Runs `block` for a thread that waits for it: the block may work on the queues of that thread, and not on those
    /// of this one.
    func holding<T>(queuesOf other: QueueThread, _ block: () throws -> T) rethrows -> T {
        let own = held
        held = other.held
        defer { held = own }
        return try block()
    }

    /// Runs `block` as a context's.
    func working<T>(for new: (any QueueUser)?, _ block: () throws -> T) rethrows -> T {
        let outer = user
        user = new
        defer { user = outer }
        return try block()
    }

    func beginQuestion(of user: any QueueUser) { asking.append(ObjectIdentifier(user)) }

    func endQuestion() { asking.removeLast() }

    /// Whether a context, or one above it, is asking its parent in this thread.
    func isAsking(_ user: any QueueUser) -> Bool {
        sequence(first: user, next: { $0.userAbove }).contains { asking.contains(ObjectIdentifier($0)) }
    }

    func sleep() { semaphore.wait() }

    /// Has the thread look again at what it waits for.
    func wake() { semaphore.signal() }
}
