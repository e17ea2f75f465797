import CoreData

/// The store that all requests share. Each request has a context of its own.
///
/// ```swift
/// let name = try await store.read { context in try Team.find(id, in: context)?.name }
/// ```
public final class LeagueStore: Sendable {
    /// How often a write begins anew, because another request or another process changed a row in between.
    private static let attempts = 8

    let container: NSPersistentContainer
    /// The name that the store's history has for this process.
    let author: String
    private let turns: Turnstile

    /// Opens the store, and makes it where there is none.
    ///
    /// - Parameters:
    ///   - poolSize: The most contexts, and the most connections to the database, that work at the same time.
    ///   - author: The name that the history has for what this process saves.
    public init(at location: StoreLocation, poolSize: Int, author: String) throws {
        let description = NSPersistentStoreDescription(url: location.url)
        description.type = location.type
        // The first option records what is saved, the second posts a notification whenever any process saves.
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        description.setOption(poolSize as NSNumber, forKey: NSPersistentStoreConnectionPoolMaxSizeKey)
        container = NSPersistentContainer(name: "League", managedObjectModel: try Self.model.get())
        container.persistentStoreDescriptions = [description]
        self.author = author
        turns = Turnstile(places: poolSize)
        // Unsafe in name only: the handler runs before the function returns.
        nonisolated(unsafe) var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// One model for all stores of the process: an entity belongs to one model, and a class finds its entity by it.
    ///
    /// Unsafe in name only: nothing changes the model any more.
    private nonisolated(unsafe) static let model = Result {
        guard let url = Bundle.module.url(forResource: "League", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw ServiceError("The model is not among the program's resources.") }
        return model
    }

    /// Runs `body` on the queue of a new context, and returns what it returns: values, no objects.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Value
    ) async throws -> Value {
        try await turns.pass {
            let context = self.newContext()
            return try await context.perform { try body(context) }
        }
    }

    /// Runs `body` and saves. If another writer was faster, all of it begins anew in a new context.
    ///
    /// So `body` sees the newest rows when it checks a precondition. The store checks that they still are the newest
    /// ones when it saves.
    ///
    /// - Parameters:
    ///   - body: Gives the object that it inserted, changed or deleted.
    ///   - result: What is returned of the saved object.
    /// - Throws: ``Problem`` for a save that is refused for what a client wrote.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (NSManagedObjectContext) throws -> NSManagedObject,
        result: @escaping @Sendable (NSManagedObject) throws -> Value
    ) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await read { context in
                    let object = try body(context)
                    try context.saveChanges(of: object)
                    return try result(object)
                }
            } catch is WriteConflict {
                guard attempt < Self.attempts else { throw Problem.contended }
                attempt += 1
            }
        }
    }

    /// A context for one piece of work.
    func newContext() -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.transactionAuthor = author
        // A row in memory may be older than the store's: another process writes there, too.
        context.stalenessInterval = 0
        return context
    }

    /// Closes the store. Requests that come later fail.
    func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

/// A save was refused because a row had changed since it was read.
private struct WriteConflict: Error {}

extension NSManagedObjectContext {
    /// - Throws: ``WriteConflict``; ``Problem`` for what a client can put right; other errors as the store gives them.
    fileprivate func saveChanges(of object: NSManagedObject) throws {
        guard hasChanges else { return }
        do { try save() } catch let error as NSError {
            if error.domain == NSCocoaErrorDomain, error.code == NSManagedObjectMergeError { throw WriteConflict() }
            // The error has objects in it: they are asked here, on the context's queue.
            throw Problem(error, savingFor: object) ?? error as any Error
        }
    }
}
