import FoundationGaps

// What contexts and coordinators were protected with before they had queues. Code of that time still says it, and it still works.

extension NSManagedObjectContext {
    /// Takes the context's lock, waiting for whoever has it.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    public func lock() { confinementLock.lock() }

    /// Gives the context's lock back.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    public func unlock() { confinementLock.unlock() }

    /// Takes the context's lock if nobody else has it.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    public func tryLock() -> Bool { confinementLock.try() }

    /// Traps where the context has no queue that a block could run on.
    func requireQueue() {
        precondition(
            concurrencyType.rawValue != 0,
            "A context without a queue runs no blocks; make it with init(concurrencyType: .privateQueueConcurrencyType) or .mainQueueConcurrencyType."
        )
    }
}

extension NSPersistentStoreCoordinator {
    /// Takes the coordinator's lock, waiting for whoever has it. Contexts that want to save wait meanwhile.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    public func lock() { takeLock() }

    /// Gives the coordinator's lock back.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    public func unlock() { giveLockBack() }

    /// Takes the coordinator's lock if nobody else has it.
    @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:) instead.")
    public func tryLock() -> Bool { takeLockIfFree() }
}
