import FoundationGaps
import Synchronization

/// The changes of a controller's results as a sequence, for programs that have tasks and no user interface.
///
/// ```swift
/// var content: [FetchedResultsSection] = []
/// for await change in controller.changes() {
///     change.apply(to: &content)
/// }
/// ```
///
/// The first change leads from nothing to the results as they are. After that the reader gets every change, however
/// slow it is: changes that are not read yet wait in memory.
///
/// - One task reads the sequence, once, on any thread. For a second reader call
///   ``NSFetchedResultsController/changes()`` again.
/// - Reading ends when the task is cancelled. Otherwise it goes on for ever.
/// - The sequence keeps the results and their context alive, also if the app releases the controller.
public struct FetchedResultsChanges: AsyncSequence, Sendable {
    /// Each element is one change of the results, as the context processed it.
    public typealias Element = FetchedResultsChange

    /// Reading never throws. An error of a fetch leaves the results as they are, and the next change tries again.
    public typealias Failure = Never

    private let stream: AsyncStream<FetchedResultsChange>
    private let reader: Reader

    fileprivate init(_ stream: AsyncStream<FetchedResultsChange>, _ reader: Reader) {
        self.stream = stream
        self.reader = reader
    }

    /// The iterator that `for await` uses.
    ///
    /// Iterators of one sequence share its changes: each change goes to one of them. Read it in one task.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), reader: reader) }

    /// Reads the changes one by one.
    ///
    /// ```swift
    /// var iterator = controller.changes().makeAsyncIterator()
    /// let first = await iterator.next()       // all results, as insertions
    /// let second = await iterator.next()      // waits for a change
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<FetchedResultsChange>.Iterator
        fileprivate let reader: Reader

        /// The next change: at once if one is waiting, else when the context has processed it.
        ///
        /// Nil once the task is cancelled. After nil no change comes any more.
        public mutating func next() async -> FetchedResultsChange? { await base.next() }

        /// The next change, for code that runs on an actor. `for await` calls it.
        ///
        /// - Parameter actor: The actor that reads. Nil: none.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FetchedResultsChange? {
            await base.next(isolation: actor)
        }
    }

    /// Keeps the results for as long as a reader may come, and stops the telling after that.
    fileprivate final class Reader: Sendable {
        private let core: ResultsCore
        private let number: Int

        init(_ core: ResultsCore, _ number: Int) {
            self.core = core
            self.number = number
        }

        deinit { core.readers.remove(number) }
    }
}

extension NSFetchedResultsController {
    /// The changes of the results from now on, as a sequence for a task.
    ///
    /// ```swift
    /// let changes = try await context.perform {
    ///     try controller.performFetch()
    ///     return controller.changes()
    /// }
    /// for await change in changes { print(change.objects.count) }
    /// ```
    ///
    /// Call it on the context's queue. From then on the controller follows its context, as it does for a delegate.
    /// Changes hold object IDs, so any thread may read them.
    ///
    /// A reader gets all changes, with and without a delegate. It also gets what ``performFetch()`` finds, and updates
    /// for temporary IDs that become permanent. Before the first ``performFetch()`` the sequence waits for it.
    public func changes() -> FetchedResultsChanges { core.startReading() }
}

extension ResultsCore {
    fileprivate func startReading() -> FetchedResultsChanges {
        keepIDs()
        let (stream, number) = readers.add()
        if let sections, let query {
            readers.tell(number, FetchedResultsChange(sections.change(from: nil, touched: [], query)))
        }
        return FetchedResultsChanges(stream, FetchedResultsChanges.Reader(self, number))
    }
}

/// The readers of a controller's changes. They are told on the context's queue; they may end on any thread.
final class ResultsReaders: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<FetchedResultsChange>.Continuation] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    fileprivate func add() -> (AsyncStream<FetchedResultsChange>, Int) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FetchedResultsChange.self, bufferingPolicy: .unbounded)
        let number = state.withLock { state in
            state.last += 1
            state.continuations[state.last] = continuation
            return state.last
        }
        // A cancelled task's stream is over, though the task may still hold it.
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return (stream, number)
    }

    fileprivate func remove(_ number: Int) {
        let continuation = state.withLock { $0.continuations.removeValue(forKey: number) }
        continuation?.finish()
    }

    fileprivate func tell(_ number: Int, _ change: FetchedResultsChange) {
        let continuation = state.withLock { $0.continuations[number] }
        continuation?.yield(change)
    }

    /// Tells all readers, if there are any.
    func tell(_ change: () -> ResultsChange) {
        let continuations = state.withLock { Array($0.continuations.values) }
        guard !continuations.isEmpty else { return }
        let change = FetchedResultsChange(change())
        guard !(change.objects.isEmpty && change.sections.isEmpty) else { return }
        for continuation in continuations { continuation.yield(change) }
    }
}
