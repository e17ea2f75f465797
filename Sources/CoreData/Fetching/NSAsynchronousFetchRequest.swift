import FoundationGaps

/// A fetch that the store answers in the background, while the context's queue does other things.
///
/// ```swift
/// let request = NSAsynchronousFetchRequest(fetchRequest: Player.fetchRequest()) { result in
///     if let error = result.operationError { print(error) }
///     show(result.finalResult ?? [])              // on the context's queue
/// }
/// try context.execute(request)                    // returns at once
/// ```
///
/// The store reads its rows on another thread, and the context's queue makes the objects. Saves of other contexts go on
/// meanwhile. If the context changed objects of the entity meanwhile, the fetch runs again on its queue, so that the
/// result has these changes.
///
/// The whole fetch runs in a later block of the context's queue, not in the background, in these cases:
///
/// - The context has a parent, or unsaved changes of the entity.
/// - More than one store holds the entity.
/// - The request has a ``AnyFetchRequest/fetchBatchSize``, or reads no values.
///
/// In tasks `await context.perform { try context.fetch(request) }` is simpler.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying, ExecutableRequest {
    /// What to fetch. It is the request that was given, not a copy.
    ///
    /// Do not change it until the result has come: the fetch may run again.
    open internal(set) var fetchRequest: NSFetchRequest<ResultType>

    /// The block that is called when the fetch is done, failed or cancelled.
    ///
    /// It is called once, on the context's queue, also after an error: see
    /// ``NSPersistentStoreAsynchronousResult/operationError``. It is not called if
    /// ``NSManagedObjectContext/execute(_:)`` itself threw.
    open internal(set) var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

    /// How many results to expect. 0, the default: unknown.
    ///
    /// ```swift
    /// let running = NSAsynchronousFetchRequest(fetchRequest: request) { result in
    ///     print(result.finalResult?.count ?? 0)
    /// }
    /// running.estimatedResultCount = try context.count(for: request)
    /// try context.execute(running)
    /// ```
    ///
    /// It becomes the total of ``NSPersistentStoreAsynchronousResult/progress``, and has no other effect.
    open var estimatedResultCount = 0

    /// Makes an asynchronous fetch of what a fetch request describes.
    ///
    /// The result type of the fetch request is that of the result: objects, IDs, dictionaries or a count. Set its
    /// ``NSPersistentStoreRequest/affectedStores`` before: those of the asynchronous request are only a copy for the
    /// app to read.
    ///
    /// - Parameters:
    ///   - request: What to fetch. Do not change it until the result has come.
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

    /// Always `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A request with a copy of the fetch request, the same block, and the same estimated count.
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
