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
