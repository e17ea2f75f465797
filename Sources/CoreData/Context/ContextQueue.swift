import Dispatch
import FoundationGaps

/// A serial queue that knows whether the caller is on it.
final class ContextQueue: Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    static let main = ContextQueue(.main)

    let dispatchQueue: DispatchQueue

    convenience init(label: String) { self.init(DispatchQueue(label: label)) }

    private init(_ queue: DispatchQueue) {
        dispatchQueue = queue
        queue.setSpecific(key: ContextQueue.key, value: ObjectIdentifier(self))
    }

    /// Whether the caller runs on this queue.
    ///
    /// The program's first thread counts as the main queue while no other queue runs on it: before a run loop starts,
    /// top-level code has no queue of its own.
    var isCurrent: Bool {
        if let current = DispatchQueue.getSpecific(key: ContextQueue.key) { return current == ObjectIdentifier(self) }
        return self === ContextQueue.main && Thread.isMainThread
    }

    /// Runs `block` on the queue and waits for it; at once if the caller is there already.
    func sync<T>(_ block: () throws -> T) rethrows -> T {
        isCurrent ? try block() : try dispatchQueue.sync(execute: block)
    }
}
