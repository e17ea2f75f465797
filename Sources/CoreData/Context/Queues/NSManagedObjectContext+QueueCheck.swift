import FoundationGaps

extension NSManagedObjectContext {
    /// Traps where the caller is not on the context's queue, if that is to be checked.
    func checkQueue() {
        guard ConcurrencyDebug.isOn, queueType.rawValue != 0, !queue.isCurrent else { return }
        let which = queueType == .mainQueueConcurrencyType ? "main-queue" : "private-queue"
        preconditionFailure(
            "CoreData concurrency violation: the \(which) context\(name.map { " \"\($0)\"" } ?? "") or one of its objects was used outside of the context's queue; wrap the use in perform { } or performAndWait { }, and hand objectIDs to other queues instead of objects."
        )
    }
}
