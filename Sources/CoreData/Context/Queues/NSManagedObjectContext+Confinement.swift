import FoundationGaps

extension NSManagedObjectContext {
    /// Traps where the context has no queue that a block could run on.
    func requireQueue() {
        precondition(
            queueType.rawValue != 0,
            "A context without a queue runs no blocks; make it with init(concurrencyType: .privateQueueConcurrencyType) or .mainQueueConcurrencyType."
        )
    }
}
