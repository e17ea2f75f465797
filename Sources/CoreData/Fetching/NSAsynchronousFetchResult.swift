import FoundationGaps

/// The result of a request that is carried out in the background.
///
/// ```swift
/// let request = NSAsynchronousFetchRequest(fetchRequest: Player.fetchRequest()) { result in
///     show(result.finalResult ?? [])
/// }
/// let running = try context.execute(request) as? NSPersistentStoreAsynchronousResult
/// running?.cancel()               // The block is called, with CocoaError.userCancelled.
/// ```
///
/// ``NSManagedObjectContext/execute(_:)`` returns it at once, and fills it later, on the context's queue. Read it
/// there. ``cancel()`` and ``progress`` may be used on any thread.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    private let context: NSManagedObjectContext?
    let fetchProgress: FetchProgress

    /// A result that no request has, for subclasses in an app's tests.
    ///
    /// A subclass overrides what the code under test reads. ``managedObjectContext`` traps if it is not overridden.
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

    /// The context that was given the request, and on whose queue the result comes.
    open var managedObjectContext: NSManagedObjectContext {
        guard let context else {
            programmerError("A result made by init() has no context; override managedObjectContext.")
        }
        return context
    }

    /// What went wrong; nil while the request is under way, and if all went well.
    ///
    /// ```swift
    /// let request = NSAsynchronousFetchRequest(fetchRequest: Player.fetchRequest()) { result in
    ///     switch result.operationError {
    ///     case nil: show(result.finalResult ?? [])
    ///     case let error as CocoaError where error.code == .userCancelled: break
    ///     case let error?: print(error)
    ///     }
    /// }
    /// ```
    ///
    /// After ``cancel()`` it is `CocoaError.userCancelled` (3072). Otherwise it is what
    /// ``NSManagedObjectContext/fetch(_:)`` would throw.
    open internal(set) var operationError: (any Error)?

    /// Counts the results while the store reads them.
    ///
    /// ```swift
    /// let request = NSAsynchronousFetchRequest(fetchRequest: Player.fetchRequest())
    /// let result = try context.execute(request) as? NSPersistentStoreAsynchronousResult
    /// label.text = "\(result?.progress?.completedUnitCount ?? 0) players"
    /// ```
    ///
    /// Its total is ``NSAsynchronousFetchRequest/estimatedResultCount`` at first, and the number of results at the end.
    /// It is a child of the thread's current progress, and counts in steps of 64 rows. Cancelling it cancels the
    /// request.
    open var progress: Progress? { fetchProgress }

    /// Gives the request up. Any thread may call it.
    ///
    /// The store breaks off within some thousand steps of its machine. The request's block is called all the same, with
    /// ``operationError``. A request that is already done keeps its result.
    open func cancel() { fetchProgress.giveUp() }

    var isCancelled: Bool { fetchProgress.isGivenUp }
}

/// What an asynchronous fetch found.
///
/// The request's block gets it, filled. ``NSManagedObjectContext/execute(_:)`` returns it before, and for an
/// ``NSFetchRequest`` filled at once:
///
/// ```swift
/// let result = try context.execute(request) as? NSAsynchronousFetchResult<Player>
/// show(result?.finalResult ?? [])
/// ```
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    private let request: NSAsynchronousFetchRequest<ResultType>?

    /// A result that no request has, for subclasses in an app's tests.
    ///
    /// A subclass overrides what the code under test reads. ``fetchRequest`` traps if it is not overridden.
    public override init() {
        request = nil
        super.init()
    }

    init(_ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext) {
        self.request = request
        super.init(context, expecting: request.estimatedResultCount)
    }

    /// The request that was executed.
    ///
    /// For an ``NSFetchRequest`` that was executed it is an asynchronous request made from it.
    open var fetchRequest: NSAsynchronousFetchRequest<ResultType> {
        guard let request else { programmerError("A result made by init() has no request; override fetchRequest.") }
        return request
    }

    /// What was found; nil while the request is under way, and if it failed or was cancelled.
    ///
    /// Objects belong to the context, so use them on its queue only. A count is an array of one number.
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

/// The block of an asynchronous fetch of any results.
///
/// The block of a request for one class has that class in its type, so a block of this type fits
/// `NSAsynchronousFetchRequest<any NSFetchRequestResult>` alone.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock =
    (NSAsynchronousFetchResult<any NSFetchRequestResult>) -> Void
