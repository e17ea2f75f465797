import FoundationGaps
import Synchronization

/// The changes of a controller's results, one after the other: for programs that have tasks and no user interface.
///
/// ```swift
/// var content: [FetchedResultsSection] = []
/// for await change in controller.changes() {
///     change.apply(to: &content)
/// }
/// ```
///
/// The first change leads from nothing to the results as they are. From then on none is lost, however slow the reader
/// is: what is not read yet waits in memory. The sequence is read once, by one task, on any thread; it ends when the
/// task is cancelled. It keeps the results, and so their context, alive. Reading it in a task that is not cancelled
/// goes on for ever.
public struct FetchedResultsChanges: AsyncSequence, Sendable {
    public typealias Element = FetchedResultsChange
    public typealias Failure = Never

    private let stream: AsyncStream<FetchedResultsChange>
    private let reader: Reader

    fileprivate init(_ stream: AsyncStream<FetchedResultsChange>, _ reader: Reader) {
        self.stream = stream
        self.reader = reader
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), reader: reader) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<FetchedResultsChange>.Iterator
        fileprivate let reader: Reader

        public mutating func next() async -> FetchedResultsChange? { await base.next() }

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
    /// The changes of the results from now on, for a task to read.
    ///
    /// To be called on the context's queue; the controller follows its context from then on, as it does for a delegate.
    /// Changes hold object IDs, which may go anywhere. A reader is told of all that happens, with and without a
    /// delegate: also what `performFetch()` finds, and IDs that become permanent, as updates.
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
