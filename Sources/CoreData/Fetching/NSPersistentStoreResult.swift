import FoundationGaps

/// What `NSManagedObjectContext.execute(_:)` gives; subclasses say more.
open class NSPersistentStoreResult: NSObject {
    package override init() { super.init() }
}

/// The result of a request that is carried out in the background.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that the request was given to, on whose queue the result comes.
    open internal(set) var managedObjectContext: NSManagedObjectContext
    /// What went wrong; nil while the request is under way and when all went well.
    ///
    /// A cancelled request has `CocoaError.userCancelled`.
    open internal(set) var operationError: (any Error)?
    /// Counts the results as they come, against the number that the request was told to expect; cancelling it cancels the
    /// request.
    open var progress: Progress? { fetchProgress }
    let fetchProgress: FetchProgress

    init(_ context: NSManagedObjectContext, expecting count: Int) {
        managedObjectContext = context
        fetchProgress = FetchProgress(parent: .current(), userInfo: nil)
        super.init()
        fetchProgress.totalUnitCount = Int64(count)
        fetchProgress.isCancellable = true
        fetchProgress.watchForCancellation()
    }

    /// Gives the request up: the store breaks off what it is doing for it, within some thousand steps of its machine.
    ///
    /// The request's block is called all the same, with ``operationError``.
    open func cancel() { fetchProgress.giveUp() }

    var isCancelled: Bool { fetchProgress.isGivenUp }
}

/// What an asynchronous fetch found.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    /// The request that was executed.
    open internal(set) var fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// What was found; nil while the request is under way, and if it failed.
    open private(set) var finalResult: [ResultType]?

    init(_ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext) {
        fetchRequest = request
        super.init(context, expecting: request.estimatedResultCount)
    }

    /// Takes what was found, on the context's queue, and tells the request's block.
    func finish(_ body: () throws -> [ResultType]) {
        do {
            if isCancelled { throw CocoaError(.userCancelled) }
            let found = try body()
            fetchProgress.totalUnitCount = Int64(found.count)
            fetchProgress.completedUnitCount = Int64(found.count)
            finalResult = found
        } catch {
            // A store that broke off has its own word for it.
            operationError = isCancelled ? CocoaError(.userCancelled) : error
        }
        fetchRequest.completionBlock?(self)
    }
}

/// The block that an asynchronous fetch of any results calls.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock =
    (NSAsynchronousFetchResult<any NSFetchRequestResult>) -> Void
