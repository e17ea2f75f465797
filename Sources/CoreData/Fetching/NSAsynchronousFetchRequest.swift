import FoundationGaps

/// A fetch that the store answers in the background, while the context's queue does other things.
///
/// ```swift
/// let request = NSAsynchronousFetchRequest(fetchRequest: Player.fetchRequest()) { result in
///     show(result.finalResult ?? [])
/// }
/// let running = try context.execute(request)
/// ```
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying, ExecutableRequest {
    /// What to fetch.
    open internal(set) var fetchRequest: NSFetchRequest<ResultType>
    /// Called on the context's queue when the fetch is done, failed or cancelled.
    open internal(set) var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// How many results to expect, for the progress; 0: unknown.
    open var estimatedResultCount = 0

    /// An asynchronous fetch.
    ///
    /// - Parameters:
    ///   - request: What to fetch; it is not to be changed until the result has come.
    ///   - blk: Called on the context's queue when the fetch is done, failed or cancelled.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completionBlock = blk
        super.init()
        affectedStores = request.affectedStores
    }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<ResultType>(copying: fetchRequest), completionBlock: completionBlock)
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }

    package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(self, in: context)
        try AsynchronousFetch(result).start()
        return result
    }
}

extension NSFetchRequest: ExecutableRequest {
    /// Fetches at once.
    package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(NSAsynchronousFetchRequest(fetchRequest: self), in: context)
        result.finish { try context.fetch(self) }
        if let error = result.operationError { throw error }
        return result
    }
}

/// A request that a context can be told to execute.
package protocol ExecutableRequest: NSPersistentStoreRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSManagedObjectContext {
    /// See ``execute(_:)``.
    func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let request = request as? any ExecutableRequest else {
            throw NSError.cocoa(
                NSPersistentStoreUnsupportedRequestTypeError, "A context can't execute a \(type(of: request)).")
        }
        return try request.execute(in: self)
    }
}

extension NSPersistentStoreCoordinator {
    /// See ``execute(_:with:)``.
    func carryOut(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        precondition(
            context.coordinator === self,
            "The context has another coordinator; execute the request there, or make a context for this one.")
        if let fetch = request as? AnyFetchRequest { return try context.fetch(NSFetchRequest<Any>(copying: fetch)) }
        return try context.execute(request)
    }
}
