import Dispatch
import FoundationGaps

/// A serial queue that knows whether the caller is on it, and for which context it works.
final class ContextQueue: @unchecked Sendable {
    // Unchecked: the context is touched on the queue only.

    private static let key = DispatchSpecificKey<Unowned>()
    static let main = ContextQueue(.main)

    let dispatchQueue: DispatchQueue
    /// The context whose block runs now. A block keeps its context.
    private unowned(unsafe) var context: NSManagedObjectContext?

    convenience init(label: String) { self.init(DispatchQueue(label: label)) }

    private init(_ queue: DispatchQueue) {
        dispatchQueue = queue
        queue.setSpecific(key: ContextQueue.key, value: Unowned(queue: self))
    }

    /// Whether the caller runs on this queue, or on another one for somebody who waits on this one.
    var isCurrent: Bool { ContextQueue.current === self || HeldQueues.current?.contains(self) ?? false }

    /// The queue that the caller runs on; nil if it is no context's.
    ///
    /// The program's first thread counts as the main queue while no other queue runs on it: before a run loop starts,
    /// top-level code has no queue of its own.
    private static var current: ContextQueue? {
        DispatchQueue.getSpecific(key: key)?.queue ?? (Thread.isMainThread ? main : nil)
    }

    /// The context whose block the caller runs in; nil outside such blocks.
    static var currentContext: NSManagedObjectContext? { current?.context }

    /// Runs `block` on the queue and waits for it; at once if the caller is there already.
    ///
    /// The block may come back to the queue that it was called from, which waits for it: a child context asks its parent, whose
    /// queue may wait for the child's.
    func sync<T>(_ block: () throws -> T) rethrows -> T {
        if isCurrent { return try block() }
        let waiting = ContextQueue.current.map { HeldQueues($0, outer: HeldQueues.current) } ?? HeldQueues.current
        guard let waiting else { return try dispatchQueue.sync(execute: block) }
        return try dispatchQueue.sync { try waiting.whileCurrent(block) }
    }

    /// Runs `block`, of a context's, on the queue and waits for it; at once if the caller is there already.
    func sync<T>(for context: NSManagedObjectContext, _ block: () throws -> T) rethrows -> T {
        try sync { try work(for: context, block) }
    }

    /// Runs `block` as a context's. The caller is on the queue.
    func work<T>(for context: NSManagedObjectContext, _ block: () throws -> T) rethrows -> T {
        let outer = self.context
        self.context = context
        defer { self.context = outer }
        return try block()
    }

    /// The queue of a dispatch queue, which does not keep it.
    private struct Unowned: @unchecked Sendable {
        // Unchecked: never set again. The queue is there for as long as its dispatch queue has work: a context's blocks keep it.
        unowned(unsafe) let queue: ContextQueue
    }
}

/// The queues that wait for the code that runs now: it may work on them as if it were there.
private final class HeldQueues {
    private let queue: ContextQueue
    private let outer: HeldQueues?

    init(_ queue: ContextQueue, outer: HeldQueues?) {
        self.queue = queue
        self.outer = outer
    }

    /// Of the thread; nil: nobody waits.
    static var current: HeldQueues? {
        pthread_getspecific(key).map { Unmanaged<HeldQueues>.fromOpaque($0).takeUnretainedValue() }
    }

    func contains(_ other: ContextQueue) -> Bool { queue === other || outer?.contains(other) ?? false }

    /// Runs `block`, for which these queues wait. They are kept by the caller.
    func whileCurrent<T>(_ block: () throws -> T) rethrows -> T {
        let before = pthread_getspecific(Self.key)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, before) }
        return try block()
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no place left for a value of each thread.")
        return key
    }()
}
