import FoundationGaps

/// The result of a request that is carried out in the background.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    private let context: NSManagedObjectContext?
    let fetchProgress: FetchProgress

    /// A result that no request has: a subclass overrides what it is asked for.
    public override init() {
        context = nil
        fetchProgress = FetchProgress(parent: nil, userInfo: nil)
        super.init()
    }

    init(_ context: NSManagedObjectContext, expecting count: Int) {
        self.context = context
        fetchProgress = FetchProgress(parent: .current(), userInfo: nil)
        super.init()
        fetchProgress.totalUnitCount = Int64(count)
        fetchProgress.isCancellable = true
        fetchProgress.watchForCancellation()
    }

    /// The context that the request was given to. The result comes on its queue.
    open var managedObjectContext: NSManagedObjectContext {
        guard let context else {
            preconditionFailure("A result made by init() has no context; override managedObjectContext.")
        }
        return context
    }

    /// What went wrong; nil while the request is under way and when all went well.
    ///
    /// A cancelled request has `CocoaError.userCancelled`.
    open internal(set) var operationError: (any Error)?
    /// Counts the results as they come, against the number that the request was told to expect; cancelling it cancels
    /// the request.
    open var progress: Progress? { fetchProgress }

    /// Gives the request up: the store breaks off what it is doing for it, within some thousand steps of its machine.
    ///
    /// The request's block is called all the same, with ``operationError``.
    open func cancel() { fetchProgress.giveUp() }

    var isCancelled: Bool { fetchProgress.isGivenUp }
}

/// What an asynchronous fetch found.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    private let request: NSAsynchronousFetchRequest<ResultType>?

    /// A result that no request has: a subclass overrides what it is asked for.
    public override init() {
        request = nil
        super.init()
    }

    init(_ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext) {
        self.request = request
        super.init(context, expecting: request.estimatedResultCount)
    }

    /// The request that was executed.
    open var fetchRequest: NSAsynchronousFetchRequest<ResultType> {
        guard let request else { preconditionFailure("A result made by init() has no request; override fetchRequest.") }
        return request
    }

    /// What was found; nil while the request is under way, and if it failed.
    open private(set) var finalResult: [ResultType]?

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
