/// A command that was sent, and what its answer means.
enum Step {
    /// A command of the client's own whose answer is of no interest.
    case internalCommand
    case begin
    case commit
    case deallocate(String)
    case prepare(PostgreSQLStatement)
    case describe(PostgreSQLStatement)
    /// An execution by the caller, with its number.
    case execution(Int, PostgreSQLStatement?)
    /// What comes before the caller's first command.
    case preamble(PostgreSQLPreamble)
    /// A statement behind the COMMIT, whose failure changes nothing.
    case afterCommit((PostgreSQLResult) -> Void)
    /// The end: the server answers in any case, and forgets an error.
    case sync

    var isCommit: Bool { if case .commit = self { true } else { false } }
    var isSync: Bool { if case .sync = self { true } else { false } }
}

/// What is sent until the server is asked to answer in any case, and what is known of the answers.
struct Exchange {
    private var steps: [Step] = []
    private var head = 0
    /// Executions so far.
    var executions = 0
    /// The first error. The server skips what comes after.
    var error: (any Error)?
    /// Whether the first of the steps has had its answer, and only the end of it is missing.
    var isAnswered = false
    /// When the wait for the server ends.
    var limit: ContinuousClock.Instant?
    /// Whether ``limit`` already is that of a cancellation.
    var isCancelling = false
    var isTimedOut = false
    /// Whether commands were sent that no sync follows. Their answers may all be here: the server still waits for it.
    var needsSync = false
    /// About how many bytes wait to be sent.
    var unsent = 0
    /// About how many bytes were sent since results were read.
    var unread = 0
    /// Whether errors say which execution failed.
    var isPipeline = false
    /// Whether the results of an execution come in pieces, of about so many rows.
    var pieceSize: Int?
    /// Executions behind which a failed caller wants no results any more.
    var discardsResults = false
    var isActive = false
    /// Whether the preamble is queued.
    var hasPreamble = false
    /// Statements that are prepared on the way, by their texts.
    var newStatements: [String: PostgreSQLStatement] = [:]

    var first: Step? { head < steps.count ? steps[head] : nil }

    /// Whether a COMMIT is under way.
    var isCommitting: Bool { steps[head...].contains(where: \.isCommit) }

    /// The execution that the server answers next, or that the client's own commands before it are for.
    var nextExecution: Int? {
        for case .execution(let index, _) in steps[head...] { return index }
        return nil
    }

    mutating func append(_ step: Step) { steps.append(step) }

    mutating func removeFirst() {
        isAnswered = false
        head += 1
        if head == steps.count {
            steps.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 4_096 {
            steps.removeFirst(head)
            head = 0
        }
    }

    /// Makes room for the next exchange, with the memory of this one.
    mutating func reset(limit: ContinuousClock.Instant?) {
        var steps = steps
        self.steps = []
        steps.removeAll(keepingCapacity: steps.count < 4_096)
        self = Exchange()
        self.steps = steps
        self.limit = limit
    }
}
