import CoreData

/// Runs an actor's code on a context's queue: the actor uses the context and its objects without `perform`.
final class ContextExecutor: SerialExecutor {
    let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        context.perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
