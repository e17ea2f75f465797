import Dispatch
import FoundationGaps
import Synchronization

/// A serial queue of a context or a coordinator.
///
/// Blocks run one after another, in the order in which they came. Each block has the queue's *turn*. The main queue
/// runs its blocks on the main thread. A private queue runs a block on the thread that waits for it, or on a thread of
/// Dispatch's where no thread waits.
///
/// A thread that has the turn of one queue may wait for another queue. Where threads wait for each other in a circle,
/// ``QueueWait`` lends one of them the queue that it waits for.
final class ContextQueue: Sendable {
    static let main = ContextQueue(.main, isMain: true)
    private static let mainKey = DispatchSpecificKey<Bool>()

    let isMain: Bool
    /// The thread that has the turn, and the blocks that are next. Of the main queue only the holder is known, while it
    /// waits.
    let turns = Mutex(QueueTurns())
    private let dispatchQueue: DispatchQueue

    convenience init(label: String) { self.init(DispatchQueue(label: label), isMain: false) }

    private init(_ queue: DispatchQueue, isMain: Bool) {
        dispatchQueue = queue
        self.isMain = isMain
        if isMain { queue.setSpecific(key: ContextQueue.mainKey, value: true) }
    }

    /// Whether the caller may use what belongs to the queue: it runs on the queue, or the queue waits for it.
    var isCurrent: Bool { isCurrent(on: QueueThread.current) }

    /// The context whose block the caller runs in; nil outside of blocks.
    static var currentUser: (any QueueUser)? { QueueThread.current.user }

    private func isCurrent(on thread: QueueThread) -> Bool {
        thread.holds(self) || isMain && ContextQueue.hasMain(thread)
    }

    /// Whether a thread is the main queue's.
    ///
    /// The program's first thread always is: top-level code runs there before a run loop starts. After `dispatchMain()`
    /// the main queue's blocks run on other threads.
    static func hasMain(_ thread: QueueThread) -> Bool {
        thread.isFirst || DispatchQueue.getSpecific(key: mainKey) != nil
    }

    // MARK: Running blocks

    /// Runs `block` on the queue, later.
    func async(_ block: @escaping @Sendable () -> Void) {
        if isMain { return dispatchQueue.async(execute: block) }
        let mayStart = turns.withLock { $0.reserve(for: block) }
        if mayStart { start(block) }
    }

    /// Runs `block` on the queue and waits for it; at once if the caller is there already.
    ///
    /// - Parameters:
    ///   - user: The context that the block uses; nil for a coordinator's block.
    ///   - isQuestion: Whether a child of the context asks, and not the app.
    func sync<T>(
        for user: (any QueueUser)?, isQuestion: Bool = false, _ block: () throws -> T
    ) rethrows -> T {
        let thread = QueueThread.current
        if isCurrent(on: thread) { return try thread.working(for: user, block) }
        if isMain { return try syncOnMain(thread, user, isQuestion, block, rethrowing: { throw $0 }) }
        let loan = takeTurn(thread, for: user, isQuestion)
        defer { if let loan { loan.giveBack() } else { endTurn() } }
        return try thread.holding(self) { try thread.working(for: user, block) }
    }

    /// Runs `block` as a context's. The caller is on the queue.
    static func work<T>(for user: any QueueUser, _ block: () throws -> T) rethrows -> T {
        try QueueThread.current.working(for: user, block)
    }

    private func syncOnMain<T>(
        _ thread: QueueThread, _ user: (any QueueUser)?, _ isQuestion: Bool, _ block: () throws -> T,
        rethrowing: (any Error) throws -> T
    ) rethrows -> T {
        var result: Result<T, any Error>?
        withoutActuallyEscaping(block) { block in
            let wait = QueueWait(thread, for: self, user: user, isQuestion: isQuestion) {
                result = Result { try QueueThread.current.working(for: user, block) }
            }
            wait.waitForMain { [dispatchQueue] in dispatchQueue.async { wait.runOnMain() } }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): return try rethrowing(error)
        case nil: defect("A block of the main queue ended without having run.")
        }
    }

    // MARK: Turns

    /// Waits until the thread may work on the queue.
    ///
    /// - Returns: The wait by which another thread lent the queue; nil if the turn is the thread's own.
    private func takeTurn(
        _ thread: QueueThread, for user: (any QueueUser)?, _ isQuestion: Bool
    ) -> QueueWait? {
        if turns.withLock({ $0.take(thread) }) { return nil }
        return QueueWait(thread, for: self, user: user, isQuestion: isQuestion).waitForTurn()
    }

    private func endTurn() {
        switch turns.withLock({ $0.passOn() }) {
        case .block(let block): start(block)
        case .wait(let wait): wait.thread.wake()
        case nil: break
        }
    }

    /// Has a thread of Dispatch's run the block that has the turn.
    private func start(_ block: @escaping @Sendable () -> Void) {
        dispatchQueue.async { [self] in
            let thread = QueueThread.current
            turns.withLock { $0.holder = thread }
            thread.holding(self, block)
            endTurn()
        }
    }
}

/// Which thread has a queue's turn, and what is next.
struct QueueTurns {
    enum Turn: @unchecked Sendable {
        // Unchecked: a wait is used under locks, as its documentation says.
        case block(@Sendable () -> Void)
        case wait(QueueWait)
    }

    /// The thread that has the turn, or to which it is lent; nil while there is none, or while one of Dispatch's is
    /// about to start.
    var holder: QueueThread?
    private var isTaken = false
    private var next = Fifo<Turn>()

    /// Gives the turn to a thread, if no other has it.
    mutating func take(_ thread: QueueThread) -> Bool {
        if isTaken { return false }
        isTaken = true
        holder = thread
        return true
    }

    /// Takes the turn for a block that is to start now, or puts the block behind what waits.
    mutating func reserve(for block: @escaping @Sendable () -> Void) -> Bool {
        if isTaken {
            next.append(.block(block))
            return false
        }
        isTaken = true
        return true
    }

    /// Gives the turn to a thread that waits, or puts the thread behind what waits already, or before it.
    ///
    /// - Returns: Whether the thread has the turn.
    mutating func add(_ wait: QueueWait, isFirst: Bool = false) -> Bool {
        if take(wait.thread) {
            wait.state = .granted
            return true
        }
        if isFirst { next.prepend(.wait(wait)) } else { next.append(.wait(wait)) }
        return false
    }

    mutating func remove(_ wait: QueueWait) {
        next.removeFirst { if case .wait(let other) = $0 { other === wait } else { false } }
    }

    /// The turn ends: the next one begins, if there is one.
    mutating func passOn() -> Turn? {
        holder = nil
        guard let turn = next.popFirst() else {
            isTaken = false
            return nil
        }
        if case .wait(let wait) = turn {
            holder = wait.thread
            wait.state = .granted
        }
        return turn
    }
}

/// A list that its elements leave in the order in which they came.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var isEmpty: Bool { elements[start...].allSatisfy { $0 == nil } }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) { elements.insert(element, at: start) }

    mutating func popFirst() -> Element? {
        while start < elements.count {
            let element = elements[start]
            elements[start] = nil
            start += 1
            if start > 32, start * 2 > elements.count {
                elements.removeFirst(start)
                start = 0
            }
            if let element { return element }
        }
        elements.removeAll(keepingCapacity: true)
        start = 0
        return nil
    }

    mutating func removeFirst(where isMeant: (Element) -> Bool) {
        let place = elements[start...].firstIndex { $0.map(isMeant) ?? false }
        if let place { elements[place] = nil }
    }
}
