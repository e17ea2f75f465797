import Dispatch
import FoundationGaps
import Synchronization

/// A thread that waits for a queue.
///
/// Threads can wait for each other in a circle. An example: a child context merges what its parent saved, and asks the
/// parent for rows; meanwhile the parent's thread calls `child.performAndWait { }`. The child's thread waits for the
/// parent's queue, the parent's thread for the child's. The last thread of a circle finds the circle before it sleeps,
/// and resolves it:
///
/// - One thread gets the queue that it waits for, *lent* by the thread that has it. The lender goes on after the
///   borrower: it waits for a queue that is not free before the borrower's block has ended. What is lent can be lent
///   on.
/// - A context that asks its parent is in the middle of a fetch, a merge or a save: nothing may use it. A context that
///   waits in `performAndWait` is between two statements of the app's. So a child borrows the queue of a parent that is
///   not asking, and from a thread in which none above the parent is asking. The app borrows a queue from a thread that
///   is in the middle of no question.
/// - Where no thread may borrow, a question has to be answered first. The circle is looked at again when a question
///   ends. A circle that stays as it is for five seconds would stay so for ever: the program ends with a sentence that
///   names its contexts.
///
/// What is lent of the main queue runs on the main thread, which waits: it runs the borrower's block in between.
final class QueueWait: @unchecked Sendable {
    // Unchecked: see each property.

    enum State {
        /// The thread sleeps, or is about to.
        case waiting
        /// The block runs on the main thread, or will as soon as that thread wakes.
        case running
        /// The thread has the queue's turn.
        case granted
        /// The thread may work on the queue, though another thread has its turn.
        case lent
        /// The block has run on the main thread.
        case done

        var isOver: Bool { self != .waiting && self != .running }
    }

    let thread: QueueThread
    private let queue: ContextQueue
    /// Whether a child of the context asks, and not the app.
    private let isQuestion: Bool
    /// The context that is to be used. The caller that waits keeps it.
    private unowned(unsafe) let user: (any QueueUser)?
    /// What is to run on the main thread, until it has run. Used by the thread that runs it.
    private var job: (() -> Void)?
    /// The thread that runs the job, or will. Used under the lock of all waits.
    fileprivate var runner: QueueThread?
    /// Used under the lock of the queue's turns.
    var state = State.waiting
    /// The thread that had the queue when it was lent, and the wait that must not end before the queue is given back:
    /// of the thread that runs the lender's code. Used under the lock of all waits.
    private var lender: (thread: QueueThread, wait: QueueWait?)?
    /// The threads that this one lends a queue to while it waits. It goes on when all is given back. Used under the
    /// lock of all waits.
    private var borrowers: [QueueThread] = []
    /// Has the main queue call ``runOnMain()``.
    private var enqueue: (() -> Void)?
    /// Whether the main queue did so when the thread was a lender. Used under the lock of all waits.
    private var isOverdue = false
    /// Whether ``watch(_:)`` looks at the circle that this wait closed. Used under the lock of all waits.
    private var isWatched = false

    /// The waits of all threads. Their lock is taken before that of a queue's turns.
    private static let all = Mutex<[QueueWait]>([])
    /// Whether there may be a circle in which no thread could borrow.
    private static let hasOpenCircles = Atomic<Bool>(false)

    init(
        _ thread: QueueThread, for queue: ContextQueue, user: (any QueueUser)?, isQuestion: Bool,
        job: (() -> Void)? = nil
    ) {
        self.thread = thread
        self.queue = queue
        self.user = user
        self.isQuestion = isQuestion
        self.job = job
    }

    // MARK: Waiting

    /// Waits for a private queue.
    ///
    /// - Returns: This wait, to be given back, if the queue is lent.
    func waitForTurn() -> QueueWait? {
        Self.all.withLock { waits in
            _ = queue.turns.withLock { $0.add(self) }
            begin(&waits)
        }
        return sleepUntilOver() == .lent ? self : nil
    }

    /// Waits until the main thread has run the job.
    ///
    /// - Parameter enqueue: Has the main queue call ``runOnMain()``.
    func waitForMain(_ enqueue: @escaping () -> Void) {
        self.enqueue = enqueue
        enqueue()
        Self.all.withLock { begin(&$0) }
        _ = sleepUntilOver()
    }

    /// The main queue got to the job, if no waiting thread of the main queue's has run it.
    func runOnMain() {
        let isMine = Self.all.withLock { _ in
            queue.turns.withLock { _ in
                guard state == .waiting else { return false }
                guard borrowers.isEmpty else {
                    isOverdue = true
                    return false
                }
                state = .running
                runner = .current
                return true
            }
        }
        if isMine { run() }
    }

    private func run() {
        QueueThread.current.holding(queuesOf: thread) { job?() }
        job = nil
        Self.all.withLock { _ in
            queue.turns.withLock { _ in state = .done }
            runner = nil
        }
        thread.wake()
    }

    private func sleepUntilOver() -> State {
        while true {
            let (state, job) = Self.all.withLock { nextStep(&$0) }
            if state.isOver { return state }
            guard let job else {
                thread.sleep()
                continue
            }
            job.run()
            Self.all.withLock { waits in
                if borrowers.isEmpty { _ = queue.turns.withLock { $0.add(self, isFirst: true) } }
                begin(&waits)
            }
        }
    }

    /// What the thread does when it is awake: it goes on, or runs a job of another thread, or sleeps again. Under the
    /// lock.
    private func nextStep(_ waits: inout [QueueWait]) -> (State, job: QueueWait?) {
        let state = queue.turns.withLock { _ in self.state }
        if state.isOver {
            end(&waits)
            return (state, nil)
        }
        // The job is of a circle, in which the queue can't come to this thread before the job has run.
        let job = thread.jobs.popFirst()
        if job != nil {
            // The queue must not come to a thread that is busy.
            queue.turns.withLock { $0.remove(self) }
            end(&waits)
        }
        return (state, job)
    }

    /// The thread waits from now on. Under the lock.
    private func begin(_ waits: inout [QueueWait]) {
        thread.wait = self
        waits.append(self)
        if ContextQueue.hasMain(thread) { ContextQueue.main.turns.withLock { $0.holder = thread } }
        resolveCircle()
    }

    /// The thread goes on. Under the lock.
    private func end(_ waits: inout [QueueWait]) {
        thread.wait = nil
        waits.removeAll { $0 === self }
        if ContextQueue.hasMain(thread) { ContextQueue.main.turns.withLock { $0.holder = nil } }
    }

    // MARK: Circles

    /// Lends a queue if the threads that this one waits for wait for this one. Under the lock.
    private func resolveCircle() {
        // The thread may be a lender: then it goes on after the borrower.
        guard let start = thread.blockingWait, let circle = start.circle() else { return }
        if let borrower = circle.first(where: \.canBorrow) {
            borrower.borrow()
        } else {
            Self.hasOpenCircles.store(true, ordering: .relaxed)
            start.watch(circle)
        }
    }

    /// Ends the program if a circle without a borrower is still there, unchanged, after some time. Under the lock.
    private func watch(_ circle: [QueueWait]) {
        if isWatched { return }
        isWatched = true
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
            Self.all.withLock { _ in
                self.isWatched = false
                guard let now = self.circle() else { return }
                guard now.elementsEqual(circle, by: ===), !now.contains(where: \.canBorrow) else {
                    return self.resolveCircle()
                }
                programmerError(Self.sentence(about: now))
            }
        }
    }

    private static let patience = DispatchTimeInterval.seconds(5)

    private static func sentence(about circle: [QueueWait]) -> String {
        let names = circle.map { wait in wait.user.map { $0.name ?? "a context without a name" } ?? "a coordinator" }
        return
            "Threads wait for each other for ever: each of them waits for the queue of one of these, which another of them has: "
            + names.joined(separator: ", ")
            + ". Code that runs while a context answers its child, such as an observer of the context's "
            + "notifications, must not call performAndWait of another context: use perform."
    }

    /// A question has its answer: a thread that could not borrow because of the question may borrow now.
    static func questionEnded() {
        guard hasOpenCircles.load(ordering: .relaxed) else { return }
        all.withLock { waits in
            hasOpenCircles.store(false, ordering: .relaxed)
            for wait in waits { wait.resolveCircle() }
        }
    }

    /// The waits that wait for each other, this one first; nil if there is a thread among them that goes on by itself.
    private func circle() -> [QueueWait]? {
        var waits = [self]
        while let last = waits.last, let next = last.holder?.blockingWait, next.isOpen {
            if next === self { return waits }
            if waits.contains(where: { $0 === next }) { return nil }
            waits.append(next)
        }
        return nil
    }

    /// What the thread's going on depends on first: this wait, or that of the thread that borrowed last; nil if that
    /// thread runs.
    fileprivate var innermost: QueueWait? {
        guard let borrower = borrowers.last else { return self }
        return borrower.blockingWait
    }

    private var isOpen: Bool { queue.turns.withLock { _ in !state.isOver } }

    /// The thread that this one waits for; nil if the wait is over, or no thread has the queue yet.
    private var holder: QueueThread? { queue.turns.withLock { state.isOver ? nil : $0.holder } }

    private var canBorrow: Bool {
        guard let lender = queue.turns.withLock({ state == .waiting ? $0.holder : nil }) else { return false }
        if let user, user.questionsToParent > 0 { return false }
        return [lender, lender.runner].allSatisfy { thread in
            if isQuestion, let user { return !thread.isAsking(user) }
            return thread.asking.isEmpty
        }
    }

    private func borrow() {
        guard let lender = holder else { return }
        guard !queue.isMain else {
            queue.turns.withLock { _ in state = .running }
            runner = lender
            lender.jobs.append(self)
            return lender.wake()
        }
        queue.turns.withLock { turns in
            state = .lent
            turns.remove(self)
            turns.holder = thread
        }
        let runner = lender.runner
        self.lender = (lender, runner === thread ? nil : runner.wait)
        if let wait = self.lender?.wait {
            if wait.borrowers.isEmpty { wait.suspend() }
            wait.borrowers.append(thread)
        }
        thread.wake()
    }

    /// Returns what was lent.
    func giveBack() {
        Self.all.withLock { waits in
            queue.turns.withLock { $0.holder = lender?.thread }
            if let wait = lender?.wait {
                if let last = wait.borrowers.lastIndex(where: { $0 === thread }) { wait.borrowers.remove(at: last) }
                if wait.borrowers.isEmpty, wait.thread.wait === wait { wait.resume() }
            }
            for wait in waits where wait.queue === queue { wait.resolveCircle() }
        }
    }

    /// The thread is a lender now: it can't go on, even if the queue that it waits for is free.
    private func suspend() { queue.turns.withLock { $0.remove(self) } }

    /// All that the thread lent is given back.
    private func resume() {
        if queue.isMain {
            if isOverdue { enqueue?() }
            isOverdue = false
        } else if queue.turns.withLock({ $0.add(self, isFirst: true) }) {
            return thread.wake()
        }
        resolveCircle()
    }
}

extension QueueThread {
    /// The thread that runs this one's code: the main thread, while it runs the block that this one waits for.
    fileprivate var runner: QueueThread { wait?.runner ?? self }

    /// What keeps the thread from going on; nil if it runs, or is about to run a job of another thread's.
    fileprivate var blockingWait: QueueWait? { jobs.isEmpty ? wait?.innermost : nil }
}
